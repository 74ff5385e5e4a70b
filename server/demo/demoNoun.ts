import type { NounId } from '../../contract/nouns.ts'
import type { Schema } from '../db/schema.ts'
import type { DemoSize } from '../domain/demoState.ts'

/** A noun of the demo data, without its rows. */
export interface DemoNounRow {
  /** The tables it fills, its own first. */
  readonly tables: readonly [keyof Schema & string, ...(keyof Schema & string)[]]
  /** Nouns its rows refer to, which are written first. */
  readonly after?: readonly (NounId | 'question')[]
  /** The amount for each size (decisions.md 12); without it, the nouns it refers to decide. */
  readonly amount?: Readonly<Record<DemoSize, number>>
  /** Its first id: separate ranges keep a wrong id from matching by chance. Without it, the database assigns ids. */
  readonly first?: number
  /** A record for tests, on top of its table's defaults (row.ts); `nth` is unique, `today` a civil date. */
  readonly example?: (nth: number, today: string) => object
}

/** The nouns of the demo data: each file of nouns/ adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of nouns/ fill it
export interface DemoNouns {}
/** A noun of the demo data. */
export type DemoNoun = keyof DemoNouns
type With<Fact> = { [N in DemoNoun]: DemoNouns[N] extends Fact ? N : never }[DemoNoun]
/** Nouns with an amount for each size. */
export type Counted = With<{ readonly amount: object }>
type Numbered = With<{ readonly first: number }>

/** The amount and first id of each noun in a size, and its other figures. */
export interface Amounts extends Readonly<Record<Counted, number>> {
  /** The first id of each noun with a range of its own. */
  first: Readonly<Record<Numbered, number>>
  /** How many users are administrators. */
  admins: number
  /** Places of the group that was imported from a file. */
  listed: number
  /** Completes, about three in ten respondents. */
  completes: number
  /** Completes of the tracker, the survey with sixty questions; 0 for none. */
  tracker: number
  /** Completes of one project: the log-normal's median, 90th percentile and bounds. */
  perProject: { median: number; p90: number; low: number; high: number }
  /** Venues for each brand, market areas for each service, days with visits, and visits for each venue and day. */
  visitation: {
    venues: number
    markets: number
    days: number
    aDay: number
    /** Days whose raw visits are kept; older ones are only counted. Brands with visits. */
    raw: number
    brands: number
  }
}

/** Hands out ids in sequence. */
export function idsFrom(first: number): () => number {
  let next = first
  return () => next++
}
