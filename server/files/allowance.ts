import { seesAll } from '../../contract/actor.ts'
import { count as shown } from '../../contract/format.ts'
import type { Ctx, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { triedBefore } from '../core/idempotency.ts'
import type { LimitName } from '../core/limits.ts'
import { ago, DAY_MS, full, limitOf, tooOften } from '../core/quotas.ts'
import { advisoryLock } from '../db/locked.ts'
import { uploadSums, uploadsSince } from '../domain/file/fileRows.ts'

const MB = 1_048_576
const HOUR_MS = 3_600_000
/** A form's overhead around its files, which is not counted. */
const FORM_BYTES = 64 * 1024
/** The retry time while the user's other uploads are still arriving (ms). */
const SOON_MS = 60_000

/** Bytes and files. */
interface Amount {
  bytes: number
  files: number
}
interface Rule {
  limit: LimitName
  of: keyof Amount
  /** Milliseconds to look back; null counts all stored files. */
  within: number | null
}

/** TABLE  upload limits, in the order they are reported. */
const RULES: readonly Rule[] = [
  { limit: 'upload_mb_hour', of: 'bytes', within: HOUR_MS },
  { limit: 'upload_mb_day', of: 'bytes', within: DAY_MS },
  { limit: 'upload_files_day', of: 'files', within: DAY_MS },
  { limit: 'upload_mb_kept', of: 'bytes', within: null },
  { limit: 'upload_files_kept', of: 'files', within: null },
]

/** Each user's uploads in this process that have no rows yet. */
const arriving = new WeakMap<Services, Map<number, Amount>>()

/** What one request may still upload. */
export interface Allowance {
  /** Before each file: throws if there is no room for another. */
  file(): Promise<void>
  /** Counts arrived bytes; throws if they are too many. */
  take(bytes: number): void
  /** In the transaction that writes the files' rows: throws if the user's other uploads used up the room meanwhile. */
  settle(writing: Ctx, stored: readonly { size: number }[]): Promise<void>
  /** Call it once rows refer to the files, or they are gone. */
  end(): void
}

/** For a repeated upload: its response is replayed and its contents are discarded (server/core/idempotency.ts). */
const REPEATED: Allowance = { file: async () => {}, take: () => {}, settle: async () => {}, end: () => {} }

/** What the caller may still upload; throws at once if the request announces more. */
export async function allowanceOf(ctx: Ctx): Promise<Allowance> {
  if (await triedBefore(ctx)) return REPEATED
  const person = ctx.actor.id
  const announced = Number(ctx.request.headers['content-length'] ?? 0)
  const all = arriving.get(ctx.services) ?? new Map<number, Amount>()
  arriving.set(ctx.services, all)
  const mine = all.get(person) ?? { bytes: 0, files: 0 }
  all.set(person, mine)
  const own: Amount = { bytes: 0, files: 0 }
  let usage = await keptBy(ctx, person)
  const refuse = async (over: Rule | undefined, more: Amount, by = ctx) => {
    if (over) throw await refusalOf(by, over, more)
  }
  await refuse(broken(ctx, usage, sum(mine, { bytes: Math.max(0, announced - FORM_BYTES), files: 1 })), {
    bytes: announced,
    files: 1,
  })
  return {
    async file() {
      usage = await keptBy(ctx, person)
      await refuse(broken(ctx, usage, sum(mine, { bytes: 0, files: 1 })), sum(own, { bytes: 0, files: 1 }))
      mine.files++
      own.files++
    },
    take(bytes) {
      mine.bytes += bytes
      own.bytes += bytes
      const over = broken(ctx, usage, mine)
      if (over) throw refusalIn(ctx, over, own, SOON_MS)
    },
    async settle(writing, stored) {
      await advisoryLock(writing.services.database, writing.tx, 'uploads', person)
      const added = { bytes: stored.reduce((bytes, { size }) => bytes + size, 0), files: stored.length }
      await refuse(broken(ctx, await keptBy(writing, person), added), added, writing)
    },
    end() {
      mine.bytes -= own.bytes
      mine.files -= own.files
      own.bytes = own.files = 0
      if (mine.files <= 0 && mine.bytes <= 0) all.delete(person)
    },
  }
}

const sum = (a: Amount, b: Amount): Amount => ({ bytes: a.bytes + b.bytes, files: a.files + b.files })

type UploadSums = ReadonlyMap<number | null, Amount>

/** A user's uploads in each period; a content counts once, even if clones of its project share it. */
async function keptBy(ctx: Ctx, person: number): Promise<UploadSums> {
  const row = await uploadSums(ctx, person)
  const of = (bytes: unknown, files: unknown): Amount => ({ bytes: Number(bytes ?? 0), files: Number(files ?? 0) })
  return new Map([
    [null, of(row.bytes, row.files)],
    [DAY_MS, of(row.day_bytes, row.day_files)],
    [HOUR_MS, of(row.hour_bytes, row.hour_files)],
  ])
}

const mostOf = (ctx: Ctx, { limit, of }: Rule): number => limitOf(ctx, limit) * (of === 'bytes' ? MB : 1)

/** The first rule that this additional amount would break. */
const broken = (ctx: Ctx, usage: UploadSums, more: Amount): Rule | undefined =>
  RULES.find((rule) => usage.get(rule.within)![rule.of] + more[rule.of] > mostOf(ctx, rule))

/** A rule's error, with the time until the same upload would fit. */
async function refusalOf(ctx: Ctx, rule: Rule, more: Amount): Promise<HttpError> {
  if (rule.within === null || more[rule.of] > mostOf(ctx, rule)) return refusalIn(ctx, rule, more, 0)
  const rows = await uploadsSince(ctx, ago(ctx, rule.within))
  // From the newest back: the first upload that leaves no room has to move out of the period.
  let room = mostOf(ctx, rule) - more[rule.of]
  for (const { size, at } of rows) {
    room -= rule.of === 'bytes' ? Number(size) : 1
    if (room < 0) return refusalIn(ctx, rule, more, Date.parse(at) + rule.within - Date.parse(ctx.now))
  }
  return refusalIn(ctx, rule, more, SOON_MS)
}

function refusalIn(ctx: Ctx, rule: Rule, more: Amount, wait: number): HttpError {
  const limit = limitOf(ctx, rule.limit)
  const what = rule.of === 'bytes' ? `${shown(limit)} MB` : `${shown(limit)} ${limit === 1 ? 'file' : 'files'}`
  if (rule.within === null)
    return full(
      `You can keep ${what} of uploads, and this would exceed it. ${
        seesAll(ctx.actor)
          ? 'Delete files that are no longer needed'
          : 'Ask an administrator to delete files that are no longer needed'
      }.`,
    )
  const often = `${what} ${rule.within === HOUR_MS ? 'an hour' : 'a day'}`
  if (more[rule.of] > mostOf(ctx, rule))
    return new HttpError(413, 'limit_reached', `You can upload ${often}: send less at a time.`)
  return tooOften(`You can upload ${often}, and this would exceed it.`, wait)
}
