import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { readId } from '../../contract/exactNumber.ts'
import { endsAfterParent } from '../../contract/lateEnd.ts'
import { usDate } from '../../contract/olderFields.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import { storedFields } from '../../contract/projectFields.ts'
import { RequestInput, type requestCalls } from '../../contract/request.ts'
import { requestFields } from '../../contract/requestFields.ts'
import { appliedFields } from '../core/appliedFields.ts'
import { change } from '../core/change.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { refuseInvalid } from '../core/input.ts'
import { seenProject } from '../domain/project/detail.ts'
import { datesOf, orderOf } from '../domain/project/edit.ts'
import { keepSurvey } from '../domain/project/keepSurvey.ts'
import { checkDates, endWarnings } from '../domain/project/projectDates.ts'
import { projectFacts } from '../domain/project/projectRows.ts'
import { checkRequest, makeRequest, type RequestForm } from '../domain/project/request.ts'
import { assertNow, heldProject } from '../domain/project/status.ts'
import { updated } from './project.ts'
import { mailCorrection, mailNewRequest } from './quote/requestMail.ts'

/** The newer form as a request. */
function asRequest(form: z.output<typeof RequestInput>): RequestForm {
  const { activity_type, action_type, about, social_type, social_text, social_link, url, partner_id, ...rest } = form
  // Always nothing for survey and social (projects-area 9).
  const forced = activity_type === 'survey' || activity_type === 'social'
  return {
    ...rest,
    generation: 'project',
    end_dt: form.end_dt || defaultEnd(form.start_dt),
    note: form.requirements,
    activity: {
      activity_type,
      action_type: forced ? 'nothing' : action_type!,
      about: about || form.description,
      ...{ social_type: social_type ?? '', social_text: social_text ?? '', social_link: social_link ?? '' },
      url,
    },
    audience: form,
    partner_id: partner_id ?? null,
    reward_amount_cents: form.reward_amount_cents,
  }
}

const REQUEST = ['request', 'requests'] as const

export const requestHandlers: HandlersOf<typeof requestCalls> = {
  'request.create': async (ctx) => {
    const sent = appliedFields(ctx, requestFields, ctx.input)
    const form = asRequest(sent)
    const names = { start: 'start_dt', markets: 'targeted_locations' }
    await checkRequest(ctx, { ...form, markets: ctx.input.targeted_locations }, names)
    const { id } = await makeRequest(ctx, form)
    await mailNewRequest(ctx, id)
    return {
      ...(await updated(ctx, id, describeEffect(ctx, 'request.create', { words: REQUEST }))),
      ...(await endWarnings(ctx, null, { id, end_dt: form.end_dt, parent_id: form.parent_id ?? null })),
    }
  },

  'request.correct': async (ctx) => {
    const { id, goal, start_dt, end_dt, lock_version, ...fields } = ctx.input
    const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
    await assertNow(ctx, record, denialOf('request.correct', ctx.actor, await projectFacts(ctx, record)))
    const dates = datesOf(record, { start: 'start_dt', end: 'end_dt' }, { start: start_dt, end: end_dt })
    await checkDates(ctx, record, { ...dates, parent_id: record.parent_id })
    const patch = columnsIn('projects', storedFields, { ...fields, ...dates, goal: await orderOf(ctx, record, { goal }) })
    const saved = await change(ctx, 'projects', {
      subject: 'project',
      id,
      patch,
      lock: lock_version,
      change: { noun: 'project', project_id: id },
    })
    await keepSurvey(ctx, record, fields.survey_url)
    if (saved.lock_version !== record.lock_version) await mailCorrection(ctx, saved)
    return {
      ...(await updated(ctx, id, describeEffect(ctx, 'request.correct', { words: REQUEST }))),
      ...(await endWarnings(ctx, record, saved)),
    }
  },

  'request.setPo': async (ctx) => {
    const { id, po_number, lock_version } = ctx.input
    const record = await seenProject(ctx, id)
    await assertNow(ctx, record, denialOf('request.setPo', ctx.actor, await projectFacts(ctx, record)))
    await change(ctx, 'projects', {
      subject: 'project',
      id,
      patch: { po_number },
      lock: lock_version,
      change: { noun: 'project', project_id: id },
    })
    return updated(
      ctx,
      id,
      po_number
        ? describeEffect(ctx, 'request.setPo', { words: [`PO number ${po_number}`, 'PO numbers'] })
        : describeEffect(ctx, 'request.clearPo', { words: ['the PO number', 'PO numbers'] }),
    )
  },

  'request.check': async (ctx) => {
    const fields: Record<string, string> = {}
    const warnings: string[] = []
    const parsed = RequestInput.safeParse(ctx.input.draft)
    if (!parsed.success) Object.assign(fields, refuseInvalid(parsed.error).more.fields)
    const draft = ctx.input.draft as Record<string, unknown>
    const parent = readId(draft.parent_id)
    if (parent !== null) {
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
