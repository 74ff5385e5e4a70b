import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE, cookieName, readCookie } from '../../core/authenticate.ts'
import type { Caller, Ctx, Services, UserRow } from '../../core/context.ts'
import { limitOf } from '../../core/quotas.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'

const DAY = 86_400_000
/** A session's lifetime, a user's devices, and how long an admin acts as a user (decisions.md 6 and 7). */
const SESSION = { lasts: 14 * DAY, devices: 10, acting: 30 * 60_000 } as const
/** Holds the admin's own token while acting; only switch_back and sign_out read it. */
const OWN_COOKIE = `${COOKIE}_own`

/** A new session with its token, of which the database keeps only the hash. */
export interface Opened {
  id: number
  token: string
  client: string
  expires_at: string
  email: string
}

/** Opens a session in the call's transaction; a user's eleventh device ends the oldest session. */
export async function openSession(ctx: Ctx, user: UserRow, acting?: { admin_id: number; reason: string }): Promise<Opened> {
  const token = randomToken(32)
  const client = randomToken(16)
  const expires_at = new Date(Date.parse(ctx.now) + (acting ? SESSION.acting : SESSION.lasts)).toISOString()
  await ctx.tx.deleteFrom('sessions').where('user_id', '=', user.id).where('expires_at', '<=', ctx.now).execute()
  const { id } = await ctx.tx
    .insertInto('sessions')
    .values({
      user_id: user.id,
      client,
      token_hash: hashToken(token),
      admin_id: acting?.admin_id ?? null,
      reason: acting?.reason ?? null,
      user_agent: (ctx.request.headers['user-agent'] ?? '').slice(0, 300),
      created_at: ctx.now,
      last_seen_at: ctx.now,
      expires_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (acting) await endOldestActing(ctx, acting.admin_id)
  else {
    const newest = await ctx.tx
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .where('admin_id', 'is', null)
      .orderBy('id', 'desc')
      .limit(SESSION.devices)
      .execute()
    await ctx.tx
      .deleteFrom('sessions')
      .where('user_id', '=', user.id)
      .where('admin_id', 'is', null)
      .where('id', '<', newest.at(-1)!.id)
      .execute()
  }
  emitSessions(ctx, user.id)
  return { id, token, client, expires_at, email: user.email }
}

/** Ends an administrator's oldest acting session once they have the most allowed. */
async function endOldestActing(ctx: Ctx, adminId: number): Promise<void> {
  const most = limitOf(ctx, 'acting')
  const all = await ctx.tx
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('admin_id', '=', adminId)
    .orderBy('id', 'desc')
    .execute()
  const over = all.slice(most)
  if (!over.length) return
  const ids = over.map(({ id }) => id)
  await ctx.tx.deleteFrom('sessions').where('id', 'in', ids).execute()
  for (const { user_id } of over) emitSessions(ctx, user_id)
}

/** Ends a user's sessions: all, one, or all but one; `behind` also ends those in which they act as others. */
export async function endSessions(
  ctx: Ctx,
  userId: number,
  which: { id?: number; but?: number; behind?: true } = {},
): Promise<number> {
  let query = ctx.tx
    .deleteFrom('sessions')
    .where((eb) => (which.behind ? eb.or([eb('user_id', '=', userId), eb('admin_id', '=', userId)]) : eb('user_id', '=', userId)))
  if (which.id !== undefined) query = query.where('id', '=', which.id)
  if (which.but !== undefined) query = query.where('id', '!=', which.but)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  if (numDeletedRows) emitSessions(ctx, userId)
  return Number(numDeletedRows)
}

/** Ends the sessions in which an administrator acts as other users. */
export async function endActing(ctx: Ctx, adminId: number): Promise<void> {
  const ended = await ctx.tx.deleteFrom('sessions').where('admin_id', '=', adminId).returning('user_id').execute()
  for (const { user_id } of ended) emitSessions(ctx, user_id)
}

const emitSessions = (ctx: Ctx, userId: number) => ctx.emit({ noun: 'account', id: userId, audience: 'user', user_id: userId })

/** The caller of a session that was just opened. */
export const callerOf = (user: UserRow, opened: { id: number }, admin_id: number | null = null) =>
  ({ user, actor: { id: user.id, role: user.role, admin_id }, session: { id: opened.id } }) satisfies Pick<
    Caller,
    'user' | 'actor'
  > & { session: { id: number } }

/** The specification's five token headers. */
const tokenHeaders = (of: Pick<Opened, 'token' | 'client' | 'expires_at' | 'email'>) => ({
  'access-token': of.token,
  'token-type': 'Bearer',
  client: of.client,
  expiry: String(Math.floor(Date.parse(of.expires_at) / 1000)),
  uid: of.email,
})

/**
 * Sends a new session; call it after the commit.
 * The workspace gets only an HttpOnly cookie, so that no script reads its token.
 * A program gets the token headers, and the cookie if it asks for it.
 */
export function answerTokens(ctx: Pick<Ctx, 'services' | 'request' | 'reply'>, opened: Opened, cookie: boolean): void {
  const { services, request, reply } = ctx
  reply.header('cache-control', 'no-store')
  if (!isWorkspace(request)) reply.headers(tokenHeaders(opened))
  if (cookie) setCookie(services, reply, COOKIE, opened.token, Date.parse(opened.expires_at))
}

/** Repeats the caller's token headers, because some clients keep only the last response's (decisions.md 13). */
export function repeatTokens({ user, session }: Caller, request: FastifyRequest, reply: FastifyReply): void {
  if (session?.by !== 'headers' || !user) return
  const token = String(request.headers['access-token'])
  reply.headers(tokenHeaders({ token, client: session.client, expires_at: session.expires_at, email: user.email }))
}

/** Removes the token headers from a response, because the session has ended. */
export function dropTokens(reply: FastifyReply): void {
  for (const name of ['access-token', 'token-type', 'client', 'expiry', 'uid']) reply.removeHeader(name)
}

const isWorkspace = (request: FastifyRequest): boolean => request.headers['x-fieldwork'] === 'workspace'

/** True for the workspace, which signs in by cookie. */
export const wantsCookie = (request: FastifyRequest, requested?: boolean): boolean => requested === true || isWorkspace(request)

/** Sets one of our cookies until a time; a past time deletes it. */
export function setCookie(services: Services, reply: FastifyReply, name: string, value: string, until: number): void {
  const seconds = Math.max(0, Math.floor((until - services.now().getTime()) / 1000))
  const called = cookieName(services, name)
  const rest = `HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  const oldPath = name === COOKIE ? '/' : '/v3/portal'
  if (called === name) return void reply.header('set-cookie', `${name}=${value}; Path=${oldPath}; ${rest}`)
  reply.header('set-cookie', `${called}=${value}; Path=/; ${rest}; Secure`)
  // Deletes the cookie's old name, which would otherwise be read once this one is gone.
  reply.header('set-cookie', `${name}=; Path=${oldPath}; HttpOnly; SameSite=Strict; Max-Age=0; Secure`)
}

/** The value of a request's cookie, or null. */
export const cookieOf = (request: FastifyRequest, name: string): string | null => readCookie(request.headers.cookie, name)

/** Signs the workspace out: clears its cookie, and an acting administrator's own. */
export function clearCookies(services: Services, request: FastifyRequest, reply: FastifyReply): void {
  if (cookieOf(request, COOKIE)) setCookie(services, reply, COOKIE, '', 0)
  clearOwn(services, request, reply)
}

/** Clears the acting administrator's own cookie. */
export function clearOwn(services: Services, request: FastifyRequest, reply: FastifyReply): void {
  if (cookieOf(request, OWN_COOKIE)) setCookie(services, reply, OWN_COOKIE, '', 0)
}

/** Keeps an administrator's own session in a second cookie while they act as a user. */
export function keepOwnSession(ctx: Ctx): void {
  const own = cookieOf(ctx.request, COOKIE)
  if (own && ctx.caller.session) setCookie(ctx.services, ctx.reply, OWN_COOKIE, own, Date.parse(ctx.caller.session.expires_at))
}

/** The administrator's own session from that cookie, while it is valid. */
export async function ownSession(ctx: Ctx): Promise<{ id: number; user_id: number; token: string; expires_at: string } | null> {
  const token = cookieOf(ctx.request, OWN_COOKIE)
  if (!token) return null
  const row = await ctx.db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', ctx.now)
    .where('admin_id', 'is', null)
    .executeTakeFirst()
  return row ? { ...row, token } : null
}

/** Returns the admin to their own session. */
export function takeBack(ctx: Ctx, own: { token: string; expires_at: string }): void {
  setCookie(ctx.services, ctx.reply, COOKIE, own.token, Date.parse(own.expires_at))
  setCookie(ctx.services, ctx.reply, OWN_COOKIE, '', 0)
}
