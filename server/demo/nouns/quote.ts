import { demoNoun, type NounRows } from '../noun.ts'

export const quote = demoNoun({
  tables: ['quotes', 'quote_shares'],
  after: ['project', 'user', 'proffer'],
  example: () => ({ cost_cents: 100_000, ordered: 100 }),
})

export const rows: NounRows<'quotes' | 'quote_shares'> = {
  ofProject: (_, __, { story }) => ({ quotes: story.quotes, quote_shares: story.shares }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly quote: typeof quote
  }
}
