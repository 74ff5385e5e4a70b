import { civilDay } from '../../../contract/format.ts'
import { OUTCOMES, type Outcome } from '../../../contract/vocabulary.ts'
import { BEYOND_FIRST, cellValueOf, differentIn } from '../responses/answerCodes.ts'
import { DIMENSIONS, type Dimension, TOTAL } from './cells.ts'
import { getOrInsert } from './getOrInsert.ts'
import type { Respondent } from './respondent.ts'

const NAMES = Object.keys(DIMENSIONS) as Dimension[]
const OUTCOME_AT = Object.fromEntries(OUTCOMES.map((term, at) => [term.value, at])) as Record<Outcome, number>
/** Counters in a row of demo_cells: four outcomes, five marital statuses, five numbers of children. */
const WIDTH = 14
const CELLS = 65_536
/** A half-degree square: its completes, and sums to compute their mean position. */
type Square = [completes: number, lats: number, lons: number]

/** Counts a batch of new respondents in memory, before they are added to the tables. */
export class Tally {
  completes = 0
  #days = new Map<string, number[]>()
  #dayCells = new Map<string, Map<number, number>>()
  #cells = new Map<number, Int32Array>()
  #marginals = NAMES.map(() => new Int32Array(8))
  #places = new Map<number, number>()
  #squares = new Map<number, Square>()
  #answers = new Map<string, Map<string, Int32Array>>()
  #stops = new Map<number, number>()
  #dayOf: (at: string) => string
  #orderOf: ReadonlyMap<string, number>

  /** `order` is each question's position in the questionnaire, to find where a partial stopped. */
  constructor(timeZone: string, order: ReadonlyMap<string, number> = new Map()) {
    this.#dayOf = dayKeeper(timeZone)
    this.#orderOf = order
  }

  /** The civil day on which a moment counts. */
  dayOf(at: string): string {
    return this.#dayOf(at)
  }

