import type { Selectable } from 'kysely'
import { nameKey } from '../../../contract/foldText.ts'
import { type CellCount, type Conditions, PlanMatcher, type RuleDimension } from '../../../contract/quotaRules.ts'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import type { Schema } from '../../db/schema.ts'
import type { Against } from '../runtime/respondent.ts'

export type PlanRow = Selectable<Schema['quota_plans']>
type DimensionRow = Selectable<Schema['quota_dimensions']>
export type CellRow = Selectable<Schema['quota_cells']>

/** A plan as admission and intake use it. */
export interface QuotaPlan {
  row: PlanRow
  dimensions: readonly DimensionRow[]
  cells: ReadonlyMap<number, CellRow>
  /** The cell that everybody counts in. */
  total: number
  matcher: PlanMatcher
  /** The questions that they ask for. */
  against: Omit<Against, 'now'>
}

export const QUESTION = /^answers\.(\d{1,9})$/

/** A plan with its cells, from its row. */
export async function planOf(db: Db | Tx, row: PlanRow): Promise<QuotaPlan> {
  const dimensions = await db
    .selectFrom('quota_dimensions')
    .selectAll()
    .where('plan_id', '=', row.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const cells = await db
    .selectFrom('quota_cells')
    .selectAll()
    .where('plan_id', '=', row.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return { ...assemble(row, dimensions, cells), against: await againstOf(db, dimensions) }
}

function assemble(row: PlanRow, dimensions: readonly DimensionRow[], cells: readonly CellRow[]) {
  const total = cells.find(({ dimension_id }) => dimension_id === null)!.id
  const rules: RuleDimension[] = dimensions.map(({ id, name, kind, fields }) => ({
    ...{ id, name, kind, fields: JSON.parse(fields) as string[] },
    cells: cells
      .filter(({ dimension_id }) => dimension_id === id)
      .map((cell) => ({ id: cell.id, conditions: JSON.parse(cell.conditions) as Conditions })),
  }))
  return {
    ...{ row, dimensions, total },
    cells: new Map(cells.map((cell) => [cell.id, cell])),
    matcher: new PlanMatcher({ unknown: row.unknown, total, dimensions: rules }),
  }
}

async function againstOf(db: Db | Tx, dimensions: readonly DimensionRow[]): Promise<Omit<Against, 'now'>> {
  const ids = dimensions.flatMap(({ fields }) =>
    (JSON.parse(fields) as string[]).flatMap((field) => QUESTION.exec(field)?.[1] ?? []).map(Number),
  )
  const questions = ids.length
    ? await db.selectFrom('questions').select(['id', 'answer_type', 'options']).where('id', 'in', ids).execute()
    : []
  const options = questions.map(({ id, options }) => {
    const texts = (JSON.parse(options) as unknown[]).map(String)
    return [
      id,
      new Map([...texts.map((text) => [nameKey(text), text] as const), ...texts.map((text) => [text, text] as const)]),
    ] as const
  })
  return { questions: new Set(questions.map(({ id }) => id)), open: new Set(), options: new Map(options) }
}

/** The live plans of some surveys, by survey. */
export async function livePlans(db: Db | Tx, surveys: readonly number[]): Promise<Map<number, QuotaPlan>> {
  const rows = await db
    .selectFrom('quota_plans')
    .selectAll()
    .where('survey_id', 'in', [...surveys])
    .where('state', '=', 'live')
    .execute()
  const plans = new Map<number, QuotaPlan>()
  for (const row of rows) plans.set(row.survey_id, await planOf(db, row))
  return plans
}

/**
 * Locks all cells of a plan until the transaction ends, in the order of their ids.
 * Every change of a plan's cells or holds locks its total first, so what is read afterwards stays so.
 */
export async function lockCells(database: Database, tx: Tx, plan_id: number): Promise<void> {
  const rows = tx.selectFrom('quota_cells').select('id').where('plan_id', '=', plan_id).orderBy('id')
  await locked(database, rows).execute()
}

/** A cell as decisions count it. */
export const countOf = ({ id, target, ceiling, completes, held, closed }: CellRow): CellCount => ({
  ...{ id, target, ceiling, completes, held },
  closed: closed === 1,
})
