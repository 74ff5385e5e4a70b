import { addDays } from '../../../contract/pacing.ts'
import { WITH_RESULTS } from '../families.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { rowOf } from '../rowDefaults.ts'

/** Channels' offers to respondents: two to six for a project with results, by its dates. */
export const offer = demoNoun({
  tables: ['offers'],
  after: ['project'],
  example: (nth, today) => ({
    name: `Offer ${nth}`,
    channel: 'facebook' as const,
    amount_cents: 250,
    starts: today,
    ends: null,
    status: 'running' as const,
  }),
})

const WORDS = [
  'Welcome',
  'Weekend',
  'Evening',
  'Last chance',
  'Early bird',
  'Second wave',
  'Top-up',
  'Mobile',
  'Weekday',
] as const

export const rows: NounRows<'offers'> = {
  ofProject(random, { calendar }, { plan, created }) {
    if (!WITH_RESULTS.has(plan.status)) return { offers: [] }
    const days = Math.max(1, Math.round((Date.parse(plan.end) - Date.parse(plan.start)) / 86_400_000))
    const count = random.pick([2, 3, 3, 4, 4, 4, 6])
    const words = random.shuffle([...WORDS])
    return {
      offers: Array.from({ length: count }, (_, at) => {
        const starts = addDays(plan.start, Math.round((at * days) / (count + 1)))
        const open = random.chance(0.3)
        const ends = open ? null : addDays(starts, Math.max(1, Math.round(days / 2)))
        const over = plan.end < calendar.today || plan.status === 'completed' || plan.status === 'reporting'
        const ended = over || (ends !== null && ends < calendar.today)
        const status = ended ? 'ended' : starts > calendar.today ? 'scheduled' : plan.status === 'paused' ? 'paused' : 'running'
        return rowOf('offers', created, {
          project_id: plan.id,
          name: `${words[at]!} offer, ${plan.product.toLowerCase()}`,
          channel: random.chance(0.5) ? 'facebook' : 'fulcrum',
          amount_cents: 25 * random.int(4, 40),
          starts,
          ends: ended && ends === null ? plan.end : ends,
          status,
        })
      }),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly offer: typeof offer
  }
}
