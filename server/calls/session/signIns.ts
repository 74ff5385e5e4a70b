import { isEmail } from '../../../contract/messages.ts'
import { deviceOf } from '../../../contract/userAgent.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { addressOf, addressPrefix, type Bucket, consume } from '../../core/rateLimit.ts'
import { tellOwner } from '../../mail/tellOwner.ts'
import { hasSignedIn } from './guard.ts'

/*
 * Who signed in and out, or tried to, from where and how, in the history (docs/decisions/people.md).
 * These lines have a subject of their own, so that they end with the history's retention.
 */

const MINUTE = 60_000
/** Failed sign-ins written down, of each account and of unknown addresses together: so many at once, and so often. */
const NOTED = { known: { burst: 100, every: 10 * MINUTE }, unknown: { burst: 200, every: 5 * MINUTE } } as const
/** Devices of a person that are known; the eldest is forgotten. */
const DEVICES = 100

const agentOf = ({ request }: Pick<Ctx, 'request'>): string => (request.headers['user-agent'] ?? '').slice(0, 300)
/** A browser stays the same device when it is updated. */
const browserOf = (agent: string): string => agent.replace(/[\d.]+/g, '').slice(0, 200)
/** Everybody has one of a few browsers, so without our cookie the network (a /24, or a /48) tells devices apart. */
function deviceKey(ctx: Pick<Ctx, 'request'>): string {
  const network = addressPrefix(addressOf(ctx.request), 48).replace(/\.\d+$/, '')
  return `${browserOf(agentOf(ctx))} from ${network}`
}

/** Where a call came from, for the history. */
export const origin = (ctx: Pick<Ctx, 'request'>) => ({ from: addressOf(ctx.request), device: agentOf(ctx) })

/** Notes a sign-in, and tells the account's owner of one from a device that it hasn't seen. */
export async function noteSignIn(ctx: Ctx, user: UserRow, by: 'cookie' | 'headers'): Promise<void> {
  await ctx.record({
    ...{ subject: 'session', subject_id: user.id, action: 'session.signIn', actor_id: user.id },
    after: { ...origin(ctx), by: by === 'cookie' ? 'password, in the workspace' : 'password, in a program' },
  })
  // Also noted for a browser that has the cookie, as it may be cleared.
  const isNew = await rememberDevice(ctx, user)
  if (isNew && !hasSignedIn(ctx, user.email)) await tellOwner(ctx, user, 'new device', { detail: deviceOf(agentOf(ctx)) })
}

/** Notes the caller's browser or program as a person's; returns whether it is a new one. */
export async function rememberDevice(ctx: Ctx, { id }: Pick<UserRow, 'id'>): Promise<boolean> {
  const agent = deviceKey(ctx)
  const known = await ctx.tx
    .updateTable('devices')
    .set({ seen_at: ctx.now })
    .where('user_id', '=', id)
    .where('agent', '=', agent)
    .executeTakeFirstOrThrow()
  if (Number(known.numUpdatedRows)) return false
  const added = await ctx.tx
    .insertInto('devices')
    .values({ user_id: id, agent, seen_at: ctx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!Number(added.numInsertedOrUpdatedRows)) return false
  const eldest = ctx.tx
    .selectFrom('devices')
    .select('seen_at')
    .where('user_id', '=', id)
    .orderBy('seen_at', 'desc')
    .offset(DEVICES)
  const old = await eldest.limit(1).executeTakeFirst()
  if (old) await ctx.tx.deleteFrom('devices').where('user_id', '=', id).where('seen_at', '<=', old.seen_at).execute()
  const others = await ctx.tx.selectFrom('devices').select('agent').where('user_id', '=', id).limit(2).execute()
  if (others.length > 1) return true
  // The first one noted may have sessions of before.
  const sessions = ctx.tx.selectFrom('sessions').select('user_agent').where('user_id', '=', id).where('admin_id', 'is', null)
  const browser = browserOf(agentOf(ctx))
  return !(await sessions.where('created_at', '<', ctx.now).execute()).some(({ user_agent }) => browserOf(user_agent) === browser)
}

/** Notes a refused sign-in, unless too many were; never what was typed as a password. */
export async function noteFailure(ctx: Ctx, user: UserRow | undefined, email: string, why: string): Promise<void> {
  const bucket: Bucket = user
    ? { key: `failed sign-in:${user.id}`, ...NOTED.known }
    : { key: 'failed sign-in:unknown', ...NOTED.unknown }
  try {
    await consume(ctx.services, [bucket])
    await ctx.write((write) =>
      write.record({
        ...{ subject: 'session', subject_id: user?.id ?? 0, action: 'session.refused' },
        // Somebody may have typed their password into the wrong field.
        after: { ...origin(ctx), ...(user ? {} : { email: isEmail(email) ? email : 'not an email' }), why },
      }),
    )
  } catch (error) {
    // They are told about their sign-in, not about our note of it.
    if (!(error instanceof HttpError)) ctx.services.log.warn({ err: error }, 'noting a refused sign-in failed')
  }
}
