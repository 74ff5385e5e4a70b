import { addDays } from '../../../contract/pacing.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import type { ActivityPlan, ProjectPlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { rowOf } from '../rowDefaults.ts'

export const occasion = demoNoun({
  tables: ['occasions'],
  after: ['activity'],
  amount: { test: 4, demo: 42, mid: 420, large: 4200 },
  example: (nth) => ({ kind: 'event' as const, name: `Event ${nth}` }),
})

type Kind = 'event' | 'promo' | 'post'
/** Of 42: 12 events, 10 promotions, 20 posts. */
const kindOf = (at: number): Kind => (at % 42 < 12 ? 'event' : at % 42 < 22 ? 'promo' : 'post')
const PLACES = [
  'Fairview Market Hall',
  'Harbor Pavilion',
  'Union Street Store',
  'The Old Depot',
  'Riverside Plaza',
  'Grand Arcade',
]
const STREETS = [
  '120 Harbor Street, Boston, MA',
  '48 Union Street, Portland, ME',
  '9 Mill Road, Albany, NY',
  '301 Grand Avenue, Denver, CO',
]
const PARTS = ['Doors and welcome', 'Product tasting', 'Panel talk', 'Shelf walk', 'Prize draw', 'Closing hour']

/** The parts of an event, one after the other on its first days. */
function schedulesOf(random: Random, { start, end }: ProjectPlan): string {
  const parts = random.int(1, 6)
  const day = start
  return JSON.stringify(
    Array.from({ length: parts }, (_, at) => {
      const hour = (minutes: number) =>
        `${String(10 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
      const on = addDays(day, at > 3 && day < end ? 1 : 0)
      return { name: PARTS[at]!, start: `${on}T${hour(at * 80)}`, end: `${on}T${hour(at * 80 + 60 + 10 * random.int(0, 2))}` }
    }),
  )
}

/** The occasions of a market by activity, cached because each project looks its own up. */
const known = new WeakMap<Market, ReadonlyMap<number, readonly Kind[]>>()

function kindsOf(market: Market): ReadonlyMap<number, readonly Kind[]> {
  const made = known.get(market)
  if (made) return made
  const { plans, amounts } = market
  // A small market has too few older activities that aren't surveys, so the others follow.
  const rank = ({ plan, activity }: { plan: ProjectPlan; activity: ActivityPlan }) =>
    (activity.type === 'survey' ? 2 : 0) + (plan.generation === 'campaign' ? 0 : 1)
  const activities = plans
    .flatMap((plan) => plan.activities.map((activity) => ({ plan, activity })))
    .sort((a, b) => rank(a) - rank(b) || a.activity.id - b.activity.id)
  const next: Record<Kind, number> = { event: 0, promo: 0, post: 0 }
  const kinds = new Map<number, Kind[]>()
  for (let at = 0; at < amounts.occasion; at++) {
    const kind = kindOf(at)
    const { id } = activities[next[kind]++]!.activity
    kinds.set(id, [...(kinds.get(id) ?? []), kind])
  }
  known.set(market, kinds)
  return kinds
}

export const rows: NounRows<'occasions'> = {
  ofProject: (random, market, { plan }) => ({
    occasions: plan.activities.flatMap((activity) =>
      (kindsOf(market).get(activity.id) ?? []).map((kind) =>
        row(random, kind, plan, activity, market.brandOf(plan), market.calendar.office(random, plan.created)),
      ),
    ),
  }),
}

function row(random: Random, kind: Kind, plan: ProjectPlan, activity: ActivityPlan, brand: string, at: string) {
  const place = kind === 'post' ? '' : random.pick(PLACES)
  const about = {
    event: `Meet the team behind ${brand}, taste what is new and say what you think.`,
    promo: `Show the app at the till and get 20 % off any ${brand} product.`,
    post: `Show us where ${brand} stands on the shelf today.`,
  }[kind]
  return rowOf('occasions', at, {
    activity_id: activity.id,
    kind,
    name: { event: `${brand} open day`, promo: `${brand} weeks`, post: `${brand} on the shelf` }[kind],
    description: kind === 'post' ? about : '',
    about: kind === 'event' ? about : '',
    information: kind === 'promo' ? about : '',
    location: place,
    address: place ? random.pick(STREETS) : '',
    content_type: kind === 'post' ? (activity.type === 'video' ? 'video' : 'photo') : '',
    url: kind === 'post' ? `https://media.fieldwork.example/${plan.id}/${activity.id}` : '',
    start_date: kind === 'post' ? null : plan.start,
    end_date: kind === 'post' ? null : plan.end,
    schedules: kind === 'event' ? schedulesOf(random, plan) : '[]',
  })
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly occasion: typeof occasion
  }
}
