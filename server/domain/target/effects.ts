import { count, showShare } from '../../../contract/format.ts'
import { type Areas, type Completes, inAreas } from './completes.ts'
import { GROUPS, type Lists, valuesOf } from './targetLists.ts'

const completes = (number: number) => (number === 1 ? '1 complete' : `${count(number)} completes`)
const areas = (number: number) => (number === 1 ? '1 area' : `${count(number)} areas`)

/** The market areas that a change removes; switching to location groups removes all of them. */
export function areasLeft(current: Lists, patch: Partial<Lists>): string[] {
  const next = { ...current, ...patch }
  if (current.location_based === 'yes') return []
  const stay = new Set(next.location_based === 'yes' ? [] : valuesOf(next.targeted_locations))
  return valuesOf(current.targeted_locations).filter((code) => !stay.has(code))
}

/** One sentence for each effect of a change to a target; none if nothing changes. `version` is the stored one, or 0. */
export function effectsOf(
  current: Lists,
  patch: Partial<Lists>,
  version: number,
  { counted, areas: byArea }: { counted: Completes; areas: Areas },
): string[] {
  if (!Object.keys(patch).length) return []
  const next = { ...current, ...patch }
  const lines: string[] = []
  if (GROUPS.some((group) => group in patch) && counted.total) {
    const outside = counted.outside(next)
    lines.push(
      outside
        ? `${count(outside)} of ${completes(counted.total)} (${showShare(outside, counted.total)}) ${outside === 1 ? 'is' : 'are'} outside the new audience. ${outside === 1 ? 'It stays' : 'They stay'} counted.`
        : counted.total === 1
          ? 'The 1 complete is inside the new audience.'
          : `All ${completes(counted.total)} are inside the new audience.`,
    )
  }
  const left = areasLeft(current, patch)
  if (left.length) {
    const inside = inAreas(byArea, left)
    lines.push(
      inside
        ? `Leaves ${areas(left.length)} with ${completes(inside)}. ${inside === 1 ? 'It stays' : 'They stay'} counted.`
        : `Leaves ${areas(left.length)} without completes.`,
    )
  }
  const added = next.location_based === 'yes' ? 0 : addedAreas(current, next)
  if (added) lines.push(`Adds ${areas(added)}.`)
  if (patch.location_based === 'yes') lines.push('Participants will be found by location group.')
  lines.push(version ? `Version ${version} becomes ${version + 1}.` : 'Version 1 is the first.')
  return lines
}

function addedAreas(current: Lists, next: Lists): number {
  const had = new Set(current.location_based === 'yes' ? [] : valuesOf(current.targeted_locations))
  return valuesOf(next.targeted_locations).filter((code) => !had.has(code)).length
}
