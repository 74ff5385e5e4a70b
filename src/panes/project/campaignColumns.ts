import { type CampaignRow, civilOf } from '../shared/projectSubject.ts'
import { cellEdit, columnsOf, forCaller, type Listed } from './projectColumns.tsx'

const ofCampaign = (row: CampaignRow): Listed => ({
  id: row.id,
  name: row.name,
  client: row.company_name,
  owner: row.owner?.name ?? '',
  stored: row.status,
  shown: row.status_shown,
  pacing: row.pacing,
  color: row.pacing_color,
  state: row.pacing_state,
  delivered: row.decipher.completes_value,
  ordered: row.num_completed_actions,
  goal: row.goal,
  cents: row.family_cost === null ? null : Math.round(row.family_cost * 100),
  start: civilOf(row.start_date),
  end: civilOf(row.end_date),
  trend: row.trend,
})

/** The columns of v1 survey projects, whose rows use v1 field names. */
export const campaignColumns = forCaller(columnsOf(ofCampaign, cellEdit('campaign', { end_dt: 'end_date' }), false))

/** A campaign's own part as a row with v1 field names, if it has orders or responses. */
export function ownCampaignPart(row: CampaignRow): CampaignRow | null {
  if (!row.own) return null
  const { cost_cents, ordered, delivered, ...own } = row.own
  return {
    ...row,
    ...own,
    num_completed_actions: ordered,
    decipher: { completes_value: delivered },
    family_cost: cost_cents === null ? null : cost_cents / 100,
    part: 'own',
  }
}
