import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'

/** An answer as it was sent: a text, or several. */
export type Said = unknown
/** A line of answer_texts that is not stored yet. */
export interface FreshText {
  question_id: number
  text_id: number
  lookup: string
  text: string
  parts: string
}
/** Codes of a batch by question, one a complete, 0 without an answer; and the texts that have none stored yet. */
export interface Coded {
  codes: Map<number, Uint32Array>
  fresh: FreshText[]
}

/** A row that only sums up the others: neither an answer nor part of a base (projects-area.md 4). */
export const isTotal = (text: string): boolean => text.length < 12 && text.trim().toLowerCase() === 'total'

/** The different answers in what was sent. */
export function answersIn(said: Said): string[] {
  if (!Array.isArray(said)) return said === null || said === undefined || isTotal(String(said)) ? [] : [String(said)]
  return [...new Set(said.map(String))].filter((text) => !isTotal(text))
}

/** The row of answer_cells that counts answers beyond a complete's first, so that a base is exact. */
export const BEYOND_FIRST = ''

/** Longer texts are found by a hash, as an index takes no long ones. */
const LONG = 60
const hashed = (text: string) => `~${createHash('sha256').update(text).digest('base64url')}`
/** What a text is found by. */
export const lookupOf = (text: string): string => (text.length > LONG ? hashed(text) : `=${text}`)
const lookupOfSet = (parts: string): string => (parts.length > LONG ? `+${hashed(parts)}` : `+${parts}`)

/** Finds or gives the codes of answers, of all questions or of some; stores nothing. */
export async function codesOf(
  { engine, db }: { engine: Database['engine']; db: Db | Tx },
  survey: number,
  answers: readonly (Readonly<Record<string, Said>> | null)[],
  only?: ReadonlySet<number>,
): Promise<Coded> {
  const singles = new Map<number, Map<string, number>>()
  const given: { at: number; question: number; texts: string[] }[] = []
  for (let at = 0; at < answers.length; at++) {
    const all = answers[at]
    for (const name in all ?? {}) {
      const question = Number(name)
      if (only && !only.has(question)) continue
      const texts = answersIn(all![name])
      if (!texts.length) continue
      given.push({ at, question, texts })
      const known = getOrInsert(singles, question, () => new Map<string, number>())
      for (const text of texts) known.set(text, 0)
    }
  }
  const book = new Book(engine, db, survey)
  await book.assign(singles, lookupOf, (text) => ({ text, parts: '' }))
  const sets = new Map<number, Map<string, number>>()
  const partsOf = ({ question, texts }: { question: number; texts: string[] }) =>
    texts
      .map((text) => singles.get(question)!.get(text)!)
      .sort((a, b) => a - b)
      .join(',')
  for (const one of given)
    if (one.texts.length > 1) getOrInsert(sets, one.question, () => new Map<string, number>()).set(partsOf(one), 0)
  await book.assign(sets, lookupOfSet, (parts) => ({ text: '', parts }))
  const codes = new Map<number, Uint32Array>()
  for (const one of given) {
    const column = getOrInsert(codes, one.question, () => new Uint32Array(answers.length))
    column[one.at] =
      one.texts.length > 1 ? sets.get(one.question)!.get(partsOf(one))! : singles.get(one.question)!.get(one.texts[0]!)!
  }
  return { codes, fresh: book.fresh }
}

/** The codes of one survey: those that are stored, and those given now. */
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

  /** Fills in the code of each key, by question. */
  async assign(
    wanted: ReadonlyMap<number, Map<string, number>>,
    lookup: (key: string) => string,
    row: (key: string) => Pick<FreshText, 'text' | 'parts'>,
  ): Promise<void> {
    const asked: [question: number, lookup: string, key: string][] = []
    for (const [question, keys] of wanted) for (const key of keys.keys()) asked.push([question, lookup(key), key])
    const known = await this.#known(asked)
    const missing = asked.filter(([question, found]) => !known.has(`${question} ${found}`))
    await this.#readLast(new Set(missing.map(([question]) => question)))
    for (const [question, found, key] of asked) {
      let code = known.get(`${question} ${found}`)
      if (code === undefined) {
        code = (this.#last.get(question) ?? 0) + 1
        this.#last.set(question, code)
        this.fresh.push({ question_id: question, text_id: code, lookup: found, ...row(key) })
      }
      wanted.get(question)!.set(key, code)
    }
  }

  async #known(asked: readonly [number, string, string][]): Promise<Map<string, number>> {
    const known = new Map<string, number>()
    for (let from = 0; from < asked.length; from += 5000) {
      const some = asked.slice(from, from + 5000)
      const among =
        this.#engine === 'postgres'
          ? sql`unnest(${some.map(([question]) => question)}::bigint[], ${some.map(([, found]) => found)}::text[]) as asked(question, found)`
          : sql`(select value ->> 0 as question, value ->> 1 as found from json_each(${JSON.stringify(some.map(([question, found]) => [question, found]))})) as asked`
      const { rows } = await sql<{ question_id: number; text_id: number; lookup: string }>`
        select t.question_id, t.text_id, t.lookup from ${among} join answer_texts t
          on t.survey_id = ${this.#survey} and t.question_id = asked.question and t.lookup = asked.found`.execute(this.#db)
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
