import { demoNoun, type NounRows } from '../noun.ts'
import { quoteRows } from '../projectRows.ts'

export const quote = demoNoun({
  tables: ['quotes'],
  after: ['project', 'user'],
  example: () => ({ cost_cents: 100_000, ordered: 100 }),
})

export const rows: NounRows<'quotes'> = { ofProject: (_, __, draft) => ({ quotes: quoteRows(draft) }) }

declare module '../figures.ts' {
  interface DemoNouns {
    readonly quote: typeof quote
  }
}
