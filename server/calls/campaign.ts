import type { z } from 'zod'
import { isAdmin } from '../../contract/actor.ts'
import type { campaignCalls } from '../../contract/campaign.ts'
import type { Fields } from '../../contract/fieldKinds.ts'
import { olderNames } from '../../contract/olderFields.ts'
import { storedFields } from '../../contract/projectFields.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { writeAudience } from '../domain/project/audience.ts'
import { seenProject } from '../domain/project/detail.ts'
import { fromOlder } from '../domain/project/edit.ts'
import { listProjects, withChildren } from '../domain/project/list.ts'
import { projectRows } from '../domain/project/projectRows.ts'
import { currentQuote } from '../domain/project/quotes.ts'
import { heldProject } from '../domain/project/status.ts'
import { blockedFor, isApproved, notOfClient, refuseReplaced } from '../domain/quote/decisions.ts'
import { clientQuotes } from '../domain/quote/projectQuote.ts'
import { listRequests } from '../domain/quote/requestList.ts'
import { requestRows } from '../domain/quote/requestRows.ts'
import { currentTerms } from '../domain/quote/requestTerms.ts'
import { makeWhole } from './activity.ts'
import { createCampaign } from './campaign/create.ts'
import { audiences, campaignDetail, withCampaignChildren } from './campaign/detail.ts'
import { writeFiles } from './project/files.ts'
import { saveProject } from './project/save.ts'
import { moveAndMail } from './quote/quoteMail.ts'

type Edit = z.output<(typeof campaignCalls)['campaign.edit']['input']>

async function edit(ctx: Ctx, input: Edit) {
  const { id, campaign_contents_attributes, project_docsigns_attributes, survey_activity } = input
  const warnings = await saveProject(ctx, {
    sent: input,
    fields: (record) => fromOlder(record, input),
    dates: { start: 'start_date', end: 'end_date' },
    total: input.num_completed_actions,
    beside: async (_, saved) => {
      const audience = await writeAudience(ctx, saved, input)
      const contents = await writeFiles(ctx, id, 'campaign_contents_attributes', campaign_contents_attributes)
      const signed = await writeFiles(ctx, id, 'project_docsigns_attributes', project_docsigns_attributes)
      return audience || contents || signed
    },
    after: async () => {
      if (!survey_activity) return
      if (survey_activity.project_id !== id) throw invalid('survey_activity', 'survey_activity is of another project')
      if (survey_activity.activity_type !== 'survey') throw invalid('survey_activity', 'survey_activity must be a survey')
      await makeWhole(ctx, survey_activity)
    },
  })
  return { data: await campaignDetail(ctx, id), message: describeEffect(ctx, 'campaign.edit', { noun: 'campaign' }), ...warnings }
}

/** TABLE  what the older API names columns that a project's lists sort by. */
const OLDER_COLUMNS: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(storedFields as Fields).flatMap(([name, field]) => olderNames(name, field).map((older) => [older, name])),
  ),
  company_name: 'client',
  status_shown: 'status',
  num_completed_actions: 'ordered',
  requested: 'created_at',
}
/** The project's name for a column of the older API. */
const olderColumn = (column: string) => (Object.hasOwn(OLDER_COLUMNS, column) ? OLDER_COLUMNS[column]! : column)
const list = async (
  ctx: Ctx,
  input: z.output<(typeof campaignCalls)['campaign.list']['input']>,
  more: Parameters<typeof listProjects>[2],
) => {
  const { sort, ...rest } = input
  const { data, count, rules, other_generation } = await listProjects(
    ctx,
    { ...rest, column: olderColumn(rest.column), status: sort, pacing: '' },
    more,
  )
  const near = await audiences(ctx, data, !rest.brief)
  const campaigns = data.map((row) => withCampaignChildren(row, near))
  return {
    data: { count, campaigns, ...(rules ? { rules } : {}), ...(other_generation === undefined ? {} : { other_generation }) },
  }
}

export const campaignHandlers: HandlersOf<typeof campaignCalls> = {
  'campaign.list': (ctx) => list(ctx, ctx.input, { generation: 'campaign' }),
  'campaign.create': createCampaign,
  'campaign.get': async (ctx) => ({ data: await campaignDetail(ctx, ctx.input.id) }),
  'campaign.edit': (ctx) => edit(ctx, ctx.input),
  'campaign.editProject': (ctx) => edit(ctx, ctx.input),
  'campaign.adminInfo': async (ctx) => ({ data: await campaignDetail(ctx, ctx.input.id) }),
  'campaign.requestInfo': async (ctx) => {
    const { id } = ctx.input
    const record = await seenProject(ctx, id)
    const [detail, about, quotes, proffers] = await Promise.all([
      campaignDetail(ctx, id),
      requestRows(ctx, [record]),
      clientQuotes(ctx, record),
      currentTerms(ctx, record),
    ])
    // Administrators get the client's view here too.
    const { channel: _, ...request } = about.get(id)!
    const quote = quotes.find(({ round }) => round === record.quote_round) ?? null
    return { data: { ...detail, ...request, requirements: record.requirements, asked: proffers, quote, quotes } }
  },
  'campaign.requestList': async (ctx) => {
    const { records, totals } = await listRequests(ctx, ctx.input, olderColumn)
    const [rows, about] = await Promise.all([withChildren(ctx, records), requestRows(ctx, records)])
    const near = await audiences(ctx, rows)
    const campaigns = rows.map((row) => ({ ...withCampaignChildren(row, near), ...about.get(row.id)! }))
    return { data: { count: totals.requests, totals, campaigns } }
  },

  'campaign.authorization': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.id)
    const [rows, blocked, quote] = await Promise.all([
      projectRows(ctx, [record]),
      blockedFor(ctx, record),
      currentQuote(ctx, record),
    ])
    const { cost_cents, quote_valid_until } = rows[0]!
    const hidden = !isAdmin(ctx.actor) && quote?.state === 'prepared'
    return {
      data: {
        campaign_id: record.id,
        approved: isApproved(record),
        // Yes for a caller who may approve now (decisions.md 13, Price).
        authorized: blocked === null ? 'Yes' : 'No',
        reason: blocked ?? '',
        quote_id: hidden ? null : (quote?.id ?? null),
        lock_version: hidden ? null : (quote?.lock_version ?? null),
        cost: cost_cents === null ? null : cost_cents / 100,
        cost_cents,
        valid_until: quote_valid_until,
      },
    }
  },

  'campaign.authorize': async (ctx) => {
    const { campaign_id, authorized, approved, reason, quote_id, lock_version } = ctx.input
    if (!/^(yes|no)$/i.test(authorized)) throw invalid('authorized', 'authorized must be Yes or No')
    if (approved === false) throw invalid('approved', 'approved must be true here: a quote is rejected by its own call')
    const record = await heldProject(ctx, (await seenProject(ctx, campaign_id)).id)
    if (/^no$/i.test(authorized)) throw new HttpError(409, 'not_authorized', 'The approval is blocked: authorized is No.')
    const other = await notOfClient(ctx, record)
    if (other) throw new HttpError(409, 'not_authorized', `${other}.`)
    await refuseReplaced(ctx, record, { quote_id, lock_version })
    await moveAndMail(ctx, record, { to: 'approved', reason })
    return { message: describeEffect(ctx, 'project.approve', { name: record.name }) }
  },
}
