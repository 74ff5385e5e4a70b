import { isIP, isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { SKEW_MS } from './clockSkew.ts'
import type { Services } from './context.ts'
import { HttpError } from './errors.ts'
import { hashToken } from './secrets.ts'

/** A token bucket: its size, and the milliseconds until one token comes back. */
export interface Bucket {
  /** What and whom it limits, such as `sign-in account:…`; the personal part is stored hashed. */
  key: string
  burst: number
  every: number
}

/** What is left of a limit after a take: of so many at once, and the seconds until all of them are back. */
export interface Left {
  limit: number
  remaining: number
  reset: number
}

/** Tells what is left in the headers of the IETF's draft; of several limits, the one with the fewest left. */
export const tellLeft =
  (reply: Pick<FastifyReply, 'getHeader' | 'headers'>) =>
  ({ limit, remaining, reset }: Left): void => {
    const before = reply.getHeader('ratelimit-remaining')
    if (before !== undefined && Number(before) <= remaining) return
    const headers = { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }
    reply.headers(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
  }

/** Full buckets are swept after this many takes in a process. */
const SWEEP_AFTER = 500
/** The most rejected callers kept in memory, so that each costs at most one query a second. */
const REMEMBERED = 10_000
/** Kept short, because another process may have refunded their tokens. */
const REMEMBERED_MS = 1000
const away = new WeakMap<Services, Map<string, { at: number; until: number }>>()
let takes = 0

/** The caller's address as the proxy reports it, without port and brackets, or else the connection's own. */
export function addressOf(request: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const reported = (request.ip ?? '').trim()
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(reported)?.[1] ?? /^([\d.]+):\d+$/.exec(reported)?.[1] ?? reported
  return isIP(bare) ? bare : (request.raw.socket?.remoteAddress ?? '')
}

/** What identifies a caller: an IPv4 address, or the first `bits` of IPv6 (one connection usually has a /64). */
export function addressPrefix(ip: string, bits = 64): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const whole =
    tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  const network = whole.slice(0, 4).map((part, at) => Number.parseInt(part, 16) & maskOf(bits - 16 * at))
  return `${network.map((part) => part.toString(16)).join(':')}::/${bits}`
}

const maskOf = (bits: number): number => (0xffff << (16 - Math.max(0, Math.min(16, bits)))) & 0xffff

/** Wider IPv6 prefixes and their larger budgets: a provider hands out a /56 or a /48 as easily as a /64. */
const WIDER = [
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const

/** An address's buckets: its own, and for IPv6 those of the wider prefixes. The prefix is appended to the key. */
export function addressBuckets(ip: string, { key, burst, every: exact }: Bucket): Bucket[] {
  const whole = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds))
  const every = whole(exact)
  const own = { key: `${key}${addressPrefix(ip)}`, burst, every }
  if (!isIPv6(ip.replace(/^::ffff:(?=\d+\.)/i, ''))) return [own]
  return [
    own,
    ...WIDER.map(({ bits, times }) => ({
      key: `${key}${addressPrefix(ip, bits)}`,
      burst: burst * times,
      every: whole(every / times),
    })),
  ]
}

/**
 * Takes one token from each bucket in the database, which all processes share; throws 429 if one is empty.
 * Returns a function that refunds the tokens, for attempts that succeed; `tell` learns what is left of each bucket.
 */
export async function consume(
  services: Services,
  buckets: readonly Bucket[],
  tell: (left: Left) => void = () => {},
): Promise<() => Promise<void>> {
  const taken: Bucket[] = []
  for (const bucket of buckets) {
    const { wait, full } = await takeOne(services, bucket)
    const { burst, every } = bucket
    tell({
      limit: burst,
      remaining: wait ? 0 : Math.max(0, Math.floor(burst - full / every)),
      reset: Math.max(0, Math.ceil(full / 1000)),
    })
    if (!wait) {
      taken.push(bucket)
      continue
    }
    await refund(services, taken)
    throw tooMany(wait)
  }
  return () => refund(services, taken)
}

/** 429: says how long to wait, in words and in Retry-After. */
function tooMany(milliseconds: number): HttpError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const words = seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
  return new HttpError(429, 'too_many', `Too many attempts. Please wait ${words} and try again.`, { retry_after: seconds })
}

/**
 * Milliseconds to wait, or 0 if it took a token, and those until the bucket is full.
 * A single statement, so that concurrent takes can't both win.
 */
async function takeOne(services: Services, { key: name, burst, every }: Bucket): Promise<{ wait: number; full: number }> {
  const key = storedKey(name)
  const now = services.now().getTime()
  const sentAway = rememberedBy(services)
  const known = sentAway.get(key)
  // A bucket of which one token is missing until `wait` is full after all the others have come back, too.
  const empty = (wait: number) => ({ wait, full: wait + (burst - 1) * every })
  if (known && known.until > now && now >= known.at && now - known.at < REMEMBERED_MS) return empty(known.until - now)
  sentAway.delete(key)
  if (++takes % SWEEP_AFTER === 0) await sweep(services, now)
  const { db, engine } = services.database
  // No bucket takes longer than this to fill: a later moment is of a clock that was ahead, and the bucket is full.
  const possible = now + burst * every + SKEW_MS
  const fullAt = sql`case when tries.full_at > ${num(services, possible)} then 0 else tries.full_at end`
  const later = sql<number>`${sql.raw(engine === 'postgres' ? 'greatest' : 'max')}(${fullAt}, ${num(services, now)}) + ${num(services, every)}`
  const took = await db
    .insertInto('tries')
    .values({ key, full_at: now + every })
    .onConflict((oc) =>
      oc
        .column('key')
        .doUpdateSet({ full_at: later })
        .where(sql<boolean>`${later} <= ${num(services, now + burst * every)}`),
    )
    .returning('full_at')
    .executeTakeFirst()
  if (took) return { wait: 0, full: Number(took.full_at) - now }
  const row = await db.selectFrom('tries').select('full_at').where('key', '=', key).executeTakeFirst()
  const wait = Math.max(1, (row?.full_at ?? now) + every - burst * every - now)
  if (sentAway.size >= REMEMBERED) sentAway.clear()
  sentAway.set(key, { at: now, until: now + wait })
  return empty(wait)
}

async function refund(services: Services, buckets: readonly Bucket[]): Promise<void> {
  for (const { key, every } of buckets) {
    await services.database.db
      .updateTable('tries')
      .set((eb) => ({ full_at: eb('full_at', '-', every) }))
      .where('key', '=', storedKey(key))
      .execute()
    rememberedBy(services).delete(storedKey(key))
  }
}

async function sweep(services: Services, now: number): Promise<void> {
  await services.database.db.deleteFrom('tries').where('full_at', '<', now).execute()
}

/** PostgreSQL needs to know the type of the number. */
const num = (services: Services, value: number) =>
  services.database.engine === 'postgres' ? sql`${value}::bigint` : sql`${value}`

/** The part before the first colon stays readable for operators; the personal part is hashed. */
const storedKey = (key: string): string => {
  const at = key.indexOf(':')
  return `${key.slice(0, at)}:${hashToken(key.slice(at + 1)).slice(0, 32)}`
}

function rememberedBy(services: Services): Map<string, { at: number; until: number }> {
  const known = away.get(services) ?? new Map<string, { at: number; until: number }>()
  away.set(services, known)
  return known
}
