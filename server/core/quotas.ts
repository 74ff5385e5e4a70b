import { count } from '../../contract/format.ts'
import { SKEW_MS } from './clockSkew.ts'
import type { Ctx, Services } from './context.ts'
import { HttpError } from './errors.ts'
import type { LimitName } from './limits.ts'
import type { Left } from './rateLimit.ts'

export const DAY_MS = 86_400_000

/** The moment this many milliseconds before a call, as ISO text. */
export const ago = ({ now }: Pick<Ctx, 'now'>, milliseconds: number): string =>
  new Date(Date.parse(now) - milliseconds).toISOString()

/** Milliseconds in words: "12 seconds", "40 minutes", "3 hours". */
function inWords(milliseconds: number): string {
  const units = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const
  const [size, word] = units.find(([size]) => milliseconds >= 1.5 * size) ?? units[2]
  const count = Math.max(1, Math.ceil(milliseconds / size))
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** 409: the user already has as many as they may. */
export const full = (sentence: string) => new HttpError(409, 'limit_reached', sentence)

/** Builds the 429 that says how long to wait. */
export const tooOften = (sentence: string, milliseconds: number) =>
  new HttpError(429, 'limit_reached', `${sentence} Try again in ${inWords(milliseconds)}.`, {
    retry_after: Math.max(1, Math.ceil(milliseconds / 1000)),
  })

/** When each user's bucket is full again (ms), in memory, because a query before each write would cost too much. */
const fullAt = new WeakMap<Services, Map<number, number>>()
/** Users with a full allowance are forgotten beyond this many. */
const REMEMBERED = 10_000

/** Takes a write from a user's `writes_day`, a bucket that refills steadily; throws 429 when it is empty. */
export function takeWrite(services: Services, person: number, tell: (left: Left) => void): void {
  const most = services.settings.limits.writes_day
  const every = DAY_MS / most
  const now = services.now().getTime()
  const known = fullAt.get(services) ?? new Map<number, number>()
  fullAt.set(services, known)
  if (known.size > REMEMBERED) for (const [one, at] of known) if (at <= now) known.delete(one)
  const before = known.get(person) ?? now
  // Beyond a whole day it was set by a clock that was ahead.
  const next = (before > now + DAY_MS + SKEW_MS ? now : Math.max(before, now)) + every
  const wait = next - (now + DAY_MS)
  tell({ limit: most, remaining: Math.max(0, Math.floor((now + DAY_MS - next) / every)), reset: Math.ceil((next - now) / 1000) })
  if (wait > 0) throw tooOften(`You’ve reached the limit of ${count(most)} changes a day.`, wait)
  known.set(person, next)
}

/** A limit of this installation. */
export const limitOf = (ctx: Pick<Ctx, 'services'>, name: LimitName): number => ctx.services.settings.limits[name]
