import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { denialOf } from '../../../contract/access.ts'
import type { accountCalls } from '../../../contract/account.ts'
import type { Actor } from '../../../contract/actor.ts'
import { civilDay, count as shown } from '../../../contract/format.ts'
import { civilToday } from '../../../contract/pacing.ts'
import { reachText } from '../../../contract/reach.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect, shownOnce, shownSecret } from '../../core/describeEffect.ts'
import { assertAllowed, invalid, notFound } from '../../core/errors.ts'
import { type KeyScope, scopeOf } from '../../core/keyScope.ts'
import { ago, full, limitOf } from '../../core/quotas.ts'
import { clientScope, projectScope } from '../../core/scope.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import { KEPT_MS } from '../../core/undo/changeSets.ts'
import { advisoryLock } from '../../db/locked.ts'
import { fullName } from '../../domain/user/records.ts'
import { serviceScope } from '../../domain/visit/scope.ts'
import { tellOwner } from '../../mail/tellOwner.ts'

const COLUMNS = [
  'api_keys.id',
  'api_keys.name',
  'api_keys.created_by',
  'api_keys.created_at',
  'api_keys.last_used_at',
  'api_keys.last_address',
  'api_keys.revoked_at',
  'api_keys.expires_at',
  'api_keys.scope',
  'api_keys.reads',
  'users.first_name',
  'users.last_name',
  'users.email',
] as const

/** Keys as lists show them, newest first; only a key's hash is stored. */
async function keysOf(ctx: Ctx, id?: number) {
  const all = ctx.db.selectFrom('api_keys').innerJoin('users', 'users.id', 'api_keys.created_by').select(COLUMNS)
  const keys = all.where('api_keys.kind', '=', 'intake')
  const rows = await (id === undefined ? keys : keys.where('api_keys.id', '=', id)).orderBy('api_keys.id', 'desc').execute()
  const scopes = rows.map((row) => scopeOf(row.scope))
  const [projects, surveys, services] = await Promise.all([
    named(
      ctx,
      'projects',
      scopes.flatMap((scope) => scope.projects ?? []),
    ),
    named(
      ctx,
      'surveys',
      scopes.flatMap((scope) => scope.surveys ?? []),
    ),
    named(
      ctx,
      'services',
      scopes.flatMap((scope) => listIn(scope.services)),
    ),
  ])
  const withNames = (ids: number[] = [], names: ReadonlyMap<number, string>) =>
    ids.map((one) => ({ id: one, name: names.get(one) ?? String(one) }))
  return rows.map(({ first_name, last_name, email, scope: _, reads, ...row }, at) => ({
    ...row,
    created_by_name: fullName({ first_name, last_name, email }),
    projects: withNames(scopes[at]!.projects, projects),
    surveys: withNames(scopes[at]!.surveys, surveys),
    services: withNames(listIn(scopes[at]!.services), services),
    all_services: scopes[at]!.services === 'all',
    reads: reads === 1,
    reach: reachIn(ctx, scopes[at]!, row.expires_at, 'every survey'),
  }))
}

/** The ids of a limit; empty if it covers everything. */
export const listIn = (services: KeyScope['services']): number[] => (Array.isArray(services) ? services : [])

const SCOPES = {
  clients: clientScope,
  projects: projectScope,
  services: serviceScope,
  surveys: (actor: Actor) =>
    sql<SqlBool>`exists (select 1 from projects where projects.id = surveys.project_id and ${projectScope(actor)})`,
}

