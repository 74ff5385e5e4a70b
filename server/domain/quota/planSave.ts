import { sql } from 'kysely'
import { ceilingOf } from '../../../contract/quotaRules.ts'
import { difference, stale } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { locked } from '../../db/locked.ts'
import type { PlannedDimension } from './planInput.ts'
import { cellsIn } from './quotaLedger.ts'
import { type CellRow, lockCells, type PlanRow, planOf } from './quotaPlans.ts'
import { seenPlan } from './quotaRecord.ts'

type Settings = Partial<
  Pick<PlanRow, 'total' | 'mode' | 'overage_percent' | 'hold_minutes' | 'silent_minutes' | 'unknown' | 'note'>
>

/** A plan that the caller sees, locked with its cells; throws 404, and 409 for a stale version. */
export async function heldPlan(ctx: Ctx, id: number, lock: number | undefined, mine: object = {}): Promise<PlanRow> {
  await seenPlan(ctx, id)
  const { database } = ctx.services
  const row = await locked(database, ctx.tx.selectFrom('quota_plans').selectAll().where('id', '=', id)).executeTakeFirstOrThrow()
  if (lock !== undefined && lock !== row.lock_version) throw stale('quota plan', row, mine)
  await lockCells(database, ctx.tx, id)
  return row
}

/** Writes a plan's row with a history line and the live event; every save has a version of its own. */
export async function savePlan(
  ctx: Ctx,
  row: PlanRow,
  patch: Partial<PlanRow>,
  lines: { before: object; after: object },
): Promise<void> {
  const { before, after } = difference(row, patch)
  await ctx.tx
    .updateTable('quota_plans')
    .set(onlyColumns('quota_plans', { ...(after as Partial<PlanRow>), updated_at: ctx.now, lock_version: row.lock_version + 1 }))
    .where('id', '=', row.id)
    .execute()
  ctx.notePrevious('quota', row.id, before)
  await ctx.record({
    subject: 'quota',
    subject_id: row.id,
    project_id: row.project_id,
    before: { ...before, ...lines.before },
    after: { ...after, ...lines.after },
  })
  ctx.emit({
    ...{ noun: 'quota', id: row.id, project_id: row.project_id },
    audience: row.state === 'draft' && patch.state === undefined ? 'admin' : 'scope',
  })
}

const TOTAL = { dimension_id: null, position: 0, name: 'Total', conditions: '{}' }

/** Adds the cells of a new plan. */
export async function addCells(
  ctx: Pick<Ctx, 'tx'>,
  plan: Pick<PlanRow, 'id' | 'total' | 'overage_percent'>,
  dimensions: readonly PlannedDimension[],
) {
  const ceiling = ceilingOf(plan.total, plan.overage_percent)
  await ctx.tx
    .insertInto('quota_cells')
    .values(onlyColumns('quota_cells', { plan_id: plan.id, ...TOTAL, target: plan.total, ceiling }))
    .execute()
  for (const [at, dimension] of dimensions.entries()) await addDimension(ctx, plan, dimension, at)
}

