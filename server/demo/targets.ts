import type { Insertable } from 'kysely'
import { ADULT_AGES } from '../../contract/vocabulary.ts'
import { marketAreas } from '../db/markets.ts'
import type { TargetTable } from '../db/schema.ts'
import { GENDER, type Person } from './demography.ts'
import { topMarkets } from './map.ts'
import type { ActivityPlan, ProjectPlan } from './plan.ts'
import { type Random, randomOf } from './random.ts'

/** An activity's audience and places. */
export interface Audience {
  ages: number[]
  genders: string[]
  hhi: number[]
  ethnicity: string[]
  marital: string[]
  children: number[]
  /** Market area codes; those of the location group's places if it has one. */
  markets: number[]
  /** Index into its client's location groups, or null. */
  group: number | null
}

const AGE_SETS = [
  [2, 3, 4],
  [3, 4, 5],
  [4, 5, 6],
  [5, 6, 7],
  [6, 7],
  [3, 4, 5, 6],
  [1, 2, 3],
  [2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7],
  [4, 5, 6, 7],
]

/** An activity's audience, usually 18+ everywhere; `groups` are its client's location groups. */
export function audienceOf(
  seed: string,
  plan: ProjectPlan,
  activity: ActivityPlan,
  groups: readonly { markets: number[] }[],
): Audience {
  // All activities of a project share an audience.
  const random = randomOf(seed, 'audience', plan.parent ?? plan.id, activity.type === 'survey' ? 'survey' : activity.id)
  // Big trackers target everyone; small studies have narrow audiences.
  const narrow = plan.ordered < 450
  const group = groups.length && random.chance(0.22) ? random.int(0, groups.length - 1) : null
  const some = <T>(share: number, list: readonly T[], count: number): T[] =>
    random.chance(share) ? list.filter((one) => new Set(random.some(list, count)).has(one)) : []
  return {
    ages: random.chance(0.7) || !narrow ? [...ADULT_AGES] : [...random.pick(AGE_SETS)],
    genders: random.chance(0.88) || !narrow ? [...GENDER] : [random.chance(0.6) ? 'female' : 'male'],
    hhi: random.chance(0.05) && narrow ? [3, 4, 5, 6] : [],
    ethnicity: some(narrow ? 0.03 : 0, ['hispanic', 'african', 'asian'], 1),
    marital: random.chance(0.03) && narrow ? ['married'] : [],
    children: random.chance(0.05) && narrow ? [1, 2, 3, 4] : [],
    markets: group === null ? marketsFor(random) : groups[group]!.markets,
    group,
  }
}

function marketsFor(random: Random): number[] {
  const kind = random.weigh([14, 16, 20, 34, 16])
  if (kind < 3) return topMarkets([10, 25, 50][kind]!)
  if (kind === 3) return marketAreas().map((area) => area.code)
  return random.some(topMarkets(50), random.int(2, 8)).sort((a, b) => a - b)
}

/** True if a person is in the audience; others are terminated. */
export const belongs = (audience: Audience, person: Person): boolean =>
  (!audience.hhi.length || audience.hhi.includes(person.hhi)) &&
  (!audience.ethnicity.length || audience.ethnicity.includes(person.ethnicity)) &&
  (!audience.marital.length || audience.marital.includes(person.marital_status)) &&
  (!audience.children.length || audience.children.includes(person.children))

/** An audience's row. */
export function targetRow(activity: ActivityPlan, audience: Audience, at: string): Insertable<TargetTable> {
  return {
    activity_id: activity.id,
    version: 1,
    location_based: audience.group === null ? 'no' : 'yes',
    targeted_locations: audience.group === null ? audience.markets.join(',') : '',
    age: audience.ages.join(','),
    gender: audience.genders.join(','),
    hhi: audience.hhi.join(','),
    ethnicity: audience.ethnicity.join(','),
    marital_status: audience.marital.join(','),
    children: audience.children.join(','),
    updated_at: at,
  }
}
