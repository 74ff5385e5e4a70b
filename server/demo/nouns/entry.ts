import { entriesOf } from '../entries.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { uploadsOf } from '../uploads.ts'

export const entry = demoNoun({
  tables: ['entries', 'payouts'],
  after: ['survey', 'reward'],
  first: 600_001,
  amount: { test: 90, demo: 12_000, mid: 400_000, large: 4_000_000 },
  example: (nth) => ({ email: `winner${nth}@mail.test`, ip: `198.51.100.${nth % 250}`, amount_cents: 1000 }),
})

export const rows: NounRows<'entries' | 'payouts'> = {
  stream: 'entries',
  apart: {
    weight: (plan) => plan.entries,
    rows: (random, market, plan) => entriesOf(random, market, plan, uploadsOf(market).get(plan.id)),
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly entry: typeof entry
  }
}
