import type { Output } from '../../../contract/calls.ts'
import type { CampaignForm } from '../../../contract/campaignRequest.ts'
import { toOlder } from '../../../contract/olderFields.ts'
import { addDays } from '../../../contract/pacing.ts'
import { rowFields } from '../../../contract/projectFields.ts'
import { byId, type Marketplace, type Project, projectRow, today } from './marketplace.ts'

type Detail = Output<'campaign.create'>['data']
type Asked = Output<'campaign.requestInfo'>['data']

/** The terms of an earlier request in the fake marketplace. */
const ASKED = {
  age_range: '3,4',
  gender: 'female',
  hhi_range: '2',
  ethnicity_range: '',
  marital_status_range: '',
  presence_of_children_range: '',
  location_based_ind: 'no',
  targeted_location: '501,803',
}

/** A project in the older spelling. */
export function campaignDetail(market: Marketplace, project: Project): Detail {
  const row = projectRow(market, project)
  const { id, ordered, delivered, lock_version, allowed_actions, refused_actions } = row
  const shown = {
    ...toOlder(rowFields, row),
    ...{ id, lock_version, allowed_actions, refused_actions },
    ...{ pacing: row.pacing, pacing_color: row.pacing_color, pacing_state: row.pacing_state, trend: row.trend },
    status: row.stored_status,
    status_shown: row.status_shown,
    cost: null,
    family_cost: null,
    requested: row.created_at,
    completed: delivered,
    survey_id: null,
    survey_created: false,
    media_created: false,
    user_id: market.me.id,
    user: { first_name: market.me.first_name, last_name: market.me.last_name },
    company_name: row.client_name,
    num_completed_actions: ordered,
    decipher: { completes_value: delivered },
    ...ASKED,
    own: null,
    children: [],
    children_count: 0,
    loi_minutes: null,
    incidence: null,
    campaign_contents_attributes: [],
    project_docsigns_attributes: [],
    campaign_locationdocs_attributes: [],
  }
  return shown
}

/** The request lists' additional fields: for a request without a price, or with its quote. */
function asRequest({ created_at, ordered, stored_status, cost_cents, quote_valid_until }: ReturnType<typeof projectRow>) {
  const quoted = stored_status === 'submit_approval'
  const expired = quote_valid_until !== null && quote_valid_until < today()
  return {
    generation: 'campaign' as const,
    step: quoted ? (expired ? ('expired' as const) : ('approval' as const)) : ('requirements' as const),
    cost_cents: quoted ? cost_cents : null,
    cost_per_complete_cents: null,
    cost_per_complete: null,
    valid_until: quoted ? quote_valid_until : null,
    quote_round: 1,
    quote_id: null,
    quote_lock_version: null,
    opened: false,
    ordered,
    since: created_at,
  }
}

/** A row of the list of requests. */
export const requestRow = (
  market: Marketplace,
  project: Project,
): Output<'campaign.requestList'>['data']['campaigns'][number] => ({
  ...campaignDetail(market, project),
  ...asRequest(projectRow(market, project)),
})

/** A request as its client sees it. */
export const requestInfo = (market: Marketplace, project: Project): Asked => ({
  ...requestRow(market, project),
  ...campaignDetail(market, project),
  requirements: '',
  asked: {
    completes: project.ordered,
    campaign_type: 'Survey',
    audience: [],
    markets: 'All DMAs',
    start: today(),
    end: addDays(today(), 7),
    loi_minutes: null,
    incidence: null,
  },
  quote: null,
  quotes: [],
})

/** Stores a request as a project in requirements. */
export function makeCampaign(market: Marketplace, form: CampaignForm): Project {
  const client = byId(market.clients, form.client_id ?? market.me.clients[0]?.id ?? 0)!
  const project: Project = {
    id: ++market.last,
    name: form.campaign_name,
    description: form.description,
    status: 'requirements',
    client_id: client.id,
    ordered: form.num_completed_actions,
    delivered: 0,
    cost_cents: null,
    quote_valid_until: null,
    partners: [],
    pending_rewards: 0,
    lock_version: 0,
  }
  market.projects.unshift(project)
  return project
}

/** A file as its upload returns it. */
export const uploaded = (
  market: Marketplace,
  { name, size }: { name: string; size: number },
): Output<'file.upload'>['data'][number] => ({
  id: ++market.last,
  project_id: null,
  activity_id: null,
  kind: 'document',
  asset_type: '',
  name,
  original_name: name,
  original_file: name,
  file_type: name.split('.').at(-1) ?? '',
  mime: 'text/plain',
  size,
  description: '',
  url: '',
  thumbnail: '',
  width: null,
  height: null,
  seconds: null,
  rotation: 0,
  thumb_state: 'none',
  thumb_fault: '',
  uploaded_by: market.me.id,
  uploaded_by_name: market.me.name,
  created_at: new Date().toISOString(),
  lock_version: 0,
  allowed_actions: [],
  refused_actions: {},
})

const AREAS = ['Abilene-Sweetwater', 'Boston', 'Chicago', 'Dallas-Ft. Worth', 'Los Angeles', 'New York'] as const
const CODES = [662, 506, 602, 623, 803, 501] as const
const RANKS = [null, 9, 3, 5, 2, 1] as const
const CITIES = [
  [32.4, -99.7],
  [42.4, -71.1],
  [41.9, -87.6],
  [32.8, -96.8],
  [34.1, -118.2],
  [40.7, -74],
] as const
/** Six market areas, the largest five of them ranked. */
export const DMAS = AREAS.map((dma_name, at) => {
  const [latitude, longitude] = CITIES[at]!
  return { dma_code: CODES[at]!, dma_name, rank: RANKS[at]!, latitude, longitude }
})