/** Names of records by id, of those that the caller sees now. */
export async function named(
  ctx: Ctx,
  table: 'clients' | 'projects' | 'surveys' | 'services',
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await ctx.db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
    .where(SCOPES[table](ctx.actor))
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** All importers' keys. */
export async function listKeys(ctx: Ctx) {
  const data = await keysOf(ctx)
  return { data, count: data.length, page: 1 }
}

/** Throws a 422 that names the first id without a record. */
export async function assertExist(ctx: Ctx, field: 'projects' | 'surveys' | 'services', ids: readonly number[]): Promise<void> {
  const there = await named(ctx, field, ids)
  const missing = ids.find((id) => !there.has(id))
  if (missing !== undefined) throw invalid(field, `${field}: there is no ${field.slice(0, -1)} ${missing}`)
}

/** Creates a key and returns it, this once (decisions.md 10 and 13). */
export async function createKey(ctx: Ctx<z.output<(typeof accountCalls)['key.create']['input']>>) {
  const { name, projects, surveys, services, all_services, expires_on, reads } = ctx.input
  await assertExist(ctx as Ctx, 'projects', projects)
  await assertExist(ctx as Ctx, 'surveys', surveys)
  await assertExist(ctx as Ctx, 'services', services)
  const expires_at = expires_on === undefined ? null : endOf(ctx as Ctx, expires_on)
  await refuseMoreKeys(ctx as Ctx)
  const scope: KeyScope = {
    ...(projects.length ? { projects } : {}),
    ...(surveys.length ? { surveys } : {}),
    ...(all_services ? { services: 'all' } : services.length ? { services } : {}),
  }
  const key = `fwk_${randomToken(32)}`
  const { id } = await ctx.tx
    .insertInto('api_keys')
    .values({
      name,
      key_hash: hashToken(key),
      created_by: ctx.actor.id,
      created_at: ctx.now,
      last_used_at: null,
      revoked_at: null,
      scope: JSON.stringify(scope),
      expires_at,
      reads: reads ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'key', subject_id: id, after: { name, ...scope, ...(expires_on ? { expires_on } : {}), reads } })
  ctx.emit({ noun: 'key', id, audience: 'admin' })
  const [row] = await keysOf(ctx as Ctx, id)
  await tellOwner(ctx as Ctx, ctx.user, 'new key', { name, detail: opensOf(row!) })
  return {
    data: { ...row!, key: shownSecret(ctx, key) },
    message: describeEffect(ctx, 'key.create', { noun: 'key', also: shownOnce(ctx, 'key') }),
  }
}

/** What a key opens, in words. */
function opensOf({ projects, surveys, services, all_services }: Awaited<ReturnType<typeof keysOf>>[number]): string {
  if (all_services) return 'the visits of all services'
  const names = [...projects, ...surveys, ...services].map(({ name }) => `“${name}”`)
  return names.length ? names.join(', ') : 'all surveys'
}

/** Throws 409 if the caller already has as many valid keys as allowed. */
export async function refuseMoreKeys(ctx: Ctx): Promise<void> {
  await advisoryLock(ctx.services.database, ctx.tx, 'keys', ctx.actor.id)
  const most = limitOf(ctx, 'keys')
  const { count } = await ctx.tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', ctx.actor.id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', ctx.now)]))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) throw full(`You can have ${shown(most)} valid API keys and tokens. Revoke one first.`)
}

const QUARTER_MS = 900_000
/**
 * The moment a civil day ends in a time zone, as ISO time.
 * Zones are at most 14 hours from UTC, and their days change on a quarter of an hour.
 */
export function endOfDay(day: string, timeZone: string): string {
  const begin = Date.parse(`${day}T00:00:00Z`) - 14 * 3_600_000
  for (let moment = begin; ; moment += QUARTER_MS)
    if (civilToday(timeZone, new Date(moment)) > day) return new Date(moment).toISOString()
}

/** The moment a key ends by the last day or the moment that was sent; throws a 422 for the past. */
export function endOf({ services, now }: Pick<Ctx, 'services' | 'now'>, last: string): string {
  const end = last.length > 10 ? last : endOfDay(last, services.settings.timeZone)
  if (end <= now) throw invalid('expires_on', 'expires_on is in the past')
  return end
}

