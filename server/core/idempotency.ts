import type { FastifyReply, FastifyRequest } from 'fastify'
import { ruleOf } from '../../contract/access.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { type Tx, transact } from '../db/connect.ts'
import type { Caller, Ctx, Services } from './context.ts'
import type { CopyHolds } from './copyHolds.ts'
import { HttpError, invalid } from './errors.ts'
import { onlyColumns } from './onlyColumns.ts'
import { hashToken } from './secrets.ts'

/** A write named by its sender: repeating it (double click, lost response, reload) does it only once. */
export interface IdempotencyRecord {
  user_id: number
  key: string
  call: string
  said: string
  /** The response is not stored, so it can't be replayed. */
  secret: boolean
}

/** What a stored response holds, and whether its caller saw everything; empty if a release before didn't say. */
export type ReplayHolds = CopyHolds & { all?: boolean }

/** 409: it was done, but the caller doesn't see now what its response holds. */
export const doneAlready = () => new HttpError(409, 'done_already', 'This was already done.')

/** How long a response can be replayed. */
const KEPT_MS = 24 * 3_600_000
/** Old records are swept after this many new ones in a process. */
const SWEEP_AFTER = 1000
let made = 0

/** The record for a request's `Idempotency-Key`, or null; each user has keys of their own. */
export function idempotencyRecordOf(
  request: FastifyRequest,
  row: Call,
  call: CallId,
  caller: Caller,
  input: unknown,
): IdempotencyRecord | null {
  const key = request.headers['idempotency-key']
  if (key === undefined || !caller.actor || ruleOf(call).who === 'public') return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(key))
    throw invalid('idempotency-key', 'idempotency-key must be 8 to 200 characters without spaces')
  const inputHash = hashToken(JSON.stringify(input) ?? '')
  return { user_id: caller.actor.id, key: keyOf(caller.actor, key), call, said: inputHash, secret: row.secret === true }
}

/** Keeps apart the keys of an administrator acting as a user, and of tokens with a limit, from the user's own. */
const keyOf = ({ admin_id, only }: Actor, key: string): string =>
  hashToken(`${admin_id ?? ''}:${only ? `${only.clients}/${only.projects}:` : ''}${key}`)

/** True if the caller has already completed a write with this key. */
export async function triedBefore({ db, actor, request }: Pick<Ctx, 'db' | 'actor' | 'request'>): Promise<boolean> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return false
  const tried = db.selectFrom('attempts').select('call').where('user_id', '=', actor.id).where('key', '=', keyOf(actor, key))
  return (await tried.executeTakeFirst()) !== undefined
}

/**
 * Does work once for its key, in the work's transaction: a rollback leaves no trace, a commit is replayed.
 * A concurrent request with the same key waits for the first. `replayed` says which it was.
 */
export async function writeIdempotent(
  tx: Tx,
  attempt: IdempotencyRecord,
  now: string,
  work: () => Promise<unknown>,
  holds: () => ReplayHolds,
): Promise<{ answer: unknown; replayed: ReplayHolds | false }> {
  const { secret, ...row } = attempt
  const which = { user_id: row.user_id, key: row.key }
  const claimed = await tx
    .insertInto('attempts')
    .values(onlyColumns('attempts', { ...row, at: now }))
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst()
  if (!Number(claimed.numInsertedOrUpdatedRows ?? 0)) {
    const before = await tx
      .selectFrom('attempts')
      .select(['call', 'said', 'answer', 'holds'])
      .where('user_id', '=', which.user_id)
      .where('key', '=', which.key)
      .executeTakeFirstOrThrow()
    if (before.call !== row.call || before.said !== row.said)
      throw invalid('idempotency-key', 'idempotency-key was already used for something else')
    if (!before.answer) throw doneAlready()
    return { answer: JSON.parse(before.answer), replayed: JSON.parse(before.holds || '{}') as ReplayHolds }
  }
  const answer = await work()
  if (!secret)
    await tx
      .updateTable('attempts')
      .set({ answer: JSON.stringify(answer), holds: JSON.stringify(holds()) })
      .where('user_id', '=', which.user_id)
      .where('key', '=', which.key)
      .execute()
  return { answer, replayed: false }
}

/** Replaces a stored response after the commit. The write is done, so a failure is only logged. */
export async function keepAnswer(
  services: Services,
  { user_id, key, secret }: IdempotencyRecord,
  answer: unknown,
): Promise<void> {
  if (secret) return
  const keep = (tx: Tx) =>
    tx
      .updateTable('attempts')
      .set({ answer: JSON.stringify(answer) })
      .where('user_id', '=', user_id)
      .where('key', '=', key)
      .execute()
  await transact(services.database, keep).catch((error: unknown) =>
    services.log.warn({ err: error }, 'storing the response to a write failed'),
  )
}

/** Marks a replayed response, and sweeps old records now and then. */
export async function afterIdempotent(services: Services, reply: FastifyReply, replayed: boolean): Promise<void> {
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (++made % SWEEP_AFTER) return
  const before = new Date(services.now().getTime() - KEPT_MS).toISOString()
  await transact(services.database, (tx) => tx.deleteFrom('attempts').where('at', '<', before).execute())
}
