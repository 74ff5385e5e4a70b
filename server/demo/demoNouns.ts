import type { NounId } from '../../contract/nouns.ts'
import type { Schema } from '../db/schema.ts'
import type { DemoSize } from '../domain/demoState.ts'

/** A noun of the demo data, without the content of its rows. */
interface DemoNounRow {
  /** The tables it fills, its own first. */
  readonly tables: readonly [keyof Schema & string, ...(keyof Schema & string)[]]
  /** Nouns its rows refer to, which are written first. */
  readonly after?: readonly (NounId | 'question')[]
  /** How many each size has (decisions.md 12); without it, the nouns it refers to decide. */
  readonly amount?: Readonly<Record<DemoSize, number>>
  /** Its first id: own ranges keep a mixed-up id from matching by chance. Without it, the database numbers it. */
  readonly first?: number
}

/** The nouns of the demo data; demoRows.ts makes their rows. `test` has a little of everything. */
export const demoNouns = {
  organization: { tables: ['organizations'] },
  client: { tables: ['clients'], first: 101, amount: { test: 3, demo: 24, mid: 150, large: 1200 } },
  user: {
    tables: ['users', 'user_clients'],
    after: ['client'],
    first: 1001,
    amount: { test: 7, demo: 66, mid: 462, large: 6060 },
  },
  team: {
    tables: ['teams', 'team_users'],
    after: ['client', 'user'],
    first: 501,
    amount: { test: 3, demo: 30, mid: 220, large: 1800 },
  },
  partner: { tables: ['partners'], first: 31, amount: { test: 3, demo: 8, mid: 40, large: 150 } },
  place: { tables: ['places'], first: 7001 },
  group: { tables: ['location_groups', 'location_group_places'], after: ['client', 'place'], first: 301 },
  project: {
    tables: ['projects', 'team_projects'],
    after: ['client', 'user', 'team'],
    first: 4001,
    amount: { test: 14, demo: 180, mid: 3000, large: 30_000 },
  },
  activity: {
    tables: ['activities', 'activity_location_groups'],
    after: ['project', 'group'],
    first: 8001,
    amount: { test: 24, demo: 320, mid: 5400, large: 54_000 },
  },
  target: { tables: ['targets'], after: ['activity'] },
  survey: { tables: ['surveys'], after: ['activity'], first: 2001 },
  /** A part of a survey, with no calls of its own yet. */
  question: { tables: ['questions'], after: ['survey'], first: 30_001 },
  reward: { tables: ['rewards'], after: ['project'], first: 5001 },
  history: { tables: ['history'], after: ['project', 'user', 'partner'] },
  note: { tables: ['notes'], after: ['project', 'user'] },
  proffer: { tables: ['proffers', 'project_partners'], after: ['project', 'partner'] },
  quote: { tables: ['quotes'], after: ['project', 'user'] },
  mail: { tables: ['mails'], after: ['user'] },
  file: { tables: ['files'], after: ['activity', 'user'] },
  entry: {
    tables: ['entries', 'payouts'],
    after: ['survey', 'reward'],
    first: 600_001,
    amount: { test: 90, demo: 12_000, mid: 400_000, large: 4_000_000 },
  },
} as const satisfies Readonly<Partial<Record<NounId | 'question', DemoNounRow>>>

type DemoNouns = typeof demoNouns
/** Nouns of the demo data. */
export type DemoNoun = keyof DemoNouns
/** The tables a noun fills. */
export type TableOf<N extends DemoNoun> = DemoNouns[N]['tables'][number]
type Counted = { [N in DemoNoun]: DemoNouns[N] extends { amount: unknown } ? N : never }[DemoNoun]
type Numbered = { [N in DemoNoun]: DemoNouns[N] extends { first: unknown } ? N : never }[DemoNoun]

/** How many of each noun a size has, and its other figures. */
export interface Amounts extends Readonly<Record<Counted, number>> {
  /** How many users are administrators. */
  admins: number
  /** Completes, about three in ten respondents. */
  completes: number
  /** Completes of one project: the log-normal's median, 90th percentile and bounds. */
  perProject: { median: number; p90: number; low: number; high: number }
}

const perProject = { median: 300, p90: 1000, low: 20, high: 20_000 }
const FIGURES: Readonly<Record<DemoSize, Omit<Amounts, Counted>>> = {
  test: { admins: 2, completes: 420, perProject: { median: 30, p90: 80, low: 20, high: 200 } },
  demo: { admins: 6, completes: 60_000, perProject },
  mid: { admins: 12, completes: 1_000_000, perProject },
  large: { admins: 60, completes: 10_000_000, perProject },
}

/** The sizes of demo data. */
export const DEMO_SIZES = Object.keys(FIGURES) as DemoSize[]

/** All figures of a size. */
export const amountsOf = (size: DemoSize): Amounts => ({
  ...(Object.fromEntries(
    Object.entries<DemoNounRow>(demoNouns).flatMap(([noun, { amount }]) => (amount ? [[noun, amount[size]]] : [])),
  ) as Record<Counted, number>),
  ...FIGURES[size],
})

/** The first id of a noun. */
export const firstId = (noun: Numbered): number => demoNouns[noun].first

/** Hands out a noun's ids in sequence. */
export function idsOf(noun: Numbered): () => number {
  let next = firstId(noun)
  return () => next++
}

/** Sorts nouns after those they refer to; throws for a cycle or an unknown noun. */
export function inOrder(table: Readonly<Record<string, DemoNounRow>> = demoNouns): DemoNoun[] {
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
