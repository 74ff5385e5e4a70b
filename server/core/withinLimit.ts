import { sql } from 'kysely'
import type { CallId } from '../../contract/calls.ts'
import { type Reference, referencesOf } from '../../contract/limitedAccess.ts'
import type { Ctx } from './context.ts'
import { HttpError, notFound } from './errors.ts'
import type { AnyHandler } from './handler.ts'
import { clientScope, projectScope } from './scope.ts'

/** The tables of what belongs to a project. */
const TABLES = {
  activity: 'activities',
  survey: 'surveys',
  content: 'user_activities',
  note: 'notes',
  quota: 'quota_plans',
  entryLink: 'entry_links',
} as const
const WORDS: Readonly<Record<Reference, string>> = {
  ...{ project: 'This project', client: 'This client', activity: 'This activity', survey: 'This survey' },
  ...{ content: 'This submission', note: 'This note', quota: 'This quota plan' },
  entryLink: 'This entry link',
  ...{ shared: 'This record', closed: 'This record' },
}
const limited = (sentence: string) => new HttpError(403, 'limited', sentence)

/** The ids of one kind that a limited token reaches. */
async function inside(ctx: Ctx<never>, kind: Exclude<Reference, 'shared' | 'closed'>, ids: readonly number[]): Promise<number[]> {
  if (kind === 'client') {
    const rows = await ctx.db.selectFrom('clients').select('id').where('id', 'in', ids).where(clientScope(ctx.actor)).execute()
    return rows.map(({ id }) => id)
  }
  if (kind === 'project') {
    const rows = await ctx.db.selectFrom('projects').select('id').where('id', 'in', ids).where(projectScope(ctx.actor)).execute()
    return rows.map(({ id }) => id)
  }
  const found = await sql<{ id: number }>`select own.id as id from ${sql.table(TABLES[kind])} own
    join projects on projects.id = own.project_id
    where own.id in (${sql.join(ids)}) and ${projectScope(ctx.actor)}`.execute(ctx.db)
  return found.rows.map(({ id }) => id)
}

/** True if a project's client stays what it is, although the token isn't for the whole client. */
async function isOwnClient(ctx: Ctx<never>, project: unknown, client: number): Promise<boolean> {
  const own = ctx.db.selectFrom('projects').select('id').where('id', '=', Number(project)).where('client_id', '=', client)
  return project !== undefined && (await own.executeTakeFirst()) !== undefined
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)

/** Throws 404 for a record outside the limit of the caller's token, and 403 for a call that names none. */
async function assertWithin(ctx: Ctx<never>, references: Readonly<Record<string, Reference>>): Promise<void> {
  const input = ctx.input as Readonly<Record<string, unknown>>
  let checked = 0
  for (const [field, kind] of Object.entries(references)) {
    const value = input[field]
    if (isNothing(value) || kind === 'shared') continue
    if (kind === 'closed') throw limited(`A token limited to some records can’t send ${field}.`)
    const ids = [...new Set([value].flat().map(Number))]
    const there = await inside(ctx, kind, ids)
    const outside = ids.filter((id) => !there.includes(id))
    if (outside.length && !(kind === 'client' && (await isOwnClient(ctx, input.id, outside[0]!)))) throw notFound(WORDS[kind])
    checked++
  }
  if (!checked) throw limited('A token limited to some records must say which one it means.')
}

/** A handler that first checks, in its own transaction, what a limited token refers to. */
export function withinLimit<H extends AnyHandler>(id: CallId, handler: H): H {
  const references = referencesOf(id)
  if (!references) return handler
  const work = async (ctx: Ctx<never>): Promise<unknown> => {
    if (ctx.caller.actor?.only) await assertWithin(ctx, references)
    return handler(ctx)
  }
  return Object.assign(work, handler) as unknown as H
}
