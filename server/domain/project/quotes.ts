import { type Selectable, sql } from 'kysely'
import { isAdmin } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { QuoteTable } from '../../db/schema.ts'
import { idList, readTogether, type SmallRead, type SmallRow } from '../../db/smallReads.ts'
import { currentTerms } from '../quote/requestTerms.ts'
import { sharesOfQuote, type TakenShare, writeShares } from '../quote/shares.ts'
import type { ProjectRecord } from './storedProject.ts'

export type Quote = Selectable<QuoteTable>
/** The columns of a project that copy its current revision; only this file sets them (decisions.md 13, Price). */
export type QuotePatch = Pick<ProjectRecord, 'cost_cents' | 'quote_round' | 'quote_valid_until'>

type Current = Pick<Quote, 'state' | 'revision'>

/** Reads every revision's state, for `statesOf`. */
export const statesIn = (ids: readonly number[]): SmallRead =>
  sql`project_id as owner, round as id, revision as number, state as name, '' as text from quotes where project_id in ${idList(ids)}`

/** The state and number of each project's current revision, by project id. */
export function statesOf(
  rows: readonly SmallRow[],
  records: readonly Pick<ProjectRecord, 'id' | 'quote_round'>[],
): Map<number, Current> {
  const rounds = new Map(records.map((record) => [record.id, record.quote_round]))
  const states = new Map<number, Current>()
  for (const { owner, id, number, name } of rows)
    if (rounds.get(owner) === id && number > (states.get(owner)?.revision ?? 0))
      states.set(owner, { state: name as Current['state'], revision: number })
  return states
}

/** The same, read. */
export const currentStates = async (
  ctx: Pick<Ctx, 'db'>,
  records: readonly Pick<ProjectRecord, 'id' | 'quote_round'>[],
): Promise<Map<number, Current>> =>
  records.length
    ? statesOf((await readTogether(ctx.db, { quotes: statesIn(records.map((record) => record.id)) })).quotes, records)
    : new Map()

/** The current revision of a project's round; null if it hasn't been priced in this round. */
export const currentQuote = async (ctx: Ctx, record: Pick<ProjectRecord, 'id' | 'quote_round'>): Promise<Quote | null> =>
  (await ctx.db
    .selectFrom('quotes')
    .selectAll()
    .where('project_id', '=', record.id)
    .where('round', '=', record.quote_round)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? null

/** Hides a prepared price from client users, who see only sent ones. */
export const pricedFor =
  (ctx: Ctx, quotes: ReadonlyMap<number, Current>) =>
  <R extends Pick<ProjectRecord, 'id' | 'cost_cents' | 'quote_valid_until'>>(record: R): R =>
    !isAdmin(ctx.actor) && quotes.get(record.id)?.state === 'prepared'
      ? { ...record, cost_cents: null, quote_valid_until: null }
      : record

const undecided = (quote: Quote) => quote.state === 'prepared' || quote.state === 'sent'

/**
 * Adds a prepared revision to the round and replaces an undecided one; the same price and validity adds none.
 * Returns the project's columns for it.
 */
export async function priceQuote(
  ctx: Ctx,
  record: ProjectRecord,
  price: { cost_cents: number; valid_until: string | null },
  shares?: readonly TakenShare[],
): Promise<QuotePatch> {
  const shown = { cost_cents: price.cost_cents, quote_round: record.quote_round, quote_valid_until: price.valid_until }
  const before = await currentQuote(ctx, record)
  if (before && undecided(before)) {
    if (before.cost_cents === price.cost_cents && before.valid_until === price.valid_until) {
      if (shares) await writeShares(ctx, before.id, shares)
      return shown
    }
    await write(ctx, before, { state: 'replaced' })
  }
  const { id } = await ctx.tx
    .insertInto('quotes')
    .values(
      onlyColumns('quotes', {
        ...price,
        project_id: record.id,
        round: record.quote_round,
        revision: (before?.revision ?? 0) + 1,
        ordered: record.ordered,
        asked: JSON.stringify(await currentTerms(ctx, record)),
        state: 'prepared',
        sent_at: null,
        sent_by: null,
        opened_at: null,
        opened_by: null,
        decided_at: null,
        decided_by: null,
        reason: '',
        created_at: ctx.now,
        updated_at: ctx.now,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  // Without new shares, the previous ones are copied at their prices.
  await writeShares(ctx, id, shares ?? (before ? await sharesOfQuote(ctx, before.id) : []))
  return shown
}

/** The project's columns after a rejected quote: the next round, without a cost. */
export const nextRound = (record: ProjectRecord): QuotePatch => ({
  cost_cents: null,
  quote_round: record.quote_round + 1,
  quote_valid_until: null,
})

/** The current revision, created if an older release priced the project without one. */
async function held(ctx: Ctx, record: ProjectRecord): Promise<Quote | null> {
  const there = await currentQuote(ctx, record)
  if (there || record.cost_cents === null) return there
  await priceQuote(ctx, record, { cost_cents: record.cost_cents, valid_until: record.quote_valid_until })
  return currentQuote(ctx, record)
}

/** Marks the current revision as sent, so that the client may decide on it. */
export async function sendQuote(ctx: Ctx, record: ProjectRecord): Promise<void> {
  const quote = await held(ctx, record)
  if (quote?.state === 'prepared') await write(ctx, quote, { state: 'sent', sent_at: ctx.now, sent_by: ctx.actor.id })
}

/** Records the decision on the current revision. */
export async function decideQuote(
  ctx: Ctx,
  record: ProjectRecord,
  state: 'approved' | 'rejected',
  reason: string,
): Promise<void> {
  const quote = await held(ctx, record)
  if (quote && undecided(quote)) await write(ctx, quote, { state, reason, decided_at: ctx.now, decided_by: ctx.actor.id })
}

/** Asks the client again after a decision: adds a revision with the same price. */
export async function askAgain(ctx: Ctx, record: ProjectRecord): Promise<void> {
  const quote = await held(ctx, record)
  if (quote && !undecided(quote))
    await priceQuote(ctx, record, { cost_cents: quote.cost_cents, valid_until: record.quote_valid_until })
}

/** Records that the client opened the quote awaiting a decision; false without one, or if it was opened before. */
export async function noteOpened(ctx: Ctx, record: ProjectRecord): Promise<boolean> {
  const quote = await currentQuote(ctx, record)
  if (record.status !== 'submit_approval' || quote?.state !== 'sent' || quote.opened_at) return false
  // The version stays, so that an approval of this price remains valid.
  await ctx.tx.updateTable('quotes').set({ opened_at: ctx.now, opened_by: ctx.actor.id }).where('id', '=', quote.id).execute()
  await ctx.record({ subject: 'project', subject_id: record.id, after: { quote_opened: true } })
  ctx.emit({ noun: 'project', id: record.id, project_id: record.id })
  return true
}

async function write(ctx: Ctx, quote: Quote, patch: Partial<Quote>): Promise<void> {
  await ctx.tx
    .updateTable('quotes')
    .set(onlyColumns('quotes', { ...patch, updated_at: ctx.now, lock_version: quote.lock_version + 1 }))
    .where('id', '=', quote.id)
    .execute()
}
