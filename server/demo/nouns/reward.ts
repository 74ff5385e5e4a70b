import { rewardsOf } from '../entries.ts'
import { demoNoun, type NounRows } from '../noun.ts'

export const reward = demoNoun({
  tables: ['rewards'],
  after: ['project'],
  first: 5001,
  example: () => ({ name: '$10 Gift card', amount_cents: 1000 }),
})

export const rows: NounRows<'rewards'> = {
  ofProject: (_, { seed, firstReward }, { plan, created }) => ({
    rewards: plan.entries ? rewardsOf(seed, plan, firstReward(plan), created) : [],
  }),
}

declare module '../figures.ts' {
  interface DemoNouns {
    readonly reward: typeof reward
  }
}
