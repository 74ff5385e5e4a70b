import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../contract/access.ts'
import { isAdmin, seesAll } from '../../contract/actor.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Paging } from '../../contract/listInput.ts'
import { isRight } from '../../contract/rights.ts'
import type { tokenCalls } from '../../contract/token.ts'
import { scopeNouns } from '../../contract/tokenScope.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect, shownOnce, shownSecret } from '../core/describeEffect.ts'
import { forbidden, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { type KeyScope, scopeOf } from '../core/keyScope.ts'
import { listOf } from '../core/listBuilder.ts'
import { changedSince } from '../core/listSearch.ts'
import { clientScope, projectScope } from '../core/scope.ts'
import { hashToken, randomToken } from '../core/secrets.ts'
import { tellOwner } from '../mail/tellOwner.ts'
import { assertExist, emitRevoked, endOf, listIn, named, reachIn, refuseMoreKeys, revoke } from './account/keys.ts'

type Filter = Omit<z.output<(typeof tokenCalls)['token.list']['input']>, Paging>
interface Row {
  id: number
  name: string
  kind: 'personal' | 'service' | 'intake'
  status: 'valid' | 'expired' | 'revoked'
  owner: string
  owner_id: number
  scopes: string
  limit: string
  last_used_at: string | null
  last_address: string
  expires_at: string | null
  created_at: string
}

/** The scopes that an importer's key amounts to. */
const INTAKE = ['runtime.ingest', 'runtime.correct', 'runtime.withdraw', 'runtime.putBack', 'visit.ingest', 'content.import']

const statusAt = (now: string) => sql<Row['status']>`case when api_keys.revoked_at is not null then 'revoked'
  when api_keys.expires_at is not null and api_keys.expires_at <= ${now} then 'expired' else 'valid' end`

const tokens = listOf<'token', Filter, Row, Awaited<ReturnType<typeof shown>>[number]>('token', {
  table: 'api_keys',
  changed: ({ now }, since) =>
    changedSince(since, [
      ...['created_at', 'last_used_at', 'revoked_at'].map((column) => sql.ref(`api_keys.${column}`)),
      // One that has expired is changed by that.
      sql`case when api_keys.expires_at <= ${now} then api_keys.expires_at end`,
    ]),
  join: 'join users on users.id = api_keys.created_by',
  // Administrators see everyone's, because they are responsible for what programs do here.
  scope: ({ actor }) =>
    seesAll(actor) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(api_keys.created_by = ${actor.id} and api_keys.kind = 'personal')`,
  where: ({ status }, { now }) => [status && status !== 'all' ? sql<SqlBool>`${statusAt(now)} = ${status}` : undefined],
  columns: ({ now }) => ({
    status: statusAt(now),
    owner: sql`trim(users.first_name || ' ' || users.last_name)`,
    scopes: sql`api_keys.grants`,
    limit: sql`api_keys.scope`,
  }),
  empty: ['last_used_at', 'expires_at'],
  also: () => [sql`api_keys.created_by as owner_id`],
  shown,
})

/** What an unlimited token reaches. */
const wholeOf = (kind: Row['kind'], scopes: string): string =>
  kind === 'intake' ? 'every survey' : scopes.includes('"*:') ? 'everything' : 'everything its scopes open'

/** Tokens with the names of their scopes and limits, sorted by name. */
async function shown(ctx: Ctx, rows: readonly Row[]) {
  const limits = rows.map(({ limit }) => scopeOf(limit))
  const tables = ['clients', 'projects', 'surveys', 'services'] as const
  const names = await Promise.all(
    tables.map((table) =>
      named(
        ctx,
        table,
        limits.flatMap((limit) => listIn(limit[table])),
      ),
    ),
  )
  return rows.map(({ limit: _, scopes, ...row }, at) => {
    const limited = (table: (typeof tables)[number]) =>
      listIn(limits[at]![table]).map((id) => ({ id, name: names[tables.indexOf(table)]!.get(id) ?? String(id) }))
    return {
      ...row,
      scopes: row.kind === 'intake' ? INTAKE : (JSON.parse(scopes) as string[]),
      clients: limited('clients'),
      projects: limited('projects'),
      surveys: limited('surveys'),
      services: limited('services'),
      all_services: limits[at]!.services === 'all',
      reach: reachIn(ctx, limits[at]!, row.expires_at, wholeOf(row.kind, scopes)),
      ...allowedActions('token', ctx.actor, row),
    }
  })
}

const NOUNS = scopeNouns(Object.keys(calls) as CallId[])

/** Throws a 422 that names a scope no call has. */
function refuseUnknownScopes(scopes: readonly string[]): void {
  for (const scope of scopes) {
    const [noun = '', verb] = scope.split(':')
    const isKnown = verb ? (noun === '*' || NOUNS.includes(noun)) && /^(read|write)$/.test(verb) : Object.hasOwn(calls, scope)
    if (!isKnown && !isRight(scope)) throw invalid('scopes', `scopes: there is no scope “${scope}”`)
  }
}

/** Throws a 422 for a client or project the caller can't see. */
async function assertVisible(ctx: Ctx, clients: readonly number[], projects: readonly number[]): Promise<void> {
  const sees = async (table: 'clients' | 'projects', ids: readonly number[]) => {
    if (!ids.length) return
    const scope = table === 'clients' ? clientScope(ctx.actor) : projectScope(ctx.actor)
    const rows = await ctx.db.selectFrom(table).select('id').where('id', 'in', ids).where(scope).execute()
    const missing = ids.find((id) => !rows.some((row) => row.id === id))
    if (missing !== undefined) throw invalid(table, `${table}: there is no ${table.slice(0, -1)} ${missing}`)
  }
  await sees('clients', clients)
  await sees('projects', projects)
}

export const tokenHandlers: HandlersOf<typeof tokenCalls> = {
  'token.list': (ctx) => tokens.page(ctx, ctx.input),
  async 'token.current'(ctx) {
    const { token } = ctx.caller
    if (!token) throw notFound('A token in this call')
    const { id, email } = ctx.user
    const owner = await ctx.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirstOrThrow()
    const columns = ['id', 'name', 'kind', 'scope', 'grants', 'expires_at'] as const
    const row = await ctx.db.selectFrom('api_keys').select(columns).where('id', '=', token.id).executeTakeFirstOrThrow()
    const limit = scopeOf(row.scope)
    const limitsOf = async (table: 'clients' | 'projects' | 'surveys') => {
      const names = await named(ctx, table, limit[table] ?? [])
      return (limit[table] ?? []).map((one) => ({ id: one, name: names.get(one) ?? String(one) }))
    }
    return {
      data: {
        ...{ id: row.id, name: row.name, kind: row.kind, scopes: [...token.scopes], expires_at: row.expires_at },
        ...{ clients: await limitsOf('clients'), projects: await limitsOf('projects'), surveys: await limitsOf('surveys') },
        reach: reachIn(ctx, limit, row.expires_at, wholeOf(row.kind, row.grants)),
        user: { id, email, role: owner.role },
      },
    }
  },
  async 'token.create'(ctx) {
    const { name, kind, clients, projects, surveys, expires_on } = ctx.input
    const scopes = [...new Set(ctx.input.scopes)]
    if (kind === 'service' && !seesAll(ctx.actor)) throw forbidden('Only an administrator can make a service token.')
    if (surveys.length && !seesAll(ctx.actor)) throw invalid('surveys', 'surveys: only an administrator’s token sends results')
    refuseUnknownScopes(scopes)
    const right = scopes.find(isRight)
    if (right && !isAdmin(ctx.actor)) throw invalid('scopes', `scopes: only an administrator’s token has the right ${right}`)
    await assertVisible(ctx as Ctx, clients, projects)
    await assertExist(ctx as Ctx, 'surveys', surveys)
    const expires_at = expires_on === undefined ? null : endOf(ctx as Ctx, expires_on)
    await refuseMoreKeys(ctx as Ctx)
    const limit: KeyScope = {
      ...(clients.length ? { clients } : {}),
      ...(projects.length ? { projects } : {}),
      ...(surveys.length ? { surveys } : {}),
    }
    const token = `fwt_${randomToken(32)}`
    const { id } = await ctx.tx
      .insertInto('api_keys')
      .values({
        name,
        kind,
        key_hash: hashToken(token),
        created_by: ctx.actor.id,
        created_at: ctx.now,
        last_used_at: null,
        revoked_at: null,
        scope: JSON.stringify(limit),
        grants: JSON.stringify(scopes),
        expires_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({
      subject: 'token',
      subject_id: id,
      after: { name, kind, scopes, ...limit, ...(expires_on ? { expires_on } : {}) },
    })
    emitRevoked(ctx as Ctx, { id, kind, owner_id: ctx.actor.id })
    await tellOwner(ctx as Ctx, ctx.user, 'new token', { name, detail: scopes.join(', ') })
    return {
      data: { ...(await tokens.get(ctx as Ctx, id)), token: shownSecret(ctx, token) },
      message: describeEffect(ctx, 'token.create', { noun: 'token', also: shownOnce(ctx, 'token') }),
    }
  },
  async 'token.revoke'(ctx) {
    return revoke(ctx as Ctx, await tokens.row(ctx as Ctx, ctx.input.id))
  },
}
