import { setImmediate as turn } from 'node:timers/promises'
import { ENTRY_RULES } from '../contract/access.ts'
import type { entryCalls, Outcome } from '../contract/entry.ts'
import { labelOf, PAGE, PROVIDERS, REWARD_STATUSES } from '../contract/vocabulary.ts'
import type { Ctx } from './context.ts'
import { contains } from './db/contains.ts'
import { amountFlag, countersOf, entriesOf, entryOnWire, factsOf, repeatsOf, seenProject } from './entry/rows.ts'
import { exportNow } from './jobs/export.ts'
import { type HandlersOf, ownTransaction } from './mount.ts'
import { claimForPaying, type EntryRow, moveEntries } from './payout/payout.ts'
import { allowedAmounts } from './payout/provider.ts'
import { invalid, must, notFound, Refusal } from './refusal.ts'

/** So many are paid while the caller waits; more are left to the job. */
const PAID_AT_ONCE = 25
const WAITS_MS = 5000

interface Marked {
  id?: number | undefined
  ids?: number[] | undefined
  dry?: boolean | undefined
}
interface Sorted {
  ready: EntryRow[]
  refused: Outcome['refused']
  repeats: number
}

/** Reads the marked entries, locked, in the order of their ids. */
async function marked(ctx: Ctx, input: Marked): Promise<{ ids: number[]; entries: Map<number, EntryRow> }> {
  const ids = [...new Set([...(input.ids ?? []), ...(input.id === undefined ? [] : [input.id])])].sort((a, b) => a - b)
  const entries = new Map<number, EntryRow>()
  for (let at = 0; at < ids.length; at += 1000) {
    const query = ctx.tx
      .selectFrom('entries')
      .selectAll()
      .where('id', 'in', ids.slice(at, at + 1000))
      .orderBy('id')
    for (const entry of await (ctx.house.database.engine === 'postgres' ? query.forUpdate() : query).execute())
      entries.set(entry.id, entry)
    await turn()
  }
  return { ids, entries }
}

type Rule = (typeof ENTRY_RULES)[keyof typeof ENTRY_RULES]

/** Sorts the marked entries into those a rule allows and those it does not, each with its sentence. */
async function sort(ctx: Ctx, input: Marked, rule: Rule, confirmRepeats: boolean): Promise<Sorted> {
  const { ids, entries } = await marked(ctx, input)
  // Who named one entry gets a refusal as an error, not as a line in a list.
  const single = input.id !== undefined && !input.ids?.length && !input.dry
  const found = [...entries.values()]
  const paying = rule === ENTRY_RULES['entry.redeem']
  const repeats = await repeatsOf(ctx.tx, paying ? found : [])
  const paid = new Set(paying ? [] : await paidAlready(ctx, ids))
  const sorted: Sorted = { ready: [], refused: [], repeats: 0 }
  for (const id of ids) {
    const entry = entries.get(id)
    const verdict = entry ? (rule(ctx.actor, factsOf(entry)) ?? (paid.has(id) ? 'it is paid already' : null)) : 'it was not found'
    const counters = entry && !verdict ? countersOf(entry, repeats) : null
    if (counters?.repeated) sorted.repeats++
    if (single) refuseOne(entry, verdict, counters, paying && !confirmRepeats)
    if (!entry || verdict) sorted.refused.push({ id, reason: verdict ?? '' })
    else if (paying && counters?.repeated && !confirmRepeats) sorted.refused.push({ id, reason: repeatSentence(counters) })
    else sorted.ready.push(entry)
  }
  return sorted
}

/** One entry, asked for by itself: 404, 422 for an amount the provider can't pay, 409 for its state, 409 `confirm_repeats` for a repeat. */
function refuseOne(
  entry: EntryRow | undefined,
  verdict: string | null,
  counters: ReturnType<typeof countersOf> | null,
  ask: boolean,
): void {
  if (!entry) throw notFound('This reward')
  if (verdict && entry.status === 'pending' && amountFlag(entry.provider_id, entry.amount_cents))
    throw invalid('amount', sentence(verdict))
  must(verdict)
  if (ask && counters?.repeated)
    throw new Refusal(409, 'confirm_repeats', sentence(repeatSentence(counters)), {
      email_counter: counters.email_counter,
      ipaddress_counter: counters.ipaddress_counter,
    })
}

function repeatSentence({ email_counter, ipaddress_counter }: { email_counter: number; ipaddress_counter: number }): string {
  const parts = [
    email_counter > 1 ? `its e-mail occurs ${email_counter} times` : '',
    ipaddress_counter > 1 ? `its IP address occurs ${ipaddress_counter} times` : '',
  ]
  return `${parts.filter(Boolean).join(' and ')} in this project: paying it asks for confirmation`
}

