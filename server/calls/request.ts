import type { z } from 'zod'
import { count as shown } from '../../contract/format.ts'
import { endsAfterParent } from '../../contract/lateEnd.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import { RequestInput, type requestCalls } from '../../contract/request.ts'
import { seesAll } from '../../contract/who.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError, invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { refuseInvalid } from '../core/input.ts'
import { ago, DAY_MS, limitOf, tooOften } from '../core/quotas.ts'
import { clientScope } from '../core/scope.ts'
import { inTurn } from '../db/locked.ts'
import { mustBeMarkets } from '../domain/project/audience.ts'
import { checkDates, endWarnings } from '../domain/project/dates.ts'
import { seenProject } from '../domain/project/detail.ts'
import { usDate } from '../domain/project/projectRows.ts'
import { saidOf } from './project.ts'

type Form = z.output<typeof RequestInput>

async function mustSeeClient(ctx: Ctx, id: number): Promise<void> {
  const client = await ctx.db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where(clientScope(ctx.actor))
    .executeTakeFirst()
  if (!client) throw invalid('client_id', `client_id is not a client of yours: ${id}`)
}

/** Links the caller's own uploads, unless they belong to a project already. */
async function linkFiles(ctx: Ctx, ids: readonly number[], project_id: number, activity_id: number): Promise<void> {
  if (!ids.length) return
  const files = await ctx.tx
    .selectFrom('files')
    .select('id')
    .where('id', 'in', [...ids])
    .where('project_id', 'is', null)
    .where('uploaded_by', '=', ctx.actor.id)
    .execute()
  const missing = ids.filter((id) => !files.some((file) => file.id === id))
  if (missing.length) throw invalid('file_ids', `file_ids has a file that is not yours to attach: ${missing.join(', ')}`)
  await ctx.tx
    .updateTable('files')
    .set({ project_id, activity_id, updated_at: ctx.now })
    .where('id', 'in', [...ids])
    .execute()
}

async function createAll(ctx: Ctx, form: Form): Promise<number> {
  const kept = { created_at: ctx.now, updated_at: ctx.now }
  const end = form.end_dt || defaultEnd(form.start_dt)
  const project = await ctx.tx
    .insertInto('projects')
    .values({
      ...kept,
      generation: 'project',
      parent_id: form.parent_id ?? null,
      client_id: form.client_id,
      name: form.name,
      description: form.description,
      requirements: form.requirements,
      status: 'requirements',
      campaign_type: form.activity_type === 'survey' ? 'Survey' : 'Content',
      ordered: form.goal,
      cost_cents: null,
      quote_valid_until: null,
      start_dt: form.start_dt,
      end_dt: end,
      survey_url: form.activity_type === 'survey' ? form.url : '',
      provider_id: form.partner_id ?? null,
      requested_by: ctx.actor.id,
      went_live_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const forced = form.activity_type === 'survey' || form.activity_type === 'social'
  const activity = await ctx.tx
    .insertInto('activities')
    .values({
      ...kept,
      project_id: project.id,
      name: form.name,
      about: form.about || form.description,
      activity_type: form.activity_type,
      // Always nothing for survey and social (projects-area 9).
      action_type: forced ? 'nothing' : form.action_type!,
      social_type: form.social_type,
      social_text: form.social_text,
      social_link: form.social_link,
      url: form.url,
      start_dt: form.start_dt,
      end_dt: end,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.tx
    .insertInto('targets')
    .values({
      activity_id: activity.id,
      version: 1,
      location_based: form.location_based,
      targeted_locations: form.targeted_locations.join(','),
      age: form.age.join(','),
      gender: form.gender.join(','),
      hhi: form.hhi.join(','),
      ethnicity: form.ethnicity.join(','),
      marital_status: form.marital_status.join(','),
      children: form.children.join(','),
      updated_at: ctx.now,
    })
    .execute()
  if (form.activity_type === 'survey') {
    await ctx.tx
      .insertInto('surveys')
      .values({
        ...kept,
        project_id: project.id,
        activity_id: activity.id,
        name: form.name,
        survey_link: form.url,
        survey_vendor: '',
        questions_count: 0,
        deleted_at: null,
      })
      .execute()
  }
  await linkFiles(ctx, form.file_ids, project.id, activity.id)
  if (form.requirements)
    await ctx.tx
      .insertInto('notes')
      .values({ ...kept, project_id: project.id, note: form.requirements, author_id: ctx.actor.id })
      .execute()
  if (form.partner_id === 600) {
    await ctx.tx
      .insertInto('rewards')
      .values({
        ...kept,
        project_id: project.id,
        name: `${form.name} reward`.slice(0, 200),
        amount_cents: form.reward_amount_cents ?? 500,
        provider_id: 600,
        provider_code: '',
        description: '',
        reward_type: 'gift_card',
        deleted_at: null,
      })
      .execute()
  }
  return project.id
}

/** Throws 429 after a client user's daily requests. */
async function refuseTooOften(ctx: Ctx): Promise<void> {
  if (seesAll(ctx.actor)) return
  await inTurn(ctx.services.database, ctx.tx, 'requests', ctx.actor.id)
  const most = limitOf(ctx, 'requests_day')
  const { count, first } = await ctx.tx
    .selectFrom('projects')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('first')])
    .where('requested_by', '=', ctx.actor.id)
    .where('created_at', '>', ago(ctx, DAY_MS))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw tooOften(`You can make ${shown(most)} requests a day.`, Date.parse(first ?? ctx.now) + DAY_MS - Date.parse(ctx.now))
}

export const requestHandlers: HandlersOf<typeof requestCalls> = {
  'request.create': async (ctx) => {
    const form = ctx.input
    await refuseTooOften(ctx)
    await mustSeeClient(ctx, form.client_id)
    await mustBeMarkets(ctx, form.targeted_locations)
    if (form.parent_id) await seenProject(ctx, form.parent_id)
    await checkDates(ctx, null, { start_dt: form.start_dt, end_dt: form.end_dt || null, parent_id: form.parent_id ?? null })
    const id = await createAll(ctx, form)
    await ctx.record({
      subject: 'project',
      subject_id: id,
      after: { name: form.name, ordered: form.goal, client_id: form.client_id, start_dt: form.start_dt },
    })
    ctx.emit({ noun: 'project', id, project_id: id })
    return { ...(await saidOf(ctx, id, 'Request created')), ...(await endWarnings(ctx, null, id)) }
  },

  'request.check': async (ctx) => {
    const fields: Record<string, string> = {}
    const warnings: string[] = []
    const parsed = RequestInput.safeParse(ctx.input.draft)
    if (!parsed.success) Object.assign(fields, refuseInvalid(parsed.error).more.fields)
    const draft = ctx.input.draft as Record<string, unknown>
    const parent = Number(draft.parent_id)
    if (parent > 0) {
      const record = await seenProject(ctx, parent)
      const start = String(draft.start_dt ?? '')
      const end = String(draft.end_dt ?? '')
      await checkDates(ctx, null, { start_dt: start || null, parent_id: parent }).catch((error) => {
        if (!(error instanceof HttpError)) throw error
        Object.assign(fields, error.more.fields)
      })
      if (end && record.end_dt && end > record.end_dt) warnings.push(endsAfterParent(usDate(record.end_dt)))
    }
    return { fields, warnings }
  },
}
