import { setImmediate as turn } from 'node:timers/promises'
import { denialOf, type RECORD_RULES } from '../../../contract/access.ts'
import type { Outcome } from '../../../contract/entry.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../../core/errors.ts'
import { lockMarks } from '../../db/entryMarks.ts'
import { locked } from '../../db/locked.ts'
import { amountFlag, countersOf, paneStateOf, repeatsOf } from '../../domain/entry/entryRows.ts'
import type { EntryRow } from '../../domain/payout/payout.ts'

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`

/** The caller's selection: one entry, or several. */
export interface Selected {
  id?: number | undefined
  ids?: number[] | undefined
}
/** Selected entries by whether the rule allows them. */
export interface Sorted {
  ready: EntryRow[]
  refused: Outcome['refused']
  repeats: number
}

/** Reads and locks the selected entries, in the order of their ids, after the marks of their projects. */
async function selectedEntries(ctx: Ctx, input: Selected): Promise<{ ids: number[]; entries: Map<number, EntryRow> }> {
  const ids = [...new Set([...(input.ids ?? []), ...(input.id === undefined ? [] : [input.id])])].sort((a, b) => a - b)
  const entries = new Map<number, EntryRow>()
  await lockMarksOf(ctx, ids)
  for (let at = 0; at < ids.length; at += 1000) {
    const query = ctx.tx
      .selectFrom('entries')
      .selectAll()
      .where('id', 'in', ids.slice(at, at + 1000))
      .orderBy('id')
    for (const entry of await locked(ctx.services.database, query).execute()) entries.set(entry.id, entry)
    await turn()
  }
  return { ids, entries }
}

/** Locks the marks of these entries' projects. */
async function lockMarksOf({ tx, services }: Ctx, ids: readonly number[]): Promise<void> {
  if (services.database.engine === 'sqlite') return
  const projects = new Set<number>()
  for (let at = 0; at < ids.length; at += 1000) {
    const some = tx
      .selectFrom('entries')
      .select('project_id')
      .distinct()
      .where('id', 'in', ids.slice(at, at + 1000))
    for (const { project_id } of await some.execute()) projects.add(project_id)
  }
  await lockMarks(services.database, tx, projects)
}

type Rule = keyof typeof RECORD_RULES.entry

/** Splits the selected entries by whether a rule allows them, with the reason for each refusal. */
export async function sort(ctx: Ctx, input: Selected, rule: Rule, confirmRepeats: boolean): Promise<Sorted> {
  const { ids, entries } = await selectedEntries(ctx, input)
  // For a single entry, a refusal is an error instead of a line in a list.
  const single = input.id !== undefined && !input.ids?.length && !ctx.dry
  const found = [...entries.values()]
  const paying = rule === 'entry.redeem'
  const repeats = await repeatsOf(ctx.tx, paying ? found : [])
  const paid = new Set(paying ? [] : await paidAlready(ctx, ids))
  const sorted: Sorted = { ready: [], refused: [], repeats: 0 }
  for (const id of ids) {
    const entry = entries.get(id)
    const denial = entry
      ? (denialOf(rule, ctx.actor, paneStateOf(entry)) ?? (paid.has(id) ? 'it is already paid' : null))
      : 'it was not found'
    const counters = entry && !denial ? countersOf(entry, repeats) : null
    if (counters?.repeated) sorted.repeats++
    if (single) refuseOne(entry, denial, counters, paying && !confirmRepeats)
    if (!entry || denial) sorted.refused.push({ id, reason: denial ?? '' })
    else if (paying && counters?.repeated && !confirmRepeats) sorted.refused.push({ id, reason: repeatSentence(counters) })
    else sorted.ready.push(entry)
  }
  return sorted
}

/** Refuses a single entry: 404, 422 for an amount the provider can't pay, 409 for its state or a repeat. */
function refuseOne(
  entry: EntryRow | undefined,
  denial: string | null,
  counters: ReturnType<typeof countersOf> | null,
  ask: boolean,
): void {
  if (!entry) throw notFound('This reward')
  if (denial && entry.status === 'pending' && amountFlag(entry.provider_id, entry.amount_cents))
    throw invalid('amount', sentence(denial))
  assertAllowed(denial)
  if (ask && counters?.repeated)
    throw new HttpError(409, 'confirm_repeats', sentence(repeatSentence(counters)), {
      email_counter: counters.email_counter,
      ipaddress_counter: counters.ipaddress_counter,
    })
}

function repeatSentence({ email_counter, ipaddress_counter }: { email_counter: number; ipaddress_counter: number }): string {
  const parts = [
    email_counter > 1 ? `its email occurs ${email_counter} times` : '',
    ipaddress_counter > 1 ? `its IP address occurs ${ipaddress_counter} times` : '',
  ]
  return `${parts.filter(Boolean).join(' and ')} in this project: paying it asks for confirmation`
}

/** Entries with a payout that aren't marked as sent, because a process was killed in between. */
export async function paidAlready(ctx: Ctx, ids: readonly number[]): Promise<number[]> {
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

/** The outcome of a change; entries that somebody else changed meanwhile are refused. */
export function outcomeOf(sorted: Sorted, done: readonly EntryRow[], more: Partial<Outcome> = {}): Outcome {
  const ids = new Set(done.map((entry) => entry.id))
  const missed = sorted.ready
    .filter((entry) => !ids.has(entry.id))
    .map((entry) => ({ id: entry.id, reason: 'someone else changed it just now' }))
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
