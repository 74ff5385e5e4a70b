import type { FastifyRequest } from 'fastify'
import type { Caller, House } from './context.ts'
import { scopeOf } from './keyScope.ts'
import { NOBODY } from './nobody.ts'
import { hashToken } from './secrets.ts'
import { troubleOf } from './trouble.ts'

/** The workspace's cookie: HttpOnly, SameSite=Strict. */
export const COOKIE = 'fieldwork'
const SEEN_EVERY = 60_000

/** Who makes a request: by the token headers, by the workspace's cookie, by a partner's signed link, by an API key, or nobody (decisions.md 7). */
export async function authenticate(house: House, request: FastifyRequest): Promise<Caller> {
  const { headers } = request
  const key = sentKey(request)
  if (key) return byApiKey(house, key, request.ip)
  const link = (request.query as { token?: unknown } | null)?.token ?? headers['partner-token']
  const partner = typeof link === 'string' ? await readLink(house, link) : null
  const token = headers['access-token']
  if (typeof token === 'string' && token) return { ...(await byHeaders(house, token, headers)), partner }
  const cookie = readCookie(headers.cookie, COOKIE)
  if (cookie) return { ...(await bySession(house, cookie, 'cookie')), partner }
  return partner ? { ...NOBODY, partner } : NOBODY
}

/** The API key that a request carries as `Authorization: Bearer fwk_…`, or null; the scheme is read in any case (RFC 9110). */
export function sentKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return /^bearer +(fwk_[\w-]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** What a browser takes from https alone, for the whole of this host and no other. */
const HOST_ONLY = '__Host-'

/** The name that a cookie of ours goes by now: over https no other host of the site can set it. */
export const cookieName = ({ settings }: House, name: string): string =>
  settings.publicUrl.startsWith('https:') ? `${HOST_ONLY}${name}` : name

/** The value of a cookie of ours, or null; a browser that has it from before https goes on with its old name. */
export function readCookie(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? []
  const found = (called: string) => pairs.find((pair) => pair.startsWith(`${called}=`))?.slice(called.length + 1)
  return found(`${HOST_ONLY}${name}`) || found(name) || null
}

/** A signed link is only as good as who and what it was made for: a deleted partner's, or a deleted project's, opens nothing. */
async function readLink(house: House, text: string): Promise<Caller['partner']> {
  const value = house.secrets.open('partner', text, house.now())
  const [project_id, partner_id] = value?.split(':').map(Number) ?? []
  if (!project_id || !partner_id) return null
  const { db } = house.database
  const there = (table: 'partners' | 'projects', id: number) =>
    db.selectFrom(table).select('id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
  const [partner, project] = await Promise.all([there('partners', partner_id), there('projects', project_id)])
  return partner && project ? { project_id, partner_id } : null
}

/** Who acts as somebody must still be an administrator. */
async function isAdmin(house: House, id: number): Promise<boolean> {
  const row = await house.database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** When somebody was seen last is a courtesy: a full disk must not keep them from reading. */
async function ifThereIsRoom(house: House, note: () => Promise<unknown>): Promise<void> {
  try {
    await note()
  } catch (error) {
    if (!troubleOf(house.database, error)) throw error
  }
}

async function byApiKey(house: House, key: string, address: string): Promise<Caller> {
  const now = house.now()
  const row = await house.database.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'created_by', 'last_used_at', 'last_address', 'scope', 'reads'])
    .where('key_hash', '=', hashToken(key))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirst()
  if (!row) return NOBODY
  const user = await house.database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', row.created_by)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user?.role !== 'admin') return NOBODY
  const isSeen = now.getTime() - Date.parse(row.last_used_at ?? '1970-01-01') <= SEEN_EVERY && row.last_address === address
  if (!isSeen)
    await ifThereIsRoom(house, () =>
      house.database.db
        .updateTable('api_keys')
        .set({ last_used_at: now.toISOString(), last_address: address })
        .where('id', '=', row.id)
        .execute(),
    )
  const { id, name, created_by, scope, reads } = row
  return { ...NOBODY, apiKey: { id, name, created_by, scope: scopeOf(scope), reads: reads === 1 } }
}

/** `access-token`, `client` and `uid` belong together, else nobody calls: who mixes the headers of two people acts as neither (decisions.md 13). */
async function byHeaders(house: House, token: string, { client, uid }: FastifyRequest['headers']): Promise<Caller> {
  const caller = await bySession(house, token, 'headers')
  const own =
    client === caller.session?.client && typeof uid === 'string' && uid.trim().toLowerCase() === caller.user?.email.toLowerCase()
  return own ? caller : NOBODY
}

async function bySession(house: House, token: string, by: 'headers' | 'cookie'): Promise<Caller> {
  const now = house.now().toISOString()
  const session = await house.database.db
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!session) return NOBODY
  const user = await house.database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', session.user_id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!user) return NOBODY
  if (session.admin_id !== null && !(await isAdmin(house, session.admin_id))) return NOBODY
  if (Date.parse(now) - Date.parse(session.last_seen_at) > SEEN_EVERY) {
    await ifThereIsRoom(house, () =>
      house.database.db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', session.id).execute(),
    )
  }
  return {
    user,
    actor: { id: user.id, role: user.role, admin_id: session.admin_id },
    session: { id: session.id, client: session.client, by, expires_at: session.expires_at },
    partner: null,
    apiKey: null,
  }
}
