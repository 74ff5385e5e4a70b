import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { REVIEWED_HEADER } from '../../contract/headers.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import { authorize } from '../core/authorize.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError, invalid } from '../core/errors.ts'
import type { AnyHandler } from '../core/handler.ts'
import { triedBefore } from '../core/idempotency.ts'
import { type ChangedRecord, changedSince, lockVersion, type RecordVersion, versionsIn } from '../core/recordVersions.ts'
import { cannotMatch, versionedOf, versionsMatched } from './ifMatch.ts'

/*
 * Writes of what was reviewed (docs/decisions/assistants.md): the header fieldwork-reviewed has the versions read.
 * A write is refused with 409 `changed` if one of them is another by now, in its own transaction where it has one.
 */

type Fields = Record<string, unknown>
/** Runs another call as the same caller, in the same transaction. */
type Run = (id: CallId, ctx: Ctx<never>) => Promise<unknown>

/** Compares the versions that a request says it reviewed, and that of If-Match, before its write begins. */
export function withReviewed<H extends AnyHandler>(handler: H, run: Run): H {
  const work = async (ctx: Ctx<never>): Promise<unknown> => {
    const matched = versionsMatched(ctx.request?.headers['if-match'])
    if (matched && (!handler.ownTransaction || !(await triedBefore(ctx))))
      await assertMatched(ctx, matched, run, !handler.ownTransaction)
    const header = ctx.request?.headers[REVIEWED_HEADER]
    if (header === undefined || ctx.dry) return handler(ctx)
    const reviewed = versionsIn(header, REVIEWED_HEADER)
    // A repetition finds what it has changed itself. Within a transaction it is answered before it comes here.
    if (!handler.ownTransaction || !(await triedBefore(ctx))) await assertUnchanged(ctx, reviewed, run, !handler.ownTransaction)
    return handler(ctx)
  }
  return Object.assign(work, handler) as unknown as H
}

/** Throws a 412 unless the record of a write is at one of the versions in If-Match. */
async function assertMatched(ctx: Ctx<never>, matched: readonly number[] | 'any', run: Run, inWrite: boolean): Promise<void> {
  const versioned = versionedOf(ctx.call as CallId)
  const id = Number((ctx.input as Fields | undefined)?.[versioned?.field ?? ''])
  if (!versioned || !Number.isSafeInteger(id)) throw cannotMatch(false)
  // A token without the read learns so, rather than that nothing was compared.
  authorize(versioned.read, ctx.caller, ctx.caller.token ? 'token' : null)
  const { noun } = versioned
  const record = await recordOf(ctx, versioned.read, id, run)
  // The write itself says that there is no such record.
  if (!record || matched === 'any') return
  const current = inWrite ? await lockVersion(ctx.services.database, ctx.tx, { noun, id }) : (record as { lock_version: number })
  if (current && matched.includes(current.lock_version)) return
  const changed = [{ noun, id, reviewed: matched[0]!, lock_version: current?.lock_version ?? null }]
  const { code, more } = changedSince(changed, (await recordOf(ctx, versioned.read, id, run)) ?? record)
  throw new HttpError(412, code, `This ${wordOf(noun)} has another version than If-Match says, so nothing was done.`, more)
}

async function assertUnchanged(ctx: Ctx<never>, reviewed: readonly RecordVersion[], run: Run, inWrite: boolean): Promise<void> {
  const changed: ChangedRecord[] = []
  let theirs: Fields | undefined
  // Always in the same order, so that two writes don't wait for each other.
  const inOrder = reviewed.toSorted((a, b) => (a.noun === b.noun ? a.id - b.id : a.noun < b.noun ? -1 : 1))
  for (const { noun, id, lock_version } of inOrder) {
    const read = nounOf(noun)?.reads as CallId | undefined
    if (!read) throw invalid(REVIEWED_HEADER, `${noun} has no read, so it can’t be reviewed`)
    if (!mayRead(read, ctx)) continue
    const isReviewed = (found: Fields | null | undefined) => found?.lock_version === lock_version
    let record = await recordOf(ctx, read, id, run)
    // Only what the caller can see is locked, so that nobody holds others' records.
    if (isReviewed(record) && (!inWrite || isReviewed(await lockVersion(ctx.services.database, ctx.tx, { noun, id })))) continue
    if (isReviewed(record)) record = await recordOf(ctx, read, id, run)
    const now = typeof record?.lock_version === 'number' ? record.lock_version : null
    changed.push({ noun, id, reviewed: lock_version, lock_version: now })
    theirs ??= record ?? undefined
  }
  if (changed.length) throw changedSince(changed, theirs)
}

/** False for what a review by this caller can't have read; nothing is then looked up for them. */
function mayRead(read: CallId, { caller }: Ctx<never>): boolean {
  try {
    authorize(read, caller, caller.token ? 'token' : null)
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}

/** A record as its read returns it to this caller; null if they can't see it, or not any more. */
async function recordOf(ctx: Ctx<never>, read: CallId, id: number, run: Run): Promise<Fields | null> {
  const { path, input }: Call = calls[read]
  const [, name = 'id'] = /\{(\w+)\}/.exec(path) ?? []
  const parsed = input.safeParse({ [name]: id })
  if (!parsed.success) return null
  const reading = Object.create(ctx, { input: { value: parsed.data } }) as Ctx<never>
  try {
    const { data } = (await run(read, reading)) as { data: Fields | null }
    return data
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}
