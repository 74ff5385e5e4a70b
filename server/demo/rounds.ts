import { cheapestMix } from '../../contract/mix.ts'
import { addDays } from '../../contract/pacing.ts'
import type { Calendar } from './calendar.ts'
import { orderable, type ProjectPlan } from './plan.ts'
import type { Random } from './random.ts'
import { REASONS } from './studies.ts'

/** How soon a partner answers; nobody has contacted a new one yet. */
export type Pace = 'hours' | 'days' | 'hardly' | 'new'
export interface CastPartner {
  id: number
  name: string
  pace: Pace
}

/** The people of a project. */
export interface Cast {
  requester: number
  requesterIsClient: boolean
  /** The client's user who opens quotes; null where nobody has an account. */
  reader: number | null
  admin: number
  partners: readonly CastPartner[]
}

/** TABLE  partners by index: of eight, four answer within hours, two within days, one hardly ever. */
const PACES: readonly Pace[] = ['hours', 'days', 'hours', 'hours', 'hardly', 'days', 'hours', 'new']
export const paceOf = (at: number): Pace => PACES[at % PACES.length]!
/** TABLE  the range of hours until an answer, and the probability of one. */
const ANSWERS = {
  hours: { from: 1, to: 9, weight: 1 },
  days: { from: 30, to: 76, weight: 0.7 },
  hardly: { from: 60, to: 84, weight: 0.04 },
  new: { from: 1, to: 9, weight: 0 },
} as const satisfies Record<Pace, object>

/** A partner's answer; times are milliseconds. */
interface Reply {
  kind: 'yes' | 'no' | 'draft'
  at: number
  reason: string
  completes: number | null
  cpi_cents: number | null
  incidence: number | null
  loi_minutes: number | null
  field_days: number | null
}
/** A partner's part of a round. */
export interface Part {
  partner: CastPartner
  assigned: number
  mailed: number
  opened: number | null
  reminded: number | null
  reply: Reply | null
}
/** A round's price; `decided` is when somebody approved or rejected it. */
interface RoundQuote {
  cost_cents: number
  shares: { partner_id: number; completes: number; cpi_cents: number }[]
  priced: number
  sent: number
  opened: number | null
  decided: number | null
  /** The client's reason for a rejection. */
  reason: string
}
export interface Round {
  round: number
  ordered: number
  parts: Part[]
  quote: RoundQuote | null
}

const HOUR = 3_600_000
const MINUTE = 60_000

/** The values around which a project's offers vary. */
interface Basis {
  cpi: number
  incidence: number
  loi: number
}

