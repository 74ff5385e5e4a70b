import { setImmediate as turn } from 'node:timers/promises'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import type { RaisedVersion } from '../../core/recordVersions.ts'
import { objectOf, type Row, type RowChange } from '../../core/undo/changeRecorder.ts'
import { isStamp, recordOf, ruleOf } from '../../core/undo/tables.ts'
import { locked } from '../../db/locked.ts'
import { lockCells } from '../../domain/quota/quotaPlans.ts'
import { completedOf } from '../../domain/visit/sums.ts'
import { tellOwner } from '../../mail/tellOwner.ts'
import { revokeKeysOf } from '../account/keys.ts'
import { endSessions } from '../session/sessions.ts'
import { closeLinks } from '../session/tokens.ts'

type CurrentRow = Row | null

/** Thrown for a row that has changed since the write (or its undo). */
export class ChangedSince extends Error {
  readonly change: RowChange
  readonly now: CurrentRow
  constructor(change: RowChange, now: CurrentRow) {
    super('changed since')
    this.change = change
    this.now = now
  }
}

type To = 'before' | 'after'
type Met = { change: RowChange; now: CurrentRow }
/** Rows for each statement. */
const AT_ONCE = 500

/**
 * Restores all rows of a change set to before or after the write, or none; returns the versions that this raised.
 * Throws ChangedSince for a row that was changed since, and 409 if a later row still needs one of them.
 */
export async function restoreRows(ctx: Ctx, changes: readonly RowChange[], to: To): Promise<RaisedVersion[]> {
  // In reverse order, because a row may depend on an earlier one.
  const ordered = to === 'before' ? [...changes].reverse() : changes
  const plans = await heldPlans(ctx, changes)
  const found = await rowsOf(ctx, ordered)
  const changed = found.filter(({ change, now }) => !isAsLeft(change, now, to))
  // An effect outside the database explains the refusal better than a changed record.
  const first = changed.find(({ change }) => ruleOf(change.table)!.gone) ?? changed[0]
  if (first) throw new ChangedSince(first.change, first.now)
  for (const { change, now } of found) refuseAddress(change, now)
  for (const { change, now } of found) refuseTaken(change, now, to)
  for (const { change, now } of found) if (!now) await insertRow(ctx, change, to)
  await updateRows(
    ctx,
    found.filter(({ change, now }) => now && change[to]),
    to,
  )
  for (const { change, now } of found) if (now && !change[to]) await deleteRow(ctx, change)
  await checkUsers(ctx, ordered)
  await recountServices(ctx, ordered)
  await checkServiceUsers(ctx, ordered, to)
  return [...found.flatMap(({ change, now }) => raisedBy(change, now, to)), ...(await raisePlans(ctx, plans, changes))]
}

function raisedBy({ table, key, lock, ...change }: RowChange, now: CurrentRow, to: To): RaisedVersion[] {
  const [noun, id, from] = [recordOf(table), key[0], now?.lock_version]
  if (!lock || !change[to] || !noun || typeof id !== 'number' || typeof from !== 'number') return []
  return [{ noun, id, from, to: from + 1 }]
}

/** A row of any table by primary key; Kysely needs a static name, so the helper names one table. */
const at = (change: RowChange) => ({
  table: change.table as 'clients',
  columns: ruleOf(change.table)!.key.map((column, place) => [column as 'id', change.key[place] as number] as const),
})

/** The current rows, locked until the commit. */
async function rowsOf(ctx: Ctx, changes: readonly RowChange[]): Promise<Met[]> {
  const now = new Map<RowChange, Row>()
  for (const some of Map.groupBy(changes, ({ table }) => table).values())
    for (let from = 0; from < some.length; from += AT_ONCE) {
      const piece = some.slice(from, from + AT_ONCE)
      const { table } = at(piece[0]!)
      const { key } = ruleOf(table)!
      const query = ctx.tx
        .selectFrom(table)
        .selectAll()
        .where((eb) =>
          key.length === 1
            ? eb(
                key[0] as 'id',
                'in',
                piece.map((change) => change.key[0] as number),
              )
            : eb.or(piece.map((change) => eb.and(at(change).columns.map(([column, value]) => eb(column, '=', value))))),
        )
      const rows = (await locked(ctx.services.database, query, 'remove').execute()) as unknown as Row[]
      const byKey = new Map(rows.map((row) => [JSON.stringify(key.map((column) => row[column])), row]))
      for (const change of piece) {
        const row = byKey.get(JSON.stringify(change.key))
        if (row) now.set(change, row)
      }
      // SQLite calls never yield, so other requests get a turn between batches.
      await turn()
    }
  return changes.map((change) => ({ change, now: now.get(change) ?? null }))
}

