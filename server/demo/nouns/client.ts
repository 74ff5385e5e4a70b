import { demoNoun, type NounRows } from '../noun.ts'

export const client = demoNoun({
  tables: ['clients'],
  first: 101,
  amount: { test: 3, demo: 24, mid: 150, large: 1200 },
  example: (nth) => ({ name: `Client ${nth}` }),
})

export const rows: NounRows<'clients'> = { rows: (_, { people }) => ({ clients: people.clients }) }

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly client: typeof client
  }
}