async function addDimension(
  ctx: Pick<Ctx, 'tx'>,
  { id: plan_id, overage_percent }: Pick<PlanRow, 'id' | 'overage_percent'>,
  { name, kind, fields, cells }: PlannedDimension,
  position: number,
): Promise<void> {
  const { id: dimension_id } = await ctx.tx
    .insertInto('quota_dimensions')
    .values({ plan_id, position, name, kind, fields: JSON.stringify(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = cells.map((cell, at) => cellRow(plan_id, dimension_id, cell, { position: at + 1, overage_percent }))
  for (let from = 0; from < rows.length; from += 500)
    await ctx.tx
      .insertInto('quota_cells')
      .values(rows.slice(from, from + 500))
      .execute()
}

const cellRow = (
  plan_id: number,
  dimension_id: number,
  { name, conditions, target }: PlannedDimension['cells'][number],
  { position, overage_percent }: { position: number; overage_percent: number },
) => ({
  ...{ plan_id, dimension_id, position, name, conditions: JSON.stringify(conditions), target },
  ceiling: ceilingOf(target, overage_percent),
})

interface CellPatch {
  id: number
  patch: Partial<Pick<CellRow, 'target' | 'ceiling' | 'closed' | 'reopened_at' | 'name' | 'position'>>
}

/** Throws 422 `below_taken` for cells whose places would be fewer than what they have taken. */
function refuseBelowTaken(cells: readonly Pick<CellRow, 'id' | 'name' | 'ceiling' | 'completes' | 'held'>[]): void {
  const over = cells.filter(({ ceiling, completes, held }) => completes + held > ceiling)
  const [first] = over
  if (!first) return
  const taken = over.map(({ id, name, ceiling, completes, held }) => ({
    id,
    name,
    ceiling,
    completes,
    held,
    taken: completes + held,
  }))
  const sentence = `“${first.name}” has taken ${first.completes + first.held} places (${first.completes} completes and ${first.held} held), more than ${first.ceiling}.`
  throw new HttpError(422, 'below_taken', sentence, { fields: { cells: sentence }, taken })
}

/** Changes cells; returns their former and new values for the history. */
export async function patchCells(ctx: Ctx, cells: ReadonlyMap<number, CellRow>, patches: readonly CellPatch[]) {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const changes = patches.flatMap(({ id, patch }) => {
    const cell = cells.get(id)!
    const changed = difference(cell, patch)
    return Object.keys(changed.after).length ? [{ id, cell, changed }] : []
  })
  refuseBelowTaken(changes.map(({ cell, changed }) => ({ ...cell, ...(changed.after as Partial<CellRow>) })))
  for (const { id, cell, changed } of changes) {
    await ctx.tx
      .updateTable('quota_cells')
      .set(changed.after as CellPatch['patch'])
      .where('id', '=', id)
      .execute()
    const words = ({ target = cell.target, closed = cell.closed }: Partial<CellRow>) =>
      closed ? `${target}, closed` : `${target}`
    const [was, is] = [words(cell), words({ ...cell, ...(changed.after as Partial<CellRow>) })]
    if (was !== is) Object.assign(before, { [cell.name]: was }) && Object.assign(after, { [cell.name]: is })
  }
  return { before, after, count: changes.length }
}

/** A dimension's cells by what they are, so that one that is sent again keeps its places. */
const keyOf = ({ name, conditions }: { name: string; conditions: object }, kind: string) =>
  kind === 'concept' ? `${name} ${JSON.stringify(conditions)}` : JSON.stringify(conditions)

/** Changes a plan's settings and dimensions; on a live plan, everybody who is counted is matched again. */
export async function editPlan(
  ctx: Ctx,
  row: PlanRow,
  settings: Settings,
  dimensions: readonly PlannedDimension[] | null,
): Promise<boolean> {
  const { cells, dimensions: stored } = await planOf(ctx.tx, row)
  const total = settings.total ?? row.total
  const overage_percent = settings.overage_percent ?? row.overage_percent
  const all = [...cells.values()]
  const totalCell = all.find(({ dimension_id }) => dimension_id === null)!
  const patches: CellPatch[] = [{ id: totalCell.id, patch: { target: total, ceiling: ceilingOf(total, overage_percent) } }]
  const gone = new Set<number>()
  const added: { dimension: PlannedDimension; position: number }[] = []
  const addedCells: ReturnType<typeof cellRow>[] = []
  if (!dimensions)
    for (const { id, target, dimension_id } of all)
      if (dimension_id !== null) patches.push({ id, patch: { ceiling: ceilingOf(target, overage_percent) } })
  for (const [position, dimension] of (dimensions ?? []).entries()) {
    const same = stored.find(
      ({ name, kind, fields }) =>
        name === dimension.name && kind === dimension.kind && fields === JSON.stringify(dimension.fields),
    )
    if (!same) {
      added.push({ dimension, position })
      continue
    }
    const own = new Map(
      all
        .filter(({ dimension_id }) => dimension_id === same.id)
        .map((cell) => [keyOf({ name: cell.name, conditions: JSON.parse(cell.conditions) as object }, same.kind), cell]),
    )
    for (const [at, cell] of dimension.cells.entries()) {
      const known = own.get(keyOf(cell, same.kind))
      own.delete(keyOf(cell, same.kind))
      const place = { position: at + 1, overage_percent }
      if (!known) addedCells.push(cellRow(row.id, same.id, cell, place))
      else {
        const ceiling = ceilingOf(cell.target, overage_percent)
        patches.push({ id: known.id, patch: { target: cell.target, ceiling, name: cell.name, position: at + 1 } })
      }
    }
    for (const { id } of own.values()) gone.add(id)
    if (same.position !== position)
      await ctx.tx.updateTable('quota_dimensions').set({ position }).where('id', '=', same.id).execute()
  }
  const goneDimensions = dimensions
    ? stored.filter(
        ({ name, kind, fields }) =>
          !dimensions.some((one) => one.name === name && one.kind === kind && JSON.stringify(one.fields) === fields),
      )
    : []
  for (const { id } of goneDimensions) for (const cell of all) if (cell.dimension_id === id) gone.add(cell.id)
  const structural = gone.size + added.length + addedCells.length > 0
  const lines = await patchCells(ctx, cells, patches)
  if (gone.size)
    await ctx.tx
      .deleteFrom('quota_cells')
      .where('id', 'in', [...gone])
      .execute()
  for (const { id } of goneDimensions) await ctx.tx.deleteFrom('quota_dimensions').where('id', '=', id).execute()
  if (addedCells.length) await ctx.tx.insertInto('quota_cells').values(addedCells).execute()
  for (const { dimension, position } of added) await addDimension(ctx, { id: row.id, overage_percent }, dimension, position)
  if (structural && row.state === 'live') await matchAgain(ctx, row)
  const { after } = difference(row, settings)
  if (!structural && !lines.count && !Object.keys(after).length) return false
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  await savePlan(ctx, row, settings, {
    before: { ...lines.before, ...(structural ? { dimensions: names(stored) } : {}) },
    after: { ...lines.after, ...(structural ? { dimensions: names(dimensions ?? []) } : {}) },
  })
  return true
}

/**
 * Matches everybody who is held or counted to the cells as they are now.
 * What isn't known of them, or has no cell, counts in none; a concept that they were given stays theirs.
 */
async function matchAgain(ctx: Ctx, row: PlanRow): Promise<void> {
  const plan = await planOf(ctx.tx, row)
  const concepts = new Set(plan.dimensions.filter(({ kind }) => kind === 'concept').map(({ id }) => id))
  const isConcept = (id: number) => concepts.has(plan.cells.get(id)?.dimension_id ?? 0)
  const counts = new Map([...plan.cells.keys()].map((id) => [id, { completes: 0, held: 0 }]))
  const holds = ctx.tx
    .selectFrom('quota_holds')
    .select(['id', 'cells', 'profile', 'state'])
    .where('plan_id', '=', row.id)
    .where('state', 'in', ['held', 'used'])
  for (let last = 0; ; ) {
    const page = await holds.where('id', '>', last).orderBy('id').limit(2000).execute()
    for (const { id, cells, profile, state } of page) {
      const matched = plan.matcher.match(JSON.parse(profile) as Record<string, string>, 'admit').cells
      const now = [...matched, ...cellsIn(cells).filter(isConcept)]
      for (const cell of now) counts.get(cell)![state === 'held' ? 'held' : 'completes']++
      const text = JSON.stringify(now)
      if (text !== cells) await sql`update quota_holds set cells = ${text} where id = ${id}`.execute(ctx.tx)
    }
    if (page.length < 2000) break
    last = page.at(-1)!.id
  }
  refuseBelowTaken([...plan.cells.values()].map((cell) => ({ ...cell, ...counts.get(cell.id)! })))
  for (const [id, { completes, held }] of counts)
    await sql`update quota_cells set completes = ${completes}, held = ${held} where id = ${id}`.execute(ctx.tx)
}
