import { addDays } from '../../contract/pacing.ts'
import { marketAreas } from '../db/markets.ts'
import { type Amounts, idsFrom } from './demoNoun.ts'
import { mapOf } from './map.ts'
import type { Market } from './market.ts'
import { type Random, randomOf, shareOut } from './random.ts'
import { BRAND_WORDS, STREETS } from './studies.ts'
import { townsByMarket } from './towns.ts'

/** When people visit: each kind of brand has its own curve. */
export type Trade = 'coffee' | 'cinema' | 'shop' | 'fuel' | 'gym'
interface Kind {
  trade: Trade
  /** The second part of a brand's name. */
  ending: string
  /** Its services as name and SIC code, the last of which is inactive. */
  services: readonly (readonly [string, string])[]
}
const KINDS: readonly Kind[] = [
  {
    trade: 'coffee',
    ending: 'Coffee',
    services: [
      ['Coffee houses', '5812'],
      ['Drive-through', '5812'],
      ['Bakery counters', '5461'],
    ],
  },
  {
    trade: 'cinema',
    ending: 'Cinemas',
    services: [
      ['Multiplexes', '7832'],
      ['Art house screens', '7832'],
      ['Lobby bars', '5813'],
    ],
  },
  {
    trade: 'shop',
    ending: 'Market',
    services: [
      ['Supermarkets', '5411'],
      ['Express stores', '5411'],
      ['Pharmacies', '5912'],
    ],
  },
  {
    trade: 'gym',
    ending: 'Fitness',
    services: [
      ['Clubs', '7991'],
      ['Studios', '7991'],
      ['Health food bars', '5499'],
    ],
  },
  {
    trade: 'shop',
    ending: 'Apparel',
    services: [
      ['Family stores', '5651'],
      ['Shoe corners', '5661'],
      ['Jewelry counters', '5944'],
    ],
  },
  {
    trade: 'fuel',
    ending: 'Fuel',
    services: [
      ['Stations', '5541'],
      ['Highway stops', '5541'],
      ['Auto parts', '5531'],
    ],
  },
  {
    trade: 'shop',
    ending: 'Home & Garden',
    services: [
      ['Home centers', '5211'],
      ['Garden yards', '5261'],
      ['Furniture rooms', '5712'],
    ],
  },
  {
    trade: 'coffee',
    ending: 'Diners',
    services: [
      ['Restaurants', '5812'],
      ['Food courts', '5812'],
      ['Bars', '5813'],
    ],
  },
]
const FIRST_BRANDS = [
  'Juniper Coffee',
  'Palisade Cinemas',
  'Harvest Row Market',
  'Summit & Stone Fitness',
  'Larkspur Apparel',
  'Beacon Fuel',
]

/** Brands and services of the demo that have a story, by index. */
export const STORY = { growing: 0, cinemas: 1, opening: 2, gap: 3, closed: 4 } as const
/** Services for each brand. */
const PER_BRAND = 3

export interface VenuePlan {
  id: number
  service: number
  code: string
  name: string
  address: string
  latitude: number
  longitude: number
  dma: number
  since: string
  /** Its share of its service's visits. */
  weight: number
}
export interface ServicePlan {
  id: number
  name: string
  sic: string
  trade: Trade
  /** Its brand's index. */
  brand: number
  start: string
  end: string | null
  status: 'active' | 'inactive'
  /** The last day with visits. */
  until: string
  ordered: number
  venues: VenuePlan[]
}
export interface BrandPlan {
  id: number
  name: string
  start: string
  services: ServicePlan[]
}

const planned = new WeakMap<Market, BrandPlan[]>()
/** A marketplace's brands with their services and venues. */
export function brandsOf(market: Market): readonly BrandPlan[] {
  let all = planned.get(market)
  if (!all) {
    all = planBrands(market)
    planned.set(market, all)
  }
  return all
}

