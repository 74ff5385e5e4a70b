import { sql } from 'kysely'
import type { JobKind, Services } from '../../core/context.ts'
import { type Database, type Tx, transact } from '../../db/connect.ts'
import { TOTAL } from '../runtime/cells.ts'
import { Tally } from '../runtime/counters.ts'
import { addingUp, insertBulk } from '../runtime/insertBulk.ts'
import { lockSurvey } from '../runtime/intake.ts'
import { storedRespondent } from '../runtime/respondent.ts'
import { BEYOND_FIRST } from './answerCodes.ts'
import { placeCompletes } from './columnWrites.ts'

/** Completes in one transaction, so that others can write in between. */
const BATCH = 2000

/**
 * Assigns column positions to completes that an older release stored; returns how many there were.
 * Several processes may run it at once, because each batch locks the survey.
 */
export async function fillColumns(database: Database, goesOn: () => boolean = () => true): Promise<number> {
  let filled = 0
  for (const { survey, project, more } of await behind(database)) {
    // More positions than completes: an older release withdrew one without clearing its position.
    if (more < 0) await transact(database, (tx) => forgetColumns(database, tx, survey))
    for (let after: string | null = ''; after !== null && goesOn(); ) {
      const from: string = after
      const done = await transact(database, (tx) => fillBatch(database, tx, { survey, project }, from))
      filled += done.count
      after = done.last
    }
  }
  return filled
}

async function behind({ db }: Database): Promise<{ survey: number; project: number; more: number }[]> {
  const rows = await db
    .selectFrom('demo_cells')
    .leftJoin('answer_sizes', 'answer_sizes.survey_id', 'demo_cells.survey_id')
    .select(['demo_cells.survey_id', 'demo_cells.project_id', 'demo_cells.completes as all', 'answer_sizes.completes as placed'])
    .where('cell', '=', TOTAL)
    .orderBy('demo_cells.survey_id')
    .execute()
  return rows.flatMap(({ survey_id, project_id, all, placed }) => {
    const more = Number(all) - Number(placed ?? 0)
    return more ? [{ survey: Number(survey_id), project: Number(project_id), more }] : []
  })
}

async function fillBatch(
  database: Database,
  tx: Tx,
  { survey, project }: { survey: number; project: number },
  after: string,
): Promise<{ count: number; last: string | null }> {
  await lockSurvey(database, tx, { id: survey, project_id: project })
  const rows = await tx
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', survey)
    .where('respondent_id', '>', after)
    .orderBy('respondent_id')
    .limit(BATCH)
    .execute()
  const completes = rows.filter(({ outcome, ordinal }) => outcome === 'completes' && ordinal === null).map(storedRespondent)
  if (completes.length) {
    const first = await placeCompletes(database, tx, survey, completes)
    await setOrdinals(
      database,
      tx,
      survey,
      completes.map(({ id }, at) => [id, first + at]),
    )
    const tally = new Tally('UTC')
    for (const one of completes) tally.addBeyond(one)
    const beyond = [...tally.answers()]
    await insertBulk(database, tx, {
      table: 'answer_cells',
      columns: {
        survey_id: 'int',
        project_id: 'int',
        question_id: 'int',
        value: 'text',
        age: 'int',
        gender: 'int',
        completes: 'int',
      },
      rows: beyond.map((row) => [survey, project, ...row]),
      onConflict: addingUp('answer_cells', ['survey_id', 'question_id', 'value', 'age', 'gender'], ['completes']),
    })
    // Before questions had types, only multiple-choice ones got several answers from a respondent.
    const several = [...new Set(beyond.map(([question]) => Number(question)))]
    if (several.length)
      await tx
        .updateTable('questions')
        .set({ answer_type: 'multiple' })
        .where('id', 'in', several)
        .where('answer_type', '=', 'single')
        .execute()
  }
  return { count: completes.length, last: rows.length < BATCH ? null : rows.at(-1)!.respondent_id }
}

async function setOrdinals(
  database: Database,
  tx: Tx,
  survey: number,
  places: readonly (readonly [string, number])[],
): Promise<void> {
  const set = sql`update respondents set ordinal = placed.ordinal from`
  const which = sql`where respondents.survey_id = ${survey} and respondents.respondent_id = placed.id`
  if (database.engine === 'postgres')
    await sql`${set} unnest(${places.map(([id]) => id)}::text[], ${places.map(([, ordinal]) => ordinal)}::bigint[]) as placed(id, ordinal) ${which}`.execute(
      tx,
    )
  else
    await sql`${set} (select value ->> 0 as id, value ->> 1 as ordinal from json_each(${JSON.stringify(places)})) as placed ${which}`.execute(
      tx,
    )
}

/** Deletes a survey's columns, so that they are rebuilt from its respondents. */
async function forgetColumns(database: Database, tx: Tx, survey: number): Promise<void> {
  await lockSurvey(database, tx, { id: survey, project_id: 0 })
  for (const table of ['answer_columns', 'answer_texts', 'answer_sizes'] as const)
    await tx.deleteFrom(table).where('survey_id', '=', survey).execute()
  await tx.deleteFrom('answer_cells').where('survey_id', '=', survey).where('value', '=', BEYOND_FIRST).execute()
  await tx.updateTable('respondents').set({ ordinal: null }).where('survey_id', '=', survey).execute()
}

/** True while this process fills columns. */
let filling = false

async function fillOnce(services: Services): Promise<void> {
  if (filling) return
  const { database, log } = services
  filling = true
  try {
    const count = await fillColumns(database, () => !services.stopping)
    if (count) log.info(`answers by column: ${count} completes from an older release got their positions`)
  } catch (error) {
    if (!services.stopping) log.error({ err: error }, 'filling the answer columns failed')
  } finally {
    filling = false
  }
}

/** Has no jobs of its own: its sweep starts filling the columns in the background, so that other jobs don't wait. */
export const answerFillKind: JobKind = { run: async () => ({}), sweep: async (services) => void fillOnce(services) }
