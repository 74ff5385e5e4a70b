import { type RawBuilder, sql } from 'kysely'
import { DWELLS, ETHNICITIES, GENDERS } from '../../../contract/vocabulary.ts'

/**
 * A demographic cell: six dimensions packed into a 16-bit integer, each with a value for unknown.
 * The counters store this order of bits: append, never reorder.
 */
export const DIMENSIONS = {
  /** 1–7 as on the wire, 0 unknown. */
  age: { shift: 13, mask: 7, unknown: 0 },
  /** 1 female, 2 male, 3 other, 0 unknown. */
  gender: { shift: 11, mask: 3, unknown: 0 },
  /** 0–6 as on the wire, 7 unknown. */
  hhi: { shift: 8, mask: 7, unknown: 7 },
  /** 1–6 in the vocabulary's order, 0 unknown. */
  ethnicity: { shift: 5, mask: 7, unknown: 0 },
  /** 1–6 in the vocabulary's order, 0 unknown. */
  dwell: { shift: 2, mask: 7, unknown: 0 },
  /** 1 yes, 2 no, 0 unknown. */
  notice: { shift: 0, mask: 3, unknown: 0 },
} as const
export type Dimension = keyof typeof DIMENSIONS
/** A respondent's number in each dimension. */
export type Demographics = Record<Dimension, number>
/** The cell of rows that hold a total: of a day, a place or a survey. */
export const TOTAL = -1

const NAMES = Object.keys(DIMENSIONS) as Dimension[]
const indexOf = (terms: readonly { value: string }[]) => new Map(terms.map((term, at) => [term.value, at + 1]))
/** Words on the wire → numbers in a cell. */
export const GENDER_INDEX: ReadonlyMap<string, number> = indexOf(GENDERS)
export const ETHNICITY_INDEX: ReadonlyMap<string, number> = indexOf(ETHNICITIES)
export const DWELL_INDEX: ReadonlyMap<string, number> = indexOf(DWELLS)

/** Packs demographics into a cell. */
export function packCell(who: Demographics): number {
  return (who.age << 13) | (who.gender << 11) | (who.hhi << 8) | (who.ethnicity << 5) | (who.dwell << 2) | who.notice
}

/** Unpacks a cell's demographics. */
export function unpackCell(cell: number): Demographics {
  return Object.fromEntries(NAMES.map((name) => [name, (cell >> DIMENSIONS[name].shift) & DIMENSIONS[name].mask])) as Demographics
}

/** The bucket of minutes at a place, from 1; 0 if unknown. */
export function dwellBucket(minutes: number | null): number {
  if (minutes === null) return 0
  for (let at = DWELLS.length - 1; at > 0; at--) if (minutes >= DWELLS[at]!.from) return at + 1
  return 1
}

/** Wanted values by dimension; a missing dimension matches all. */
export type CellFilter = { [D in Dimension]?: readonly number[] }

export const isFiltered = (filter: CellFilter): boolean => NAMES.some((name) => filter[name] !== undefined)
/** SQL for one dimension of a cell column. */
export const dimensionOf = (name: Dimension, column = 'cell'): RawBuilder<number> =>
  sql<number>`((${sql.ref(column)} >> ${sql.lit(DIMENSIONS[name].shift)}) & ${sql.lit(DIMENSIONS[name].mask)})`

/** SQL that is true for the rows to read: totals without a filter, else the matching cells. */
export function cellsWanted(filter: CellFilter, column = 'cell'): RawBuilder<boolean> {
  if (!isFiltered(filter)) return sql<boolean>`${sql.ref(column)} = ${sql.lit(TOTAL)}`
  const parts = NAMES.filter((name) => filter[name]).map(
    (name) => sql`${dimensionOf(name, column)} in (${sql.join(filter[name]!.length ? filter[name]! : [-1])})`,
  )
  return sql<boolean>`(${sql.ref(column)} >= 0 and ${sql.join(parts, sql` and `)})`
}

/** The number of combinations of age and gender: age × 4 + gender, a cell's upper five bits. */
export const WHO = 32
/** Marks a complete that a filter excludes: the first number that is no combination of age and gender. */
const OUT = 32
/** The cell of a complete that was withdrawn or lost that outcome: no respondent has such an ethnicity. */
export const GONE = (7 << 5) | (7 << 2)

/** Bits of a cell below age and gender. */
const LOWER = 11
/** A filter as a table: each cell's age and gender, or OUT. */
export function whoTable(filter: CellFilter): Uint8Array {
  const passes = (cell: number, names: readonly Dimension[]) =>
    names.every((name) => filter[name]?.includes((cell >> DIMENSIONS[name].shift) & DIMENSIONS[name].mask) ?? true)
  // Whether the lower bits pass is the same for each age and gender.
  const lower = new Uint8Array(1 << LOWER)
  for (let cell = 0; cell < lower.length; cell++)
    lower[cell] = (cell & GONE) !== GONE && passes(cell, ['hhi', 'ethnicity', 'dwell', 'notice']) ? 1 : 0
  const table = new Uint8Array(65_536).fill(OUT)
  for (let who = 0; who < WHO; who++) {
    if (!passes(who << LOWER, ['age', 'gender'])) continue
    for (let cell = 0; cell < lower.length; cell++) if (lower[cell]) table[(who << LOWER) | cell] = who
  }
  return table
}
