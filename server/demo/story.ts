import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import type { Status } from '../../contract/status.ts'
import type { HistoryTable, NoteTable, ProfferTable, ProjectPartnerTable, QuoteShareTable, QuoteTable } from '../db/schema.ts'
import type { RequestTerms } from '../domain/quote/requestTerms.ts'
import type { Calendar } from './calendar.ts'
import { type ProjectPlan, reached } from './plan.ts'
import { type Random, randomOf } from './random.ts'
import { rowsOfRounds } from './roundRows.ts'
import { type Cast, type Round, roundsOf } from './rounds.ts'
import { NOTES, REASONS } from './studies.ts'

/** The traces of a project's quote flow. */
export interface Story {
  /** The last change of the project itself. */
  updated_at: string
  lock_version: number
  cost_cents: number | null
  quote_round: number
  quote_valid_until: string | null
  went_live_at: string | null
  history: Insertable<HistoryTable>[]
  notes: Insertable<NoteTable>[]
  invited: Insertable<ProjectPartnerTable>[]
  proffers: Insertable<ProfferTable>[]
  quotes: Insertable<QuoteTable>[]
  shares: Insertable<QuoteShareTable>[]
}
type Step = {
  /** In milliseconds. */
  at: number
  by: 'client' | 'event' | 'channel_partner'
  actor: number | null
  action: string
  partner?: number
  before?: object
  after: object
  reason?: string
}

const DAY = 86_400_000
/** Days for which a quote and its partners' offers are valid. */
const VALID_DAYS = 14

/** A project's story from its request to today: rounds with partners and answers, costs, decisions, status changes. */
export function storyOf(seed: string, plan: ProjectPlan, cast: Cast, calendar: Calendar, terms: RequestTerms): Story {
  const random = randomOf(seed, 'story', plan.id)
  const created = Date.parse(calendar.office(random, plan.created))
  const reviewed = reached(plan, 'submit_approval') || (plan.status === 'rejected' && random.chance(0.5))
  const rounds = roundsOf(randomOf(seed, 'rounds', plan.id), plan, cast.partners, calendar, created, reviewed)
  const last = rounds.at(-1)
  const steps: Step[] = [
    {
      at: created,
      by: cast.requesterIsClient ? 'client' : 'event',
      actor: cast.requester,
      action: 'project.create',
      after: { name: plan.name, status: 'requirements', ordered: rounds[0]?.ordered ?? plan.ordered },
    },
    ...rounds.flatMap((round) => stepsOf(plan, cast, round, rounds[round.round])),
  ]
  const end = Math.max(...steps.map(({ at }) => at))
  const admin = adminOf(cast)
  const client = clientOf(cast)
  if (plan.status === 'rejected')
    steps.push(
      client(last?.quote?.decided ?? end + (0.5 + 3 * random.next()) * DAY, 'project.reject', {
        ...move(reviewed ? 'submit_approval' : 'requirements', 'rejected'),
        reason: random.pick(REASONS.rejected),
      }),
    )
  const now = calendar.now.getTime() - 60_000
  const until = reached(plan, 'active') ? Math.min(now, calendar.at(plan.start, 8)) : now
  const squeezed = squeezer(created, Math.max(end, steps.at(-1)!.at), until)
  const iso = (at: number) => new Date(Math.floor(squeezed(at))).toISOString()

  const story: Story = {
    updated_at: '',
    lock_version: 1,
    cost_cents: last?.quote?.cost_cents ?? null,
    quote_round: rounds.length || 1,
    quote_valid_until: null,
    went_live_at: null,
    history: [],
    notes: [],
    ...rowsOfRounds(plan, cast, rounds, { iso, dayOf: (at) => calendar.dayOf(squeezed(at)), terms, validDays: VALID_DAYS }),
  }
  story.quote_valid_until = last?.quote ? (story.quotes.at(-1)!.valid_until ?? null) : null
  const write = (step: Omit<Step, 'at'>, at: string) => {
    story.history.push({
      subject: 'project',
      subject_id: plan.id,
      project_id: plan.id,
      action: step.action,
      origin: step.by,
      actor_id: step.actor,
      admin_id: null,
      partner_id: step.partner ?? null,
      before: JSON.stringify(step.before ?? {}),
      after: JSON.stringify(step.after),
      reason: step.reason ?? '',
      at,
    })
    story.updated_at = at
    if (step.before) story.lock_version++
  }
  for (const step of steps.sort((a, b) => a.at - b.at)) write(step, iso(step.at))
  if (reached(plan, 'active')) {
    story.went_live_at = new Date(until).toISOString()
    write(admin(until, 'project.goLive', move('approved', 'active')), story.went_live_at)
    const after = (day: string) =>
      new Date(Math.min(now, Math.max(calendar.at(day, 9) + random.int(0, 6) * 3_600_000, until + 3_600_000))).toISOString()
    if (plan.status === 'paused')
      write(
        admin(until, 'project.pause', { ...move('active', 'paused'), reason: random.pick(REASONS.paused) }),
        after(addDays(calendar.today, -1)),
      )
    if (plan.status === 'completed' || plan.status === 'reporting')
      write(admin(until, 'project.complete', move('active', 'completed')), after(addDays(plan.end, 1)))
    if (plan.status === 'reporting')
      write(admin(until, 'project.setStatus', move('completed', 'reporting')), after(addDays(plan.end, 3)))
  }
  story.notes = notesOf(random, plan, cast, created, Date.parse(story.updated_at), calendar)
  return story
}

