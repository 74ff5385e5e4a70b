import { demoNoun, type NounRows } from '../noun.ts'

export const partner = demoNoun({
  tables: ['partners'],
  first: 31,
  amount: { test: 3, demo: 8, mid: 40, large: 150 },
  example: (nth) => ({ name: `Partner ${nth}`, email: `partner${nth}@mail.test` }),
})

export const rows: NounRows<'partners'> = { rows: (_, { people }) => ({ partners: people.partners }) }

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly partner: typeof partner
  }
}
