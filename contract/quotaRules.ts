import { sharesWithin } from './percentages.ts'
import { AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, MARITAL, type Term } from './vocabulary.ts'

/** How the cells of a dimension share people out; `concept` assigns each person to the one that is filled least. */
export const QUOTA_KINDS = ['marginal', 'interlock', 'concept'] as const
export type QuotaKind = (typeof QUOTA_KINDS)[number]

/** The limits of a plan. */
export const QUOTA_LIMITS = { dimensions: 12, cells: 2000, combinations: 100_000, fields: 4 } as const

/** TABLE  what cells are made of, with the codes of each; besides, `answers.{id}`, a single-choice question. */
export const QUOTA_FIELDS: Readonly<Record<string, readonly Term[] | 'id'>> = {
  age: AGES,
  gender: GENDERS,
  hhi: INCOMES,
  ethnicity: ETHNICITIES,
  marital_status: MARITAL,
  children: CHILDREN,
  dma: 'id',
  partner: 'id',
}

/** The codes of a cell by field; a concept without any takes everybody. */
export type Conditions = Readonly<Record<string, readonly (string | number)[]>>
/** What is known of a person, by field; an unknown field is missing. */
export type Profile = Readonly<Record<string, string>>

/** What a cell is decided by. */
export interface CellCount {
  id: number
  target: number
  ceiling: number
  completes: number
  held: number
  closed: boolean
}

interface RuleCell {
  id: number
  conditions: Conditions
}
export interface RuleDimension {
  id: number
  name: string
  kind: QuotaKind
  fields: readonly string[]
  cells: readonly RuleCell[]
}
/** A plan as admission reads it; `total` is the id of the cell that everybody matches. */
interface PlanRules {
  unknown: 'refuse' | 'admit'
  total: number
  dimensions: readonly RuleDimension[]
}

/** Targets that add up to the total, from shares in any unit, by largest remainder. */
export const targetsOf = (total: number, shares: readonly number[]): number[] => sharesWithin(total, shares, sum(shares), 0)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** A dimension's targets, as they are added up. */
export interface Summed {
  name: string
  kind: QuotaKind
  fields: readonly string[]
  targets: readonly number[]
}

/** What a dimension's targets lack of the total; null if they add up. Those of concepts and partners may exceed it. */
export function sumFault({ name, kind, fields, targets }: Summed, total: number): string | null {
  const all = sum(targets)
  const isLoose = kind === 'concept' || fields.includes('partner')
  if (isLoose ? all >= total : all === total) return null
  return `The targets of “${name}” add up to ${all}, ${isLoose ? 'below' : 'not to'} the total of ${total}.`
}

/** The most places of a cell: its target and the overage. */
export const ceilingOf = (target: number, overagePercent: number): number => Math.floor((target * (100 + overagePercent)) / 100)

/** The places that are left. */
export const freeOf = ({ ceiling, completes, held }: Pick<CellCount, 'ceiling' | 'completes' | 'held'>): number =>
  ceiling - completes - held

/** True if nobody else gets in. */
const isBlocking = (cell: CellCount): boolean => cell.closed || freeOf(cell) < 1

/** Compares how full two cells are, the fullest first; the lower id first among equals. */
const byFill = (one: CellCount, other: CellCount): number =>
  (other.completes + other.held) * one.target - (one.completes + one.held) * other.target || one.id - other.id

/** The cell that a refusal names: the fullest of those that block. */
export const fullestOf = (cells: readonly CellCount[]): CellCount | null => cells.filter(isBlocking).sort(byFill)[0] ?? null

/** The concept that is filled least, by fewer held and then the lower id among equals; null if none has a place. */
export function leastFilled(cells: readonly CellCount[]): CellCount | null {
  const open = cells.filter((cell) => !isBlocking(cell))
  const fill = (cell: CellCount) => cell.completes + cell.held
  return open.sort((a, b) => fill(a) * b.target - fill(b) * a.target || a.held - b.held || a.id - b.id)[0] ?? null
}

/**
 * How much weighting costs when cells close short: n·Σw²/(Σw)² over the interviews, and how many they work like.
 * Null without interviews, or if a cell with a target has none, as no weight makes up for that.
 */
