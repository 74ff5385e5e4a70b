import { COOKIE } from '../../core/authenticate.ts'
import type { Ctx } from '../../core/context.ts'
import { addressBuckets, addressOf, addressPrefix, type Bucket, consume } from '../../core/rateLimit.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import { cookieOf, setCookie } from './sessions.ts'

/** Marks a browser that has signed in to an account; it grants nothing by itself. */
const DEVICE_COOKIE = `${COOKIE}_device`
const DEVICE_DAYS = 180
const SECOND = 1000

/** Wrong passwords allowed from a known browser, from one address, and for one account (docs/decisions/guards.md). */
const TRIES = {
  own: { burst: 8, every: 30 * SECOND },
  line: { burst: 40, every: 15 * SECOND },
  account: { burst: 30, every: 20 * SECOND },
} as const

/**
 * Counts a sign-in attempt before the password check; returns the refund for a correct password.
 * Browsers that signed in before have their own count, so that guessing strangers can't lock the owner out.
 */
export async function takeSignIn(ctx: Ctx, email: string): Promise<() => Promise<void>> {
  if (ctx.services.settings.test) return async () => {}
  const address = addressOf(ctx.request)
  const line = addressPrefix(address)
  const device = deviceOf(ctx, email)
  const own: Bucket = { key: `sign-in own:${device ?? line} ${email}`, ...TRIES.own }
  const strangers: Bucket[] = device
    ? []
    : [...addressBuckets(address, { key: 'sign-in line:', ...TRIES.line }), { key: `sign-in account:${email}`, ...TRIES.account }]
  return consume(ctx.services, [own, ...strangers])
}

/** Counts a password attempt of a signed-in user, so that an open session can't be used to guess it. */
export function takeOwnPassword(ctx: Ctx, id: number): Promise<() => Promise<void>> {
  return ctx.services.settings.test
    ? Promise.resolve(async () => {})
    : consume(ctx.services, [{ key: `password:${id}`, ...TRIES.own }])
}

/** Whether this browser has signed in to an account. */
export const hasSignedIn = (ctx: Ctx, email: string): boolean => deviceOf(ctx, email) !== null

/** Marks this browser as having signed in to an account. */
export function markBrowser(ctx: Ctx, email: string): void {
  const until = ctx.services.now().getTime() + DEVICE_DAYS * 86_400_000
  const value = ctx.services.secrets.sign('device', `${markOf(email)}:${randomToken(12)}`, Math.floor(until / 1000))
  setCookie(ctx.services, ctx.reply, DEVICE_COOKIE, value, until)
}

/** The device cookie's value, if it was made for this account. */
function deviceOf(ctx: Ctx, email: string): string | null {
  const cookie = cookieOf(ctx.request, DEVICE_COOKIE)
  const value = cookie ? ctx.services.secrets.open('device', cookie, ctx.services.now()) : null
  return value?.startsWith(`${markOf(email)}:`) ? value : null
}

const markOf = (email: string): string => hashToken(email).slice(0, 24)
