import type { z } from 'zod'
import { seesAll } from '../../contract/actor.ts'
import { ANSWER_TYPES } from '../../contract/questionRules.ts'
import type { QuestionResponses, ResponseExportInput } from '../../contract/responses.ts'
import { AGES, agesOf, DWELLS, ETHNICITIES, GENDERS, INCOMES, labelOf, NOTICES, type Term } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { invalid } from '../core/errors.ts'
import { basesOf, headOf } from '../domain/responses/bases.ts'
import { type Chart, chartsOf } from '../domain/responses/charts.ts'
import { openAnswersOf } from '../domain/responses/openAnswers.ts'
import { responsesOf } from '../domain/responses/responses.ts'
import { readingOf } from '../domain/responses/surveyAnswers.ts'
import { cellFilter, projectRange, surveyRange } from '../domain/runtime/range.ts'
import type { Listing } from './exportSource.ts'

/** Open answers in one read. */
const PAGE = 1000
type ExportInput = z.output<typeof ResponseExportInput>

/** User Responses as the screen shows them: filters and bases first, then a line for each answer. */
export async function userResponsesExport(ctx: Ctx, query: ExportInput): Promise<Listing> {
  const range = query.survey_id
    ? await surveyRange(ctx, query.survey_id, query.scope)
    : await projectRange(ctx, query.project_id ?? missing())
  const ages = agesOf(range.project.generation)
  const filter = cellFilter(query)
  const wanted = query.questions && new Set(query.questions)
  const all = await chartsOf(ctx.db, range.surveys)
  const charts = all.filter(({ head }) => !wanted || head.question_ids.some((id) => wanted.has(id)))
  const bases = await basesOf(ctx.db, range.surveys, filter)
  const { base, completes } = headOf(bases)
  const mask = !seesAll(ctx.actor)
  async function* pages() {
    for (const chart of charts) {
      const [found] = await responsesOf(readingOf(ctx), [chart], bases, { filter, mask })
      if (chart.head.answer_type === 'open') yield* openPages(ctx, chart, found!, { filter, mask })
      else yield linesOf(found!)
    }
  }
  return {
    title: `${range.project.name} user responses`,
    count: charts.length,
    head: [
      ['Project', range.project.name],
      ['Base', base, `of ${completes} completes`],
      ...filtersOf(query, ages),
      ['Share', 'Percent of those who answered the question'],
    ],
    columns: [
      ...['No.', 'Question', 'Answer type', 'Answered', 'Skipped', 'Answer', 'Count', 'Share %'],
      ...GENDERS.map(({ label }) => label),
      'Gender unknown',
      ...ages.map(({ label }) => label),
      'Age unknown',
    ],
    pages,
    holds: new Set([range.project.id, ...range.children.map(({ id }) => id)]),
  }
}

const missing = (): never => {
  throw invalid('survey_id', 'survey_id or project_id is required')
}

/** Each filter in words; one that includes everyone is left out. */
function filtersOf(query: ExportInput, ages: readonly Term[]): Cell[][] {
  const named: [string, string[] | undefined, readonly Term[]][] = [
    ['Age', query.ageRange ?? query.age, ages],
    ['Gender', query.gender, GENDERS],
    ['Income', query.hhi, INCOMES],
    ['Ethnicity', query.ethnicity, ETHNICITIES],
    ['Dwell', query.dwellRange, DWELLS],
    ['Notice', query.notice, NOTICES],
  ]
  const lines = named.flatMap(([name, values, terms]): Cell[][] =>
    values ? [[name, values.map((value) => termOf(terms, value)).join(', ')]] : [],
  )
  const out = query.gender && [...GENDERS.map(({ value }) => value), 'unknown'].filter((value) => !query.gender!.includes(value))
  if (out?.length)
    lines.push(['Left out', `Gender ${out.map((value) => termOf(GENDERS, value)).join(', ')}: counted in no figure here`])
  return lines.length ? lines : [['Filters', 'None']]
}
const termOf = (terms: readonly Term[], value: string): string =>
  value === 'unknown' ? 'Unknown' : (terms.find((term) => String(term.value) === value)?.label ?? value)

const startOf = (question: QuestionResponses): Cell[] => [
  question.number,
  question.title,
  labelOf(ANSWER_TYPES, question.answer_type, ''),
  question.answered,
  question.skipped,
]
const splitCells = ({ gender, age }: Pick<QuestionResponses, 'gender' | 'age'>): Cell[] => [
  ...[...GENDERS.map(({ value }) => value), 'unknown'].map((value) => gender[value] ?? 0),
  ...[...AGES.map(({ value }) => String(value)), '8'].map((value) => age[value] ?? 0),
]

function linesOf(question: QuestionResponses): Cell[][] {
  const start = startOf(question)
  const { figures, rows } = question
  if (!figures) return rows.map((row) => [...start, row.label, row.value, row.percent, ...splitCells(row)])
  return [
    [...start, 'Mean', Math.round(figures.mean * 100) / 100],
    [...start, 'Median', figures.median],
    ...figures.bins.map((bin) => {
      const label = bin.from === bin.to ? String(bin.from) : `${bin.from} to ${bin.to}`
      return [...start, label, bin.count, bin.percent, ...splitCells(bin)]
    }),
    ...(figures.unreadable ? [[...start, 'No number', figures.unreadable, restOf(figures.bins)]] : []),
  ]
}

/** What the bins lack of 100 percent. */
const restOf = (bins: readonly { percent: number }[]): number =>
  Math.round(1000 - bins.reduce((sum, { percent }) => sum + 10 * percent, 0)) / 10

async function* openPages(
  ctx: Ctx,
  chart: Chart,
  question: QuestionResponses,
  { filter, mask }: { filter: ReturnType<typeof cellFilter>; mask: boolean },
): AsyncGenerator<Cell[][]> {
  const start = startOf(question)
  const splits = new Map(question.rows.map((row) => [row.label, splitCells(row)]))
  for (let from = 0; ; from += PAGE) {
    const { rows, count } = await openAnswersOf(readingOf(ctx), chart, { filter, mask, search: '', from, size: PAGE })
    yield rows.map(({ text, count: completes, percent, masked }) => [
      ...start,
      text,
      completes,
      percent,
      ...((!masked && splits.get(text)) || []),
    ])
    if (from + PAGE >= count) return
  }
}
