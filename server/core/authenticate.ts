import type { FastifyRequest } from 'fastify'
import { seesAll } from '../../contract/actor.ts'
import { PARTNER_HEADER } from '../../contract/pages.ts'
import type { Db } from '../db/connect.ts'
import { ANONYMOUS } from './caller.ts'
import { isWithin } from './clockSkew.ts'
import type { Caller, Services } from './context.ts'
import { currentPartners } from './currentPartners.ts'
import { toHttpError } from './httpErrors.ts'
import { scopeOf } from './keyScope.ts'
import { hashToken } from './secrets.ts'

/** The workspace's cookie: HttpOnly, SameSite=Strict. */
export const COOKIE = 'fieldwork'
const SEEN_EVERY = 60_000

/** Identifies the caller by token headers, cookie, signed link, token or API key, or as anonymous (decisions.md 7). */
export async function authenticate(services: Services, request: FastifyRequest): Promise<Caller> {
  const { headers } = request
  const key = sentKey(request)
  if (key) return isToken(key) ? byToken(services, key, request.ip) : byApiKey(services, key, request.ip)
  const link = headers[PARTNER_HEADER] ?? headers['partner-token'] ?? (request.query as { token?: unknown } | null)?.token
  const partner = typeof link === 'string' ? await readLink(services, link) : null
  const token = headers['access-token']
  if (typeof token === 'string' && token) return { ...(await byHeaders(services, token, headers)), partner }
  const cookie = readCookie(headers.cookie, COOKIE)
  if (cookie) return { ...(await bySession(services, cookie, 'cookie')), partner }
  return partner ? { ...ANONYMOUS, partner } : ANONYMOUS
}

/** The key or token of `Authorization: Bearer fwk_…` or `fwt_…`, or null; the scheme's case is ignored (RFC 9110). */
export function sentKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return /^bearer +(fw[kt]_[\w-]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** True for the text of a token, false for that of an intake key. */
export const isToken = (key: string): boolean => key.startsWith('fwt_')

/** Browsers accept this prefix only over https, and only for this exact host. */
const HOST_ONLY = '__Host-'

/** The current name of one of our cookies; over https no other host of the site can set it. */
export const cookieName = ({ settings }: Services, name: string): string =>
  settings.publicUrl.startsWith('https:') ? `${HOST_ONLY}${name}` : name

/** Reads one of our cookies, or null; a browser may still send it under the name from before https. */
export function readCookie(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? []
  const found = (called: string) => pairs.find((pair) => pair.startsWith(`${called}=`))?.slice(called.length + 1)
  return found(`${HOST_ONLY}${name}`) || found(name) || null
}

/** Reads a partner's link; void for a deleted partner or project, and the other partner's after a merge. */
async function readLink(services: Services, text: string): Promise<Caller['partner']> {
  const read = services.secrets.read('partner', text)
  const [project_id, addressed_id, round = null, version = null] = read?.value.split(':').map(Number) ?? []
  if (!read || !project_id || !addressed_id) return null
  const { db } = services.database
  const there = db.selectFrom('projects').select('id').where('id', '=', project_id).where('deleted_at', 'is', null)
  const [partners, project] = await Promise.all([currentPartners(db), there.executeTakeFirst()])
  const partner_id = partners.get(addressed_id) ?? null
  if (partner_id === null || !project) return null
  const ends = read.until * 1000
  const expired_at = ends > services.now().getTime() ? null : new Date(ends).toISOString()
  return { project_id, partner_id, addressed_id, round, version, expired_at }
}

/** A session that acts as a user is valid only while its owner is an administrator. */
async function isAdmin(services: Services, id: number): Promise<boolean> {
  const row = await services.database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Updating `last_seen` is optional: a full disk must not keep users from reading. */
async function unlessDiskFull(services: Services, note: () => Promise<unknown>): Promise<void> {
  try {
    await note()
  } catch (error) {
    if (!toHttpError(services.database, error)) throw error
  }
}

/** A valid key or token with its current owner; records its use. Null without either. */
async function ownedKey(services: Services, key: string, address: string) {
  const now = services.now()
  const row = await services.database.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'kind', 'created_by', 'last_used_at', 'last_address', 'scope', 'reads', 'grants'])
    .where('key_hash', '=', hashToken(key))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirst()
  if (!row) return null
  const user = await services.database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', row.created_by)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user || (row.kind !== 'personal' && !seesAll(user))) return null
  const isSeen = isWithin(row.last_used_at, now.toISOString(), SEEN_EVERY) && row.last_address === address
  if (!isSeen)
    await unlessDiskFull(services, () =>
      services.database.db
        .updateTable('api_keys')
        .set({ last_used_at: now.toISOString(), last_address: address })
        .where('id', '=', row.id)
        .execute(),
    )
  return { row, user }
}

/** A token acts as its owner; one limited to clients or projects does so only there. */
async function byToken(services: Services, key: string, address: string): Promise<Caller> {
  const found = await ownedKey(services, key, address)
  if (!found) return ANONYMOUS
  const { row, user } = found
  const scope = scopeOf(row.scope)
  const limit = Object.keys(scope).length ? scope : null
  const token = { id: row.id, name: row.name, scopes: JSON.parse(row.grants) as string[], limit }
  if (!limit) return { ...ANONYMOUS, user, actor: { id: user.id, role: user.role, admin_id: null }, token }
  const only = { clients: limit.clients ?? [], projects: limit.projects ?? [], all: seesAll(user) }
  // Without the limit, the user alone would see everything.
  return { ...ANONYMOUS, user: { ...user, role: 'client' }, actor: { id: user.id, role: user.role, admin_id: null, only }, token }
}

async function byApiKey(services: Services, key: string, address: string): Promise<Caller> {
  const found = await ownedKey(services, key, address)
  if (!found) return ANONYMOUS
  const { id, name, created_by, scope, reads } = found.row
  return { ...ANONYMOUS, apiKey: { id, name, created_by, scope: scopeOf(scope), reads: reads === 1 } }
}

/** The three token headers must belong to one session; mixed ones make the caller anonymous (decisions.md 13). */
async function byHeaders(services: Services, token: string, { client, uid }: FastifyRequest['headers']): Promise<Caller> {
  const caller = await bySession(services, token, 'headers')
  const own =
    client === caller.session?.client && typeof uid === 'string' && uid.trim().toLowerCase() === caller.user?.email.toLowerCase()
  return own ? caller : ANONYMOUS
}

async function bySession(services: Services, token: string, by: 'headers' | 'cookie'): Promise<Caller> {
  const now = services.now().toISOString()
  // One statement, as every call waits for it.
  const found = await services.database.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.client as session_client', 'sessions.admin_id'])
    .select(['sessions.expires_at', 'sessions.last_seen_at'])
    .where('sessions.token_hash', '=', hashToken(token))
    .where('sessions.expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  if (!found) return ANONYMOUS
  const { session_id, session_client, admin_id, expires_at, last_seen_at, ...user } = found
  if (admin_id !== null && !(await isAdmin(services, admin_id))) return ANONYMOUS
  if (!isWithin(last_seen_at, now, SEEN_EVERY)) {
    await unlessDiskFull(services, () =>
      services.database.db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', session_id).execute(),
    )
  }
  return {
    user,
    actor: { id: user.id, role: user.role, admin_id },
    session: { id: session_id, client: session_client, by, expires_at },
    partner: null,
    apiKey: null,
    token: null,
  }
}

/** How many sessions of the installation made a request since a moment (ISO). */
export async function seenSince(db: Db, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('last_seen_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
