import { providerOf, rewardsOf, unusedOf } from '../entries.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import type { ProjectPlan } from '../plan.ts'
import { rowOf } from '../rowDefaults.ts'

export const reward = demoNoun({
  tables: ['rewards'],
  after: ['project'],
  first: 5001,
  example: () => ({ name: '$10 Gift card', amount_cents: 1000 }),
})

/** Rewards without entries, whose ids come after those of all projects. */
const unused = (market: Market, plan: ProjectPlan, at: string) =>
  unusedOf(market, plan).map(({ nth, name, cents }) =>
    rowOf('rewards', at, {
      id: market.amounts.first.reward + 6 * market.plans.length + nth,
      project_id: plan.id,
      name,
      amount_cents: cents,
      provider_id: providerOf(market.seed, plan),
    }),
  )

export const rows: NounRows<'rewards'> = {
  ofProject: (_, market, { plan, created }) => ({
    rewards: plan.entries
      ? [...rewardsOf(market.seed, plan, market.firstReward(plan), created), ...unused(market, plan, created)]
      : [],
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly reward: typeof reward
  }
}
