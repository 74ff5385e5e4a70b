import { isolateBidi } from '../../contract/bidi.ts'
import { count } from '../../contract/format.ts'
import type { Subject } from './subject.ts'

/** Formats a number with its noun: "1 location", "48 locations". */
export const several = (figure: number, one: string, many: string): string => `${count(figure)} ${figure === 1 ? one : many}`

export const idsOf = (subjects: readonly Subject[]): number[] => subjects.map(({ id }) => id)

/** Describes activities in field: "“Photo check” is in field: this takes effect at once. "; empty without any. */
export function inField(live: readonly string[]): string {
  const [first] = live
  if (!first) return ''
  const who = live.length === 1 ? `“${isolateBidi(first)}” is in field` : `${count(live.length)} activities are in field`
  return `${who}: this takes effect at once. `
}

/** Describes the effect of linking: "48 locations in 6 market areas; 5 are targeted already." */
export function linkedWords(data: {
  linked: number
  locations: number
  markets: number
  targeted: number
  live: readonly string[]
}): string {
  if (!data.linked) return 'They’re already linked.'
  const areas = data.markets ? ` in ${several(data.markets, 'market area', 'market areas')}` : ''
  const twice = data.targeted ? `; ${several(data.targeted, 'is', 'are')} in a linked group already` : ''
  return `${inField(data.live)}${several(data.locations, 'location', 'locations')}${areas}${twice}.`
}
