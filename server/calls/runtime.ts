import { sql } from 'kysely'
import type { Filters, runtimeCalls, Slice } from '../../contract/runtime.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { pageOf } from '../core/keyset.ts'
import { readingOf } from '../domain/responses/surveyAnswers.ts'
import { cellFilter, projectRange, rangeOf, surveyRange } from '../domain/runtime/range.ts'
import { correct, putBack, received, withdraw } from './runtime/correct.ts'
import { recentFunnel } from './runtime/funnel.ts'
import { intakeForm, intakeSurveys } from './runtime/intakeForm.ts'
import { receive } from './runtime/receive.ts'
import {
  childrenOf,
  countedOf,
  type Demographic,
  demographic,
  funnelOf,
  interviewsOf,
  maritalOf,
  places,
  summaryOf,
  totals,
  trend,
} from './runtime/runtimeFigures.ts'

const _PAGE = 50
type OfSurvey = Filters & { surveyId: number; scope: 'survey' | 'project' }
type OfProject = Filters & { id: number }

const list = <T>(data: T[]) => ({ data, count: data.length, page: 1 })
const widget = (data: Slice[]) => ({ ...list(data), total: data.reduce((sum, row) => sum + row.count, 0) })
const projectOf = (ctx: Ctx<OfProject>) => projectRange(ctx as Ctx, ctx.input.id)
const totalsOf = async (ctx: Ctx<OfSurvey>) => totals(ctx.db, await rangeOf(ctx), cellFilter(ctx.input))
const bySurvey = (name: Demographic) => async (ctx: Ctx<OfSurvey>) =>
  widget(await demographic(ctx.db, await rangeOf(ctx), name, cellFilter(ctx.input)))

const clearFraud = async (ctx: Ctx<{ surveyId: number }>) => {
  const { project } = await surveyRange(ctx as Ctx, ctx.input.surveyId, 'project')
  const surveys = ctx.tx.selectFrom('surveys').select('id').where('project_id', '=', project.id)
  const done = await ctx.tx
    .updateTable('respondents')
    .set({ fraud: 0 })
    .where('survey_id', 'in', surveys)
    .where('fraud', '=', 1)
    .executeTakeFirst()
  const cleared = Number(done.numUpdatedRows)
  if (cleared) {
    await ctx.record({ subject: 'project', subject_id: project.id, before: { fraud_flags: cleared }, after: { fraud_flags: 0 } })
    ctx.emit({ noun: 'runtime', id: ctx.input.surveyId, project_id: project.id, kind: 'counters' })
  }
  return {
    data: { cleared },
    message: describeEffect(ctx, 'runtime.clearFraud', { count: cleared, words: ['fraud flag', 'fraud flags'] }),
  }
}

/** The intake of results, and the figures counted from them (decisions.md 3, 9, 10). */
export const runtimeHandlers: HandlersOf<typeof runtimeCalls> = {
  'runtime.ingest': ownTransaction({ noKey: 'a respondent counts once, by its id' }, receive),
  'runtime.respondent': received,
  'runtime.correct': correct,
  'runtime.withdraw': withdraw,
  'runtime.putBack': putBack,
  'runtime.intake': intakeForm,
  'runtime.intakeSurveys': intakeSurveys,
  'runtime.overview': async (ctx) => {
    const [range, filter] = [await projectOf(ctx), cellFilter(ctx.input)]
    const { db, today } = ctx
    const [{ whole, wanted, shares, delivery_trend }, geoaddress, interviews] = await Promise.all([
      countedOf(db, range, filter, today),
      places(readingOf(ctx as Ctx), range, filter),
      interviewsOf(db, range, filter),
    ])
    return {
      data: {
        summary: summaryOf(range, whole, today),
        ...shares,
        marital_status: maritalOf(wanted),
        children: childrenOf(wanted),
        geoaddress,
        delivery_trend,
        funnel: funnelOf(wanted, interviews),
        total: wanted.completes,
      },
    }
  },
  'runtime.summary': async (ctx) => {
    const range = await rangeOf(ctx)
    // Unfiltered, because the order beside these figures has no filters.
    return { data: summaryOf(range, await totals(ctx.db, range, {}), ctx.today) }
  },
  'runtime.gender': bySurvey('gender'),
  'runtime.age': bySurvey('age'),
  'runtime.hhi': bySurvey('hhi'),
  'runtime.ethnicity': bySurvey('ethnicity'),
  'runtime.children': async (ctx) => widget(childrenOf(await totalsOf(ctx))),
  'runtime.maritalStatus': async (ctx) => widget(maritalOf(await totalsOf(ctx))),
  'runtime.geoaddress': async (ctx) => {
    const points = await places(readingOf(ctx as Ctx), await rangeOf(ctx), cellFilter(ctx.input))
    return { ...list(points), total: points.reduce((sum, point) => sum + point.count, 0) }
  },
  'runtime.deliveryTrend': async (ctx) => list(await trend(ctx.db, await rangeOf(ctx), cellFilter(ctx.input), ctx.today)),
  'runtime.funnel': async (ctx) => {
    const [range, filter] = [await rangeOf(ctx), cellFilter(ctx.input)]
    return { data: funnelOf(await totals(ctx.db, range, filter), await interviewsOf(ctx.db, range, filter)) }
  },
  'runtime.rewards': async (ctx) => {
    const { surveyId, page, updated_since } = ctx.input
    await surveyRange(ctx as Ctx, surveyId, 'survey')
    let entries = ctx.db.selectFrom('entries').where('survey_id', '=', surveyId)
    if (updated_since) entries = entries.where('updated_at', '>=', updated_since)
    const [rows, { count }] = await Promise.all([
      pageOf(
        ctx,
        entries.select(['id', 'email', 'ip', 'amount_cents', 'provider_id', 'status', 'reason', 'created_at', 'sent_at']),
        [{ by: sql.ref('entries.id'), way: 'desc', full: true }],
        ctx.input,
      ),
      entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    return { data: rows, count: Number(count), page }
  },
  'runtime.clearFraud': clearFraud,
  'runtime.performanceFunnelV1': async (ctx) => {
    const [range, filter] = [await projectOf(ctx), cellFilter(ctx.input)]
    return {
      data: await recentFunnel(ctx.services, `${ctx.actor.id}:${range.surveys}:${JSON.stringify(filter)}`, async () =>
        funnelOf(await totals(ctx.db, range, filter), await interviewsOf(ctx.db, range, filter)),
      ),
    }
  },
}
