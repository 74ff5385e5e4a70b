import { demographicFields } from '../../contract/targetFields.ts'
import type { Random } from './random.ts'

/** Shares from decisions.md 12, in the order of the vocabulary. */
export const SHARES = {
  /** Age ids 2 (18 to 24) to 7 (65+). */
  age: [11.8, 17.3, 17, 15.4, 15.9, 22.6],
  /** female, male, other. */
  gender: [50.4, 48.8, 0.8],
  hhi: [15.7, 7.6, 10.6, 16.2, 12.3, 16.4, 21.1],
  /** white, african, indian, asian, hispanic. */
  ethnicity: [59.9, 13, 0.7, 6.4, 20],
  /** single, married, separated, widowed, divorced. */
  marital: [31, 50, 2, 6, 11],
  children: [71, 12.5, 10.5, 5, 1],
} as const

/** How income, marital status and children vary by age (rows); scaled below to keep the totals. */
const LEAN: Record<'hhi' | 'marital' | 'children', number[][]> = {
  hhi: [
    [2.2, 1.6, 1.2, 0.9, 0.6, 0.5, 0.4],
    [1, 1.1, 1.2, 1.2, 1.1, 1, 0.8],
    [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4],
    [0.7, 0.7, 0.8, 1, 1.1, 1.2, 1.5],
    [0.8, 0.8, 0.9, 1, 1.1, 1.1, 1.2],
    [1.2, 1.3, 1.2, 1, 0.9, 0.8, 0.6],
  ],
  marital: [
    [6, 0.15, 0.4, 0.02, 0.1],
    [2.2, 0.8, 1, 0.1, 0.5],
    [1, 1.1, 1.2, 0.2, 0.9],
    [0.7, 1.2, 1.3, 0.5, 1.3],
    [0.5, 1.2, 1.1, 1, 1.4],
    [0.3, 1.1, 0.7, 3, 1.3],
  ],
  children: [
    [1.1, 1, 0.6, 0.4, 0.3],
    [0.8, 1.5, 1.5, 1.4, 1.2],
    [0.5, 1.8, 2.3, 2.4, 2.4],
    [0.7, 1.6, 1.5, 1.2, 1.2],
    [1.3, 0.5, 0.2, 0.1, 0.1],
    [1.5, 0.15, 0.05, 0.03, 0.02],
  ],
}

/** Fits a table to both margins by iterative proportional fitting; returns each age's shares. */
function rake(lean: readonly number[][], ages: readonly number[], totals: readonly number[]): number[][] {
  const table = lean.map((row, age) => row.map((weight, at) => weight * ages[age]! * totals[at]!))
  for (let round = 0; round < 60; round++) {
    for (const [at, total] of totals.entries()) {
      const sum = table.reduce((all, row) => all + row[at]!, 0)
      for (const row of table) row[at]! *= total / sum
    }
    for (const [age, row] of table.entries()) {
      const sum = row.reduce((all, weight) => all + weight, 0)
      for (const at of row.keys()) row[at]! *= ages[age]! / sum
    }
  }
  return table
}
const BY_AGE = {
  hhi: rake(LEAN.hhi, SHARES.age, SHARES.hhi),
  marital: rake(LEAN.marital, SHARES.age, SHARES.marital),
  children: rake(LEAN.children, SHARES.age, SHARES.children),
}

/** A survey's audience: age ids and gender words, empty for any. */
export interface Audience {
  ages: readonly number[]
  genders: readonly string[]
}
export interface Person {
  age: number
  gender: string
  hhi: number
  ethnicity: string
  marital_status: string
  children: number
}

/** A demographic's words, in the vocabulary's order. */
const wordsOf = (name: 'gender' | 'ethnicity' | 'marital_status'): readonly string[] =>
  demographicFields[name].options.map(({ value }) => value)
export const GENDER = wordsOf('gender')
const ETHNICITY = wordsOf('ethnicity')
const MARITAL = wordsOf('marital_status')

/** Draws a project's people within its audience: the decided shares, each shifted by up to 5 points. */
export function crowdOf(random: Random, audience: Audience): (random: Random) => Person {
  const jitter = (shares: readonly number[]) =>
    shares.map((share) => Math.max(share * 0.4, share + (random.next() * 2 - 1) * Math.min(5, share * 0.6)))
  const ages = [0, 0, ...jitter(SHARES.age)]
  // People from 13 to 17 take part only if the audience includes them.
  ages[1] = audience.ages.includes(1) ? 9 : 0
  if (audience.ages.length) for (const age of ages.keys()) if (!audience.ages.includes(age)) ages[age] = 0
  const genders = jitter(SHARES.gender).map((share, at) =>
    audience.genders.length && !audience.genders.includes(GENDER[at]!) ? 0 : share,
  )
  const moved = (name: 'hhi' | 'marital' | 'children') => {
    const factors = jitter(SHARES[name]).map((share, at) => share / SHARES[name][at]!)
    return BY_AGE[name].map((row) => sums(row.map((weight, at) => weight * factors[at]!)))
  }
  const [age, gender, ethnicity] = [sums(ages), sums(genders), sums(jitter(SHARES.ethnicity))]
  const [hhi, marital, children] = [moved('hhi'), moved('marital'), moved('children')]
  return (from) => {
    const drawn = draw(from, age)
    const row = Math.max(0, drawn - 2)
    const minor = drawn === 1
    return {
      age: drawn,
      gender: GENDER[draw(from, gender)]!,
      hhi: draw(from, hhi[row]!),
      ethnicity: ETHNICITY[draw(from, ethnicity)]!,
      marital_status: minor ? 'single' : MARITAL[draw(from, marital[row]!)]!,
      children: minor ? 0 : draw(from, children[row]!),
    }
  }
}

/** Running sums that end at 1. */
export function sums(weights: readonly number[]): Float64Array {
  const out = new Float64Array(weights.length)
  const total = weights.reduce((all, weight) => all + weight, 0)
  let sum = 0
  for (const [at, weight] of weights.entries()) {
    sum += weight / total
    out[at] = sum
  }
  return out
}
/** Draws an index from running sums. */
export function draw(random: Random, running: Float64Array): number {
  const wanted = random.next()
  for (let at = 0; at < running.length - 1; at++) if (wanted < running[at]!) return at
  return running.length - 1
}