/** Draws the rounds of a project. */
function stage(random: Random, plan: ProjectPlan, partners: readonly CastPartner[], calendar: Calendar) {
  const basis: Basis = {
    cpi: Math.max(300, random.logNormal(600, 1400)),
    incidence: 45 + 19 * random.normal(),
    loi: random.logNormal(12.3, 21),
  }
  const latest = calendar.now.getTime() - 20 * MINUTE
  const hours = (from: number, to: number) => (from + (to - from) * random.next()) * HOUR
  /** A moment in office hours some days ago. */
  const ago = (days: number) => Date.parse(calendar.office(random, addDays(calendar.today, -days)))

  /** Invites three partners, those likely to answer first. */
  function ask(mailed: number, assigned = mailed): Part[] {
    const left = random.some(
      partners.filter(({ pace }) => pace !== 'new'),
      3,
    )
    const parts: Part[] = []
    while (left.length) {
      const [partner] = left.splice(random.weigh(left.map(({ pace }) => ANSWERS[pace].weight)), 1)
      parts.push({ partner: partner!, assigned, mailed, opened: null, reminded: null, reply: null })
    }
    return parts
  }
  /** The same without partners who hardly ever answer. */
  function askReliable(mailed: number): Part[] {
    const reliable = partners.filter(({ pace }) => pace === 'hours' || pace === 'days')
    return random
      .some(reliable, 3)
      .map((partner) => ({ partner, assigned: mailed, mailed, opened: null, reminded: null, reply: null }))
  }
  const open = (part: Part) => {
    part.opened = Math.min(latest, part.mailed + hours(0.5, 12))
  }

  /** Lets the first partners answer; `fills`: the share of the order that each offer could fill, the cheapest first. */
  function answer(parts: readonly Part[], ordered: number, kinds: readonly Reply['kind'][], fills: readonly number[] = []) {
    const prices = pricesOf(random, basis.cpi, kinds.filter((kind) => kind !== 'no').length)
    let nth = 0
    for (const [at, kind] of kinds.slice(0, parts.length).entries()) {
      const part = parts[at]!
      const { from, to } = ANSWERS[part.partner.pace]
      const answered = Math.min(latest, part.mailed + hours(from, to))
      part.opened = part.mailed + (answered - part.mailed) * (0.2 + 0.6 * random.next())
      part.reply =
        kind === 'no' ? no(answered) : yes(kind, answered, ordered * (fills[nth] ?? 0.7 + 0.5 * random.next()), prices[nth]!)
      if (kind !== 'no') nth++
    }
  }
  const no = (at: number): Reply => ({
    ...{ kind: 'no', at, reason: random.pick(REASONS.cannot), completes: null, cpi_cents: null },
    ...{ incidence: null, loi_minutes: null, field_days: null },
  })
  const yes = (kind: 'yes' | 'draft', at: number, completes: number, cpi_cents: number): Reply => ({
    ...{ kind, at, reason: '', completes: Math.max(1, Math.round(completes)), cpi_cents },
    incidence: within(4, 95, basis.incidence + 3 * random.normal()),
    loi_minutes: within(3, 45, basis.loi + random.normal()),
    field_days: random.int(4, 21),
  })

  /** Prices a round by the cheapest mix that fills the order. */
  function price(round: Round, priced: number): RoundQuote {
    const offers = round.parts.flatMap(({ partner, reply }) => (reply?.kind === 'yes' ? [{ partner, reply }] : []))
    const missing = round.ordered - offers.reduce((sum, { reply }) => sum + reply.completes!, 0)
    if (missing > 0) offers.at(-1)!.reply.completes! += missing
    const mix = cheapestMix(
      offers.map(({ partner, reply }) => ({
        id: partner.id,
        completes: reply.completes!,
        cpi_cents: reply.cpi_cents!,
        field_days: reply.field_days,
      })),
      round.ordered,
    )
    const cost = (mix.cost_cents * 100) / (100 - random.int(31, 39))
    return {
      cost_cents: Math.max(500_00, Math.ceil(cost / 50_00) * 50_00),
      shares: mix.shares.map(({ id, completes }) => {
        const { reply } = offers.find(({ partner }) => partner.id === id)!
        return { partner_id: id, completes, cpi_cents: reply.cpi_cents! }
      }),
      priced,
      sent: priced + 2 * MINUTE,
      opened: null,
      decided: null,
      reason: '',
    }
  }
  /** An order that differs from the project's, as an earlier round had it. */
  const otherOrder = (): number =>
    [1.25, 1.5, 2].map((factor) => orderable(plan.ordered * factor)).find((ordered) => ordered !== plan.ordered)!
  const lastAnswer = (parts: readonly Part[]) => Math.max(...parts.map(({ reply, mailed }) => reply?.at ?? mailed))

  return { random, ago, hours, ask, askReliable, open, answer, price, otherOrder, lastAnswer }
}
type Stage = ReturnType<typeof stage>

const within = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, Math.round(value)))

/** Prices of one round, the cheapest first; the highest is 1.3 to 2.2 times the lowest. */
function pricesOf(random: Random, median: number, count: number): number[] {
  const spread = 1.36 + 0.74 * random.next()
  return Array.from({ length: count }, (_, at) => {
    const place = count > 1 ? at / (count - 1) - 0.5 : 0
    return Math.round((median * spread ** place) / 5) * 5
  })
}

