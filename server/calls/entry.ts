import type { Sentence } from '../../contract/effectText.ts'
import type { entryCalls, Outcome } from '../../contract/entry.ts'
import { REWARD_STATUSES } from '../../contract/vocabulary.ts'
import { effectOf, sentenceOf } from '../../contract/writeEffects.ts'
import type { Ctx, Services } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { lockMarks } from '../db/entryMarks.ts'
import { locked } from '../db/locked.ts'
import {
  type EntryFilter,
  entriesOf,
  entryOnWire,
  entryPage,
  namedEntries,
  ofParts,
  repeatsOf,
} from '../domain/entry/entryRows.ts'
import { claimForPaying, moveEntries } from '../domain/payout/payout.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { exportNow } from '../exports/export.ts'
import { outcomeOf, paidAlready, type Selected, type Sorted, sort } from './entry/partition.ts'

/** The most rewards paid while the caller waits; the job pays the others. */
const PAID_AT_ONCE = 25
const WAITS_MS = 5000

/** How many rewards a write changed, and how many it left. */
const factsOf = (done: number, left: number) => ({ count: done, noun: 'entry', left }) as const

type Redeem = Selected & { confirm_repeats?: boolean | undefined; delay_seconds: number }

async function redeem(ctx: Ctx<Redeem>) {
  const { input, services } = ctx
  const { answer, keep } = await ctx.writeIdempotent(
    input,
    async (writing): Promise<{ outcome: Outcome; payment?: PaymentAnswer; told?: PaymentAnswer }> => {
      const sorted = await sort(writing, input, 'entry.redeem', input.confirm_repeats === true)
      if (!sorted.ready.length) return { outcome: outcomeOf(sorted, []) }
      const pays_at = new Date(services.now().getTime() + input.delay_seconds * 1000).toISOString()
      const { job, claimed } = await claimForPaying(writing, sorted.ready, pays_at)
      return { outcome: outcomeOf(sorted, claimed, ctx.dry ? {} : { job_id: job.id, pays_at }) }
    },
  )
  // The release before stored it as `told`, and keys live for a day.
  const stored = answer.payment ?? answer.told
  if (stored) return stored
  const payment = await afterRedeem(ctx, answer.outcome)
  await keep({ outcome: answer.outcome, payment })
  return payment
}

/** The response to a payment. */
interface PaymentAnswer {
  data: Outcome
  message: Sentence
}

async function afterRedeem({ input, services, dry }: Ctx<Redeem>, outcome: Outcome): Promise<PaymentAnswer> {
  const refused = outcome.refused.length
  const facts = factsOf(outcome.done.length, refused)
  const { delay_seconds: seconds } = input
  const effect = effectOf('entry.redeem')
  if (dry || outcome.job_id === null)
    return { data: outcome, message: sentenceOf(effect, { ...facts, seconds }, dry ? 'before' : 'after') }
  if (seconds > 0) return { data: outcome, message: sentenceOf(effect, { ...facts, seconds }, 'soon') }
  // Small payouts only: the response waits for the payment, so that the next list shows the entries as sent.
  if (outcome.done.length > PAID_AT_ONCE) return { data: outcome, message: sentenceOf(effectOf('entry.paying'), facts, 'after') }
  await services.jobs.settled(outcome.job_id, WAITS_MS)
  return afterPaying(services, outcome)
}

/** The outcome for claimed entries; unpaid ones are listed as refused, with the reason. */
async function afterPaying(services: Services, outcome: Outcome): Promise<PaymentAnswer> {
  const entries = await services.database.db
    .selectFrom('entries')
    .select(['id', 'status', 'reason', 'amount_cents'])
    .where('id', 'in', outcome.done)
    .orderBy('id')
    .execute()
  const failed = entries.filter((entry) => entry.status === 'pending' || entry.status === 'rejected')
  const done = entries.filter((entry) => !failed.includes(entry))
  const refused = [
    ...outcome.refused,
    ...failed.map(({ id, status, reason }) => ({ id, reason: `${reason || 'it was not paid'} (it is ${status} now)` })),
  ]
  const open = done.some((entry) => entry.status === 'processing')
  const data = {
    ...outcome,
    done: done.map((entry) => entry.id),
    refused,
    amount_cents: done.reduce((sum, entry) => sum + entry.amount_cents, 0),
  }
  return {
    data,
    message: sentenceOf(
      effectOf(open ? 'entry.paying' : 'entry.redeem'),
      { count: done.length, noun: 'entry', left: refused.length, leftWords: 'not paid' },
      'after',
    ),
  }
}

