import type { Database, Db, Tx } from '../../db/connect.ts'
import type { Tally } from './counters.ts'
import { addingUp, insertBulk } from './insertBulk.ts'
import type { Respondent } from './respondent.ts'

export interface IntakeSurvey {
  id: number
  project_id: number
}

const COUNTS = ['completes', 'terminates', 'overquota', 'partials'] as const
const HOUSEHOLD = ['m0', 'm1', 'm2', 'm3', 'm4', 'c0', 'c1', 'c2', 'c3', 'c4'] as const
const ints = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'int' as const]))

/** The positions of questions in the questionnaire, if they are needed: for partials with answers. */
export async function orderOf(tx: Db | Tx, survey: IntakeSurvey, rows: readonly Respondent[]): Promise<Map<string, number>> {
  if (!rows.some(({ outcome, answers }) => outcome === 'partials' && answers)) return new Map()
  const questions = await tx
    .selectFrom('questions')
    .select('id')
    .where('survey_id', '=', survey.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return new Map(questions.map(({ id }, at) => [String(id), at]))
}

/** Adds a tally to the counters, always in the same order of tables. */
export async function count(database: Database, tx: Tx, survey: IntakeSurvey, tally: Tally): Promise<void> {
  const add = (
    table: 'day_cells' | 'demo_cells' | 'marginals' | 'geo_cells' | 'geo_squares' | 'answer_cells',
    keys: Record<string, 'int' | 'text'>,
    counters: readonly string[],
    rows: Iterable<unknown[]>,
  ) =>
    insertBulk(database, tx, {
      table,
      columns: { survey_id: 'int', project_id: 'int', ...keys, ...ints(counters) },
      common: [survey.id, survey.project_id],
      rows: [...rows],
      onConflict: addingUp(table, ['survey_id', ...Object.keys(keys)], counters),
    })
  await add('day_cells', { cell: 'int', day: 'text' }, COUNTS, tally.days())
  await add('demo_cells', { cell: 'int' }, [...COUNTS, ...HOUSEHOLD], tally.cells())
  await add('marginals', { dimension: 'text', value: 'int' }, ['completes'], tally.marginals())
  await add('geo_cells', { cell: 'int', lat: 'int', lon: 'int' }, ['completes'], tally.places())
  await add('geo_squares', { lat: 'int', lon: 'int' }, ['completes', 'lats', 'lons'], tally.squares())
  await insertBulk(database, tx, {
    table: 'question_stops',
    columns: { survey_id: 'int', question_id: 'int', partials: 'int' },
    common: [survey.id],
    rows: [...tally.stops()],
    onConflict: addingUp('question_stops', ['survey_id', 'question_id'], ['partials']),
  })
  await add('answer_cells', { question_id: 'int', value: 'text', age: 'int', gender: 'int' }, ['completes'], tally.answers())
  if (tally.completes)
    await tx
      .updateTable('projects')
      .set((eb) => ({ delivered: eb('delivered', '+', tally.completes) }))
      .where('id', '=', survey.project_id)
      .execute()
}
