import type { Output } from '../../../../contract/calls.ts'
import { count, percent, roundDollars } from '../../../../contract/format.ts'
import { cheapestMix, type Mix, marginOf, type Offer } from '../../../../contract/mix.ts'
import type { Api } from '../../../data/api.ts'
import type { Prepared } from '../../command.ts'
import { type Invitation, profferOf, type Quote } from '../../profferSubject.ts'
import { recordOf, type Subject } from '../../subject.ts'
import { PROJECTS } from './reason.ts'

/** Returns the quote that `prepare` has read for a subject; null before. */
export const quoteOf = (subject: Subject | undefined): Quote | null => recordOf(subject, 'project', 'campaign').quote ?? null

/** What preparations add to a project: its quote, the partners chosen among its rows, and all partners. */
interface Quoting
  extends Pick<
    Output<'campaign.requestList'>['data']['campaigns'][number],
    'cost_per_complete_cents' | 'quote_id' | 'quote_lock_version'
  > {
  quote: Quote | null
  partner_ids: readonly number[]
  partners_list: Output<'partner.list'>['data']
}

/** Returns the invitations of the current round. */
export const invitationsOf = (quote: Quote): readonly Invitation[] => quote.rounds[0]?.invitations ?? []

/** Returns the newest revision of the current round's quote; null without one. */
export const revisionOf = (quote: Quote) => quote.rounds[0]?.quotes[0] ?? null

export const isProject = ({ kind }: Subject): boolean => (PROJECTS as readonly string[]).includes(kind)

/** Returns the id of the project that a subject is or belongs to. */
export const projectIdOf = ({ kind, id }: Subject): number => (kind === 'proffer' ? profferOf(id).project_id : id)

/** How many projects to read at once. */
const AT_ONCE = 4

/** Returns why a project can't be part of it, by its quote; null if it can. */
type Check = (quote: Quote, subject: Subject) => string | null

/**
 * Replaces the subjects by projects with their quotes; partners' rows become their project with `partner_ids`.
 * Projects that `check` refuses are skipped with its reason.
 */
export async function withQuotes(api: Api, subjects: readonly Subject[], check: Check, signal?: AbortSignal): Promise<Prepared> {
  const groups = [...Map.groupBy(subjects, projectIdOf)]
  const able: Subject[] = []
  const left: { subject: Subject; reason: string }[] = []
  const results: { able?: Subject; left?: { subject: Subject; reason: string } }[] = []
  let next = 0
  const one = async () => {
    while (next < groups.length && !signal?.aborted) {
      const at = next++
      const [id, members] = groups[at]!
      const { data: quote } = await api.read('project.quote', { id }, signal)
      const subject = projectWith(quote, members)
      const reason = check(quote, subject)
      results[at] = reason ? { left: { subject, reason } } : { able: subject }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, groups.length) }, one))
  for (const result of results) {
    if (result?.able) able.push(result.able)
    if (result?.left) left.push(result.left)
  }
  return { able, left }
}

/** Returns a project as a subject, with its quote and the chosen partners. */
function projectWith(quote: Quote, members: readonly Subject[]): Subject {
  const rows = members.filter((member) => !isProject(member))
  const { id, name, generation, allowed_actions, refused_actions, lock_version } = quote
  const own = members.find(isProject)
  return {
    kind: own?.kind ?? generation,
    id,
    name,
    allowed_actions,
    refused_actions,
    record: {
      ...own?.record,
      id,
      name,
      generation,
      lock_version,
      stored_status: quote.status,
      quote,
      ...(rows.length ? { partner_ids: rows.map((row) => profferOf(row.id).partner_id) } : {}),
    },
  }
}

/** Returns the chosen partners of a project; null for all. */
export const pickedPartners = (subject: Subject): readonly number[] | null =>
  recordOf(subject, 'project', 'campaign').partner_ids ?? null

/** Returns the valid offers, of all partners or of the chosen ones. */
export const offersOf = (quote: Quote, picked: readonly number[] | null = null): Offer[] =>
  invitationsOf(quote).flatMap(({ partner_id, answer, allowed_actions }) => {
    if (!answer || !allowed_actions.includes('proffer.take') || (picked && !picked.includes(partner_id))) return []
    const { id, feasible_completes: completes, cpi_cents, field_days } = answer
    return completes === null || cpi_cents === null ? [] : [{ id, completes, cpi_cents, field_days }]
  })

/** Returns the partners' cost of a quote, from the taken shares or the cheapest mix; null without offers. */
export function partnerCostOf(quote: Quote): { cents: number; taken: boolean } | null {
  const revision = revisionOf(quote)
  if (revision?.partner_cost_cents != null) return { cents: revision.partner_cost_cents, taken: true }
  const offers = offersOf(quote)
  return offers.length ? { cents: cheapestMix(offers, quote.ordered).cost_cents, taken: false } : null
}

/** Formats a margin: "margin $438 (35 %)". */
export function marginWords(cost_cents: number, partner_cents: number): string {
  const { margin_cents, margin_percent } = marginOf(cost_cents, partner_cents)
  return `margin ${roundDollars(margin_cents)} (${percent(margin_percent)})`
}

/** Describes what is missing: "412 of 1,000 can’t be filled. ", or nothing. */
export const shortWords = ({ short }: Mix, ordered: number): string =>
  short > 0 ? `${count(short)} of ${count(ordered)} can’t be filled. ` : ''

declare module '../../subject.ts' {
  interface AddedToRecords {
    project: Quoting
    campaign: Quoting
  }
}
