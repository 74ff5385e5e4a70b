import type { Insertable } from 'kysely'
import { ADULT_AGES } from '../../contract/vocabulary.ts'
import type { HistoryTable } from '../db/schema.ts'
import type { Calendar } from './calendar.ts'
import { GENDER } from './demography.ts'
import type { ProjectDraft } from './draft.ts'
import { topMarkets } from './map.ts'
import type { ActivityPlan } from './plan.ts'
import { randomOf } from './random.ts'
import { type Audience, targetRow } from './targets.ts'

/** The target's id is its activity's, so that history lines can refer to it. */
export const targetId = (activity: ActivityPlan): number => activity.id

/** The share of activities whose audience has changed. */
const CHANGED = 0.15

/** The changes that led to an audience: the changed columns before and after, oldest first. */
function changesOf(
  seed: string,
  activity: ActivityPlan,
  audience: Audience,
): { before: object; after: object; reason: string }[] {
  const random = randomOf(seed, 'target versions', activity.id)
  if (!random.chance(CHANGED)) return []
  let later: Audience = audience
  const steps: { before: object; after: object; reason: string }[] = []
  for (let left = random.int(1, 3); left > 0; left--) {
    const earlier = { ...later }
    const kind = left % 3
    // Each step removes something from the later audience, or adds something that was dropped.
    if (kind === 0 && audience.group === null) earlier.markets = later.markets.length > 10 ? topMarkets(10) : topMarkets(25)
    else if (kind === 1) earlier.ages = withOrWithout(later.ages, ADULT_AGES, random.int(0, 5))
    else earlier.genders = withOrWithout(later.genders, GENDER, random.int(0, 2))
    const [was, is] = [targetRow(activity, earlier, ''), targetRow(activity, later, '')]
    const changed = Object.keys(is).filter((column) => was[column as keyof typeof was] !== is[column as keyof typeof is])
    if (!changed.length) continue
    const pick = (row: object) => Object.fromEntries(changed.map((column) => [column, (row as Record<string, unknown>)[column]]))
    steps.unshift({ before: pick(was), after: pick(is), reason: '' })
    later = earlier
  }
  return steps
}

/** A list with one value added or removed; never empty. */
function withOrWithout<T>(list: readonly T[], all: readonly T[], at: number): T[] {
  const one = all[at % all.length]!
  const other = all.filter((value) => (value === one ? !list.includes(value) : list.includes(value)))
  return other.length ? other : [...all]
}

/** How many versions an activity's target has had. */
export const versionOf = (seed: string, activity: ActivityPlan & { audience: Audience }): number =>
  1 + changesOf(seed, activity, activity.audience).length

/** The history of a project's targets: one line for each version, spread over the days since its request. */
export function targetHistory(seed: string, calendar: Calendar, { plan, cast, created, activities }: ProjectDraft) {
  const lines: Insertable<HistoryTable>[] = []
  for (const activity of activities) {
    const changes = changesOf(seed, activity, activity.audience)
    const [from, to] = [Date.parse(created), calendar.now.getTime() - 60_000]
    for (const [at, { before, after, reason }] of changes.entries())
      lines.push({
        subject: 'target',
        subject_id: targetId(activity),
        project_id: plan.id,
        action: 'target.edit',
        origin: 'event',
        actor_id: cast.admin,
        admin_id: null,
        partner_id: null,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        reason,
        at: new Date(from + Math.floor(((to - from) * (at + 1)) / (changes.length + 1) / 2)).toISOString(),
      })
  }
  return lines
}
