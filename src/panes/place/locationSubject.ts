import type { Output } from '../../../contract/calls.ts'
import { decimal } from '../../../contract/decimals.ts'
import type { Position } from '../../../contract/location.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { href } from '../../routing/routes.ts'
import type { Shape, Tone } from '../../ui/Pill.tsx'

export type Location = Output<'location.list'>['data'][number]
export type GroupRow = Output<'group.list'>['data'][number]
export type Group = Output<'group.get'>['data']

export const locationSubject = subjectAs<Location>('location')
/** Converts a location group to a command subject. */
export const groupSubject = subjectAs<GroupRow>('group')

/** A location as a group member: commands on it act on the membership, never on the location. */
export const memberOf =
  (group: { id: number; name: string }) =>
  (one: Location | Subject): Subject => {
    const subject = 'kind' in one ? one : locationSubject(one)
    return { ...subject, kind: 'groupLocation', record: { ...subject.record, group_id: group.id, group_name: group.name } }
  }

/** TABLE  How exact a position is: label, tone and shape. */
export const POSITION_LOOKS: Readonly<Record<Position, readonly [word: string, tone: Tone, shape: Shape]>> = {
  exact: ['Exact', 'green', 'dot'],
  zip: ['Approximate (ZIP)', 'amber', 'ring'],
  city: ['Approximate (city)', 'amber', 'diamond'],
  none: ['None', 'red', 'cross'],
}

/** Returns "42.36012, -71.06012"; empty without a position. */
export const coordinatesOf = ({ latitude, longitude }: Pick<Location, 'latitude' | 'longitude'>): string =>
  latitude === null || longitude === null ? '' : `${decimal(latitude, 5, 5)}, ${decimal(longitude, 5, 5)}`

/** Joins street, city, state and ZIP into one line. */
export const lineOf = ({ address, city, state, zip }: Pick<Location, 'address' | 'city' | 'state' | 'zip'>): string =>
  [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

/** From exact to none. */
export const POSITIONS = Object.keys(POSITION_LOOKS) as readonly Position[]

/** Links to a location: the list with its details open. */
export const locationHref = ({ id }: { id: number }): string => href('locations', {}, { query: { location: id } })
