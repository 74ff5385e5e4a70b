import type { z } from 'zod'
import { readId } from '../../contract/exactNumber.ts'
import { endsAfterParent } from '../../contract/lateEnd.ts'
import { usDate } from '../../contract/olderFields.ts'
import { defaultEnd } from '../../contract/pacing.ts'
import { RequestInput, type requestCalls } from '../../contract/request.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { refuseInvalid } from '../core/input.ts'
import { seenProject } from '../domain/project/detail.ts'
import { checkDates, endWarnings } from '../domain/project/projectDates.ts'
import { checkRequest, makeRequest, type RequestForm } from '../domain/project/request.ts'
import { updated } from './project.ts'
import { mailNewRequest } from './quote/requestMail.ts'

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
      social_type,
      social_text,
      social_link,
      url,
    },
    audience: {
      age: form.age,
      gender: form.gender,
      hhi: form.hhi,
      ethnicity: form.ethnicity,
      marital_status: form.marital_status,
      children: form.children,
      targeted_locations: form.targeted_locations,
    },
    partner_id: partner_id ?? null,
    reward_amount_cents: form.reward_amount_cents,
  }
}

export const requestHandlers: HandlersOf<typeof requestCalls> = {
  'request.create': async (ctx) => {
    const form = asRequest(ctx.input)
    const names = { start: 'start_dt', markets: 'targeted_locations' }
    await checkRequest(ctx, { ...form, markets: form.audience.targeted_locations }, names)
    const { id } = await makeRequest(ctx, form)
    await mailNewRequest(ctx, id)
    return {
      ...(await updated(ctx, id, 'Request created')),
      ...(await endWarnings(ctx, null, { id, end_dt: form.end_dt, parent_id: form.parent_id ?? null })),
    }
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
