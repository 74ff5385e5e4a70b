import type { FastifyRequest } from 'fastify'
import type { Caller, House } from './context.ts'
import { NOBODY } from './nobody.ts'
import { hashToken } from './secrets.ts'
import { troubleOf } from './trouble.ts'

/** The workspace's cookie: HttpOnly, SameSite=Strict. */
export const COOKIE = 'fieldwork'
const SEEN_EVERY = 60_000

/** Who makes a request: by the token headers, by the workspace's cookie, by a partner's signed link, by an API key, or nobody (decisions.md 7). */
export async function authenticate(house: House, request: FastifyRequest): Promise<Caller> {
  const { headers } = request
  const key = /^Bearer (fwk_[\w-]+)$/.exec(headers.authorization ?? '')?.[1]
  if (key) return byApiKey(house, key)
  const link = (request.query as { token?: unknown } | null)?.token ?? headers['partner-token']
  const partner = typeof link === 'string' ? await readLink(house, link) : null
  const token = headers['access-token']
  if (typeof token === 'string' && token) return { ...(await byHeaders(house, token, headers)), partner }
  const cookie = readCookie(headers.cookie)
  if (cookie) return { ...(await bySession(house, cookie, 'cookie')), partner }
  return partner ? { ...NOBODY, partner } : NOBODY
}

function readCookie(header: string | undefined): string | null {
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
  return found ? found.slice(COOKIE.length + 1) : null
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

async function byApiKey(house: House, key: string): Promise<Caller> {
  const row = await house.database.db
    .selectFrom('api_keys')
    .select(['id', 'created_by', 'last_used_at'])
    .where('key_hash', '=', hashToken(key))
    .where('revoked_at', 'is', null)
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
  const now = house.now()
  if (now.getTime() - Date.parse(row.last_used_at ?? '1970-01-01') > SEEN_EVERY)
    await ifThereIsRoom(house, () =>
      house.database.db.updateTable('api_keys').set({ last_used_at: now.toISOString() }).where('id', '=', row.id).execute(),
    )
  return { ...NOBODY, apiKey: { id: row.id, created_by: row.created_by } }
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
