import type { z } from 'zod'
import type { campaignCalls } from '../../../contract/campaign.ts'
import { type CampaignForm, CampaignInput, CampaignWithFiles } from '../../../contract/campaignRequest.ts'
import { fromOlder } from '../../../contract/olderFields.ts'
import { defaultEnd } from '../../../contract/pacing.ts'
import { targetFields } from '../../../contract/targetFields.ts'
import { UPLOADS } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { invalid } from '../../core/errors.ts'
import { ownTransaction } from '../../core/handler.ts'
import { CommitUnknown } from '../../db/dbErrors.ts'
import { endWarnings } from '../../domain/project/projectDates.ts'
import { checkRequest, makeRequest, type RequestForm } from '../../domain/project/request.ts'
import { extensionOf } from '../../files/checkContent.ts'
import { discard, type Received, receive, type Stored } from '../../files/receiveUpload.ts'
import { addFiles } from '../file/upload.ts'
import { mailNewRequest } from '../quote/requestMail.ts'
import { campaignDetail } from './detail.ts'

type Answer = z.input<(typeof campaignCalls)['campaign.create']['output']>

/** The client of a request: the one it names, or its caller's only one. */
async function clientOf(ctx: Ctx<unknown>, { client_id }: CampaignForm): Promise<number> {
  if (client_id) return client_id
  const own = await ctx.db
    .selectFrom('user_clients')
    .innerJoin('clients', 'clients.id', 'client_id')
    .select('client_id')
    .where('user_id', '=', ctx.actor.id)
    .where('clients.deleted_at', 'is', null)
    .limit(2)
    .execute()
  if (own.length !== 1) throw invalid('client_id', 'client_id is required')
  return own[0]!.client_id
}

/** Converts the older form to a request: survey and social activities have no action (projects-area 9). */
const asRequest = (form: CampaignForm, client_id: number): RequestForm => ({
  generation: 'campaign',
  client_id,
  parent_id: form.parent_id,
  name: form.campaign_name,
  goal: form.num_completed_actions,
  start_dt: form.start_date,
  end_dt: form.end_date || defaultEnd(form.start_date, 'older'),
  description: form.description,
  requirements: form.requirements,
  note: form.requirements || form.description,
  loi_minutes: form.loi_minutes,
  incidence: form.incidence,
  activity: {
    activity_type: form.campaign_type === 'Survey' ? 'survey' : 'social',
    action_type: 'nothing',
    about: form.description,
    social_type: '',
    social_text: '',
    social_link: '',
    url: form.survey_url,
  },
  audience: fromOlder(targetFields, form),
  partner_id: null,
  reward_amount_cents: undefined,
  file_ids: form.file_ids,
})

/** Checks what the form's schema can't, before the first file is stored. */
async function ready(ctx: Ctx<unknown>, form: CampaignForm): Promise<void> {
  if (form.user_id && form.user_id !== ctx.actor.id)
    throw invalid('user_id', 'user_id must be your own: a request is made in your name')
  const request = asRequest(form, await clientOf(ctx, form))
  const names = { start: 'start_date', markets: 'targeted_location' }
  await checkRequest(ctx as Ctx, { ...request, markets: form.targeted_location }, names)
}

/** Pictures, audio and video are assets; anything else is a document (projects-area 5). */
const filed = (file: Stored) =>
  (UPLOADS.media as readonly string[]).includes(extensionOf(file.original_name))
    ? { ...file, kind: 'asset' as const, asset_type: 'Creative Assets' }
    : { ...file, kind: 'document' as const, asset_type: 'Survey Document' }

/** A request without files may come as JSON. */
async function formOf(
  ctx: Ctx<CampaignForm>,
): Promise<Omit<Received<CampaignForm>, 'allowance'> & { allowance: Received<CampaignForm>['allowance'] | null }> {
  if (ctx.request.isMultipart())
    return receive(ctx, {
      schema: (files) => (files ? CampaignWithFiles : CampaignInput),
      ready: (form) => ready(ctx, form),
      file: 'files',
      optional: true,
      wraps: 'campaign',
    })
  await ready(ctx, ctx.input)
  return { fields: ctx.input, stored: [], sums: [], ignored: [], allowance: null }
}

/** Creates a request in the older spelling, with its files, in one transaction. */
export const createCampaign = ownTransaction('writeIdempotent', async (ctx: Ctx<CampaignForm>): Promise<Answer> => {
  const { fields, stored, sums, ignored, allowance } = await formOf(ctx)
  const input = [fields, stored.map((file, at) => [file.original_name, sums[at]])]
  try {
    const { answer, replayed } = await ctx.writeIdempotent(input, async (writeCtx) => {
      const writing = writeCtx as unknown as Ctx
      await allowance?.settle(writing, stored)
      await ready(writing, fields)
      const form = asRequest(fields, await clientOf(writing, fields))
      const { id, activity_id } = await makeRequest(writing, form)
      const place = { project_id: id, activity_id, description: '' }
      await addFiles(
        writing,
        stored.map((file) => ({ ...filed(file), ...place })),
      )
      await mailNewRequest(writing, id)
      const warnings = await endWarnings(writing, null, { id, end_dt: form.end_dt, parent_id: form.parent_id ?? null })
      return {
        data: await campaignDetail(writing, id),
        message: describeEffect(writing, 'request.create', { words: ['request', 'requests'] }),
        ...warnings,
      }
    })
    // The first attempt stored these already.
    if (replayed) await discard(ctx, stored)
    return { ...answer, ...(ignored.length ? { ignored } : {}) }
  } catch (error) {
    // If the outcome of the commit is unknown, contents without rows do less harm than rows without contents.
    if (!(error instanceof CommitUnknown)) await discard(ctx, stored)
    throw error
  } finally {
    allowance?.end()
  }
})
