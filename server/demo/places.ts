import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import { placeFolds } from '../db/placeFolds.ts'
import type { LocationGroupPlaceTable, LocationGroupTable, PlaceTable } from '../db/schema.ts'
import type { Calendar } from './calendar.ts'
import { type Amounts, idsFrom } from './demoNoun.ts'
import { mapOf, topMarkets } from './map.ts'
import { randomOf } from './random.ts'
import { rowOf } from './rowDefaults.ts'
import { STREETS } from './studies.ts'
import { addressOf, type DemoAddress, townsByMarket } from './towns.ts'

/** A client's location group and its market areas. */
interface Group {
  id: number
  markets: number[]
}
/** A group imported from a file, with more places than anybody would type. */
export interface ListedGroup {
  id: number
  /** Index of its client. */
  client: number
  name: string
  /** The first of its places. */
  firstPlace: number
  count: number
  at: string
}
export interface Places {
  /** By index of the client. */
  groupsOf: Group[][]
  groups: Insertable<LocationGroupTable>[]
  places: Insertable<PlaceTable>[]
  members: Insertable<LocationGroupPlaceTable>[]
  /** A group's places as a location list names them. */
  inGroup: Map<number, { name: string; address: string }[]>
  listed: ListedGroup
}

/** Location groups of the clients, with up to about a hundred places each. */
export function placesOf(
  seed: string,
  amounts: Amounts,
  clients: readonly { id?: number | undefined; name: string }[],
  calendar: Calendar,
): Places {
  const random = randomOf(seed, 'places')
  const addresses = randomOf(seed, 'addresses')
  const ids = { group: idsFrom(amounts.first.group), place: idsFrom(amounts.first.place) }
  const out: Omit<Places, 'listed'> = { groupsOf: [], groups: [], places: [], members: [], inGroup: new Map() }
  for (const client of clients) {
    const mine: Group[] = []
    const written: DemoAddress[] = []
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
        const { dma } = locate(random)
        const where = addressOf(addresses, dma, written)
        written.push(where)
        const place = { name: `${client.name} #${random.int(100, 999)}`, address: where.address }
        // An unused draw from before there were towns, which keeps the sequence of all later ones.
        random.int(10, 9800)
        random.pick(STREETS)
        out.places.push(rowOf('places', at, { ...where, id, ...place, ...placeFolds({ ...where, ...place }) }))
        out.members.push({ group_id: group.id, place_id: id, added_at: at, added_by: null, line: null })
        named.push(place)
      }
      mine.push(group)
    }
    out.groupsOf.push(mine)
  }
  const client = Math.min(1, clients.length - 1)
  const at = calendar.office(randomOf(seed, 'listed'), addDays(calendar.today, -45))
  const listed = { id: ids.group(), client, name: 'National Store List', firstPlace: ids.place(), count: amounts.listed, at }
  out.groups.push(rowOf('location_groups', at, { id: listed.id, client_id: clients[client]!.id!, name: listed.name }))
  return { ...out, listed }
}

/** The places of the group that was imported from a file, all over the country. */
export function listedPlaces(seed: string, { firstPlace, count, at }: ListedGroup, client: string): Insertable<PlaceTable>[] {
  const random = randomOf(seed, 'listed places')
  const markets = [...townsByMarket().keys()]
  const written: DemoAddress[] = []
  return Array.from({ length: count }, (_, nth) => {
    const where = addressOf(random, random.pick(markets), written)
    if (written.length < 500) written.push(where)
    const texts = { ...where, name: `${client} Store ${1001 + nth}` }
    return rowOf('places', at, { ...texts, ...placeFolds(texts), id: firstPlace + nth })
  })
}

/** The same places as members of their group, by the lines of the file. */
export const listedMembers = ({ id, firstPlace, count, at }: ListedGroup): Insertable<LocationGroupPlaceTable>[] =>
  Array.from({ length: count }, (_, nth) => ({
    group_id: id,
    place_id: firstPlace + nth,
    added_at: at,
    added_by: null,
    line: nth + 2,
  }))
