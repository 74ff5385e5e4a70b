import { seesAll } from '../../contract/actor.ts'
import type { responseCalls } from '../../contract/responses.ts'
import type { Filters } from '../../contract/runtime.ts'
import type { Ctx } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import type { Paged } from '../core/keyset.ts'
import { offsetOf } from '../core/listSearch.ts'
import { basesOf, headOf } from '../domain/responses/bases.ts'
import { type Chart, chartsOf, chartWith } from '../domain/responses/charts.ts'
import { crosstabOf } from '../domain/responses/crosstab.ts'
import { openAnswersOf } from '../domain/responses/openAnswers.ts'
import { responsesOf } from '../domain/responses/responses.ts'
import { readingOf } from '../domain/responses/surveyAnswers.ts'
import { cellFilter, type Range, rangeOf } from '../domain/runtime/range.ts'

/** Open answers on a page (screens-projects.md, User Responses). */
const _PAGE = 50

const masks = (ctx: Pick<Ctx, 'actor'>): boolean => !seesAll(ctx.actor)

async function questions(ctx: Ctx<Filters>, range: Range) {
  const charts = await chartsOf(ctx.db, range.surveys)
  const base = headOf(await basesOf(ctx.db, range.surveys, cellFilter(ctx.input)))
  return { data: charts.map(({ head }) => head), count: charts.length, page: 1, base }
}

async function responses(ctx: Ctx<Filters & { questions?: number[] | undefined }>, range: Range) {
  const filter = cellFilter(ctx.input)
  const wanted = ctx.input.questions && new Set(ctx.input.questions)
  const all = await chartsOf(ctx.db, range.surveys)
  const charts = all.filter(({ head }) => !wanted || head.question_ids.some((id) => wanted.has(id)))
  const bases = await basesOf(ctx.db, range.surveys, filter)
  const found = await responsesOf(readingOf(ctx as Ctx), charts, bases, { filter, mask: masks(ctx as Ctx) })
  // Unless requested, questions nobody was asked are left out, as in the older generation.
  const shown = found.filter(
    ({ question_type, retired, answered }) => wanted || answered > 0 || (question_type === 'survey' && !retired),
  )
  return { rows: shown, base: headOf(bases) }
}

async function chartOf(ctx: Ctx, range: Range, question: number): Promise<{ charts: Chart[]; chart: Chart }> {
  const charts = await chartsOf(ctx.db, range.surveys)
  const chart = chartWith(charts, question)
  if (!chart) throw notFound(`Question ${question}`)
  return { charts, chart }
}

async function crosstab(ctx: Ctx<Filters & { question: number; by: string }>, range: Range) {
  const { charts, chart } = await chartOf(ctx as Ctx, range, ctx.input.question)
  const query = { by: ctx.input.by, generation: range.project.generation, filter: cellFilter(ctx.input), mask: masks(ctx as Ctx) }
  return { data: await crosstabOf(readingOf(ctx as Ctx), charts, chart, query) }
}

async function openAnswers(ctx: Ctx<Filters & { question: number; search: string } & Paged>, range: Range) {
  const { question, search, page, per_page } = ctx.input
  const { chart } = await chartOf(ctx as Ctx, range, question)
  const query = { filter: cellFilter(ctx.input), search, mask: masks(ctx as Ctx), from: offsetOf(ctx.input), size: per_page }
  const { rows, count, answered } = await openAnswersOf(readingOf(ctx as Ctx), chart, query)
  return { data: rows, count, page, answered }
}

/** User Responses (screens-projects.md): answers by question, crosstabs, open answers. */
export const responseHandlers: HandlersOf<typeof responseCalls> = {
  'runtime.questions': async (ctx) => questions(ctx as Ctx<Filters>, await rangeOf(ctx)),
  'runtime.userResponses': async (ctx) => {
    const { rows, base } = await responses(ctx, await rangeOf(ctx))
    return { data: rows, count: rows.length, page: 1, base }
  },
  'runtime.crosstab': async (ctx) => crosstab(ctx, await rangeOf(ctx)),
  'runtime.openAnswers': async (ctx) => openAnswers(ctx, await rangeOf(ctx)),
}
