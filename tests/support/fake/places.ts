import type { Output } from '../../../contract/calls.ts'

/** A place as in its list. */
export type FakePlace = Output<'location.list'>['data'][number]

const ACTIONS = ['location.edit', 'location.addToGroups', 'location.merge', 'location.remove']
const CITIES = [
  ['Boston', 'MA', '02108', 42.36, -71.06, 'exact'],
  ['Boston', 'MA', '02109', 42.3601, -71.0502, 'zip'],
  ['Chicago', 'IL', '60601', 41.88, -87.63, 'exact'],
  ['Miami', 'FL', '', 25.76, -80.19, 'city'],
  ['Denver', 'CO', '80202', null, null, 'none'],
] as const

/** Five stores of one group: two in Boston, one without a position. */
export const newPlaces = (): FakePlace[] =>
  CITIES.map(([city, state, zip, latitude, longitude, position], at) => ({
    ...{ id: 7001 + at, name: `Store ${at + 1}`, address: `${at + 1} Main St`, city, state, zip, latitude, longitude, position },
    ...{ dma: null, group: 'Flagship Stores', groups: [{ id: 301, name: 'Flagship Stores', client_id: 101 }], repeats: 0 },
    ...{ added_at: '2026-10-05T09:00:00.000Z', line: at + 2, lock_version: 1 },
    ...{ created_at: '2026-10-05T09:00:00.000Z', updated_at: '2026-10-05T09:00:00.000Z' },
    ...{ allowed_actions: ACTIONS, refused_actions: {} },
  }))

/** The places that match a list's search and filters. */
export const placesFound = (
  places: readonly FakePlace[],
  { search, state, position, group_id }: { search: string; state: string; position: string; group_id?: number | undefined },
): FakePlace[] =>
  places.filter(
    (one) =>
      `${one.name} ${one.address} ${one.city} ${one.zip}`.toLowerCase().includes(search.toLowerCase()) &&
      (!state || one.state === state) &&
      (!position || (position === 'approximate' ? ['zip', 'city'].includes(one.position) : one.position === position)) &&
      (!group_id || one.groups.some(({ id }) => id === group_id)),
  )

/** Their points for a map. */
export function pointsOf(places: readonly FakePlace[]): Output<'location.points'> {
  const placed = places.filter(({ latitude }) => latitude !== null)
  return {
    data: placed.map((one) => [one.id, one.latitude!, one.longitude!, one.position === 'exact' ? 1 : 0]),
    squares: [],
    count: places.length,
    unplaced: places.length - placed.length,
  }
}
