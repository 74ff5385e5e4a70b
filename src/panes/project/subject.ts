import type { Output } from '../../../contract/calls.ts'
import { SPELLING, STATUSES } from '../../../contract/status.ts'
import type { Subject } from '../../commands/command.ts'
import type { Tone } from '../../ui/Pill.tsx'

export type ProjectRow = Output<'project.list'>['data'][number] | Output<'project.list'>['data'][number]['children'][number]
export type CampaignRow = Output<'campaign.list'>['data']['campaigns'][number] | Output<'campaign.list'>['data']['campaigns'][number]['children'][number]

/** A project as commands act on it. */
export const projectSubject = (row: ProjectRow): Subject => ({ kind: row.generation, id: row.id, name: row.name, allowed_actions: row.allowed_actions, refused_actions: row.refused_actions, record: row })
/** An older campaign as commands act on it. */
export const campaignSubject = (row: CampaignRow): Subject => ({ kind: 'campaign', id: row.id, name: row.name, allowed_actions: row.allowed_actions, refused_actions: row.refused_actions, record: { ...row, stored_status: row.status } })

/** The tone of a stored status's pill. */
export const toneOf = (stored: string): Tone => {
  const status = STATUSES.find((one) => one === stored)
  return status ? SPELLING[status].tone : 'grey'
}
/** The tone of a pacing colour (decisions.md 3: yellow, amber and orange are one token). */
export const paceTone = (color: string): Tone => ({ Gray: 'grey', Red: 'red', Orange: 'amber', Green: 'green' } as const)[color] ?? 'grey'
