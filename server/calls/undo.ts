import type { Selectable } from 'kysely'
import { refusedTo, ruleOf as rightTo } from '../../contract/access.ts'
import { seesAll } from '../../contract/actor.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { DeletedNoun } from '../../contract/restored.ts'
import { scopesOf } from '../../contract/tokenScope.ts'
import type { undoCalls } from '../../contract/undo.ts'
import { ALREADY_REDONE, ALREADY_UNDONE } from '../../contract/writeEffects.ts'
import type { Ctx, HistoryLine } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, missingScope, notFound, refuseActing } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import type { Change } from '../core/ports.ts'
import { nameRaised } from '../core/recordVersions.ts'
import { projectScope } from '../core/scope.ts'
import type { RowChange } from '../core/undo/changeRecorder.ts'
import { KEPT_MS } from '../core/undo/changeSets.ts'
import { recordOf, ruleOf, tableOf, wordFor } from '../core/undo/tables.ts'
import { locked } from '../db/locked.ts'
import type { ChangeSetTable } from '../db/schema.ts'
import { assertWhole } from '../domain/project/family.ts'
import { assertLive } from '../domain/project/status.ts'
import { fullName } from '../domain/user/records.ts'
import { ChangedSince, restoreRows } from './undo/restoreRows.ts'

export interface ChangeSet {
  id: number
  call: string
  rows: RowChange[]
  lines: HistoryLine[]
  events: Change[]
  undone: boolean
  at: string
}

/** One of the caller's own change sets, locked until the commit; throws 404. */
async function changeSetOf(ctx: Ctx, id: number): Promise<ChangeSet> {
  const { id: user_id, admin_id } = ctx.actor
  let query = ctx.tx.selectFrom('change_sets').selectAll().where('id', '=', id).where('user_id', '=', user_id)
  query = query.where((eb) =>
    eb.or([eb('removes', '=', 0), eb('at', '>=', new Date(Date.parse(ctx.now) - KEPT_MS).toISOString())]),
  )
  const { token } = ctx.caller
  if (token) query = query.where('token_id', '=', token.id)
  query = admin_id === null ? query.where('admin_id', 'is', null) : query.where('admin_id', '=', admin_id)
  const row = await locked(ctx.services.database, query).executeTakeFirst()
  if (!row)
    throw new HttpError(
      404,
      'not_found',
      token
        ? 'This token made no such change in the last day.'
        : 'This can no longer be undone: it was done more than a day ago.',
    )
  return parsedSet(row)
}

/** A change set's row with its JSON parsed. */
export function parsedSet({ id, call, at, undone, ...texts }: Selectable<ChangeSetTable>): ChangeSet {
  const parse = <T>(text: string) => JSON.parse(text) as T[]
  const set = { id, call, at, undone: undone === 1, lines: parse<HistoryLine>(texts.lines), events: parse<Change>(texts.events) }
  return { ...set, rows: parse<RowChange>(texts.rows) }
}

/** Throws if the caller may no longer make the original call, or no longer sees its project. */
async function checkAccess(ctx: Ctx, set: ChangeSet): Promise<void> {
  if (!Object.hasOwn(calls, set.call)) throw notFound('This call')
  const id = set.call as CallId
  const { token } = ctx.caller
  const scopes = scopesOf(id, calls[id])
  if (token && !scopes.some((scope) => token.scopes.includes(scope))) throw missingScope(token.name, scopes[0]!)
  if (rightTo(id).own) refuseActing(ctx.actor)
  assertAllowed(refusedTo(id, ctx.actor))
  if (seesAll(ctx.actor)) return
  const added = new Set(set.rows.filter(({ table, before }) => table === 'projects' && !before).map(({ key }) => Number(key[0])))
  const ids = new Set([
    ...set.lines.flatMap(({ project_id }) => project_id ?? []),
    ...set.rows.flatMap(({ table, key }) => (table === 'projects' ? Number(key[0]) : [])),
  ])
  const candidates = [...ids].filter((id) => !added.has(id))
  if (!candidates.length) return
  const seen = await ctx.tx
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', candidates)
    .where(projectScope(ctx.actor))
    .execute()
  if (seen.length < candidates.length) throw notFound('This project')
}

