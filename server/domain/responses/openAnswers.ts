import { foldText, nameKey } from '../../../contract/foldText.ts'
import type { OpenAnswer } from '../../../contract/responses.ts'
import { inTurns } from '../../core/yieldTurn.ts'
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
/** With more texts than this, those that look alike are apart without a search, which reads a page's texts alone. */
const MOST_FOLDED = 20_000
const lengthOf = ([text]: readonly [string, number]) => text.length

/**
 * A question's answers as texts, most frequent first; those that look alike are one, as most people write it.
 * Client users' searches match only the masked text.
 */
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
  const pageOf = async (list: readonly (readonly [string, number])[]) => {
    const rows: OpenAnswer[] = []
    await inTurns(list, lengthOf, (one) => rows.push(rowOf(one)))
    return rows
  }
  const ordered = (list: Iterable<readonly [string, number]>) =>
    [...list].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const rowOf = ([text, count]: readonly [string, number]): OpenAnswer => {
    const shown = mask ? masked(text) : text
    return { text: shown, count, percent: shareOf(count, answered), masked: shown !== text }
  }
  const [only] = read
  if (read.length === 1 && only && !search && only.counts.size > MOST_FOLDED) {
    // Without a search, the codes alone determine which texts are on the page.
    const codes = [...only.counts].sort(([a, one], [b, other]) => other - one || a - b)
    const page = codes.slice(from, from + size)
    const texts = await only.people.texts(
      only.question,
      page.map(([code]) => code),
    )
    const rows = await pageOf(page.map(([code, count]) => [texts.get(code) ?? '', count]))
    return { rows, count: codes.length, answered }
  }
  const totals = new Map<string, number>()
  for (const { people, question, counts } of read)
    for (const [code, text] of await people.texts(question, [...counts.keys()]))
      if (counts.has(code)) totals.set(text, (totals.get(text) ?? 0) + counts.get(code)!)
  const wanted = foldText(search)
  const found: (readonly [string, number])[] = []
  const byKey = new Map<string, { text: string; count: number }>()
  await inTurns(ordered(totals), lengthOf, ([text, count]) => {
    const alike = byKey.get(nameKey(text))
    if (alike) alike.count += count
    else byKey.set(nameKey(text), { text, count })
  })
  const lines = Array.from(byKey.values(), ({ text, count }) => [text, count] as const)
  await inTurns(ordered(lines), lengthOf, (one) => {
    if (!wanted || foldText(mask ? masked(one[0]) : one[0]).includes(wanted)) found.push(one)
  })
  return { rows: await pageOf(found.slice(from, from + size)), count: found.length, answered }
}

function answeredIn(who: Uint8Array, { pieces }: AnswerColumn): number {
  let answered = 0
  for (const { first, codes } of pieces) {
    const people = who.subarray(first, first + codes.length)
    for (let at = 0; at < people.length; at++) if (codes[at] && people[at]! < WHO) answered++
  }
  return answered
}
