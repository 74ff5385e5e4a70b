import type { Insertable } from 'kysely'
import type { VipAwardTable, VipExperienceTable } from '../../db/schema.ts'
import { WITH_RESULTS } from '../families.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { slug } from '../people.ts'
import type { ProjectPlan } from '../plan.ts'
import { rowOf } from '../row.ts'
import { FIRST_NAMES, LAST_NAMES } from '../words.ts'

/** What projects give besides money: about one in three projects with results gives one or two. */
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
/** People an experience: 900 of 60 at the size of the demo. */
const AWARDS = { low: 8, high: 22 }

export const rows: NounRows<'vip_experiences' | 'vip_awards'> = {
  rows(random, { amounts, calendar, plans, people }) {
    const experiences: Insertable<VipExperienceTable>[] = []
    const awards: Insertable<VipAwardTable>[] = []
    const giving = plans.filter((plan) => WITH_RESULTS.has(plan.status))
    let next = 1
    for (let nth = 0; nth < amounts.vip; nth++) {
      // In turn, so that a project that comes again gives another one.
      const plan = giving[(nth * 5) % giving.length]!
      const id = amounts.first.vip + nth
      const at = calendar.office(random, [plan.start, calendar.today].sort()[0]!)
      const again = Math.floor((nth * 5) / giving.length)
      const name = WORDS[(plan.id + again) % WORDS.length]!
      const round = Math.floor(again / WORDS.length)
      experiences.push(rowOf('vip_experiences', at, { id, project_id: plan.id, name: round ? `${name} ${round + 1}` : name }))
      const many = nth % 15 === 14 ? 0 : random.int(AWARDS.low, AWARDS.high)
      for (let award = 0; award < many; award++) {
        const email = mailOf()
        const created = awardedAt(plan, at)
        awards.push({
          id: next++,
          experience_id: id,
          email,
          email_key: email,
          awarded_by: random.pick(people.admins),
          created_at: created,
          withdrawn_at: random.chance(0.02) ? created : null,
        })
      }
    }
    return { vip_experiences: experiences, vip_awards: awards }

    function mailOf(): string {
      const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
      return `${slug(first)}.${slug(last)}${next}@${random.pick(MAILS)}`
    }
    /** Within the field time and the week after it, never in the future. */
    function awardedAt(plan: ProjectPlan, from: string): string {
      const begin = Date.parse(from)
      const end = Math.min(Date.parse(`${plan.end}T22:00:00Z`) + 7 * 86_400_000, calendar.now.getTime() - 60_000)
      return new Date(Math.max(begin, Math.floor(begin + random.next() * Math.max(0, end - begin)))).toISOString()
    }
  },
}

declare module '../figures.ts' {
  interface DemoNouns {
    readonly vip: typeof vip
  }
}