function isAsLeft({ table, before, after }: RowChange, now: CurrentRow, to: To): boolean {
  const rule = ruleOf(table)!
  const left = to === 'before' ? after : before
  if (!left || !now) return left === now
  const added = !before || !after
  return Object.entries(left).every(
    ([column, value]) =>
      isStamp(rule, column, added) ||
      (rule.json?.includes(column) && !added ? namesEqual(value as Row, objectOf(now[column])) : now[column] === value),
  )
}

const namesEqual = (left: Row, now: Row): boolean =>
  Object.entries(left).every(([name, value]) => JSON.stringify(now[name] ?? null) === JSON.stringify(value))

/** Delays work that would start by itself, so that this can be undone too; `was` is its earlier start. */
function waiting(ctx: Ctx, { table }: RowChange, target: Row, was: unknown): Row {
  const { waits } = ruleOf(table)!
  if (waits === undefined || target.status !== 'queued') return {}
  const at = Math.max(Date.parse(ctx.now) + waits * 1000, Date.parse(String(was)))
  return { not_before: new Date(at).toISOString() }
}

/** A restored row is a change of its own, which programs find by `updated_since`. */
const stamped = (ctx: Ctx, row: Row): Row => ('updated_at' in row ? { updated_at: ctx.now } : {})

async function insertRow(ctx: Ctx, change: RowChange, to: To): Promise<void> {
  const target = change[to]!
  const { table } = at(change)
  await ctx.tx
    .insertInto(table)
    .values({ ...target, ...stamped(ctx, target), ...waiting(ctx, change, target, target.not_before) } as never)
    .execute()
}

async function deleteRow(ctx: Ctx, change: RowChange): Promise<void> {
  const { table, columns } = at(change)
  let query = ctx.tx.deleteFrom(table)
  for (const [column, value] of columns) query = query.where(column, '=', value)
  await query.execute()
}

/** Updates rows with the same patch in one statement, because thousands of rewards have it. */
async function updateRows(ctx: Ctx, found: readonly Met[], to: To): Promise<void> {
  const alike = Map.groupBy(found, ({ change, now }) => JSON.stringify([change.table, patchOf(ctx, change, now!, to)]))
  for (const some of alike.values())
    for (let from = 0; from < some.length; from += AT_ONCE) {
      const piece = some.slice(from, from + AT_ONCE).map(({ change }) => change)
      const { change, now } = some[0]!
      const { table } = at(change)
      const { lock, ...patch } = patchOf(ctx, change, now!, to)
      const { key } = ruleOf(table)!
      await ctx.tx
        .updateTable(table)
        .set((eb) => ({ ...patch, ...(lock ? { lock_version: eb('lock_version', '+', 1) } : {}) }) as never)
        .where((eb) =>
          key.length === 1
            ? eb(
                key[0] as 'id',
                'in',
                piece.map((one) => one.key[0] as number),
              )
            : eb.or(piece.map((one) => eb.and(at(one).columns.map(([column, value]) => eb(column, '=', value))))),
        )
        .execute()
      await turn()
    }
}

function patchOf(ctx: Ctx, change: RowChange, now: Row, to: To): Row {
  const rule = ruleOf(change.table)!
  const patch: Row = {}
  for (const [column, value] of Object.entries(change[to]!))
    patch[column] = rule.json?.includes(column) ? merged(objectOf(now[column]), value as Row) : value
  return {
    ...patch,
    ...waiting(ctx, change, patch, now.not_before),
    ...stamped(ctx, now),
    ...(change.lock ? { lock: true } : {}),
    // A target's version also serves as its lock (decisions.md 9).
    ...(typeof now.version === 'number' ? { version: now.version + 1 } : {}),
  }
}

/** A JSON column with some keys set; null removes a key. */
const merged = (now: Row, patch: Row): string =>
  JSON.stringify(Object.fromEntries(Object.entries({ ...now, ...patch }).filter(([, value]) => value !== null)))

type Plan = { id: number; lock_version: number }

/** Locks the plans of restored cells and holds with all of their cells, as every change of these does. */
async function heldPlans(ctx: Ctx, changes: readonly RowChange[]): Promise<Plan[]> {
  const ids = new Set<number>()
  for (const table of ['quota_cells', 'quota_holds'] as const) {
    const rows = changes.filter((change) => change.table === table)
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE).map(({ key }) => Number(key[0]))
      const of = await ctx.tx.selectFrom(table).select('plan_id').distinct().where('id', 'in', some).execute()
      for (const { plan_id } of of) ids.add(plan_id)
    }
  }
  const { database } = ctx.services
  const plans: Plan[] = []
  for (const id of [...ids].sort((a, b) => a - b)) {
    const plan = ctx.tx.selectFrom('quota_plans').select(['id', 'lock_version']).where('id', '=', id)
    plans.push(await locked(database, plan).executeTakeFirstOrThrow())
    await lockCells(database, ctx.tx, id)
  }
  return plans
}

