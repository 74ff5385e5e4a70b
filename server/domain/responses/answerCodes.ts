import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'

/** An answer as it was sent: a text, or several. */
export type StoredAnswer = unknown
/** A row of answer_texts that isn't stored yet. */
export interface FreshText {
  question_id: number
  text_id: number
  lookup: string
  text: string
  parts: string
}
/** A batch's codes by question, one for each complete, 0 without an answer; and texts that aren't stored yet. */
export interface Coded {
  codes: Map<number, Uint32Array>
  fresh: FreshText[]
}

/** True for a row that only sums up the others: neither an answer nor part of a base (projects-area.md 4). */
export function isTotal(text: string): boolean {
  if (text.length >= 12) return false
  // Nearly all answers differ in their first letter, which may follow a blank.
  const first = text.charCodeAt(0)
  return (first === 84 || first === 116 || first <= 32 || first >= 160) && text.trim().toLowerCase() === 'total'
}

/** The distinct answers in a sent value. */
export function answersIn(answer: StoredAnswer): string[] {
  if (!Array.isArray(answer)) return answer === null || answer === undefined || isTotal(String(answer)) ? [] : [String(answer)]
  return [...new Set(answer.map(String))].filter((text) => !isTotal(text))
}

/** The number of distinct answers in a list, of which there are few. */
export function differentIn(answers: readonly unknown[]): number {
  let count = 0
  for (let at = 0; at < answers.length; at++) {
    const text = String(answers[at])
    let known = isTotal(text)
    for (let before = 0; before < at && !known; before++) known = String(answers[before]) === text
    if (!known) count++
  }
  return count
}

/** The row of answer_cells that counts answers beyond a complete's first, so that a base is exact. */
export const BEYOND_FIRST = ''

/** Longer texts are looked up by a hash, because index entries have a maximum length. */
const LONG = 60
/** The longest answer that a counter stores as text; a longer one is stored as its hash. */
const NAMED = 200
const hashed = (text: string) => `~${createHash('sha256').update(text).digest('base64url')}`
/** True for text that looks like the hash of a long one. */
export const isHashed = (value: string): boolean => value.length === 44 && value.startsWith('~')
/** The lookup key of a text. */
export const lookupOf = (text: string): string => (text.length > LONG ? hashed(text) : `=${text}`)
/** The value that answer_cells stores for a text. */
export const cellValueOf = (text: string): string => (text.length > NAMED ? lookupOf(text) : text)
const lookupOfSet = (parts: string): string => (parts.length > LONG ? `+${hashed(parts)}` : `+${parts}`)

/** Finds or assigns the codes of answers, for all questions or some; stores nothing. */
export async function codesOf(
  { engine, db }: { engine: Database['engine']; db: Db | Tx },
  survey: number,
  answers: readonly (Readonly<Record<string, StoredAnswer>> | null)[],
  only?: ReadonlySet<number>,
): Promise<Coded> {
  const batches = new Map<string, AnswerBatch>()
  for (let at = 0; at < answers.length; at++) {
    const all = answers[at]
    for (const name in all) {
      const answer = all[name]
      if (answer === null || answer === undefined || (only && !only.has(Number(name)))) continue
      let here = batches.get(name)
      if (!here) {
        here = new AnswerBatch(Number(name), answers.length)
        batches.set(name, here)
      }
      if (Array.isArray(answer)) here.addSeveral(at, answer)
      else here.column[at] = here.numberOf(String(answer))
    }
  }
  const book = new Book(engine, db, survey)
  const all = [...batches.values()].filter(({ texts }) => texts.size)
  await book.assign(new Map(all.map(({ question, texts }) => [question, texts])), lookupOf, (text) => ({ text, parts: '' }))
  const sets = new Map(all.flatMap((one) => (one.sets.size ? [[one.question, one.setsByCode()] as const] : [])))
  await book.assign(sets, lookupOfSet, (parts) => ({ text: '', parts }))
  return { codes: new Map(all.map((one) => [one.question, one.coded(sets.get(one.question))])), fresh: book.fresh }
}

/** Numbers from here on stand for several answers given together. */
const SEVERAL = 2 ** 31

/** The highest number represented by a bit. */
const MOST_BITS = 30

/** A batch's answers to one question: each complete's as a number local to the batch, and the answers by number. */
class AnswerBatch {
  readonly question: number
  readonly column: Uint32Array
  /** Numbers from 1 in the order of the map; codes replace them later. */
  readonly texts = new Map<string, number>()
  /** Combinations of texts, numbered in order from 0. */
  readonly sets = new Map<string, { nth: number; numbers: readonly number[] }>()
  /** The same combinations as bits, if all numbers are small: looked up without building a text. */
  readonly #byBits = new Map<number, number>()

  constructor(question: number, completes: number) {
    this.question = question
    this.column = new Uint32Array(completes)
  }

  /** The number of a text; 0 for a total. */
  numberOf(text: string): number {
    const known = this.texts.get(text)
    if (known !== undefined) return known
    if (isTotal(text)) return 0
    this.texts.set(text, this.texts.size + 1)
    return this.texts.size
  }