export function designEffect(
  cells: readonly { target: number; completes: number }[],
): { deff: number; effective: number } | null {
  const wanted = cells.filter(({ target }) => target > 0)
  const [targets, filled] = [sum(wanted.map(({ target }) => target)), sum(wanted.map(({ completes }) => completes))]
  if (!filled || wanted.some(({ completes }) => completes === 0)) return null
  const weights = wanted.map(({ target, completes }) => (target / targets) * (filled / completes))
  const squares = sum(wanted.map(({ completes }, at) => completes * weights[at]! ** 2))
  const deff = (filled * squares) / sum(wanted.map(({ completes }, at) => completes * weights[at]!)) ** 2
  return { deff, effective: filled / deff }
}

const SEPARATOR = '\u0000'

/** Every combination of codes that a cell takes, as keys of its fields in their order. */
function* keysOf(fields: readonly string[], conditions: Conditions, at = 0, key = ''): Generator<string> {
  if (at === fields.length) {
    yield key
    return
  }
  for (const code of conditions[fields[at]!] ?? []) yield* keysOf(fields, conditions, at + 1, `${key}${SEPARATOR}${code}`)
}

/** How many combinations of codes a cell takes. */
export const combinationsOf = (fields: readonly string[], conditions: Conditions): number =>
  fields.reduce((product, field) => product * (conditions[field]?.length ?? 0), 1)

/** Two cells that somebody could match at once, or null. */
export function overlapIn(fields: readonly string[], cells: readonly Conditions[]): [first: number, second: number] | null {
  const taken = new Map<string, number>()
  for (const [at, conditions] of cells.entries())
    for (const key of keysOf(fields, conditions)) {
      const first = taken.get(key)
      if (first !== undefined) return [first, at]
      taken.set(key, at)
    }
  return null
}

/** Why a person has no place by who they are. */
interface Mismatch {
  reason: 'unknown' | 'outside'
  dimension: string
}
/** The cells of a person: those that they need a place in, and one of each list of concepts. */
export interface Match {
  cells: readonly number[]
  concepts: readonly (readonly number[])[]
  mismatch: Mismatch | null
}

/** Finds the cells that people match, by one look into a table for each dimension. */
export class PlanMatcher {
  readonly rules: PlanRules
  readonly #tables: ReadonlyMap<number, ReadonlyMap<string, number>>

  constructor(rules: PlanRules) {
    this.rules = rules
    this.#tables = new Map(
      rules.dimensions
        .filter(({ kind }) => kind !== 'concept')
        .map(({ id, fields, cells }) => [
          id,
          new Map(cells.flatMap((cell) => Array.from(keysOf(fields, cell.conditions), (key) => [key, cell.id] as const))),
        ]),
    )
  }

  /** `unknown` is the plan's rule, unless somebody is counted who can't be refused any more. */
  match(profile: Profile, unknown = this.rules.unknown): Match {
    const cells = [this.rules.total]
    const concepts: number[][] = []
    let mismatch: Mismatch | null = null
    for (const { id, name, kind, fields, cells: own } of this.rules.dimensions) {
      if (kind === 'concept') {
        const eligible = own.filter(({ conditions }) => fields.every((field) => hasCode(conditions[field], profile[field])))
        if (eligible.length) concepts.push(eligible.map((cell) => cell.id))
        else mismatch ??= { reason: 'outside', dimension: name }
        continue
      }
      if (fields.some((field) => profile[field] === undefined)) {
        if (unknown === 'refuse') mismatch ??= { reason: 'unknown', dimension: name }
        continue
      }
      const cell = this.#tables.get(id)!.get(fields.map((field) => SEPARATOR + profile[field]).join(''))
      if (cell !== undefined) cells.push(cell)
      else mismatch ??= { reason: 'outside', dimension: name }
    }
    return { cells, concepts, mismatch }
  }
}

/** True if a concept's codes of a field include a person's; without codes everybody's do. */
const hasCode = (codes: readonly (string | number)[] | undefined, value: string | undefined): boolean =>
  !codes?.length || codes.some((code) => String(code) === value)

/** The places that a person gets, or the cell that has none. */
type Seat = { cells: readonly number[] } | { full: CellCount }

/** The places for a match; all of its cells need one, and one concept of each list. */
export function seatOf({ cells, concepts }: Match, counts: ReadonlyMap<number, CellCount>): Seat {
  const needed = cells.map((id) => counts.get(id)!)
  const blocking = [...needed]
  const chosen: number[] = []
  for (const list of concepts) {
    const eligible = list.map((id) => counts.get(id)!)
    const cell = leastFilled(eligible)
    if (cell) chosen.push(cell.id)
    else blocking.push(...eligible)
  }
  // A full concept blocks only where all of its list are full.
  const full = fullestOf(blocking)
  return full ? { full } : { cells: [...cells, ...chosen] }
}