/** Raises the versions of plans whose cells alone were restored: admission knows a plan by its version. */
async function raisePlans(ctx: Ctx, plans: readonly Plan[], changes: readonly RowChange[]): Promise<RaisedVersion[]> {
  const restored = new Set(changes.flatMap(({ table, key }) => (table === 'quota_plans' ? Number(key[0]) : [])))
  const alone = plans.filter(({ id }) => !restored.has(id))
  for (const { id, lock_version } of alone)
    await ctx.tx
      .updateTable('quota_plans')
      .set({ lock_version: lock_version + 1, updated_at: ctx.now })
      .where('id', '=', id)
      .execute()
  return alone.map(({ id, lock_version }) => ({ noun: 'quota', id, from: lock_version, to: lock_version + 1 }))
}

/** Throws ChangedSince for a quota cell whose restored places wouldn't do for those that are taken by now. */
function refuseTaken(change: RowChange, now: CurrentRow, to: To): void {
  const ceiling = change[to]?.ceiling
  if (change.table !== 'quota_cells' || !now || typeof ceiling !== 'number') return
  if (Number(now.completes) + Number(now.held) > ceiling) throw new ChangedSince(change, now)
}

/** Throws a 409 for the email of an account in use, which only the link sent to it changes. */
function refuseAddress({ table, before, after }: RowChange, now: CurrentRow): void {
  if (table !== 'users' || now?.status !== 'active' || !before || !after || before.email === after.email) return
  const sentence = 'The account is in use, so its email can’t be undone. Change it: the new one is confirmed from there.'
  throw new HttpError(409, 'changed_since', sentence)
}

/** Does for accounts what restored rows don't: ends links and former administrators' keys, and tells owners. */
async function checkUsers(ctx: Ctx, changes: readonly RowChange[]): Promise<void> {
  for (const { table, key, before, after } of changes) {
    if (table !== 'users') continue
    const id = Number(key[0])
    // The link of an address that doesn't wait any more opens nothing, so its letter isn't sent.
    if (before?.pending_email !== after?.pending_email) await closeLinks(ctx, id, 'address asked')
    const owner = await ctx.tx
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (owner && before?.role !== after?.role && before && after)
      await tellOwner(ctx, owner, 'role changed', { name: owner.role })
  }
  for (const { table, key, before, after } of changes) {
    if (table !== 'users' || (before?.role !== 'admin' && after?.role !== 'admin')) continue
    const id = Number(key[0])
    const user = await ctx.tx.selectFrom('users').select(['role', 'deleted_at']).where('id', '=', id).executeTakeFirst()
    if (!user || (user.role === 'admin' && !user.deleted_at)) continue
    await endSessions(ctx, id, { behind: true })
    await revokeKeysOf(ctx, id)
  }
}

/** Recounts the visits within a restored term. */
async function recountServices(ctx: Ctx, changes: readonly RowChange[]): Promise<void> {
  for (const { table, key, before, after } of changes) {
    const moved = [before, after].some((side) => side && ('start_dt' in side || 'end_dt' in side))
    if (table !== 'services' || !before || !after || !moved) continue
    const id = Number(key[0])
    const term = await ctx.tx.selectFrom('services').select(['start_dt', 'end_dt']).where('id', '=', id).executeTakeFirst()
    if (!term) continue
    const completed = await completedOf(ctx, { id, ...term })
    await ctx.tx.updateTable('services').set({ completed }).where('id', '=', id).execute()
  }
}

/** Refuses to restore service access for users who have become administrators or were deleted since. */
async function checkServiceUsers(ctx: Ctx, changes: readonly RowChange[], to: To): Promise<void> {
  const ids = changes.flatMap((change) => (change.table === 'service_users' && change[to] ? Number(change.key[1]) : []))
  if (!ids.length) return
  const users = await ctx.tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .where((eb) => eb.or([eb('role', '=', 'admin'), eb('deleted_at', 'is not', null)]))
    .execute()
  const gone = changes.find((change) => change.table === 'service_users' && users.some(({ id }) => id === Number(change.key[1])))
  if (gone) throw new ChangedSince({ ...gone, table: 'users', key: [gone.key[1]!], before: null, after: null }, null)
}
