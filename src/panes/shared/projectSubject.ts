import type { Output } from '../../../contract/calls.ts'
import { BUCKETS, SPELLING, statusesOf } from '../../../contract/status.ts'
import type { Subject } from '../../commands/subject.ts'
import { href, type TabOf } from '../../routing/routes.ts'
import type { Tone } from '../../ui/Pill.tsx'

/**
 * `part` marks a parent's own-part row: commands act on the parent, with the part's figures.
 * `listed_for` is the status of the children for which a parent of another status is in a list.
 */
type Part = { part?: 'own'; listed_for?: string }
/** What a brief row has, and a child as its parent's screen reads it. */
type Brief<Row> = Omit<
  Row,
  'children' | 'children_count' | 'description' | 'requirements' | 'targeted_location_names' | 'targeted_location'
>
export type ProjectRow = Part & { children_count?: number } & Brief<Output<'project.list'>['data'][number]>
export type CampaignRow = Part & { children_count?: number } & Brief<Output<'campaign.list'>['data']['campaigns'][number]>

type Ruled = { allowed_actions: string[]; refused_actions: Record<string, string>; rule?: number | undefined }
/** The rows of a brief list, each with the actions that the list names once for rows alike. */
export const withRules = <Row extends Ruled>(
  rows: readonly Row[],
  rules: readonly (readonly [string[], Record<string, string>])[] = [],
): readonly Row[] =>
  rows.map((row) => {
    const [allowed_actions, refused_actions] = rules[row.rule ?? -1] ?? [row.allowed_actions, row.refused_actions]
    return { ...row, allowed_actions, refused_actions }
  })

/** Names the list's status on each parent that has another one and is listed for its children. */
export function forChildren<Row extends { status_shown: string }>(rows: readonly Row[], filter: string): readonly Row[] {
  const bucket = BUCKETS.find(({ value }) => value === filter)
  if (!bucket || bucket.value === 'all') return rows
  const shown = statusesOf(bucket.value).map((status) => SPELLING[status].shown)
  return rows.map((row) => (shown.includes(row.status_shown) ? row : { ...row, listed_for: bucket.label }))
}

/** Converts a project to a command subject. */
export const projectSubject = (row: ProjectRow): Subject => ({
  kind: row.generation,
  id: row.id,
  name: row.name,
  allowed_actions: row.allowed_actions,
  refused_actions: row.refused_actions,
  record: row,
})
/** Converts a v1 campaign to a command subject. */
export const campaignSubject = (row: CampaignRow): Subject => ({
  kind: 'campaign',
  id: row.id,
  name: row.name,
  allowed_actions: row.allowed_actions,
  refused_actions: row.refused_actions,
  record: { ...row, stored_status: row.status, start_dt: civilOf(row.start_date) },
})

/** Links to a project of either generation: its overview, or another tab both screens have, with a query. */
export const recordHref = (
  generation: 'campaign' | 'project',
  id: number,
  tab: TabOf<'project'> & TabOf<'surveyProject'> = 'overview',
  query: Readonly<Record<string, string | number>> = {},
): string => (generation === 'campaign' ? href('surveyProject', { id }, { tab, query }) : href('project', { id }, { tab, query }))

/** Converts a v1 date (MM/DD/YYYY) to a civil date; null without one (decisions.md 9). */
export const civilOf = (us: string): string | null => us.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') || null

/** Returns the tone of a pacing colour (decisions.md 3: yellow, amber and orange are one token). */
export const paceTone = (color: string, { state, stored }: { state?: string; stored?: string } = {}): Tone =>
  // Red would be an alarm where nothing can have been delivered yet, or ever will be.
  state === 'not_started' || stored === 'rejected'
    ? 'grey'
    : (({ Gray: 'grey', Red: 'red', Orange: 'amber', Green: 'green' } as const)[color] ?? 'grey')
