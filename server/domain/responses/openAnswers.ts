import type { OpenAnswer } from '../../../contract/responses.ts'
import type { CellFilter } from '../runtime/cells.ts'
import { WHO } from '../runtime/cells.ts'
import { shareOf } from './bases.ts'
import type { Chart } from './charts.ts'
import { countsOf } from './countAnswers.ts'
import { masked } from './mask.ts'
import { type AnswerColumn, type Reading, SurveyAnswers } from './surveyAnswers.ts'

export interface OpenAnswers {
  rows: OpenAnswer[]
  /** How many distinct answers match. */
  count: number
  /** Completes with an answer. */
  answered: number
}
interface OpenAnswersQuery {
  filter: CellFilter
  search: string
  mask: boolean
  from: number
  size: number
}
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** A question's answers as texts, most frequent first. Client users' searches match only the masked text. */
export async function openAnswersOf(
  at: Reading,
  chart: Chart,
  { filter, search, mask, from, size }: OpenAnswersQuery,
): Promise<OpenAnswers> {
  const read: { people: SurveyAnswers; question: number; counts: Map<number, number> }[] = []
  let answered = 0
  for (const { survey, question } of chart.places) {
    const people = await SurveyAnswers.open(at, survey, filter)
    const column = await people.column(question)
    answered += answeredIn(people.who, column)
    read.push({ people, question, counts: countsOf(people, column) })
  }
  const ordered = (list: Iterable<readonly [string, number]>) =>
    [...list].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const rowOf = ([text, count]: readonly [string, number]): OpenAnswer => {
    const shown = mask ? masked(text) : text
    return { text: shown, count, percent: shareOf(count, answered), masked: shown !== text }
  }
  const [only] = read
  if (read.length === 1 && only && !search) {
    // Without a search, the codes alone determine which texts are on the page.
    const codes = [...only.counts].sort(([a, one], [b, other]) => other - one || a - b)
    const page = codes.slice(from, from + size)
    const texts = await only.people.texts(
      only.question,
      page.map(([code]) => code),
    )
    return { rows: page.map(([code, count]) => rowOf([texts.get(code) ?? '', count])), count: codes.length, answered }
  }
  const totals = new Map<string, number>()
  for (const { people, question, counts } of read)
    for (const [code, text] of await people.texts(question, [...counts.keys()]))
      if (counts.has(code)) totals.set(text, (totals.get(text) ?? 0) + counts.get(code)!)
  const wanted = plain(search)
  const found = ordered(totals).filter(([text]) => !wanted || plain(mask ? masked(text) : text).includes(wanted))
  return { rows: found.slice(from, from + size).map(rowOf), count: found.length, answered }
}

function answeredIn(who: Uint8Array, { pieces }: AnswerColumn): number {
  let answered = 0
  for (const { first, codes } of pieces) {
    const people = who.subarray(first, first + codes.length)
    for (let at = 0; at < people.length; at++) if (codes[at] && people[at]! < WHO) answered++
  }
  return answered
}
