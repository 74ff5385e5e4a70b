import { STATES } from '../../../contract/address.ts'
import type { Position } from '../../../contract/location.ts'
import { POSITION_LOOKS, POSITIONS } from './place.ts'

export const ANY = { value: '', label: 'all' } as const
/** The values of the filter for how well positions are known. */
export const POSITION_FILTER = [
  ANY,
  { value: 'approximate', label: 'Approximate' },
  ...POSITIONS.map((value) => ({ value, label: POSITION_LOOKS[value][0] })),
]
export const STATE_FILTER = [ANY, ...Object.entries(STATES).map(([value, label]) => ({ value, label }))]
export const REPEATED_FILTER = [ANY, { value: 'yes', label: 'yes' }]

/** The value of a filter, unless a link says something that it hasn't. */
export const known = <V extends string>(options: readonly { value: string }[], value: string): V =>
  (options.some((one) => one.value === value) ? value : '') as V

/** The filters that every list of places has, as its call takes them. */
export const placeFilters = (values: Readonly<Record<'state' | 'position' | 'repeated', string>>) => ({
  state: known<string>(STATE_FILTER, values.state),
  position: known<Position | 'approximate' | ''>(POSITION_FILTER, values.position),
  repeated: known<'yes' | ''>(REPEATED_FILTER, values.repeated),
})

/** An id in a link; undefined for anything else. */
export const idIn = (text: string | undefined): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)