/** What a key or token reaches and until when, in a sentence. */
export function reachIn({ services }: Pick<Ctx, 'services'>, limit: KeyScope, ends: string | null, whole: string): string {
  const limits = {
    ...{ client: limit.clients?.length ?? 0, project: limit.projects?.length ?? 0 },
    ...{ survey: limit.surveys?.length ?? 0, service: listIn(limit.services).length },
  }
  const { timeZone } = services.settings
  const last = ends && civilDay(Date.parse(ends) - 1, timeZone)
  const isDaysEnd = ends && civilDay(Date.parse(ends), timeZone) !== last
  const until = isDaysEnd ? last : ends
  return reachText(limits, limit.services === 'all' ? 'all services' : whole, until)
}

/** The civil day before another. */
export const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Revokes an importer's key, at the path that keys had before tokens; the same as revoking its token. */
export async function revokeKey(ctx: Ctx<{ id: number }>) {
  const row = await ctx.tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'kind', 'created_by', 'revoked_at'])
    .where('id', '=', ctx.input.id)
    .where('kind', '=', 'intake')
    .executeTakeFirst()
  if (!row) throw notFound('This key')
  return revoke(ctx, { ...row, owner_id: row.created_by, status: row.revoked_at ? 'revoked' : 'valid' })
}

interface Revoked {
  id: number
  name: string
  kind: 'intake' | 'personal' | 'service'
  owner_id: number
  status: string
}
const nounOf = (kind: Revoked['kind']) => (kind === 'intake' ? 'key' : 'token')

/** Revokes a token or an importer's key that the caller may revoke; a second time changes nothing. */
export async function revoke(ctx: Ctx, row: Revoked) {
  const noun = nounOf(row.kind)
  if (row.status !== 'revoked') {
    assertAllowed(denialOf('token.revoke', ctx.actor, row))
    await ctx.tx.updateTable('api_keys').set({ revoked_at: ctx.now }).where('id', '=', row.id).execute()
    await ctx.record({ subject: noun, subject_id: row.id, before: { revoked_at: null }, after: { revoked_at: ctx.now } })
    emitRevoked(ctx, row)
  }
  return { message: describeEffect(ctx, `${noun}.revoke`, { name: row.name, noun }) }
}

/** Emits the change to administrators, and to the client user who owns the token. */
export function emitRevoked(ctx: Ctx, { id, kind, owner_id }: Pick<Revoked, 'id' | 'kind' | 'owner_id'>): void {
  ctx.emit({ noun: nounOf(kind), id, audience: 'admin' })
  if (kind !== 'intake') ctx.emit({ noun: 'token', id, audience: 'user', user_id: owner_id })
}

/** Revokes all keys and tokens of a user who was deleted or demoted, or whose password an administrator replaced. */
export const revokeKeysOf = (ctx: Ctx, userId: number): Promise<void> => revokeOf(ctx, userId, ['intake', 'personal', 'service'])

/** Revokes the tokens that act as a user, whose password may have been stolen; those of programs stay valid. */
export const revokePersonalTokens = (ctx: Ctx, userId: number): Promise<void> => revokeOf(ctx, userId, ['personal'])

async function revokeOf(ctx: Ctx, userId: number, kinds: ('intake' | 'personal' | 'service')[]): Promise<void> {
  // Undoing an earlier revocation would bring back what may have been stolen.
  await ctx.tx
    .updateTable('api_keys')
    .set({ revoked_at: ctx.now })
    .where('created_by', '=', userId)
    .where('kind', 'in', kinds)
    .where('revoked_at', '>', ago(ctx, KEPT_MS))
    .execute()
  const revoked = await ctx.tx
    .updateTable('api_keys')
    .set({ revoked_at: ctx.now })
    .where('created_by', '=', userId)
    .where('kind', 'in', kinds)
    .where('revoked_at', 'is', null)
    .returning(['id', 'kind'])
    .execute()
  for (const { id, kind } of revoked) {
    const noun = nounOf(kind)
    await ctx.record({ subject: noun, subject_id: id, before: { revoked_at: null }, after: { revoked_at: ctx.now } })
    ctx.emit({ noun, id, audience: 'admin' })
  }
}