const move = (from: Status, to: Status) => ({ before: { status: from }, after: { status: to } })
type Rest = Omit<Step, 'at' | 'by' | 'actor' | 'action'>
const adminOf =
  (cast: Cast) =>
  (at: number, action: string, rest: Rest): Step => ({ at, by: 'event', actor: cast.admin, action, ...rest })
const clientOf =
  (cast: Cast) =>
  (at: number, action: string, rest: Rest): Step => ({
    at,
    by: cast.requesterIsClient ? 'client' : 'event',
    actor: cast.requester,
    action,
    ...rest,
  })

/** Moves moments closer together if the story would end after `until`. */
function squeezer(created: number, end: number, until: number): (at: number) => number {
  const factor = end > until ? (0.97 * Math.max(0, until - created)) / (end - created) : 1
  return (at) => (at <= created ? at : created + (at - created) * factor)
}

/** The events of a round, and of the round that a rejection opened. */
function stepsOf(plan: ProjectPlan, cast: Cast, round: Round, next: Round | undefined): Step[] {
  const [admin, client] = [adminOf(cast), clientOf(cast)]
  const steps: Step[] = []
  for (const [nth, { partner, assigned, mailed, opened, reminded, reply }] of round.parts.entries()) {
    const by = { partner: partner.id }
    if (round.round === 1)
      steps.push(admin(assigned + nth * 1000, 'project.assignPartner', { ...by, after: { partner: partner.name } }))
    if (nth === 0 && round.round === 1)
      steps.push(admin(assigned + 500, 'project.assignPartner', move('requirements', 'pricing')))
    steps.push(admin(mailed + nth * 1000 + 200, 'project.mailPartner', { ...by, after: { mailed: partner.name } }))
    if (opened !== null)
      steps.push({ at: opened, by: 'channel_partner', actor: null, action: 'invitation.opened', ...by, after: { opened: true } })
    if (reminded !== null) steps.push(admin(reminded, 'invitation.remind', { ...by, after: { reminded: partner.name } }))
    if (reply && reply.kind !== 'draft')
      steps.push({
        ...{ at: reply.at, by: 'channel_partner', actor: null, action: 'proffer.create', ...by },
        after: {
          partner: partner.name,
          fill_requirements: reply.kind === 'yes' ? 'Yes' : 'No',
          ...(reply.kind === 'yes'
            ? { feasible_completes: reply.completes, cpi_cents: reply.cpi_cents }
            : { reason: reply.reason }),
        },
      })
  }
  const { quote } = round
  if (!quote) return steps
  steps.push(
    admin(quote.priced, 'project.setCost', {
      before: { cost_cents: null, status: 'pricing' },
      after: { cost_cents: quote.cost_cents, status: 'submit_approval' },
    }),
    admin(quote.sent, 'project.notifyCost', { after: { cost_notification: 1, cost_cents: quote.cost_cents } }),
  )
  if (quote.opened !== null && cast.reader !== null)
    steps.push({
      at: quote.opened,
      by: 'client',
      actor: cast.reader,
      action: 'project.quoteOpened',
      after: { quote_opened: true },
    })
  if (next) {
    steps.push(client(quote.decided!, 'project.reject', { ...move('submit_approval', 'pricing'), reason: quote.reason }))
    if (next.ordered !== round.ordered)
      steps.push(
        admin(quote.decided! + 1000, 'project.edit', { before: { ordered: round.ordered }, after: { ordered: next.ordered } }),
      )
  } else if (reached(plan, 'approved'))
    steps.push(
      client(quote.decided!, 'project.approve', {
        ...move('submit_approval', 'approved'),
        reason: cast.requesterIsClient ? '' : 'Approved by phone.',
      }),
    )
  return steps
}

function notesOf(
  random: Random,
  plan: ProjectPlan,
  cast: Cast,
  from: number,
  to: number,
  calendar: Calendar,
): Insertable<NoteTable>[] {
  const count = random.weigh([3, 3, 2, 2, 1, 1, 0.5, 0.5])
  const moments = Array.from(
    { length: count },
    () => from + random.next() * (Math.min(to + 86_400_000, calendar.now.getTime() - 60_000) - from),
  ).sort((a, b) => a - b)
  return random.some(NOTES, count).map((text, nth) => {
    const at = new Date(Math.floor(moments[nth]!)).toISOString()
    const note = text
      .replace('{partner}', random.pick(cast.partners).name)
      .replace('{product}', plan.product)
      .replace('{date}', at.slice(0, 10))
    return { project_id: plan.id, note, author_id: cast.admin, created_at: at, updated_at: at, lock_version: 1 }
  })
}