/** A round that waits for answers, by the project's scene. */
const PRICING: Partial<Record<NonNullable<ProjectPlan['scene']>, (on: Stage, ordered: number) => Part[]>> = {
  unopened: (on) => on.ask(on.ago(1)),
  silent(on) {
    const parts = on.ask(on.ago(4))
    parts.forEach(on.open)
    return parts
  },
  overdue(on) {
    const parts = on.ask(on.ago(9))
    parts.forEach(on.open)
    parts[0]!.reminded = on.ago(5)
    return parts
  },
  draft(on, ordered) {
    const parts = on.askReliable(on.ago(2))
    on.answer(parts, ordered, ['draft'])
    parts.slice(1, 2).forEach(on.open)
    return parts
  },
  declined(on, ordered) {
    const parts = on.askReliable(on.ago(3))
    on.answer(parts, ordered, ['no', 'no'])
    parts.slice(2).forEach(on.open)
    return parts
  },
  split(on, ordered) {
    const parts = on.askReliable(on.ago(6))
    on.answer(parts, ordered, ['yes', 'yes', 'yes'], [part(on, 0.4, 0.7), part(on, 0.5, 0.8), part(on, 0.7, 1.1)])
    return parts
  },
  filled(on, ordered) {
    const parts = on.askReliable(on.ago(6))
    on.answer(parts, ordered, ['yes', 'yes', 'yes'], [part(on, 1.05, 1.3)])
    return parts
  },
}
const part = ({ random }: Stage, from: number, to: number) => from + (to - from) * random.next()

/** TABLE  days ago on which a quote was sent. */
const SENT: Partial<Record<NonNullable<ProjectPlan['scene']>, number>> = { unopened: 1, opened: 3, lapsing: 13, expired: 17 }
/** Partners were invited this many days earlier. */
const ASKED = 5

/** A round that led to a price. */
function quoted(on: Stage, round: number, ordered: number, mailed: number, priced: number | null, assigned = mailed): Round {
  const parts = on.ask(mailed, assigned)
  const second = on.random.chance(0.9) ? 'yes' : 'no'
  on.answer(parts, ordered, ['yes', second])
  const made: Round = { round, ordered, parts, quote: null }
  made.quote = on.price(made, priced ?? on.lastAnswer(parts) + on.hours(2, 20))
  return made
}

/** A project's rounds; `reviewed`: they led to a quote. Without a scene, their times may be in the future. */
export function roundsOf(
  random: Random,
  plan: ProjectPlan,
  partners: readonly CastPartner[],
  calendar: Calendar,
  created: number,
  reviewed: boolean,
): Round[] {
  const on = stage(random, plan, partners, calendar)
  const { scene, ordered } = plan
  if (plan.status === 'pricing') {
    const scripted = PRICING[scene!]
    if (scripted) return [{ round: 1, ordered, parts: scripted(on, ordered), quote: null }]
    const first = rejected(quoted(on, 1, on.otherOrder(), on.ago(14), null), on, on.ago(3))
    const parts = on.ask(on.ago(2), first.quote!.decided!)
    on.answer(parts, ordered, ['yes'])
    parts.slice(1, 2).forEach(on.open)
    return [first, { round: 2, ordered, parts, quote: null }]
  }
  if (plan.status === 'submit_approval') {
    const days = SENT[scene!]
    if (days === undefined) {
      const first = rejected(quoted(on, 1, on.otherOrder(), on.ago(17), on.ago(12)), on, on.ago(9))
      const second = quoted(on, 2, ordered, on.ago(8), on.ago(2), first.quote!.decided!)
      return [first, openedBy(second, on)]
    }
    const only = quoted(on, 1, ordered, on.ago(days + ASKED), on.ago(days))
    return [scene === 'unopened' ? only : openedBy(only, on)]
  }
  if (!reviewed) return []
  const mailed = created + on.hours(3, 30)
  if (!random.chance(0.15)) return [decidedOn(quoted(on, 1, ordered, mailed, null), on)]
  const wasOrdered = random.chance(0.5) ? on.otherOrder() : ordered
  const first = rejected(quoted(on, 1, wasOrdered, mailed, null), on)
  const again = first.quote!.decided!
  return [first, decidedOn(quoted(on, 2, ordered, again + on.hours(1, 8), null, again), on)]
}

function openedBy(round: Round, on: Stage): Round {
  round.quote!.opened = round.quote!.sent + on.hours(1, 14)
  return round
}
function decidedOn(round: Round, on: Stage): Round {
  openedBy(round, on).quote!.decided = round.quote!.opened! + on.hours(1, 30)
  return round
}
function rejected(round: Round, on: Stage, at?: number): Round {
  const quote = decidedOn(round, on).quote!
  quote.decided = at ?? quote.decided
  quote.reason = on.random.pick(REASONS.quote)
  return round
}
