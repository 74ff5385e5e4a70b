import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import type { LocationGroupPlaceTable, LocationGroupTable, PlaceTable } from '../db/schema.ts'
import type { Calendar } from './calendar.ts'
import { type Amounts, idsFrom } from './figures.ts'
import { mapOf, topMarkets } from './map.ts'
import { randomOf } from './random.ts'
import { rowOf } from './row.ts'
import { STREETS } from './words.ts'

/** A client's location group and its market areas. */
export interface Group {
  id: number
  markets: number[]
}
export interface Places {
  /** By index of the client. */
  groupsOf: Group[][]
  groups: Insertable<LocationGroupTable>[]
  places: Insertable<PlaceTable>[]
  members: LocationGroupPlaceTable[]
  /** A group's places as a location list names them. */
  inGroup: Map<number, { name: string; address: string }[]>
}

/** Location groups of the clients, with up to about a hundred places each. */
export function placesOf(
  seed: string,
  amounts: Amounts,
  clients: readonly { id?: number | undefined; name: string }[],
  calendar: Calendar,
): Places {
  const random = randomOf(seed, 'places')
  const out: Places = { groupsOf: [], groups: [], places: [], members: [], inGroup: new Map() }
  const ids = { group: idsFrom(amounts.first.group), place: idsFrom(amounts.first.place) }
  for (const client of clients) {
    const mine: Group[] = []
    const count = random.weigh([0.25, 0.5, 0.25]) + (out.groupsOf.length === 0 ? 1 : 0)
    const names = random.some(
      ['Flagship Stores', 'Test Markets', 'Top Stores', 'Drive-To Locations', 'Pilot Stores'],
      Math.min(count, 3),
    )
    for (const name of names) {
      const group: Group = {
        id: ids.group(),
        markets: random.some(topMarkets(50), random.int(2, 6)).sort((a, b) => a - b),
      }
      const at = calendar.office(random, addDays(calendar.today, -random.int(30, 500)))
      out.groups.push(rowOf('location_groups', at, { id: group.id, client_id: client.id!, name }))
      const named: { name: string; address: string }[] = []
      out.inGroup.set(group.id, named)
      const locate = mapOf(group.markets)
      for (let nth = 0; nth < random.int(6, 24); nth++) {
        const id = ids.place()
        const { latitude, longitude } = locate(random)
        const place = {
          name: `${client.name} #${random.int(100, 999)}`,
          address: `${random.int(10, 9800)} ${random.pick(STREETS)}`,
        }
        out.places.push(rowOf('places', at, { id, ...place, latitude, longitude, position: 'exact' }))
        out.members.push({ group_id: group.id, place_id: id, added_at: at, added_by: null, import_id: null, line: null })
        named.push(place)
      }
      mine.push(group)
    }
    out.groupsOf.push(mine)
  }
  return out
}
