import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE, cookieName, readCookie } from '../../core/authenticate.ts'
import type { Caller, Ctx, Services, UserRow } from '../../core/context.ts'
import { limitOf } from '../../core/quotas.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'

const DAY = 86_400_000
/** How long a session lasts, how many devices a user has, and how long an admin acts as somebody (decisions.md 6 and 7). */
export const SESSION = { lasts: 14 * DAY, devices: 10, acting: 30 * 60_000 } as const
/** Holds the admin's own token while they act as somebody; read by nothing but switch_back and sign_out. */
const OWN_COOKIE = `${COOKIE}_own`

/** A session just opened, with its token; the database keeps only the hash. */
export interface Opened {
  id: number
  token: string
  client: string
  expires_at: string
  email: string
}

/** Opens a session in the call's transaction; a user's eleventh device pushes the oldest out. */
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
    const kept = await ctx.tx
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
      .where('id', '<', kept.at(-1)!.id)
      .execute()
  }
  told(ctx, user.id)
  return { id, token, client, expires_at, email: user.email }
}

/** The most sessions in which an administrator acts as somebody; one more ends the oldest. */
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
  for (const { user_id } of over) told(ctx, user_id)
}

/** Ends sessions of a user: all of them, one, or all but one; and, with `behind`, those in which they act as somebody else. */
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
  if (numDeletedRows) told(ctx, userId)
  return Number(numDeletedRows)
}

/** Ends the sessions in which an administrator acts as somebody else. */
export async function endActing(ctx: Ctx, adminId: number): Promise<void> {
  const ended = await ctx.tx.deleteFrom('sessions').where('admin_id', '=', adminId).returning('user_id').execute()
  for (const { user_id } of ended) told(ctx, user_id)
}

const told = (ctx: Ctx, userId: number) => ctx.emit({ noun: 'account', id: userId, audience: 'user', user_id: userId })

/** The caller that a session just opened will be. */
export const callerOf = (user: UserRow, opened: { id: number }, admin_id: number | null = null) =>
  ({ user, actor: { id: user.id, role: user.role, admin_id }, session: { id: opened.id } }) satisfies Pick<
    Caller,
    'user' | 'actor'
  > & { session: { id: number } }

/** The five token headers of the specification. */
const tokenHeaders = (of: Pick<Opened, 'token' | 'client' | 'expires_at' | 'email'>) => ({
  'access-token': of.token,
  'token-type': 'Bearer',
  client: of.client,
  expiry: String(Math.floor(Date.parse(of.expires_at) / 1000)),
  uid: of.email,
})

/**
 * Sends a new session. The workspace gets only an HttpOnly cookie, so that no script can read its token; a program gets
 * the token headers, and the cookie too when it asks. Call it after the commit.
 */
export function answerTokens(ctx: Pick<Ctx, 'services' | 'request' | 'reply'>, opened: Opened, cookie: boolean): void {
  const { services, request, reply } = ctx
  reply.header('cache-control', 'no-store')
  if (!isWorkspace(request)) reply.headers(tokenHeaders(opened))
  if (cookie) setCookie(services, reply, COOKIE, opened.token, Date.parse(opened.expires_at))
}

/** Answers who came with token headers with the same five, as devise_token_auth does without rotation: some clients keep what the last answer said (decisions.md 13). */
export function repeatTokens({ user, session }: Caller, request: FastifyRequest, reply: FastifyReply): void {
  if (session?.by !== 'headers' || !user) return
  const token = String(request.headers['access-token'])
  reply.headers(tokenHeaders({ token, client: session.client, expires_at: session.expires_at, email: user.email }))
}

/** Takes the token headers from an answer: the session has ended. */
export function dropTokens(reply: FastifyReply): void {
  for (const name of ['access-token', 'token-type', 'client', 'expiry', 'uid']) reply.removeHeader(name)
}

const isWorkspace = (request: FastifyRequest): boolean => request.headers['x-fieldwork'] === 'workspace'

/** True when the workspace asks: it lives by the cookie. */
export const wantsCookie = (request: FastifyRequest, asked?: boolean): boolean => asked === true || isWorkspace(request)

/** Sets a cookie of ours until a time; a time that is past takes it away. */
export function setCookie(services: Services, reply: FastifyReply, name: string, value: string, until: number): void {
  const seconds = Math.max(0, Math.floor((until - services.now().getTime()) / 1000))
  const called = cookieName(services, name)
  const rest = `HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  const oldPath = name === COOKIE ? '/' : '/v3/portal'
  if (called === name) return void reply.header('set-cookie', `${name}=${value}; Path=${oldPath}; ${rest}`)
  reply.header('set-cookie', `${called}=${value}; Path=/; ${rest}; Secure`)
  // The name it had before is not left behind: it would be read when this one is gone.
  reply.header('set-cookie', `${name}=; Path=${oldPath}; HttpOnly; SameSite=Strict; Max-Age=0; Secure`)
}

/** The value of a cookie of the request, or null. */
export const cookieOf = (request: FastifyRequest, name: string): string | null => readCookie(request.headers.cookie, name)

/** Signs the workspace out: clears the cookie, and that of an administrator who was acting as somebody. */
export function clearCookies(services: Services, request: FastifyRequest, reply: FastifyReply): void {
  if (cookieOf(request, COOKIE)) setCookie(services, reply, COOKIE, '', 0)
  clearOwn(services, request, reply)
}

/** Forgets the administrator who was acting as somebody in this browser. */
export function clearOwn(services: Services, request: FastifyRequest, reply: FastifyReply): void {
  if (cookieOf(request, OWN_COOKIE)) setCookie(services, reply, OWN_COOKIE, '', 0)
}

/** Keeps an administrator's own session in a second cookie while they act as somebody. */
export function keepOwnSession(ctx: Ctx): void {
  const own = cookieOf(ctx.request, COOKIE)
  if (own && ctx.caller.session) setCookie(ctx.services, ctx.reply, OWN_COOKIE, own, Date.parse(ctx.caller.session.expires_at))
}

/** Returns the administrator's own session from that cookie, while it is valid. */
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

/** Gives the admin their own cookie back. */
export function takeBack(ctx: Ctx, own: { token: string; expires_at: string }): void {
  setCookie(ctx.services, ctx.reply, COOKIE, own.token, Date.parse(own.expires_at))
  setCookie(ctx.services, ctx.reply, OWN_COOKIE, '', 0)
}
