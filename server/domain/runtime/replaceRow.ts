import { type SqlBool, sql } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import { forgetTexts, placeCompletes, replaceComplete } from '../responses/columnWrites.ts'
import { Tally } from './counters.ts'
import { count, type IntakeSurvey, orderOf } from './countRows.ts'
import type { Respondent } from './respondent.ts'

export type StoredRespondent = Respondent & { taken_on: number | null; ordinal: number | null }

/** Updates the answer columns; returns the position of the stored respondent, or null. */
export async function moveAnswers(
  database: Database,
  tx: Tx,
  survey: IntakeSurvey,
  old: StoredRespondent,
  fresh: Respondent | null,
): Promise<number | null> {
  const [was, is] = [old.outcome === 'completes', fresh?.outcome === 'completes']
  let place: number | null = null
  if (was && old.ordinal !== null) {
    await replaceComplete(database, tx, survey.id, old.ordinal, is ? fresh : null)
    if (is) place = old.ordinal
  } else if (is && !was) place = await placeCompletes(database, tx, survey.id, [fresh!])
  if (was) await forgetTexts(tx, survey.id, old.answers)
  return place
}

/** Removes one respondent from every counter, and counts its replacement. */
export async function recount(
  database: Database,
  tx: Tx,
  survey: IntakeSurvey,
  { old, fresh, timeZone }: { old: StoredRespondent; fresh: Respondent | null; timeZone: string },
): Promise<void> {
  const all = [old, ...(fresh ? [fresh] : [])]
  const tally = new Tally(timeZone, await orderOf(tx, survey, all))
  tally.add(old, -1, await countedOn(tx, survey, old, tally.dayOf(old.at)))
  if (fresh) tally.add(fresh, 1, tally.dayOf(fresh.at))
  await count(database, tx, survey, tally)
  await dropEmpty(tx, survey, tally)
}

/** The day a respondent was counted on, a day off if the display zone has changed since. */
async function countedOn(tx: Tx, survey: IntakeSurvey, one: Respondent, day: string): Promise<string> {
  const near = [0, -1, 1].map((days) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10))
  const rows = await tx
    .selectFrom('day_cells')
    .select('day')
    .where('survey_id', '=', survey.id)
    .where('cell', '=', one.outcome === 'completes' ? one.cell : -1)
    .where('day', 'in', near)
    .where(one.outcome, '>', 0)
    .execute()
  const there = new Set(rows.map((row) => row.day))
  return near.find((date) => there.has(date)) ?? day
}

/** Deletes counters that fell to zero, so that a withdrawn answer isn't listed with 0. */
async function dropEmpty(tx: Tx, { id }: IntakeSurvey, tally: Tally): Promise<void> {
  const none = (...names: string[]) =>
    sql.join(
      names.map((name) => sql`${sql.ref(name)} = 0`),
      sql` and `,
    )
  const outcomes = none('completes', 'terminates', 'overquota', 'partials')
  const drop = (table: string, keys: readonly string[], rows: Iterable<unknown[]>, empty: ReturnType<typeof none>) =>
    [...rows].map((row) => {
      const same = sql.join(
        keys.map((key, at) => sql<SqlBool>`${sql.ref(key)} = ${row[at]}`),
        sql` and `,
      )
      return sql`delete from ${sql.table(table)} where survey_id = ${id} and ${same} and ${empty}`
    })
  const statements = [
    ...drop('day_cells', ['cell', 'day'], tally.days(), outcomes),
    ...drop('demo_cells', ['cell'], tally.cells(), outcomes),
    ...drop('marginals', ['dimension', 'value'], tally.marginals(), none('completes')),
    ...drop('geo_cells', ['cell', 'lat', 'lon'], tally.places(), none('completes')),
    ...drop('geo_squares', ['lat', 'lon'], tally.squares(), none('completes')),
    ...drop('question_stops', ['question_id'], tally.stops(), none('partials')),
    ...drop('answer_cells', ['question_id', 'value', 'age', 'gender'], tally.answers(), none('completes')),
  ]
  for (const statement of statements) await statement.execute(tx)
}

export const removeRow = (tx: Tx, survey: IntakeSurvey, id: string) =>
  tx.deleteFrom('respondents').where('survey_id', '=', survey.id).where('respondent_id', '=', id).execute()
