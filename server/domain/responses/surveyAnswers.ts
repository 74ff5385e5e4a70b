import type { Ctx } from '../../core/context.ts'
import type { Database, Db } from '../../db/connect.ts'
import { type CellFilter, WHO, whoTable } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { AREAS, CELLS, type Codes, HOUSEHOLD, PLACES, viewOf } from './answerColumns.ts'

export interface Reading {
  engine: Database['engine']
  db: Db
}
/** The database and engine from which a call reads answers. */
export const readingOf = ({ services, db }: Pick<Ctx, 'services' | 'db'>): Reading => ({ engine: services.database.engine, db })
/** Codes of consecutive completes, from the position `first` on. */
export interface Piece {
  first: number
  codes: Codes
}
/** A question's codes in one survey. */
export interface AnswerColumn {
  pieces: Piece[]
  /** The highest code. */
  max: number
  /** The answers in each combination, by its code. */
  parts: ReadonlyMap<number, readonly number[]>
}

/** The completes that pass a strict filter: their positions in order, with age and gender of each. */
interface Few {
  places: Uint32Array
  who: Uint8Array
}
/** If at most one complete in this many passes, completes are counted one by one. */
const MOST_OUT = 4
/** `who >> WHO_BITS` is 1 for completes that don't pass, else 0. */
const WHO_BITS = 5