function planBrands({ seed, amounts, calendar }: Market): BrandPlan[] {
  const random = randomOf(seed, 'brands')
  const { days, venues: each } = amounts.visitation
  const first = addDays(calendar.today, 1 - days)
  const brands = amounts.brand
  const venueIds = idsFrom(amounts.first.service * 5000 + 1)
  const taken = new Set<string>()
  return Array.from({ length: brands }, (_, at) => {
    const kind = KINDS[at % KINDS.length]!
    const name = FIRST_BRANDS[at] ?? brandName(random, kind.ending, taken)
    taken.add(name)
    const shares = shareOut(each, [5, 3, 2])
    const services = kind.services.map(([service, sic], nth): ServicePlan => {
      // A service's id doesn't resemble its brand's, so that a mix-up is noticed.
      const id = amounts.first.service + nth * brands + (brands - 1 - at)
      const closed = at === STORY.closed % brands && nth === 1
      const inactive = nth === PER_BRAND - 1
      const start = nth === 1 && at % 3 === 1 ? addDays(first, Math.floor(days / 4)) : first
      const end = closed
        ? addDays(calendar.today, -Math.ceil(days / 4))
        : (at + nth) % 5 === 3
          ? null
          : addDays(calendar.today, random.int(20, 180))
      const count = shares[nth]!
      const term = (Date.parse(end ?? addDays(calendar.today, 60)) - Date.parse(start)) / 86_400_000
      const due = count * amounts.visitation.aDay * term
      const ordered = (at + nth) % 6 === 5 ? 0 : Math.max(1, Math.round((due * (0.7 + 0.9 * random.next() ** 2)) / 10)) * 10
      return {
        ...{ id, name: service, sic, trade: kind.trade, brand: at, start, end, ordered },
        status: inactive ? 'inactive' : 'active',
        until: closed ? end! : calendar.today,
        venues: [],
      }
    })
    for (const [nth, service] of services.entries())
      service.venues = planVenues(random, { name, count: shares[nth]!, service, amounts, at, days }, venueIds)
    return { id: amounts.first.brand + at, name, start: first, services }
  })
}

function planVenues(
  random: Random,
  of: { name: string; count: number; service: ServicePlan; amounts: Amounts; at: number; days: number },
  nextId: () => number,
): VenuePlan[] {
  const { name, count, service, at, days } = of
  const markets = marketsFor(random, Math.min(of.amounts.visitation.markets, count))
  const opening = at === STORY.opening % of.amounts.brand
  return Array.from({ length: count }, (_, nth): VenuePlan => {
    // Larger markets have more venues, and each market has at least one.
    const dma = nth < markets.length ? markets[nth]! : markets[Math.floor(markets.length * random.next() ** 2)]!
    const { latitude, longitude } = mapOf([dma])(random)
    const city = random.pick(townsByMarket().get(dma)!).city
    return {
      ...{ id: nextId(), service: service.id, dma, latitude, longitude },
      code: `${service.name.slice(0, 2).toUpperCase()}-${String(nth + 1).padStart(4, '0')}`,
      name: `${name} ${city} ${nth + 1}`,
      address: `${random.int(10, 9800)} ${random.pick(STREETS)}, ${city}`,
      // Half of the opening brand's venues opened later.
      since: opening && nth % 2 ? addDays(service.start, Math.floor((days * nth) / (count + 1))) : service.start,
      weight: random.logNormal(1, 2.2),
    }
  })
}

/** Market areas drawn by rank, the largest first. */
function marketsFor(random: Random, count: number): number[] {
  const areas = [...marketAreas()].map((area) => ({ code: area.code, weight: area.rank === null ? 0.012 : area.rank ** -0.7 }))
  const chosen = new Map<number, number>()
  while (chosen.size < count) {
    const { code, weight } = areas[random.weigh(areas.map((one) => (chosen.has(one.code) ? 0 : one.weight)))]!
    chosen.set(code, weight)
  }
  return [...chosen].sort(([one, first], [other, second]) => second - first || one - other).map(([code]) => code)
}

function brandName(random: Random, ending: string, taken: ReadonlySet<string>): string {
  for (;;) {
    const word = random.pick(BRAND_WORDS)
    const name = `${taken.has(`${word} ${ending}`) ? `${word} & ${random.pick(BRAND_WORDS)}` : word} ${ending}`
    if (!taken.has(name)) return name
  }
}

/** The services of each client user, by the user's id; every third user has none. */
export function servicesGranted(market: Market): ReadonlyMap<number, readonly ServicePlan[]> {
  const brands = brandsOf(market)
  const random = randomOf(market.seed, 'service users')
  const clients = market.people.userClients.map(({ user_id }) => user_id)
  return new Map(
    clients.flatMap((id, at): [number, readonly ServicePlan[]][] => {
      if (at % 3 === 2) return []
      // The demo client user has four services of two brands, one of them inactive.
      if (at === 0) {
        const [one, other] = [brands[0]!, brands[Math.min(2, brands.length - 1)]!]
        return [[id, [one.services[0]!, one.services[1]!, other.services[0]!, other.services[2]!]]]
      }
      const some = random.some(brands, random.int(1, 2))
      return [[id, some.flatMap((brand) => random.some(brand.services, random.int(1, PER_BRAND)))]]
    }),
  )
}