async function clear(ctx: Ctx<{ id: number }>) {
  await seenProject(ctx, ctx.input.id)
  const parts = await partIds(ctx, ctx.input.id)
  await lockMarks(ctx.services.database, ctx.tx, parts)
  const query = ctx.tx.selectFrom('entries').selectAll().where(ofParts(parts)).where('status', '=', 'pending').orderBy('id')
  const pending = await locked(ctx.services.database, query).execute()
  const paid = new Set(
    await paidAlready(
      ctx,
      pending.map((entry) => entry.id),
    ),
  )
  const refused = [...paid].map((id) => ({ id, reason: 'it is already paid' }))
  const sorted: Sorted = { ready: pending.filter((entry) => !paid.has(entry.id)), refused, repeats: 0 }
  const done = await moveEntries(ctx, sorted.ready, ['pending'], () => ({
    status: 'rejected',
    reason: 'cleared',
    claimed_at: null,
  }))
  return {
    data: outcomeOf(sorted, done),
    message: describeEffect(ctx, 'entry.clear', factsOf(done.length, refused.length)),
  }
}

/** Counts by status, of the matches and of the project; runs once per filter, because a search reads all entries. */
async function countsOf(ctx: Ctx, filter: EntryFilter) {
  const sums = await ctx.db
    .selectFrom('entry_totals')
    .select((eb) => ['status', 'flagged', eb.fn.sum('count').as('count'), eb.fn.sum('amount_cents').as('amount_cents')])
    .where(ofParts(filter.parts, 'entry_totals.project_id'))
    .groupBy(['status', 'flagged'])
    .execute()
  const totals = REWARD_STATUSES.map(({ value }) => {
    const some = sums.filter((row) => row.status === value)
    const sum = (column: 'count' | 'amount_cents') => some.reduce((all, row) => all + Number(row[column]), 0)
    return { status: value, count: sum('count'), amount_cents: sum('amount_cents') }
  })
  const flag = filter.flag ?? ''
  if (
    !filter.search &&
    !filter.updated_since &&
    filter.like === undefined &&
    filter.import_id === undefined &&
    ['', 'any', 'none'].includes(flag)
  ) {
    const matching = sums.filter((row) => filter.status === 'all' || row.status === filter.status)
    const shown = matching.filter((row) => !flag || (flag === 'any') === (row.flagged === 1))
    return { count: shown.reduce((all, row) => all + Number(row.count), 0), totals }
  }
  const { count } = await entriesOf(ctx, filter)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), totals }
}

export const entryHandlers: HandlersOf<typeof entryCalls> = {
  'entry.list': async (ctx) => {
    const { id, status, page, per_page, search, like, flag, import_id, column, order, type, counts, updated_since } = ctx.input
    await seenProject(ctx, id)
    const parts = await partIds(ctx, id)
    if (type === 'export')
      return (await exportNow(ctx, 'entries', {
        project_id: id,
        status,
        search,
        like,
        flag,
        import_id,
        updated_since,
        column,
        order,
      })) as never
    const filter = { parts, status, search, like, flag, import_id, updated_since }
    const ids = (await entryPage(ctx, filter, { column, order }, ctx.input)).map((row) => row.id)
    const place = new Map(ids.map((id, at) => [id, at]))
    const rows = await namedEntries(ctx, ids)
    rows.sort((a, b) => place.get(a.id)! - place.get(b.id)!)
    const repeats = await repeatsOf(ctx.db, rows)
    const data = rows.map((row) => entryOnWire(ctx.actor, row, repeats))
    const answer = { data, page, page_size: per_page }
    return counts ? { ...answer, ...(await countsOf(ctx, filter)) } : answer
  },
  'entry.redeem': ownTransaction('writeIdempotent', redeem),
  'entry.reject': async (ctx) => {
    const sorted = await sort(ctx, ctx.input, 'entry.reject', true)
    const done = await moveEntries(ctx, sorted.ready, ['pending'], () => ({ status: 'rejected', reason: ctx.input.reason }))
    return {
      data: outcomeOf(sorted, done),
      message: describeEffect(ctx, 'entry.reject', factsOf(done.length, sorted.refused.length)),
    }
  },
  'entry.secondChance': async (ctx) => {
    const sorted = await sort(ctx, ctx.input, 'entry.secondChance', true)
    const done = await moveEntries(ctx, sorted.ready, ['rejected'], (entry) => ({
      status: 'pending',
      reason: '',
      second_chances: entry.second_chances + 1,
      claimed_at: null,
      payout_job: null,
    }))
    return {
      data: outcomeOf(sorted, done),
      message: describeEffect(ctx, 'entry.secondChance', factsOf(done.length, sorted.refused.length)),
    }
  },
  'entry.clear': clear,
}
