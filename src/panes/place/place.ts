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
/** A location group in lists and on its own screen, as a command subject. */
export const groupSubject = subjectAs<GroupRow>('group')

/** A place as a member of a group: what is done to the row is done to the membership, never to the place. */
export const memberOf =
  (group: { id: number; name: string }) =>
  (one: Location | Subject): Subject => {
    const subject = 'kind' in one ? one : locationSubject(one)
    return { ...subject, kind: 'groupLocation', record: { ...subject.record, group_id: group.id, group_name: group.name } }
  }

/** TABLE  how well a position is known: its word, tone and shape. */
export const POSITION_LOOKS: Readonly<Record<Position, readonly [word: string, tone: Tone, shape: Shape]>> = {
  exact: ['Exact', 'green', 'dot'],
  zip: ['Approximate (ZIP)', 'amber', 'ring'],
  city: ['Approximate (city)', 'amber', 'diamond'],
  none: ['None', 'red', 'cross'],
}

/** "42.36012, -71.06012"; empty without a position. */
export const coordinatesOf = ({ latitude, longitude }: Pick<Location, 'latitude' | 'longitude'>): string =>
  latitude === null || longitude === null ? '' : `${decimal(latitude, 5, 5)}, ${decimal(longitude, 5, 5)}`

/** Street, city, state and ZIP in one line. */
export const lineOf = ({ address, city, state, zip }: Pick<Location, 'address' | 'city' | 'state' | 'zip'>): string =>
  [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

/** From the best known position to none. */
export const POSITIONS = Object.keys(POSITION_LOOKS) as readonly Position[]

/** Where one place opens: the list's screen, with its details in the list's place. */
export const locationHref = ({ id }: { id: number }): string => href('locations', {}, { query: { location: id } })
