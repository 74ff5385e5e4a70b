import { openedRow } from '../../list/recordTrails.ts'
import { type CampaignRow, civilOf, type ProjectRow } from '../shared/projectSubject.ts'
import type { HeadFacts } from './ProjectHead.tsx'

/** What a project's screen shows until the project has loaded, from the row that it was opened from. */
interface OpenedProject {
  head: HeadFacts
  /** The row with the key figures; a v1 row doesn't have them all. */
  row: ProjectRow | null
}

/** Returns what the opened row says about a project; null without one, and for a parent's own part, which is less. */
export function openedProject(generation: 'project' | 'campaign', id: number): OpenedProject | null {
  const opened = openedRow(`${generation}:${id}`)
  if (opened?.call === 'project.list' || opened?.call === 'project.listAll') {
    const row = opened.row as ProjectRow
    return row.part || row.generation !== generation ? null : { head: row, row }
  }
  if (opened?.call !== 'campaign.list') return null
  const row = opened.row as CampaignRow
  if (row.part) return null
  const { name, client_id, status, status_shown } = row
  const dates = { start_dt: civilOf(row.start_date), end_dt: civilOf(row.end_date) }
  return {
    head: { id, name, client_id, client_name: row.company_name, stored_status: status, status_shown, ...dates },
    row: null,
  }
}
