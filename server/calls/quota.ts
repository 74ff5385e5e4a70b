import { sql } from 'kysely'
import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { stripBidi } from '../../contract/bidi.ts'
import { counted } from '../../contract/format.ts'
import type { Admission, quotaCalls } from '../../contract/quota.ts'
import { quotaFields } from '../../contract/quotaFields.ts'
import { ceilingOf } from '../../contract/quotaRules.ts'
import { NOTHING_CHANGED } from '../../contract/writeEffects.ts'
import { add } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, codeAll, HttpError, invalid, notFound } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { pageOf } from '../core/keyset.ts'
import { sentPartners } from '../domain/partner/sentPartners.ts'
import { seenProject } from '../domain/project/detail.ts'
import { type Arrival, admissionDesk, foreseeAdmission, withoutPlan } from '../domain/quota/admission.ts'
import { arrivalsOf } from '../domain/quota/planArrivals.ts'
import { foreseeArrivals } from '../domain/quota/planForeseen.ts'
import { readDimensions, refuseOtherTotal } from '../domain/quota/planInput.ts'
import { addCells, editPlan, heldPlan, patchCells, savePlan } from '../domain/quota/planSave.ts'
import { placeRows } from '../domain/quota/quotaPlaces.ts'
import { type PlanRow, planOf } from '../domain/quota/quotaPlans.ts'
import { readProfile } from '../domain/quota/quotaProfile.ts'
import { planLines, planOfProject, quotaRecord, seenPlan } from '../domain/quota/quotaRecord.ts'
import { lockSurvey } from '../domain/runtime/intake.ts'
import { storedRespondent } from '../domain/runtime/respondent.ts'
import { chosenSurvey } from '../domain/survey/chosenSurvey.ts'
import { intakeSurvey } from './runtime/receive.ts'

type Input<Id extends keyof typeof quotaCalls> = z.output<(typeof quotaCalls)[Id]['input']>

