import type { Db } from '../../db/connect.ts'
import type { Schema } from '../../db/schema.ts'
import { Tally } from './counters.ts'
import { storedRespondent } from './respondent.ts'

/** Respondents in one read. */
const SOME = 5000

type Counter = [
  table: keyof Schema & string,
  keys: readonly string[],
  counts: readonly string[],
  rows: (tally: Tally) => Iterable<unknown[]>,
]
const OUTCOMES = ['completes', 'terminates', 'overquota', 'partials']
const HOUSEHOLD = ['m0', 'm1', 'm2', 'm3', 'm4', 'c0', 'c1', 'c2', 'c3', 'c4']

/**
 * TABLE  counters that intake keeps of respondents, and the rows that a recount gives, with keys first.
 * Days aren't compared, because the display zone may have changed since.
 * Partials are compared in all and not by question, because the questionnaire may have changed its order.
 */
export const COUNTERS: readonly Counter[] = [
  ['day_cells', ['cell'], OUTCOMES, (tally) => withoutDay(tally.days())],
  ['demo_cells', ['cell'], [...OUTCOMES, ...HOUSEHOLD], (tally) => tally.cells()],
  ['marginals', ['dimension', 'value'], ['completes'], (tally) => tally.marginals()],
  ['geo_cells', ['cell', 'lat', 'lon'], ['completes'], (tally) => tally.places()],
  ['geo_squares', ['lat', 'lon'], ['completes', 'lats', 'lons'], (tally) => tally.squares()],
  ['answer_cells', ['question_id', 'value', 'age', 'gender'], ['completes'], (tally) => tally.answers()],
  ['question_stops', [], ['partials'], (tally) => Array.from(tally.stops(), ([, partials]) => [partials])],
]

function* withoutDay(rows: Iterable<unknown[]>): Generator<unknown[]> {
  for (const [cell, , ...counts] of rows) yield [cell, ...counts]
}

/** Sums of counts by key, without those that are zero. */
function summed(rows: Iterable<readonly unknown[]>, keys: number): Map<string, string> {
  const sums = new Map<string, number[]>()
  for (const row of rows) {
    const key = row.slice(0, keys).join(' ')
    const counts = row.slice(keys).map(Number)
    const sum = sums.get(key)
    if (sum) for (const [at, count] of counts.entries()) sum[at]! += count
    else sums.set(key, counts)
  }
  return new Map([...sums].flatMap(([key, counts]) => (counts.some(Boolean) ? [[key, counts.join(' ')] as const] : [])))
}

/** The tables whose counters of a survey differ from a count of its respondents. */
export async function miscountedSurvey(db: Db, survey: number): Promise<string[]> {
  const tally = new Tally('UTC')
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('respondents')
      .selectAll()
      .where('survey_id', '=', survey)
      .where('respondent_id', '>', after)
      .orderBy('respondent_id')
      .limit(SOME)
      .execute()
    for (const row of rows) tally.add(storedRespondent(row), 1, '')
    if (rows.length < SOME) break
    after = rows.at(-1)!.respondent_id
  }
  const off: string[] = []
  for (const [table, keys, counts, rowsOf] of COUNTERS) {
    const columns = [...keys, ...counts]
    const stored = await db
      .selectFrom(table as 'day_cells')
      .select(columns as 'cell'[])
      .where('survey_id', '=', survey)
      .execute()
    const is = summed(
      stored.map((row) => columns.map((column) => (row as Record<string, unknown>)[column])),
      keys.length,
    )
    const should = summed(rowsOf(tally), keys.length)
    if (is.size !== should.size || [...should].some(([key, count]) => is.get(key) !== count)) off.push(table)
  }
  return off
}