/** Entries that have a payout although they are not sent yet: a killed process was between the two. */
async function paidAlready(ctx: Ctx, ids: readonly number[]): Promise<number[]> {
  const paid: number[] = []
  for (let at = 0; at < ids.length; at += 1000) {
    const rows = await ctx.tx
      .selectFrom('payouts')
      .select('entry_id')
      .where('entry_id', 'in', ids.slice(at, at + 1000))
      .execute()
    paid.push(...rows.map((row) => row.entry_id))
  }
  return paid
}

/** The outcome over entries that were (or, when dry, would be) changed; what somebody else changed meanwhile is refused. */
function outcomeOf(sorted: Sorted, done: readonly EntryRow[], more: Partial<Outcome> = {}): Outcome {
  const ids = new Set(done.map((entry) => entry.id))
  const missed = sorted.ready
    .filter((entry) => !ids.has(entry.id))
    .map((entry) => ({ id: entry.id, reason: 'somebody else changed it just now' }))
  return {
    done: [...ids],
    refused: [...sorted.refused, ...missed],
    amount_cents: done.reduce((sum, entry) => sum + entry.amount_cents, 0),
    repeats: sorted.repeats,
    job_id: null,
    pays_at: null,
    ...more,
  }
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
const many = (count: number) => `${count} ${count === 1 ? 'reward' : 'rewards'}`
const said = (done: number, refused: number, what: string) =>
  `${many(done)} ${what}${refused ? `, ${refused} left as ${refused === 1 ? 'it was' : 'they were'}` : ''}.`

async function redeem(ctx: Ctx<Marked & { confirm_repeats?: boolean | undefined; delay_seconds: number }>) {
  const { input, house } = ctx
  const outcome = await ctx.write(async (writing) => {
    const sorted = await sort(writing, input, ENTRY_RULES['entry.redeem'], input.confirm_repeats === true)
    if (input.dry || !sorted.ready.length) return outcomeOf(sorted, sorted.ready)
    const pays_at = new Date(house.now().getTime() + input.delay_seconds * 1000).toISOString()
    const { job, claimed } = await claimForPaying(writing, sorted.ready, pays_at)
    return outcomeOf(sorted, claimed, { job_id: job.id, pays_at })
  })
  const refused = outcome.refused.length
  if (input.dry) return { data: outcome, message: said(outcome.done.length, refused, 'would be paid') }
  if (outcome.job_id === null) return { data: outcome, message: said(0, refused, 'paid') }
  if (input.delay_seconds > 0)
    return { data: outcome, message: said(outcome.done.length, refused, `will be paid in ${input.delay_seconds} seconds`) }
  // Few and at once: the answer waits for the payment, so that whoever reads the list next sees it sent.
  if (outcome.done.length > PAID_AT_ONCE) return { data: outcome, message: said(outcome.done.length, refused, 'on the way') }
  await house.jobs.settled(outcome.job_id, WAITS_MS)
  return afterPaying(ctx, outcome)
}

/** What really became of the entries that were claimed; one that the provider did not pay stands among the refused, with its reason. */
async function afterPaying(ctx: Ctx, outcome: Outcome) {
  const entries = await ctx.house.database.db
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
    message: `${many(done.length)} ${open ? 'on the way' : 'paid'}${refused.length ? `, ${refused.length} not paid` : ''}.`,
  }
}

async function clear(ctx: Ctx<{ id: number; dry?: boolean | undefined }>) {
  await seenProject(ctx, ctx.input.id)
  const query = ctx.tx
    .selectFrom('entries')
    .selectAll()
    .where('project_id', '=', ctx.input.id)
    .where('status', '=', 'pending')
    .orderBy('id')
  const pending = await (ctx.house.database.engine === 'postgres' ? query.forUpdate() : query).execute()
  const paid = new Set(
    await paidAlready(
      ctx,
      pending.map((entry) => entry.id),
    ),
  )
  const refused = [...paid].map((id) => ({ id, reason: 'it is paid already' }))
  const sorted: Sorted = { ready: pending.filter((entry) => !paid.has(entry.id)), refused, repeats: 0 }
  const done = ctx.input.dry
    ? sorted.ready
    : await moveEntries(ctx, sorted.ready, ['pending'], () => ({ status: 'rejected', reason: 'cleared', claimed_at: null }))
  return {
    data: outcomeOf(sorted, done),
    message: said(done.length, refused.length, ctx.input.dry ? 'would be cleared' : 'cleared'),
  }
}

