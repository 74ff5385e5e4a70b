import { setImmediate as turn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { ANONYMOUS } from '../../core/caller.ts'
import { difference } from '../../core/change.ts'
import { countedUntil } from '../../core/clockSkew.ts'
import type { Ctx, JobKind, RunningJob, Services } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { asSystem } from '../../core/unitOfWork.ts'
import { type Db, insertMany } from '../../db/connect.ts'
import { lockMarks } from '../../db/entryMarks.ts'
import { locked } from '../../db/locked.ts'
import type { EntryTable } from '../../db/schema.ts'
import { NotRecorded, type Outcome, providerFor } from './provider.ts'

export type EntryRow = Selectable<EntryTable>
type Patch = Partial<Pick<EntryRow, 'status' | 'reason' | 'second_chances' | 'claimed_at' | 'payout_job' | 'sent_at'>>

const BATCH = 200
const projectsOf = (entries: readonly EntryRow[]): number[] => entries.map((entry) => entry.project_id)
/** An older claim without a running job was left behind by a killed process. */
const ORPHAN_AFTER = 60_000

/**
 * Changes entries that are still in one of the statuses `from`; returns those it changed. Call it after `lockMarks`.
 * Writes a history row for each entry, and one line to each project's history.
 */
export async function moveEntries(
  ctx: Ctx,
  entries: readonly EntryRow[],
  from: readonly EntryRow['status'][],
  patchOf: (entry: EntryRow) => Patch,
): Promise<EntryRow[]> {
  const moved: EntryRow[] = []
  // Entries with the same patch share one statement; entries with reasons of their own are grouped separately.
  const groups = new Map<string, { patch: Patch; entries: EntryRow[] }>()
  for (const entry of entries) {
    const patch = patchOf(entry)
    const key = JSON.stringify(patch)
    const group = groups.get(key) ?? { patch, entries: [] }
    group.entries.push(entry)
    groups.set(key, group)
  }
  for (const { patch, entries: group } of groups.values()) {
    for (let at = 0; at < group.length; at += 1000) {
      const ids = group.slice(at, at + 1000).map((entry) => entry.id)
      const update = ctx.tx
        .updateTable('entries')
        .set((eb) => onlyColumns('entries', { ...patch, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
      const changed = new Set(
        (await update.where('id', 'in', ids).where('status', 'in', from).returning('id').execute()).map((row) => row.id),
      )
      const after = group.slice(at, at + 1000).filter((entry) => changed.has(entry.id))
      await writeHistory(ctx, after, patch)
      // SQLite never yields by itself, so other requests get a turn between chunks.
      await turn()
      moved.push(...after.map((entry) => ({ ...entry, ...patch })))
    }
  }
  await emitProjects(ctx, moved)
  return moved
}

async function writeHistory(ctx: Pick<Ctx, 'record'>, entries: readonly EntryRow[], patch: Patch): Promise<void> {
  await ctx.record(
    entries.map((entry) => ({
      // No project id: the project's history gets one line for the whole change, below.
      subject: 'entry',
      subject_id: entry.id,
      origin: 'event',
      ...difference(entry, { status: patch.status, second_chances: patch.second_chances }),
      reason: patch.reason ?? '',
    })),
  )
}

async function emitProjects(ctx: Pick<Ctx, 'record' | 'emit'>, moved: readonly EntryRow[]): Promise<void> {
  const byProject = Map.groupBy(moved, (entry) => `${entry.project_id} ${entry.status} ${entry.reason}`)
  for (const entries of byProject.values()) {
    const { project_id, status, reason } = entries[0]!
    const amount_cents = entries.reduce((sum, entry) => sum + entry.amount_cents, 0)
    await ctx.record({
      subject: 'project',
      subject_id: project_id,
      after: { rewards: entries.length, reward_status: status, amount_cents },
      reason,
    })
  }
  // One event for each project, because an open Reward Center reloads its page anyway.
  for (const [project_id, entries] of Map.groupBy(moved, (entry) => entry.project_id))
    ctx.emit({ noun: 'entry', id: entries[0]!.id, project_id, audience: 'admin' })
}

/** Claims pending entries for a new payout job that starts at `notBefore`; returns both (decisions.md 5). */
export async function claimForPaying(ctx: Ctx, entries: readonly EntryRow[], notBefore: string) {
  const title = entries.length === 1 ? `Pay reward ${entries[0]!.id}` : `Pay ${entries.length} rewards`
  const job = await ctx.services.jobs.add(ctx, { kind: 'payout', title, input: {}, notBefore })
  const claimed = await moveEntries(ctx, entries, ['pending'], () => ({
    status: 'processing',
    reason: '',
    claimed_at: ctx.now,
    payout_job: job.id,
  }))
  return { job, claimed }
}

/** Pays what a job has claimed; after a kill it continues, and the entry's id as key prevents a second payout. */
export const payoutKind: JobKind = {
  untilStart: true,
  sweep: recoverOrphans,
  async run(job) {
    const { db } = job.services.database
    const mine = db.selectFrom('entries').where('payout_job', '=', job.id)
    const whole = Number((await mine.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
    const result = { sent: 0, returned: 0, rejected: 0 }
    for (let last = 0; ; ) {
      job.signal.throwIfAborted()
      const batch = await mine
        .selectAll()
        .where('status', '=', 'processing')
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH)
        .execute()
      if (!batch.length) return { ...result, total: whole }
      last = batch.at(-1)!.id
      const settled = await settle(job, batch, await payAll(job, batch))
      for (const entry of settled)
        result[entry.status === 'sent' ? 'sent' : entry.status === 'rejected' ? 'rejected' : 'returned']++
      await turn()
      job.progress(result.sent + result.returned + result.rejected, whole)
    }
  },
  /** Within the undo window, everything it claimed becomes pending again. */
  async cancelled(ctx, job) {
    const claimed = await ctx.tx
      .selectFrom('entries')
      .selectAll()
      .where('payout_job', '=', job.id)
      .where('status', '=', 'processing')
      .execute()
    await lockMarks(ctx.services.database, ctx.tx, projectsOf(claimed))
    await moveEntries(ctx, claimed, ['processing'], () => ({ status: 'pending', reason: '', claimed_at: null, payout_job: null }))
  },
}

async function payAll(job: RunningJob, batch: readonly EntryRow[]): Promise<Map<number, Outcome>> {
  const { database, log, now } = job.services
  const outcomes = new Map<number, Outcome>()
  // Skip what an earlier, killed run has paid.
  const paid = await database.db
    .selectFrom('payouts')
    .select(['entry_id', 'reference'])
    .where(
      'entry_id',
      'in',
      batch.map((entry) => entry.id),
    )
    .execute()
  for (const row of paid) outcomes.set(row.entry_id, { key: row.entry_id, paid: row.reference })
  const open = batch.filter((entry) => !outcomes.has(entry.id))
  for (const [providerId, entries] of Map.groupBy(open, (entry) => entry.provider_id)) {
    const payments = entries.map((entry) => ({
      key: entry.id,
      provider_id: providerId,
      amount_cents: entry.amount_cents,
      email: entry.email,
    }))
    try {
      for (const outcome of await providerFor(providerId, database, now).pay(payments)) outcomes.set(outcome.key, outcome)
    } catch (error) {
      if (error instanceof NotRecorded) throw error.cause
      log.warn({ err: error, job: job.id, provider: providerId }, 'a reward provider could not be reached')
      for (const { key } of payments) outcomes.set(key, { key, retry: 'The reward provider couldn’t be reached.' })
    }
  }
  return outcomes
}

/** Writes a batch's outcome: payouts and final statuses in one transaction. */
function settle(job: RunningJob, batch: readonly EntryRow[], outcomes: Map<number, Outcome>): Promise<EntryRow[]> {
  return job.write(async (ctx) => {
    await lockMarks(ctx.services.database, ctx.tx, projectsOf(batch))
    const is = (word: 'paid' | 'retry' | 'refused') => batch.filter((entry) => word in (outcomes.get(entry.id) ?? { retry: '' }))
    const failure = (entry: EntryRow): string => {
      const outcome = outcomes.get(entry.id)
      return outcome === undefined
        ? 'The reward provider didn’t answer.'
        : 'retry' in outcome
          ? outcome.retry
          : 'refused' in outcome
            ? outcome.refused
            : outcome.paid
    }
    const paid = is('paid')
    const payouts = paid.map((entry) => ({
      entry_id: entry.id,
      provider_id: entry.provider_id,
      amount_cents: entry.amount_cents,
      email: entry.email,
      reference: failure(entry),
      at: ctx.now,
    }))
    await insertMany(ctx.tx, 'payouts', payouts, 'skip')
    // A paid entry is sent, even if somebody changed it meanwhile.
    const sent = await moveEntries(ctx, paid, ['processing', 'pending', 'rejected'], () => ({
      status: 'sent',
      reason: '',
      sent_at: ctx.now,
    }))
    const back = await moveEntries(ctx, is('retry'), ['processing'], (entry) => ({
      status: 'pending',
      reason: failure(entry),
      claimed_at: null,
      payout_job: null,
    }))
    const out = await moveEntries(ctx, is('refused'), ['processing'], (entry) => ({
      status: 'rejected',
      reason: failure(entry),
      claimed_at: null,
    }))
    return [...sent, ...back, ...out]
  })
}

/**
 * Recovers entries of dead jobs, at the start and every minute; returns how many it found.
 * Entries the provider has paid become sent; the others are paid with the same key.
 */
async function recoverOrphans(services: Services): Promise<number> {
  const before = new Date(services.now().getTime() - ORPHAN_AFTER).toISOString()
  const ahead = countedUntil({ now: services.now().toISOString() })
  const find = (db: Db) => {
    const alive = db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'running'])
    const left = db.selectFrom('entries').selectAll().where('status', '=', 'processing')
    return left
      .where((eb) => eb.or([eb('claimed_at', '<', before), eb('claimed_at', '>', ahead)]))
      .where((eb) => eb.or([eb('payout_job', 'is', null), eb('payout_job', 'not in', alive)]))
      .orderBy('id')
      .limit(1000)
  }
  if (!(await find(services.database.db).limit(1).execute()).length) return 0
  return asSystem(services, 'payout.takeUp', ANONYMOUS, async (ctx) => {
    const query = find(ctx.tx)
    const found = await locked(services.database, query, 'skip').execute()
    if (!found.length) return 0
    const job = await services.jobs.add(ctx, {
      kind: 'payout',
      title: `Resume ${found.length} rewards that are still processing`,
      input: {},
    })
    await ctx.tx
      .updateTable('entries')
      .set({ payout_job: job.id, claimed_at: ctx.now })
      .where(
        'id',
        'in',
        found.map((entry) => entry.id),
      )
      .execute()
    return found.length
  })
}