  addSeveral(at: number, answers: readonly unknown[]): void {
    let [bits, last, count] = [0, 0, 0]
    for (let nth = 0; nth < answers.length; nth++) {
      const number = this.numberOf(String(answers[nth]))
      if (number > MOST_BITS) {
        this.#addLong(at, answers)
        return
      }
      if (!number || bits & (1 << number)) continue
      bits |= 1 << number
      last = number
      count++
    }
    if (count < 2) {
      this.column[at] = last
      return
    }
    const known = this.#byBits.get(bits)
    if (known !== undefined) {
      this.column[at] = known
      return
    }
    this.#addLong(at, answers)
    this.#byBits.set(bits, this.column[at]!)
  }

  #addLong(at: number, answers: readonly unknown[]): void {
    const numbers: number[] = []
    for (const one of answers) {
      const number = this.numberOf(String(one))
      if (number && !numbers.includes(number)) numbers.push(number)
    }
    if (numbers.length < 2) this.column[at] = numbers[0] ?? 0
    else {
      numbers.sort((a, b) => a - b)
      const set = getOrInsert(this.sets, numbers.join(), () => ({ nth: this.sets.size, numbers }))
      this.column[at] = SEVERAL + set.nth
    }
  }

  /** The combinations by the codes of their texts, once assigned. */
  setsByCode(): Map<string, number> {
    const codes = [0, ...this.texts.values()]
    const parts = ({ numbers }: { numbers: readonly number[] }) => numbers.map((one) => codes[one]!).sort((a, b) => a - b)
    return new Map([...this.sets.values()].map((set) => [parts(set).join(','), 0]))
  }

  /** The column as codes; `sets` has the codes of the combinations from `setsByCode`. */
  coded(sets: ReadonlyMap<string, number> = new Map()): Uint32Array {
    const codes = Uint32Array.from([0, ...this.texts.values()])
    const ofSets = [...sets.values()]
    return this.column.map((one) => (one >= SEVERAL ? ofSets[one - SEVERAL]! : codes[one]!))
  }
}

/** The codes of one survey, stored and new. */
class Book {
  readonly fresh: FreshText[] = []
  readonly #engine: Database['engine']
  readonly #db: Db | Tx
  readonly #survey: number
  readonly #last = new Map<number, number>()

  constructor(engine: Database['engine'], db: Db | Tx, survey: number) {
    this.#engine = engine
    this.#db = db
    this.#survey = survey
  }

  /** Fills in the code of each key by question. */
  async assign(
    wanted: ReadonlyMap<number, Map<string, number>>,
    lookup: (key: string) => string,
    row: (key: string) => Pick<FreshText, 'text' | 'parts'>,
  ): Promise<void> {
    const lookups: [question: number, lookup: string, key: string][] = []
    for (const [question, keys] of wanted) for (const key of keys.keys()) lookups.push([question, lookup(key), key])
    const known = await this.#known(lookups)
    const missing = lookups.filter(([question, found]) => !known.has(`${question} ${found}`))
    await this.#readLast(new Set(missing.map(([question]) => question)))
    for (const [question, found, key] of lookups) {
      let code = known.get(`${question} ${found}`)
      if (code === undefined) {
        code = (this.#last.get(question) ?? 0) + 1
        this.#last.set(question, code)
        this.fresh.push({ question_id: question, text_id: code, lookup: found, ...row(key) })
      }
      wanted.get(question)!.set(key, code)
    }
  }

  async #known(lookups: readonly [number, string, string][]): Promise<Map<string, number>> {
    const known = new Map<string, number>()
    for (let from = 0; from < lookups.length; from += 5000) {
      const some = lookups.slice(from, from + 5000)
      const among =
        this.#engine === 'postgres'
          ? sql`unnest(${some.map(([question]) => question)}::bigint[], ${some.map(([, found]) => found)}::text[]) as asked(question, found)`
          : sql`(select value ->> 0 as question, value ->> 1 as found from json_each(${JSON.stringify(some.map(([question, found]) => [question, found]))})) as asked`
      // A cross join forces SQLite's table order: without statistics it would read all texts of a question.
      const { rows } = await sql<{ question_id: number; text_id: number; lookup: string }>`
        select t.question_id, t.text_id, t.lookup from ${among} cross join answer_texts t
          where t.survey_id = ${this.#survey} and t.question_id = asked.question and t.lookup = asked.found`.execute(this.#db)
      for (const row of rows) known.set(`${row.question_id} ${row.lookup}`, Number(row.text_id))
    }
    return known
  }

  async #readLast(questions: ReadonlySet<number>): Promise<void> {
    const unread = [...questions].filter((question) => !this.#last.has(question))
    if (!unread.length) return
    const rows = await this.#db
      .selectFrom('answer_texts')
      .select((eb) => ['question_id', eb.fn.max('text_id').as('last')])
      .where('survey_id', '=', this.#survey)
      .where('question_id', 'in', unread)
      .groupBy('question_id')
      .execute()
    for (const row of rows) this.#last.set(Number(row.question_id), Number(row.last))
  }
}