/** One survey's completes under a filter, read by column: one or two bytes for each complete and question. */
export class SurveyAnswers {
  /** Age and gender by position, OUT for completes that don't pass. */
  readonly who: Uint8Array
  /** The completes that pass, if they are few. */
  readonly few: Few | null
  readonly survey: number
  readonly #at: Reading
  /** The cells of the stored columns; those of the rest follow. */
  readonly #cells: readonly Piece[]
  /** Columns that were read with the cells, by question. */
  readonly #read: ReadonlyMap<number, readonly Piece[]>
  private constructor(at: Reading, survey: number, filter: CellFilter, read: ReadonlyMap<number, readonly Piece[]>) {
    this.#at = at
    this.survey = survey
    this.#read = read
    this.#cells = read.get(CELLS) ?? []
    const last = this.#cells.at(-1)
    const table = whoTable(filter)
    this.who = new Uint8Array(last ? last.first + last.codes.length : 0)
    for (const { first, codes } of inOne(this.#cells)) whoOfCells(this.who, first, codes, table)
    this.few = fewOf(this.who)
  }

  /** Opens a survey's answers; columns that will be needed in any case can be read with the cells. */
  static async open(at: Reading, survey: number, filter: CellFilter, needed: readonly number[] = []): Promise<SurveyAnswers> {
    return new SurveyAnswers(at, survey, filter, await readColumns(at.db, survey, [CELLS, ...needed]))
  }

  /** Each complete's demographic cell, by position. */
  get cells(): Uint16Array {
    const all = new Uint16Array(this.who.length)
    for (const { first, codes } of this.#cells) all.set(codes, first)
    return all
  }

  /** A question's codes. */
  async column(question: number): Promise<AnswerColumn> {
    const { db } = this.#at
    const ofQuestion = db.selectFrom('answer_texts').where('survey_id', '=', this.survey).where('question_id', '=', question)
    const [pieces, sets, last] = await Promise.all([
      readPieces(db, this.survey, question),
      ofQuestion.select(['text_id', 'parts']).where('parts', '<>', '').execute(),
      ofQuestion.select((eb) => eb.fn.max('text_id').as('last')).executeTakeFirst(),
    ])
    const parts = new Map(sets.map((row) => [Number(row.text_id), row.parts.split(',').map(Number)]))
    return { pieces, max: Number(last?.last ?? 0), parts }
  }

  /** Each complete's marital status and children, packed by `householdOf`. */
  async households(): Promise<Uint8Array> {
    const all = new Uint8Array(this.cells.length)
    for (const { first, codes } of await readPieces(this.#at.db, this.survey, HOUSEHOLD))
      all.set(codes.subarray(0, Math.max(0, all.length - first)), first)
    return all
  }

  /** Counts of completes that pass by place, for `tenthsOf`. */
  async places(): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const stored = this.#read.get(PLACES) ?? (await readPieces(this.#at.db, this.survey, PLACES))
    for (const { first, codes } of stored) {
      const people = this.who.subarray(first, first + codes.length)
      for (let at = 0; at < people.length; at++)
        if (codes[at] && people[at]! < WHO) counts.set(codes[at]!, (counts.get(codes[at]!) ?? 0) + 1)
    }
    return counts
  }

  /** Completes by the code of their market area, without those that have none. */
  async areas(): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    for (const { first, codes } of await readPieces(this.#at.db, this.survey, AREAS)) {
      const people = this.who.subarray(first, first + codes.length)
      for (let at = 0; at < people.length; at++)
        if (codes[at] && people[at]! < WHO) counts.set(codes[at]!, (counts.get(codes[at]!) ?? 0) + 1)
    }
    return counts
  }

  /** The texts of a question's codes. */
  async texts(question: number, codes: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>()
    const ofQuestion = this.#at.db
      .selectFrom('answer_texts')
      .select(['text_id', 'text'])
      .where('survey_id', '=', this.survey)
      .where('question_id', '=', question)
      .where('parts', '=', '')
    // Reading all texts is faster than a long list of codes.
    const rows = !codes.length ? [] : await (codes.length > 500 ? ofQuestion : ofQuestion.where('text_id', 'in', codes)).execute()
    for (const row of rows) found.set(Number(row.text_id), row.text)
    return found
  }
}

/** The pieces of some columns. */
const columnsOf = (db: Db, survey: number, questions: readonly number[]) =>
  db
    .selectFrom('answer_columns')
    .select(['question_id', 'first', 'width', 'codes'])
    .where('survey_id', '=', survey)
    .where('question_id', 'in', questions)

const readPieces = async (db: Db, survey: number, question: number): Promise<Piece[]> =>
  inOrder(await columnsOf(db, survey, [question]).execute())

/** The pieces of some columns, each in order. */
async function readColumns(db: Db, survey: number, questions: readonly number[]): Promise<Map<number, Piece[]>> {
  const columns = new Map(questions.map((question): [number, Stored[]] => [question, []]))
  for (const { question_id, ...piece } of await columnsOf(db, survey, questions).execute())
    columns.get(Number(question_id))!.push(piece)
  return new Map([...columns].map(([question, pieces]) => [question, inOrder(pieces)]))
}

interface Stored {
  first: number
  width: number
  codes: Uint8Array
}
const inOrder = (rows: readonly Stored[]): Piece[] =>
  rows
    .map(({ first, width, codes }) => ({ first: Number(first), codes: viewOf(codes, Number(width)) }))
    .sort((a, b) => a.first - b.first)

/** The slots of a code in a histogram: each age and gender, and one for completes that don't pass. */
export const SLOTS = WHO + 1

/** Counts by code, age and gender: `code × SLOTS + who`; skips completes that don't pass if these are most. */
export function histogram({ who, few }: Pick<SurveyAnswers, 'who' | 'few'>, { pieces, max }: AnswerColumn): Uint32Array {
  const counts = new Uint32Array((max + 1) * SLOTS)
  if (few) {
    countFew(counts, few, pieces)
    return counts
  }
  for (const { first, codes } of inOne(pieces)) {
    const people = peopleOf(who, first, codes)
    if (codes instanceof Uint16Array) countShorts(counts, people, codes)
    else if (codes instanceof Uint32Array) countWords(counts, people, codes)
    else countBytes(counts, people, codes)
  }
  return counts
}

/** Counts by group, age and gender, `group × SLOTS + who`, with each code's group from `groupOf`. */
export function groupedHistogram(who: Uint8Array, { pieces }: AnswerColumn, groupOf: Uint32Array, groups: number): Uint32Array {
  const counts = new Uint32Array(groups * SLOTS)
  for (const { first, codes } of pieces) countGroups(counts, peopleOf(who, first, codes), codes, groupOf)
  return counts
}

/** Counts by code. */
export function totalsOf(who: Uint8Array, { pieces, max }: AnswerColumn): Uint32Array {
  const counts = new Uint32Array(max + 1)
  for (const { first, codes } of pieces) countPassing(counts, peopleOf(who, first, codes), codes)
  return counts
}

/** The completes of a piece; the column may have grown since the cells were read. */
const peopleOf = (who: Uint8Array, first: number, codes: Codes): Uint8Array => who.subarray(first, first + codes.length)

/** Joins pieces of the same width, because a loop over one takes a third of the time. */
function inOne(pieces: readonly Piece[]): Piece[] {
  const byWidth = new Map<number, Piece[]>()
  for (const piece of pieces) getOrInsert(byWidth, piece.codes.BYTES_PER_ELEMENT, () => []).push(piece)
  return [...byWidth.values()].map((some) => {
    const first = Math.min(...some.map((piece) => piece.first))
    const last = some.at(-1)!
    const length = last.first + last.codes.length - first
    const codes = scratchOf(last.codes.BYTES_PER_ELEMENT, length)
    // Gaps between pieces are 0: no answer.
    codes.fill(0)
    for (const piece of some) codes.set(piece.codes, piece.first - first)
    return { first, codes }
  })
}

const scratch = new Map<number, ArrayBuffer>()
/** A buffer for codes of one width, reused by the next column, because allocating costs as much as counting. */
function scratchOf(width: number, length: number): Codes {
  let room = scratch.get(width)
  if (!room || room.byteLength < width * length) {
    room = new ArrayBuffer(width * length)
    if (width * length <= KEPT) scratch.set(width, room)
  }
  return viewOf(new Uint8Array(room, 0, width * length), width)
}
/** The largest buffer of a width that is kept for the next column, in bytes. */
const KEPT = 4 << 20

/** The completes that pass; null if they are too many for this to pay off. */
function fewOf(who: Uint8Array): Few | null {
  let passing = 0
  for (let at = 0; at < who.length; at++) passing += 1 - (who[at]! >> WHO_BITS)
  if (passing * MOST_OUT > who.length) return null
  // Writes every complete and overwrites those that don't pass, because an unpredictable branch costs more.
  const places = new Uint32Array(passing + 1)
  const ofWho = new Uint8Array(passing + 1)
  for (let at = 0, next = 0; at < who.length; at++) {
    places[next] = at
    ofWho[next] = who[at]!
    next += 1 - (who[at]! >> WHO_BITS)
  }
  return { places: places.subarray(0, passing), who: ofWho.subarray(0, passing) }
}

/** Counts completes that pass, piece by piece in the order of their positions. */
function countFew(counts: Uint32Array, { places, who }: Few, pieces: readonly Piece[]): void {
  let at = 0
  for (const { first, codes } of pieces) {
    const from = placeFrom(places, first, at)
    at = placeFrom(places, first + codes.length, from)
    const some = places.subarray(from, at)
    if (codes instanceof Uint16Array) countFewShorts(counts, some, who.subarray(from, at), codes, first)
    else if (codes instanceof Uint32Array) countFewWords(counts, some, who.subarray(from, at), codes, first)
    else countFewBytes(counts, some, who.subarray(from, at), codes, first)
  }
}

/** The index of the first position from `least` on, searched from `at` on. */
function placeFrom(places: Uint32Array, least: number, at: number): number {
  let [from, to] = [at, places.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (places[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

// One loop for each array type, because a loop over several types runs ten times slower.
function countBytes(counts: Uint32Array, people: Uint8Array, codes: Uint8Array): void {
  for (let at = 0; at < people.length; at++) counts[codes[at]! * SLOTS + people[at]!]!++
}
function countShorts(counts: Uint32Array, people: Uint8Array, codes: Uint16Array): void {
  for (let at = 0; at < people.length; at++) counts[codes[at]! * SLOTS + people[at]!]!++
}
function countWords(counts: Uint32Array, people: Uint8Array, codes: Uint32Array): void {
  for (let at = 0; at < people.length; at++) counts[codes[at]! * SLOTS + people[at]!]!++
}
function countFewBytes(counts: Uint32Array, places: Uint32Array, who: Uint8Array, codes: Uint8Array, first: number): void {
  for (let at = 0; at < places.length; at++) counts[codes[places[at]! - first]! * SLOTS + who[at]!]!++
}
function countFewShorts(counts: Uint32Array, places: Uint32Array, who: Uint8Array, codes: Uint16Array, first: number): void {
  for (let at = 0; at < places.length; at++) counts[codes[places[at]! - first]! * SLOTS + who[at]!]!++
}
function countFewWords(counts: Uint32Array, places: Uint32Array, who: Uint8Array, codes: Uint32Array, first: number): void {
  for (let at = 0; at < places.length; at++) counts[codes[places[at]! - first]! * SLOTS + who[at]!]!++
}
function countGroups(counts: Uint32Array, people: Uint8Array, codes: Codes, groupOf: Uint32Array): void {
  for (let at = 0; at < people.length; at++) counts[groupOf[codes[at]!]! * SLOTS + people[at]!]!++
}
function countPassing(counts: Uint32Array, people: Uint8Array, codes: Codes): void {
  for (let at = 0; at < people.length; at++) if (people[at]! < WHO) counts[codes[at]!]!++
}
function whoOfCells(who: Uint8Array, first: number, cells: Codes, table: Uint8Array): void {
  for (let at = 0; at < cells.length; at++) who[first + at] = table[cells[at]!]!
}