/** Restores a change set's rows to before or after its write; throws 409 with who or what is in the way. */
export async function restoreOf(ctx: Ctx, set: ChangeSet, undo: boolean): Promise<void> {
  try {
    const raised = await restoreRows(ctx, set.rows, undo ? 'before' : 'after')
    ctx.after(() => ctx.caller.session && nameRaised(ctx.reply, raised))
  } catch (error) {
    if (error instanceof ChangedSince) throw await refusalOf(ctx, set, error, undo)
    throw isBound(ctx, error) ? inUse(undo) : error
  }
  for (const { table, key, before, after } of set.rows) {
    const [from, to] = undo ? [after, before] : [before, after]
    const noun = from && to ? recordOf(table) : null
    if (noun) ctx.notePrevious(noun, Number(key[0]), from!)
    if (table !== 'projects' || !to) continue
    if (to.status === 'active' && from?.status !== 'active') await assertLive(ctx, Number(key[0]))
    const family = ['client_id', 'parent_id', 'deleted_at'] as const
    if (family.some((column) => to[column] !== from?.[column])) await assertWhole(ctx, Number(key[0]))
  }
}

/** Undoes or redoes a change set: its rows, its history lines and its live events. */
async function restore(ctx: Ctx<{ id: number }>, undo: boolean) {
  const set = await changeSetOf(ctx, ctx.input.id)
  await checkAccess(ctx, set)
  const data = { id: set.id, call: set.call, undone: undo }
  if (set.undone === undo) return { data, message: undo ? ALREADY_UNDONE : ALREADY_REDONE }
  await restoreOf(ctx, set, undo)
  await ctx.tx
    .updateTable('change_sets')
    .set({ undone: undo ? 1 : 0 })
    .where('id', '=', set.id)
    .execute()
  await ctx.record(linesOf(set, undo))
  for (const event of eventsOf(set, undo)) ctx.emit(event)
  ctx.after(() => ctx.services.jobs.wake())
  return { data, message: describeEffect(ctx, undo ? 'undo.take' : 'undo.redo', { words: ['change', 'changes'] }) }
}

/** The same history lines, reversed for an undo, whose action is `undo note.remove`. */
export const linesOf = (set: ChangeSet, undo: boolean): HistoryLine[] =>
  set.lines.map(({ before = {}, after = {}, reason = '', ...line }) => ({
    ...line,
    action: `${undo ? 'undo' : 'redo'} ${set.call}`,
    before: undo ? after : before,
    after: undo ? before : after,
    reason: undo ? '' : reason,
  }))

/** The same events; an undo drops added rows and puts deleted ones back. */
export function eventsOf(set: ChangeSet, undo: boolean): Change[] {
  if (!undo) return set.events
  const added = new Set(set.rows.filter(({ before }) => !before).map(({ table, key }) => `${table} ${key[0]}`))
  return set.events.map((event) => {
    const gone = added.has(`${tableOf(event.noun)} ${event.id}`)
    return event.kind === 'drop' ? { ...event, kind: 'put' } : gone ? { ...event, kind: 'drop' } : event
  })
}

/** The 409: who has changed which record since, or which later writes of the caller must be undone first (`later`). */
async function refusalOf(ctx: Ctx, set: ChangeSet, { change, now }: ChangedSince, undo: boolean): Promise<HttpError> {
  const rule = ruleOf(change.table)!
  const what = undo ? 'undone' : 'redone'
  const later = await laterOf(ctx, set, change)
  const refuse = (sentence: string) => new HttpError(409, 'changed_since', sentence, later.length ? { later } : {})
  if (rule.gone) return refuse(rule.gone)
  const row = now ?? change.before ?? change.after ?? {}
  const word = wordFor(rule)
  const name = rule.name && typeof row[rule.name] === 'string' ? `“${row[rule.name] as string}”` : `This ${word}`
  if (later.length) return refuse(`You changed ${name[0] === 'T' ? `this ${word}` : name} again since then. Undo that first.`)
  const by = rule.subject ? await lastBy(ctx, rule.subject, change, set.at) : null
  const did = now ? 'changed' : 'deleted'
  if (by) return refuse(`${by} ${did} ${name[0] === 'T' ? `this ${word}` : name} since, so it can’t be ${what}.`)
  return refuse(`${name} was ${did} since, so it can’t be ${what}.`)
}

