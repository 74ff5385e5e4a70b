import type { Calendar } from './calendar.ts'
import type { Amounts } from './demoNoun.ts'
import { type People, peopleOf } from './people.ts'
import { type Places, placesOf } from './places.ts'
import { type ProjectPlan, planProjects } from './plan.ts'
import { randomOf } from './random.ts'
import { type Cast, paceOf } from './rounds.ts'
import { type Audience, audienceOf } from './targets.ts'

/** The planned marketplace that rows are made from; deterministic for a seed and day. */
export interface Market {
  seed: string
  amounts: Amounts
  calendar: Calendar
  people: People
  places: Places
  plans: ProjectPlan[]
  castOf(plan: ProjectPlan): Cast
  brandOf(plan: ProjectPlan): string
  audienceOf(plan: ProjectPlan, activity: ProjectPlan['activities'][number]): Audience
  /** The first of a project's six reward ids. */
  firstReward(plan: ProjectPlan): number
  teamOf(plan: ProjectPlan): number | null
}

/** Plans a marketplace of these amounts. */
export function planMarket(
  seed: string,
  amounts: Amounts,
  calendar: Calendar,
  passwords: { admin: string; client: string },
): Market {
  const people = peopleOf(seed, amounts, calendar, passwords)
  const places = placesOf(seed, amounts, people.clients, calendar)
  const plans = planProjects(seed, amounts, calendar.today)
  // A client's name without its last word is the brand of its products.
  const brands = people.clients.map((client) => client.name.split(' ').slice(0, -1).join(' ') || client.name)
  return {
    seed,
    amounts,
    calendar,
    people,
    places,
    plans,
    castOf(plan) {
      const random = randomOf(seed, 'cast', plan.parent ?? plan.id)
      const users = people.usersOf[plan.client]!
      const admin = random.pick(people.admins)
      const byClient = random.chance(0.85)
      const quoted = plan.status === 'submit_approval'
      const requesterIsClient = users.length > 0 && (byClient || quoted)
      // The demo client user requested half of its client's projects, and all with a quote.
      const isOwn = plan.client === 0 && (random.chance(0.5) || quoted)
      const requester = !requesterIsClient ? admin : isOwn ? users[0]! : random.pick(users)
      return {
        requester,
        requesterIsClient,
        reader: requesterIsClient ? requester : (users[0] ?? null),
        admin,
        partners: people.partners.map((partner, at) => ({ id: partner.id!, name: partner.name, pace: paceOf(at) })),
      }
    },
    brandOf: (plan) => brands[plan.client]!,
    audienceOf: (plan, activity) => audienceOf(seed, plan, activity, places.groupsOf[plan.client]!),
    firstReward: (plan) => amounts.first.reward + 6 * (plan.id - amounts.first.project),
    teamOf: teamsOf(seed, plans, people),
  }
}

/** A third of the top-level projects of clients with teams are linked to a team; children inherit it. */
function teamsOf(seed: string, plans: readonly ProjectPlan[], people: People): (plan: ProjectPlan) => number | null {
  // For the first client, some go to the demo user's own team, and two to a team that user can't see.
  const single = plans.filter((plan) => plan.client === 0 && plan.parent === null && !plan.hasChildren)
  const [own, other] = people.teamsOf[0]!
  const first = new Map<number, number>()
  for (const [at, plan] of single.entries()) {
    if (at < 3) first.set(plan.id, own!)
    else if (at === 3 || at === single.length - 1) first.set(plan.id, other!)
  }
  return (plan) => {
    const teams = people.teamsOf[plan.client]!
    if (plan.parent !== null || !teams.length) return null
    if (plan.client === 0) return first.get(plan.id) ?? null
    const random = randomOf(seed, 'team', plan.id)
    return random.chance(0.34) ? random.pick(teams) : null
  }
}
