import { modulesIn } from '../db/modulesIn.ts'
import type { DemoSize } from '../domain/demoState.ts'
import type { Amounts, Counted, DemoNoun, DemoNounRow, DemoNouns } from './demoNoun.ts'
import type { NounRows } from './noun.ts'

const files = await modulesIn(new URL('./nouns/', import.meta.url))
const exported = (noun: string, module: Record<string, unknown>, name: string): unknown => {
  if (!module[name]) throw new Error(`server/demo/nouns/${noun}.ts doesn't export ${name}`)
  return module[name]
}

/** The nouns of the demo data, from their folder. */
export const demoNouns = Object.fromEntries(
  files.map(([noun, module]) => [noun, exported(noun, module, noun)]),
) as unknown as DemoNouns
/** The row generator of each noun. */
export const demoRows = Object.fromEntries(files.map(([noun, module]) => [noun, exported(noun, module, 'rows')])) as Readonly<
  Record<DemoNoun, NounRows>
>

const all = Object.entries<DemoNounRow>({ ...demoNouns })
const facts = <T>(of: (row: DemoNounRow) => T | undefined): Record<string, T> =>
  Object.fromEntries(all.flatMap(([noun, row]) => (of(row) === undefined ? [] : [[noun, of(row) as T]])))

const perProject = { median: 300, p90: 1000, low: 20, high: 20_000 }
const FIGURES: Readonly<Record<DemoSize, Omit<Amounts, Counted | 'first'>>> = {
  test: {
    admins: 2,
    listed: 12,
    completes: 420,
    tracker: 0,
    perProject: { median: 30, p90: 80, low: 20, high: 200 },
    visitation: { venues: 4, markets: 2, days: 3, aDay: 1, raw: 3, brands: 3 },
  },
  demo: {
    admins: 6,
    listed: 2500,
    completes: 60_000,
    tracker: 4000,
    perProject,
    visitation: { venues: 25, markets: 6, days: 120, aDay: 7, raw: 120, brands: 6 },
  },
  mid: {
    admins: 12,
    listed: 25_000,
    completes: 1_000_000,
    tracker: 16_700,
    perProject,
    visitation: { venues: 40, markets: 11, days: 365, aDay: 8, raw: 62, brands: 60 },
  },
  large: {
    admins: 60,
    listed: 250_000,
    completes: 10_000_000,
    tracker: 16_700,
    perProject,
    visitation: { venues: 100, markets: 22, days: 31, aDay: 35, raw: 31, brands: 10 },
  },
}

/** The sizes of demo data. */
export const DEMO_SIZES = Object.keys(FIGURES) as DemoSize[]

/** All figures of a size. */
export const amountsOf = (size: DemoSize): Amounts => ({
  ...(facts(({ amount }) => amount?.[size]) as Record<Counted, number>),
  first: facts(({ first }) => first) as Amounts['first'],
  ...FIGURES[size],
})

/** Sorts nouns after those they refer to; throws for a cycle or an unknown noun. */
export function inOrder(table: Readonly<Record<string, DemoNounRow>> = { ...demoNouns }): DemoNoun[] {
  const order = new Set<string>()
  const visit = (noun: string, from: readonly string[]) => {
    if (order.has(noun)) return
    const row = table[noun]
    if (!row || from.includes(noun)) throw new Error(`Demo rows can't be ordered: ${[...from, noun].join(' → ')}`)
    for (const before of row.after ?? []) visit(before, [...from, noun])
    order.add(noun)
  }
  for (const noun of Object.keys(table)) visit(noun, [])
  return [...order] as DemoNoun[]
}
