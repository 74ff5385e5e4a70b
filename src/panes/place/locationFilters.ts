import { STATES } from '../../../contract/address.ts'
import type { Position } from '../../../contract/location.ts'
import { POSITION_LOOKS, POSITIONS } from './locationSubject.ts'

export const ANY = { value: '', label: 'all' } as const
/** The options of the position filter. */
export const POSITION_FILTER = [
  ANY,
  { value: 'approximate', label: 'Approximate' },
  ...POSITIONS.map((value) => ({ value, label: POSITION_LOOKS[value][0] })),
]
export const STATE_FILTER = [ANY, ...Object.entries(STATES).map(([value, label]) => ({ value, label }))]
export const REPEATED_FILTER = [ANY, { value: 'yes', label: 'yes' }]

/** Returns a filter's value if it is an option, else empty: links can hold anything. */
export const known = <V extends string>(options: readonly { value: string }[], value: string): V =>
  (options.some((one) => one.value === value) ? value : '') as V

/** Converts the filters of every location list to the call's input. */
export const placeFilters = (values: Readonly<Record<'state' | 'position' | 'repeated', string>>) => ({
  state: known<string>(STATE_FILTER, values.state),
  position: known<Position | 'approximate' | ''>(POSITION_FILTER, values.position),
  repeated: known<'yes' | ''>(REPEATED_FILTER, values.repeated),
})

/** Parses an ID in a link; undefined for anything else. */
export const idIn = (text: string | undefined): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)
