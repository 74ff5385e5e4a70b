import { z } from 'zod'
import { WholeInput } from './activityInput.ts'
import { OlderAudience } from './audience.ts'
import { call, DayOrNull, Effected, EffectSentence, Flag, Id, Lock, Order, Rules, Search } from './call.ts'
import { CampaignInput } from './campaignRequest.ts'
import { CapitalYesNo, PacingColor, PacingState, StoredStatus, YesNo } from './enums.ts'
import { editShape } from './fieldInput.ts'
import { olderShape } from './fieldRecord.ts'
import { paged } from './listInput.ts'
import { olderFields } from './olderFields.ts'
import { readFields, rowFields, storedFields } from './projectFields.ts'
import { FileItems, OrderedBack, OwnerFilter, Reason, StatusInput, Warnings } from './projectInput.ts'
import { Named, OtherGeneration, OwnPart } from './projectRecord.ts'
import { AskedShape, Channel, ClientQuote, RequestListInput, requestShape } from './quoteRecord.ts'

const shape = {
  id: z.number(),
  /** The project's fields; `num_completed_actions` is its family's order, and `goal` its own (decisions.md 13). */
  ...olderShape(rowFields),
  status: StoredStatus,
  stored_status: StoredStatus,
  status_shown: z.string(),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  /** The campaign's own cost, and its family's. */
  cost: z.number().nullable(),
  family_cost: z.number().nullable(),
  cost_cents: z.number().nullable(),
  family_cost_cents: z.number().nullable(),
  requested: z.string(),
  completed: z.number(),
  survey_id: z.number().nullable(),
  survey_created: z.boolean(),
  media_created: z.boolean(),
  user_id: z.number().nullable(),
  user: z.object({ first_name: z.string(), last_name: z.string() }),
  owner: Named.nullable(),
  follows: z.boolean(),
  company_name: z.string(),
  num_completed_actions: z.number(),
  decipher: z.object({ completes_value: z.number() }),
  targeted_location: z.union([z.string(), z.array(z.object({ id: z.number(), name: z.string() }))]),
  age_range: z.string(),
  gender: z.string(),
  hhi_range: z.string(),
  ethnicity_range: z.string(),
  marital_status_range: z.string(),
  presence_of_children_range: z.string(),
  location_based_ind: YesNo,
  pacing: z.number(),
  pacing_color: PacingColor,
  pacing_state: PacingState,
  own: OwnPart.nullable(),
  trend: z.array(z.number()),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
}
const Row = z.object({
  ...shape,
  children: z.array(z.object(shape)),
  children_count: z.number(),
  /** Of a brief row: its place in the list's `rules`. */
  rule: z.number().optional(),
})
const Detail = Row.extend({
  ...olderShape(readFields),
  campaign_contents_attributes: z.array(z.object({ id: z.number(), url: z.string(), _destroy: z.boolean() })),
  project_docsigns_attributes: z.array(z.object({ id: z.number(), file_name: z.string(), url: z.string(), created: z.string() })),
  campaign_locationdocs_attributes: z.array(
    z.object({ id: z.number(), file_name: z.string(), url: z.string(), created: z.string() }),
  ),
})
const ListInput = z.object({
  sort: z.string().max(40).default('all'),
  search: Search,
  ...paged(500),
  column: z.string().max(40).default(''),
  order: Order,
  client: Id.optional(),
  mine: Flag.optional(),
  owner_id: OwnerFilter.optional(),
  brief: Flag.optional(),
})
const ListOutput = z.object({
  data: z.object({ count: z.number(), campaigns: z.array(Row), rules: Rules.optional(), other_generation: OtherGeneration }),
})

/** An edit in the older spelling of a campaign (projects-area 3), which is the record of a v3 project. */
const Edit = z.object({
  id: Id,
  ...editShape(olderFields(storedFields)),
  start_date: DayOrNull.optional(),
  end_date: DayOrNull.optional(),
  /** For a parent this is its family's sum: it can be sent back unchanged, and any other value is refused. */
  num_completed_actions: OrderedBack.optional(),
  /** The record's own order. */
  goal: OrderedBack.optional(),
  ...OlderAudience.shape,
  /** A survey activity to create with the edit; the older form adds one this way. */
  survey_activity: WholeInput.optional(),
  /** Contents and signed documents: uploads to add by id or link, and existing ones to remove with `_destroy`. */
  campaign_contents_attributes: FileItems.optional(),
  project_docsigns_attributes: FileItems.optional(),
  status: StatusInput.optional(),
  reason: Reason,
  force: Flag.default(false),
  lock_version: Lock,
})
const Saved = z.object({ data: Detail, message: EffectSentence, warnings: Warnings })