  /**
   * Counts one respondent, or with −1 removes it from its day.
   * Only completes count for marital status, children, places and answers.
   */
  add(one: Respondent, by: 1 | -1 = 1, day = this.#dayOf(one.at)): void {
    const outcome = OUTCOME_AT[one.outcome]
    getOrInsert(this.#days, day, () => [0, 0, 0, 0])[outcome]! += by
    const cells = [this.#cell(one.cell), this.#cell(TOTAL)]
    for (const cell of cells) cell[outcome]! += by
    if (one.outcome === 'partials') this.#stop(one.answers, by)
    if (outcome !== 0) return
    this.completes += by
    for (const cell of cells) {
      if (one.marital >= 0) cell[4 + one.marital]! += by
      if (one.children >= 0) cell[9 + one.children]! += by
    }
    const inDay = getOrInsert(this.#dayCells, day, () => new Map<number, number>())
    inDay.set(one.cell, (inDay.get(one.cell) ?? 0) + by)
    for (let at = 0; at < NAMES.length; at++) this.#marginals[at]![one[NAMES[at]!]]! += by
    if (one.latitude !== null && one.longitude !== null) {
      const [lat, lon] = [Math.round(one.latitude * 10), Math.round(one.longitude * 10)]
      const place = (lat + 900) * 3601 + lon + 1800
      for (const cell of [one.cell, TOTAL]) {
        const key = place * (CELLS + 1) + cell + 1
        this.#places.set(key, (this.#places.get(key) ?? 0) + by)
      }
      const square = getOrInsert(this.#squares, squareOf(lat + 900) * 1000 + squareOf(lon + 1800), (): Square => [0, 0, 0])
      square[0] += by
      square[1] += lat * by
      square[2] += lon * by
    }
    const who = one.age * 4 + one.gender
    for (const question in one.answers) {
      const answer = one.answers[question]
      const values = this.#answersTo(question)
      if (!Array.isArray(answer)) addOne(values, String(answer), who, by)
      else {
        for (let at = 0; at < answer.length; at++) addOne(values, String(answer[at]), who, by)
        addBeyondFirst(values, answer, who, by)
      }
    }
  }

  #cell(key: number): Int32Array {
    return getOrInsert(this.#cells, key, () => new Int32Array(WIDTH))
  }

  #answersTo(question: string): Map<string, Int32Array> {
    let values = this.#answers.get(question)
    if (!values) {
      values = new Map()
      this.#answers.set(question, values)
    }
    return values
  }

  /** Counts a partial at the last question it answered. */
  #stop(answers: Respondent['answers'], by: 1 | -1): void {
    let last: string | null = null
    for (const question in answers)
      if (last === null || (this.#orderOf.get(question) ?? 0) >= (this.#orderOf.get(last) ?? 0)) last = question
    if (last !== null) this.#stops.set(Number(last), (this.#stops.get(Number(last)) ?? 0) + by)
  }

  /** Rows of day_cells after their survey and project: cell, day, the four outcomes. */
  *days(): Generator<unknown[]> {
    for (const [day, counts] of ordered(this.#days)) yield [TOTAL, day, ...counts]
    for (const [day, cells] of ordered(this.#dayCells))
      for (const [cell, completes] of cells) yield [cell, day, completes, 0, 0, 0]
  }
  /** Rows of demo_cells: cell and its fourteen counters. */
  *cells(): Generator<unknown[]> {
    for (const [cell, counts] of inNumber(this.#cells)) yield led(cell, counts)
  }
  /** Rows of marginals: dimension, value, completes. */
  *marginals(): Generator<unknown[]> {
    for (const [at, name] of NAMES.entries())
      for (const [value, completes] of this.#marginals[at]!.entries()) if (completes) yield [name, value, completes]
  }
  /** Rows of geo_cells: cell, latitude and longitude in tenths, completes. */
  *places(): Generator<unknown[]> {
    for (const [key, completes] of this.#places) {
      const place = Math.floor(key / (CELLS + 1))
      yield [(key % (CELLS + 1)) - 1, Math.floor(place / 3601) - 900, (place % 3601) - 1800, completes]
    }
  }
  /** Rows of geo_squares: latitude and longitude in half degrees, completes, the sums of their tenths. */
  *squares(): Generator<unknown[]> {
    for (const [key, counts] of ordered(this.#squares)) yield [Math.floor(key / 1000) - 180, (key % 1000) - 360, ...counts]
  }
  /** Rows of answer_cells: question, value, age, gender, completes. */
  *answers(): Generator<unknown[]> {
    for (const [question, values] of this.#answers) {
      for (const [value, counts] of values)
        for (const [who, completes] of counts.entries())
          if (completes) yield [Number(question), value, who >> 2, who & 3, completes]
    }
  }
  /** Rows of question_stops: question, partials. */
  *stops(): Generator<unknown[]> {
    for (const [question, partials] of ordered(this.#stops)) if (partials) yield [question, partials]
  }
}

/** Returns the half-degree cell of a coordinate in tenths. */
const squareOf = (tenths: number): number => Math.floor(tenths / 5)

function addOne(values: Map<string, Int32Array>, text: string, who: number, by: number): void {
  const value = cellValueOf(text)
  let counts = values.get(value)
  if (!counts) {
    counts = new Int32Array(32)
    values.set(value, counts)
  }
  counts[who]! += by
}
function addBeyondFirst(values: Map<string, Int32Array>, answers: readonly unknown[], who: number, by: 1 | -1): void {
  const beyond = answers.length > 1 ? differentIn(answers) - 1 : 0
  if (beyond > 0) addOne(values, BEYOND_FIRST, who, by * beyond)
}

/** A key and its counts as a row; spreading a typed array is many times slower. */
function led(key: number, counts: Int32Array): number[] {
  const row = [key]
  for (let at = 0; at < counts.length; at++) row.push(counts[at]!)
  return row
}

/** Entries in numeric order; sorting keys without a comparator is faster for thousands of cells. */
function* inNumber<V>(map: ReadonlyMap<number, V>): Generator<[number, V]> {
  for (const key of Float64Array.from(map.keys()).sort()) yield [key, map.get(key)!]
}

function ordered<K extends string | number, V>(map: Map<K, V>): [K, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

const QUARTER = 900_000
const keepers = new Map<string, (at: string) => string>()

/** The civil day of a moment, computed once per quarter of an hour, within which no zone changes its day. */
function dayKeeper(timeZone: string): (at: string) => string {
  const keeper = keepers.get(timeZone) ?? newKeeper(timeZone)
  keepers.set(timeZone, keeper)
  return keeper
}

function newKeeper(timeZone: string): (at: string) => string {
  const known = new Map<number, string>()
  return (at) => {
    const quarter = Math.floor(Date.parse(at) / QUARTER)
    let day = known.get(quarter)
    if (day) return day
    if (known.size > 100_000) known.clear()
    day = civilDay(quarter * QUARTER, timeZone)
    known.set(quarter, day)
    return day
  }
}