export const entryHandlers: HandlersOf<typeof entryCalls> = {
  'reward.ofProject': async (ctx) => {
    const { id, page, search } = ctx.input
    await seenProject(ctx, id)
    let query = ctx.db.selectFrom('rewards').where('project_id', '=', id).where('deleted_at', 'is', null)
    if (search) query = query.where(contains(ctx.house.database, ['rewards.name', 'rewards.description'], search))
    const { count } = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const rows = await query
      .selectAll()
      .orderBy('id')
      .limit(PAGE.rewards)
      .offset((page - 1) * PAGE.rewards)
      .execute()
    const data = rows.map((row) => ({
      id: row.id,
      project_id: row.project_id,
      name: row.name,
      amount: row.amount_cents / 100,
      amount_cents: row.amount_cents,
      description: row.description,
      reward_type: row.reward_type,
      partner_id: row.provider_id,
      provider_name: labelOf(PROVIDERS, row.provider_id, ''),
      provider_code: row.provider_code,
      allowed_amounts: allowedAmounts(row.provider_id).map((cents) => cents / 100),
      amount_flag: amountFlag(row.provider_id, row.amount_cents),
      lock_version: row.lock_version,
    }))
    return { data, count: Number(count), page, page_size: PAGE.rewards }
  },
  'entry.list': async (ctx) => {
    const { id, status, page, search, column, order, type } = ctx.input
    await seenProject(ctx, id)
    const filter = { project_id: id, status, search }
    if (type === 'export') return (await exportNow(ctx, 'entries', filter)) as never
    const query = entriesOf(ctx, filter)
    const { count } = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const sortedBy =
      (
        { amount: 'entries.amount_cents', email: 'entries.email_key' } as Record<
          string,
          'entries.amount_cents' | 'entries.email_key'
        >
      )[column] ?? (`entries.${column as 'id' | 'ip' | 'status' | 'created_at' | 'sent_at'}` as const)
    const named = query
      .leftJoin('rewards', 'rewards.id', 'entries.reward_id')
      .selectAll('entries')
      .select('rewards.name as reward_name')
    const rows = await named
      .orderBy(sortedBy, order)
      .orderBy('entries.id', order)
      .limit(PAGE.rewards)
      .offset((page - 1) * PAGE.rewards)
      .execute()
    const repeats = await repeatsOf(ctx.db, rows)
    const sums = ctx.db
      .selectFrom('entries')
      .select((eb) => ['status', eb.fn.countAll().as('count'), eb.fn.sum('amount_cents').as('amount_cents')])
    const byStatus = new Map(
      (await sums.where('project_id', '=', id).groupBy('status').execute()).map((row) => [row.status, row]),
    )
    const totals = REWARD_STATUSES.map(({ value }) => ({
      status: value,
      count: Number(byStatus.get(value)?.count ?? 0),
      amount_cents: Number(byStatus.get(value)?.amount_cents ?? 0),
    }))
    return {
      data: rows.map((row) => entryOnWire(ctx.actor, row, repeats)),
      count: Number(count),
      page,
      page_size: PAGE.rewards,
      totals,
    }
  },
  'entry.redeem': ownTransaction(redeem),
  'entry.reject': async (ctx) => {
    const sorted = await sort(ctx, ctx.input, ENTRY_RULES['entry.reject'], true)
    const done = ctx.input.dry
      ? sorted.ready
      : await moveEntries(ctx, sorted.ready, ['pending'], () => ({ status: 'rejected', reason: ctx.input.reason }))
    return {
      data: outcomeOf(sorted, done),
      message: said(done.length, sorted.refused.length, ctx.input.dry ? 'would be rejected' : 'rejected'),
    }
  },
  'entry.secondChance': async (ctx) => {
    const sorted = await sort(ctx, ctx.input, ENTRY_RULES['entry.secondChance'], true)
    const done = ctx.input.dry
      ? sorted.ready
      : await moveEntries(ctx, sorted.ready, ['rejected'], (entry) => ({
          status: 'pending',
          reason: '',
          second_chances: entry.second_chances + 1,
          claimed_at: null,
          payout_job: null,
        }))
    return {
      data: outcomeOf(sorted, done),
      message: said(done.length, sorted.refused.length, ctx.input.dry ? 'would get a second chance' : 'pending again'),
    }
  },
  'entry.clearByLink': clear,
  'entry.clear': clear,
}