/** The older spelling of a project (decisions.md 1): the same table in another shape. */
export const campaignCalls = {
  'campaign.list': call({
    method: 'GET',
    path: '/v1/campaigns',
    about: 'Lists the older survey projects by status, parents with children; with and without .json.',
    input: ListInput,
    output: ListOutput,
  }),
  'campaign.create': call({
    method: 'POST',
    path: '/v1/campaigns',
    as: 'multipart',
    files: { name: 'files', several: true, optional: true },
    about:
      'Creates a request in the older spelling, in one transaction: the campaign, its activity, target, survey, files and note; fields as campaign[…] or JSON, files as files[].',
    wraps: 'campaign',
    undo: true,
    sends: 'email',
    input: CampaignInput,
    output: Saved,
    refreshes: ['project', 'palette', 'file', 'history'],
  }),
  'campaign.get': call({
    method: 'GET',
    path: '/v1/campaigns/{id}',
    about: 'Returns one older survey project.',
    input: z.object({ id: Id }),
    output: z.object({ data: Detail }),
  }),
  'campaign.edit': call({
    method: 'PUT',
    path: '/v1/campaigns/{id}',
    about: 'Changes a campaign: survey_url, contents, signed documents, audience and the rest.',
    wraps: 'campaign',
    reads: 'campaign.get',
    undo: true,
    sends: 'email',
    sendsIf: ['status'],
    input: Edit,
    output: Saved.extend({ message: EffectSentence }),
    refreshes: ['project', 'palette', 'history', 'activity', 'survey', 'target', 'file'],
  }),
  'campaign.editProject': call({
    method: 'PUT',
    path: '/v1/dashboard/edit-project/{id}',
    about: 'Changes a campaign, in the spelling of the edit form.',
    wraps: 'project',
    reads: 'campaign.get',
    undo: true,
    sends: 'email',
    sendsIf: ['status'],
    input: Edit,
    output: Saved.extend({ message: EffectSentence }),
    refreshes: ['project', 'palette', 'history', 'activity', 'survey', 'target', 'file'],
  }),
  'campaign.adminInfo': call({
    method: 'GET',
    path: '/v1/campaigns_adm_info/{id}',
    about: "Returns a campaign as the administrators' Approval tab shows it.",
    input: z.object({ id: Id }),
    output: z.object({ data: Detail }),
  }),
  'campaign.requestInfo': call({
    method: 'GET',
    path: '/v1/campaigns_request_info/{id}',
    about: 'Returns a request of either generation as its client sees it, with the quotes they were sent.',
    input: z.object({ id: Id }),
    output: z.object({
      data: Detail.extend({
        ...requestShape,
        requirements: z.string(),
        /** What the request asks for now, as text. */
        asked: AskedShape,
        /** The quote that waits for the client, or was decided last; null before the first. */
        quote: ClientQuote.nullable(),
        /** Every quote that was sent to the client, newest first. */
        quotes: z.array(ClientQuote),
      }),
    }),
  }),
  'campaign.requestList': call({
    method: 'GET',
    path: '/v1/campaigns_request_list',
    about:
      'Lists the requests of both generations with their quotes, and whom each waits for. Administrators see answers, best mix and margin; client users see what they were sent.',
    input: RequestListInput,
    output: z.object({
      data: z.object({
        count: z.number(),
        /** Totals of all matches, not only of this page. */
        totals: z.object({ requests: z.number(), ordered: z.number(), cost_cents: z.number() }),
        campaigns: z.array(Row.extend({ ...requestShape, channel: Channel.optional() })),
      }),
    }),
  }),
  'campaign.authorization': call({
    method: 'GET',
    path: '/v1/campaigns_authorization/{id}',
    about: 'Returns whether the quote of a project is approved.',
    input: z.object({ id: Id }),
    output: z.object({
      data: z.object({
        campaign_id: z.number(),
        approved: z.boolean(),
        authorized: CapitalYesNo,
        /** Why the caller can't approve now; empty if they can. */
        reason: z.string(),
        /** The current revision, which an approval must name with its version. */
        quote_id: z.number().nullable(),
        lock_version: z.number().nullable(),
        cost: z.number().nullable(),
        cost_cents: z.number().nullable(),
        valid_until: z.string().nullable(),
      }),
    }),
  }),
  'campaign.authorize': call({
    method: 'POST',
    path: '/v1/campaigns_authorization',
    about: 'Approves a quote; refused when authorized is No.',
    wraps: 'campaign_authorization',
    reads: { call: 'campaign.authorization', by: { id: 'campaign_id' } },
    sends: 'email',
    input: z.object({
      campaign_id: Id,
      authorized: z.string().max(10),
      approved: Flag.optional(),
      /** The revision the caller saw and its version; 409 if it has changed. */
      quote_id: Id.optional(),
      lock_version: Lock,
      reason: Reason,
    }),
    output: Effected,
    refreshes: ['project', 'history'],
  }),
}