/** The caller's later writes to the same row that aren't undone, newest first. */
async function laterOf(ctx: Ctx, set: ChangeSet, { table, key }: RowChange): Promise<number[]> {
  const rows = await ctx.tx
    .selectFrom('change_sets')
    .select('id')
    .where('user_id', '=', ctx.actor.id)
    .$if(ctx.caller.token !== null, (query) => query.where('token_id', '=', ctx.caller.token!.id))
    .where('id', '>', set.id)
    .where('undone', '=', 0)
    .where('rows', 'like', `%${JSON.stringify({ table, key }).slice(0, -1)},%`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => row.id)
}

/** Who deleted a record, and the caller's own change set that did, if it can still be undone; throws 404. */
async function deletion(ctx: Ctx<{ noun: DeletedNoun; id: number }>) {
  const { noun, id } = ctx.input
  const table = tableOf(noun) as 'clients'
  const row = await ctx.db.selectFrom(table).select(['name', 'deleted_at']).where('id', '=', id).executeTakeFirst()
  if (!row?.deleted_at) throw notFound('This deletion')
  const line = await ctx.db
    .selectFrom('history')
    .innerJoin('users', 'users.id', 'history.actor_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email'])
    .where('subject', '=', noun)
    .where('subject_id', '=', id)
    .orderBy('history.id', 'desc')
    .executeTakeFirst()
  const { id: user_id, admin_id } = ctx.actor
  const own = await ctx.db
    .selectFrom('change_sets')
    .select('id')
    .where('user_id', '=', user_id)
    .where('admin_id', admin_id === null ? 'is' : '=', admin_id)
    .where('undone', '=', 0)
    .where('at', '>=', row.deleted_at)
    .where('rows', 'like', `%${JSON.stringify({ table, key: [id] }).slice(0, -1)},%`)
    .orderBy('id')
    .executeTakeFirst()
  return {
    data: {
      name: row.name,
      at: row.deleted_at,
      by: line ? fullName(line) : '',
      own: line?.id === user_id,
      undo_id: own?.id ?? null,
    },
  }
}

/** The name of the last other user to change a record since a time, or null. */
async function lastBy(ctx: Ctx, subject: string, { key }: RowChange, since: string): Promise<string | null> {
  const line = await ctx.tx
    .selectFrom('history')
    .innerJoin('users', 'users.id', 'history.actor_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email'])
    .where('subject', '=', subject)
    .where('subject_id', '=', Number(key[0]))
    .where('history.at', '>=', since)
    .orderBy('history.id', 'desc')
    .executeTakeFirst()
  return line && line.id !== ctx.actor.id ? fullName(line) : null
}

/** True if another row still refers to the one to delete, or conflicts with the one to restore. */
const isBound = (ctx: Ctx, error: unknown): boolean =>
  ctx.services.database.isUnique(error) ||
  /FOREIGN KEY constraint failed/.test(error instanceof Error ? error.message : '') ||
  (error as { code?: unknown } | null)?.code === '23503'

const inUse = (undo: boolean) =>
  new HttpError(
    409,
    'changed_since',
    undo
      ? 'Something newer depends on it or took its place, so it can’t be undone.'
      : 'Something newer took its place, so it can’t be redone.',
  )

export const undoHandlers: HandlersOf<typeof undoCalls> = {
  'undo.deletion': deletion,
  'undo.take': (ctx) => restore(ctx, true),
  'undo.redo': (ctx) => restore(ctx, false),
}