const subject = { words: ['Quota plan', 'Quota plans'] } as const
const rowOf = (ctx: Ctx, id: number): Promise<PlanRow> =>
  ctx.tx.selectFrom('quota_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Three times the length of interview that the project expects. */
const holdMinutes = (loi: number | null): number => Math.min(180, Math.max(10, 3 * (loi ?? 12)))

async function create(ctx: Ctx<Input<'quota.create'>>) {
  const { id: project_id, survey_id: sent, dimensions, ...fields } = ctx.input
  const project = await seenProject(ctx, project_id)
  const survey_id = await chosenSurvey(ctx as Ctx, project_id, sent)
  await lockSurvey(ctx.services.database, ctx.tx, { id: survey_id, project_id })
  const open = await ctx.tx
    .selectFrom('quota_plans')
    .select('id')
    .where('survey_id', '=', survey_id)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
  if (open)
    throw new HttpError(409, 'not_now', 'This survey has a quota plan already. Edit it, or end it first.', { id: open.id })
  const total = fields.total ?? project.ordered
  refuseAboveOrder(total, project.ordered)
  const planned = await readDimensions(ctx, survey_id, total, dimensions)
  const values = {
    ...{ mode: 'exact' as const, overage_percent: 0, silent_minutes: 8, unknown: 'refuse' as const, note: '' },
    hold_minutes: holdMinutes(project.expected_loi_minutes),
    ...columnsIn('quota_plans', quotaFields, fields),
    ...{ total, project_id, survey_id, state: 'draft' as const },
  }
  const id = await add(ctx as Ctx, 'quota_plans', {
    ...{ subject: 'quota', values, line: { project_id } },
    change: { noun: 'quota', project_id, audience: 'admin' },
  })
  await addCells(ctx as Ctx, { id, total, overage_percent: values.overage_percent }, planned)
  return written(ctx as Ctx, id, describeEffect(ctx, 'quota.create', subject))
}

function refuseAboveOrder(total: number, ordered: number): void {
  if (total > ordered) throw invalid('total', `Total is at most what the project ordered, ${ordered}`, 'range')
  if (total < 1) throw invalid('total', 'The project orders nothing yet: set its goal first', 'required')
}

/** The response of a write; a dry run also says what the last week's arrivals would have met. */
async function written(ctx: Ctx, id: number, message: ReturnType<typeof describeEffect>) {
  const row = await rowOf(ctx, id)
  return {
    data: await quotaRecord(ctx, row),
    message,
    ...(ctx.dry ? { foreseen: await foreseeArrivals(ctx, row) } : {}),
  }
}

async function edit(ctx: Ctx<Input<'quota.edit'>>) {
  const { id, dimensions, lock_version, ...fields } = ctx.input
  const row = await heldPlan(ctx as Ctx, id, lock_version, fields)
  assertAllowed(denialOf('quota.edit', ctx.actor, row))
  const settings = columnsIn('quota_plans', quotaFields, fields)
  const total = settings.total ?? row.total
  if (total !== row.total) refuseAboveOrder(total, (await seenProject(ctx, row.project_id)).ordered)
  const planned = dimensions ? await readDimensions(ctx, row.survey_id, total, dimensions) : null
  if (!planned && total !== row.total) refuseOtherTotal(await planOf(ctx.tx, row), total, 'total')
  const saved = await editPlan(ctx as Ctx, row, settings, planned)
  return written(ctx as Ctx, id, saved ? describeEffect(ctx, 'quota.edit', subject) : NOTHING_CHANGED)
}

async function cells(ctx: Ctx<Input<'quota.cells'>>) {
  const { id, cells: sent, lock_version } = ctx.input
  const row = await heldPlan(ctx as Ctx, id, lock_version)
  assertAllowed(denialOf('quota.cells', ctx.actor, row))
  const plan = await planOf(ctx.tx, row)
  const known = new Set<number>()
  const patches = sent.map(({ id: cell_id, target, closed }, at) => {
    const cell = plan.cells.get(cell_id)
    if (!cell) throw invalid(`cells.${at}.id`, `Cell ${cell_id} is not one of this plan`, 'choice')
    if (known.has(cell_id)) throw invalid(`cells.${at}.id`, `Cell ${cell_id} is named twice`)
    known.add(cell_id)
    return {
      id: cell_id,
      patch: {
        ...(target === undefined ? {} : { target, ceiling: ceilingOf(target, row.overage_percent) }),
        ...(closed === undefined ? {} : { closed: closed ? 1 : 0 }),
        ...(closed === false && cell.closed ? { reopened_at: ctx.now } : {}),
      },
    }
  })
  const total = sent.find((cell) => cell.id === plan.total)?.target
  if (total !== undefined && total !== row.total) {
    refuseAboveOrder(total, (await seenProject(ctx, row.project_id)).ordered)
    const targets = new Map(sent.map((cell) => [cell.id, cell.target]))
    const cells = new Map([...plan.cells].map(([cell, was]) => [cell, { ...was, target: targets.get(cell) ?? was.target }]))
    refuseOtherTotal({ ...plan, cells }, total, `cells.${sent.findIndex((cell) => cell.id === plan.total)}.target`)
  }
  const lines = await patchCells(ctx as Ctx, plan.cells, patches)
  if (lines.count) await savePlan(ctx as Ctx, row, total === undefined ? {} : { total }, lines)
  const facts = { count: lines.count, words: ['cell', 'cells'] } as const
  return written(ctx as Ctx, id, lines.count ? describeEffect(ctx, 'quota.cells', facts) : NOTHING_CHANGED)
}

/** The completes of a survey that take their places in one step. */
const AT_ONCE = 2000

async function goLive(ctx: Ctx<Input<'quota.live'>>) {
  const { id, lock_version } = ctx.input
  const { survey_id, project_id } = await seenPlan(ctx, id)
  const { database } = ctx.services
  // No complete arrives meanwhile, so each takes its place once.
  await lockSurvey(database, ctx.tx, { id: survey_id, project_id })
  const row = await heldPlan(ctx as Ctx, id, lock_version)
  assertAllowed(denialOf('quota.live', ctx.actor, row))
  await savePlan(ctx as Ctx, row, { state: 'live', live_at: ctx.now }, { before: {}, after: {} })
  const completes = ctx.tx
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', survey_id)
    .where('outcome', '=', 'completes')
  let [taken, beyond] = [0, 0]
  for (let last = ''; ; ) {
    const page = await completes.where('respondent_id', '>', last).orderBy('respondent_id').limit(AT_ONCE).execute()
    if (!page.length) break
    const plan = await planOf(ctx.tx, await rowOf(ctx as Ctx, id))
    const placed = await placeRows(database, ctx.tx, plan, page.map(storedRespondent), ctx.services.now())
    taken += page.length - placed.beyond
    beyond += placed.beyond
    last = page.at(-1)!.respondent_id
  }
  const also = [
    taken ? `${counted(taken, 'complete takes its place', 'completes take their places')}.` : '',
    beyond ? `${counted(beyond, 'complete counts', 'completes count')} beyond it.` : '',
  ]
  return written(ctx as Ctx, id, describeEffect(ctx, 'quota.live', { ...subject, also }))
}

async function end(ctx: Ctx<Input<'quota.end'>>) {
  const { id, lock_version } = ctx.input
  const row = await heldPlan(ctx as Ctx, id, lock_version)
  assertAllowed(denialOf('quota.end', ctx.actor, row))
  await savePlan(ctx as Ctx, row, { state: 'ended', ended_at: ctx.now }, { before: {}, after: {} })
  return written(ctx as Ctx, id, describeEffect(ctx, 'quota.end', subject))
}

async function admitArrivals(ctx: Ctx<Input<'quota.admit'>>): Promise<{ data: Admission[] }> {
  const { surveyId, arrivals: list, ...single } = ctx.input
  const survey = await intakeSurvey(ctx as Ctx, surveyId)
  const desk = admissionDesk(ctx.services)
  const plan = await desk.planOf(survey.id)
  if (!plan) throw withoutPlan(survey.id)
  const faults: Record<string, string> = {}
  const now = ctx.services.now()
  const all = list ?? [single]
  const partners = all.some(({ partner_id }) => partner_id)
    ? await sentPartners(ctx.db, survey, ctx.caller.apiKey?.scope ?? null)
    : null
  const arrivals = all.map((sent, at): Arrival => {
    const where = list ? `arrivals.${at}.` : ''
    const partner_id = sent.partner_id ? (partners!.current.get(sent.partner_id) ?? null) : null
    if (sent.partner_id && partner_id === null) faults[`${where}partner_id`] = `partner_id ${partners!.wrong}`
    if (sent.pid === undefined) faults[`${where}pid`] = 'pid is required'
    const profile = readProfile(sent.profile ?? {}, partner_id, { ...plan.against, now })
    if ('errors' in profile && Array.isArray(profile.errors))
      for (const { field, message } of profile.errors) faults[`${where}profile.${field}`] = stripBidi(message)
    return {
      ...{ survey_id: survey.id, pid: sent.pid ?? '', partner_id: partner_id ?? 0, rid: sent.rid ?? null },
      profile: profile as Arrival['profile'],
    }
  })
  const [first] = Object.values(faults)
  if (first) throw new HttpError(422, 'invalid', first, { fields: faults, field_codes: codeAll(faults, 'invalid') })
  const admissions = ctx.dry
    ? await Promise.all(arrivals.map((arrival) => foreseeAdmission(ctx.services, plan, arrival)))
    : await desk.admit(arrivals)
  return { data: admissions }
}

async function decisions(ctx: Ctx<Input<'quota.decisions'>>) {
  const { id, rid, cell, from, page, per_page, updated_since } = ctx.input
  const row = await seenPlan(ctx, id)
  const plan = await planOf(ctx.db, row)
  if (cell !== undefined && !plan.cells.has(cell)) throw notFound(`Cell ${cell} of this plan`)
  let query = ctx.db.selectFrom('quota_decisions').where('plan_id', '=', id)
  if (rid) query = query.where('rid', '=', rid)
  if (cell !== undefined) query = query.where('cell_id', '=', cell)
  if (from) query = query.where('at', '>=', from)
  if (updated_since) query = query.where('at', '>=', updated_since)
  const columns = ['id', 'rid', 'partner_id', 'version', 'outcome', 'reason', 'cell_id', 'free', 'profile', 'at'] as const
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await pageOf(ctx, query.select(columns), [{ by: sql.ref('quota_decisions.id'), way: 'desc', full: true }], {
    page,
    per_page,
  })
  const named = (cell_id: number) => ({ id: cell_id, name: plan.cells.get(cell_id)?.name ?? '' })
  return {
    data: rows.map(({ cell_id, free, profile, partner_id, ...decision }) => ({
      ...decision,
      reason: decision.reason as Admission['reason'],
      partner_id: partner_id || null,
      cell: cell_id === null ? null : named(cell_id),
      free: Object.entries(JSON.parse(free) as Record<string, number>).map(([of, places]) => ({
        cell_id: Number(of),
        free: places,
      })),
      profile: JSON.parse(profile) as Record<string, string>,
    })),
    count: Number(count),
    page,
  }
}

export const quotaHandlers: HandlersOf<typeof quotaCalls> = {
  'quota.ofProject': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const row = await planOfProject(ctx, ctx.input.id, ctx.input.survey_id)
    return { data: row && (await quotaRecord(ctx, row)) }
  },
  'quota.plans': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = await planLines(ctx, ctx.input.id)
    return { data, count: data.length, page: 1 }
  },
  'quota.arrivals': async (ctx) => ({ data: await arrivalsOf(ctx, await seenPlan(ctx, ctx.input.id)) }),
  'quota.get': async (ctx) => ({ data: await quotaRecord(ctx, await seenPlan(ctx, ctx.input.id)) }),
  'quota.create': create,
  'quota.edit': edit,
  'quota.cells': cells,
  'quota.live': goLive,
  'quota.end': end,
  'quota.admit': ownTransaction({ noKey: 'a person has one hold, by their pid' }, admitArrivals),
  'quota.decisions': decisions,
}
