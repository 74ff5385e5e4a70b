import type { Insertable } from 'kysely'
import type { VipAwardTable, VipExperienceTable } from '../../db/schema.ts'
import { WITH_RESULTS } from '../families.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { slug } from '../people.ts'
import type { ProjectPlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { rowOf } from '../rowDefaults.ts'
import { FIRST_NAMES, LAST_NAMES } from '../studies.ts'

/** Rewards other than money: about one in three projects with results has one or two. */
export const vip = demoNoun({
  tables: ['vip_experiences', 'vip_awards'],
  after: ['project', 'user'],
  first: 8001,
  amount: { test: 4, demo: 60, mid: 1000, large: 10_000 },
  example: (nth) => ({ name: `Experience ${nth}` }),
})

const WORDS = [
  'Stadium tour',
  'Backstage pass',
  'Dinner with the chef',
  'Test drive weekend',
  'Factory visit',
  'Season opener, two seats',
  'Tasting of new flavors',
  'Spa day',
  'Studio recording visit',
  'First look at the new line',
  'Harbor cruise',
  'Meet the designers',
] as const
const MAILS = ['example.com', 'example.net', 'example.org']
/** Awards for each experience: 900 of 60 in the `demo` size. */
const AWARDS = { low: 8, high: 22 }

const planned = new WeakMap<Market, ReadonlyMap<number, readonly { nth: number; again: number }[]>>()
/** The experiences of a project; repeated ones refer to another experience. */
function awardsOf(market: Market, plan: ProjectPlan): readonly { nth: number; again: number }[] {
  let all = planned.get(market)
  if (!all) {
    const giving = market.plans.filter(({ status }) => WITH_RESULTS.has(status))
    const awards = Array.from({ length: market.amounts.vip }, (_, nth) => ({ nth, again: Math.floor((nth * 5) / giving.length) }))
    all = Map.groupBy(awards, ({ nth }) => giving[(nth * 5) % giving.length]!.id)
    planned.set(market, all)
  }
  return all.get(plan.id) ?? []
}

export const rows: NounRows<'vip_experiences' | 'vip_awards'> = {
  ofProject(random, market, { plan }) {
    const { amounts, calendar, people } = market
    const experiences: Insertable<VipExperienceTable>[] = []
    const awards: Insertable<VipAwardTable>[] = []
    for (const { nth, again } of awardsOf(market, plan)) {
      const id = amounts.first.vip + nth
      const at = calendar.office(random, [plan.start, calendar.today].sort()[0]!)
      const name = WORDS[(plan.id + again) % WORDS.length]!
      const round = Math.floor(again / WORDS.length)
      experiences.push(rowOf('vip_experiences', at, { id, project_id: plan.id, name: round ? `${name} ${round + 1}` : name }))
      const many = nth % 15 === 14 ? 0 : random.int(AWARDS.low, AWARDS.high)
      for (let award = 0; award < many; award++) {
        const email = mailOf(random, 100 * nth + award)
        const created_at = awardedAt(random, market, plan, at)
        awards.push({
          ...{ experience_id: id, email, email_key: email, awarded_by: random.pick(people.admins), created_at },
          withdrawn_at: random.chance(0.02) ? created_at : null,
        })
      }
    }
    return { vip_experiences: experiences, vip_awards: awards }
  },
}

function mailOf(random: Random, number: number): string {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
  return `${slug(first)}.${slug(last)}${number}@${random.pick(MAILS)}`
}

/** Within the field period and the week after it, never in the future. */
function awardedAt(random: Random, { calendar }: Market, plan: ProjectPlan, from: string): string {
  const begin = Date.parse(from)
  const end = Math.min(Date.parse(`${plan.end}T22:00:00Z`) + 7 * 86_400_000, calendar.now.getTime() - 60_000)
  return new Date(begin + Math.floor(random.next() * Math.max(0, end - begin))).toISOString()
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly vip: typeof vip
  }
}
