import { allowedActions } from '../../../contract/access.ts'
import type { Output } from '../../../contract/calls.ts'
import { addDays, daysBetween } from '../../../contract/pacing.ts'
import { type DayRange, daysOf, type VisitPeriod } from '../../../contract/visitPeriod.ts'
import { type Marketplace, today } from './marketplace.ts'
import { DMAS } from './requests.ts'

type Brand = Output<'brand.get'>['data']
type Service = Brand['children'][number]
type Filter = Output<'filter.list'>['data'][number]
export interface FakeBrand {
  id: number
  name: string
  /** Visits ordered; 68 % of the expected ones have arrived. */
  ordered?: number
  services: FakeService[]
}
interface FakeService {
  id: number
  name: string
  category: string
  status?: 'active' | 'inactive'
  ordered?: number
  venues_coming?: number
  /** True if its unique devices are an estimate. */
  estimated?: boolean
}

const LONG_AGO = '2026-01-05T09:00:00.000Z'
/** Two brands with three services, and no visits before 2024. */
export const newBrands = (): FakeBrand[] => [
  {
    ...{ id: 1, name: 'Alder Coffee' },
    services: [
      { id: 12, name: 'Cafés', category: 'Eating places' },
      { id: 13, name: 'Drive-ins', category: 'Eating places' },
    ],
  },
  { id: 7, name: 'Birch Cinemas', services: [{ id: 71, name: 'Cinemas', category: 'Motion pictures' }] },
]
const FIRST_DAY = '2024-01-01'

const lately = { created_at: LONG_AGO, updated_at: LONG_AGO, lock_version: 1 }
const actor = ({ me }: Marketplace) => ({ id: me.id, role: me.role, admin_id: null })

export const serviceRow = (
  market: Marketplace,
  brand: FakeBrand,
  { id, name, category, status = 'active', ordered = 0, venues_coming = 0, estimated = false }: FakeService,
): Service => ({
  ...allowedActions('service', actor(market)),
  ...{ id, brand_id: brand.id, brand_name: brand.name, name, service_name: name, category_id: 1, category, s3_bucket: '' },
  ...{ start_dt: FIRST_DAY, end_dt: null, ordered, completed: 0, percentage: 0, color: 'Gray', status },
  ...{
    venues_count: 3,
    venues_coming,
    visits_7: 700,
    change_7: 4,
    uniques_7: 400,
    uniques_7_error: estimated ? 0.006 : 0,
    trend: Array<number>(14).fill(100),
  },
  ...{ last_visit_at: LONG_AGO, silent: false, users_count: market.givenServices[id]?.length ?? 0, ...lately },
})

/** A brand as its screen reads it. */
export const brandRow = (market: Marketplace, brand: FakeBrand): Brand => ({
  ...allowedActions('brand', actor(market)),
  ...{ id: brand.id, name: brand.name, brand_name: brand.name, status: 'active', start_dt: FIRST_DAY, end_dt: null },
  ...{
    ordered: brand.ordered ?? 0,
    completed: 0,
    percentage: brand.ordered ? 68 : 0,
    color: 'Gray',
    services_count: brand.services.length,
    venues_count: 6,
  },
  ...{ visits_30: 3000, change_30: 4, users_count: usersSeeing(market, brand).length, categories: [CATEGORIES[0]!], ...lately },
  children: brand.services.map((service) => serviceRow(market, brand, service)),
})

/** Categories: the first brand is in the first. */
export const CATEGORIES = [
  { id: 1, name: 'Eating places', sic_code: '5812', projects_count: 0 },
  { id: 2, name: 'Motion pictures', sic_code: '7832', projects_count: 0 },
]

/** A service by its id, with its brand. */
export function serviceOf({ brands }: Marketplace, id: number): [FakeBrand, FakeService] {
  for (const brand of brands) for (const service of brand.services) if (service.id === id) return [brand, service]
  throw new Error(`The fake has no service ${id}`)
}
export const servicesOf = ({ brands }: Marketplace): [FakeBrand, FakeService][] =>
  brands.flatMap((brand) => brand.services.map((service): [FakeBrand, FakeService] => [brand, service]))
/** The users with access to a brand's service. */
const usersSeeing = ({ givenServices }: Marketplace, { services }: FakeBrand): number[] => [
  ...new Set(services.flatMap(({ id }) => givenServices[id] ?? [])),
]

/** Adds and removes access to services; returns the effect, like the server. */
export function giveServices(
  market: Marketplace,
  { user_ids, add, remove }: { user_ids: readonly number[]; add: readonly number[]; remove: readonly number[] },
): Output<'service.setUsers'> {
  const seenBy = (user: number) => Object.values(market.givenServices).filter((users) => users.includes(user)).length
  let [added, removed] = [0, 0]
  const losing = new Set<number>()
  for (const user of user_ids) {
    for (const id of add) {
      const users = market.givenServices[id] ?? []
      if (users.includes(user)) continue
      market.givenServices[id] = [...users, user]
      added++
    }
    for (const id of remove) {
      const users = market.givenServices[id] ?? []
      if (!users.includes(user)) continue
      market.givenServices[id] = users.filter((one) => one !== user)
      losing.add(user)
      removed++
    }
  }
  const emptied = [...losing].filter((user) => !seenBy(user)).length
  const data = { added, removed, gaining: added ? user_ids.length : 0, losing: losing.size, emptied }
  return { data, message: added ? 'Access given' : 'Access removed' }
}

export interface VisitQuestion {
  bid?: number | undefined
  service?: number | undefined
  date: VisitPeriod
  start?: string | undefined
  end?: string | undefined
  dmas?: readonly string[] | undefined
}

const rangeOfQuestion = ({ date, start, end }: VisitQuestion): DayRange =>
  daysOf(date, today(), { ...(start ? { start } : {}), ...(end ? { end } : {}) })
const markets = ({ dmas }: VisitQuestion) => DMAS.filter(({ dma_code }) => !dmas?.length || dmas.includes(String(dma_code)))
const listOfDays = ({ start, end }: DayRange): string[] =>
  Array.from({ length: Math.max(0, daysBetween(start, end) + 1) }, (_, at) => addDays(start, at))
/** Visits of a market on a day: more in larger markets, on weekends, and for the first brand. */
function visitsOn(day: string, code: number, { bid, service }: VisitQuestion): number {
  if (day < FIRST_DAY) return 0
  const weekend = [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()) ? 2 : 1
  return ((code % 7) + 1) * 10 * weekend * (bid === 7 ? 1 : 2) * (service ? 1 : 2)
}
const sums = (total: number) => ({ total, unique: Math.ceil(total * 0.6), unique_exact: true, unique_error: 0 })

/** The visits in a range, by market and in total. */
function counted(question: VisitQuestion, range: DayRange) {
  const days = listOfDays(range)
  const by = markets(question).map((dma) => ({
    dma,
    total: days.reduce((sum, day) => sum + visitsOn(day, dma.dma_code, question), 0),
  }))
  return { by, total: by.reduce((sum, one) => sum + one.total, 0) }
}

/** The figures of a query, with those of the period before if requested. */
export function countsOfVisits(question: VisitQuestion, compares: boolean, more = 0): Output<'visit.counts'>['data'] {
  const range = rangeOfQuestion(question)
  const { by, total: known } = counted(question, range)
  const total = known + more
  const days = daysBetween(range.start, range.end) + 1
  const earlier = { start: addDays(range.start, -days), end: addDays(range.start, -1) }
  const before = counted(question, earlier)
  return {
    ...sums(total),
    start_date: FIRST_DAY,
    filter_start_date: range.start,
    filter_end_date: range.end,
    by_market: by.map(({ dma, total }, at) => ({
      ...{ dma: dma.dma_code, name: dma.dma_name, rank: dma.rank, venues: 2, ...sums(total) },
      before: compares ? before.by[at]!.total : null,
    })),
    hours: Array.from({ length: 7 }, (_, day) =>
      Array.from({ length: 24 }, (_, hour) =>
        total && hour > 6 ? ((hour * (day + 1)) % 11) + (day === 5 && hour === 18 ? 20 : 0) : 0,
      ),
    ),
    before: compares ? { ...sums(before.total), start_date: earlier.start, end_date: earlier.end } : null,
  }
}

/** Visits on each day of a query. */
export function daysOfVisits(question: VisitQuestion): Output<'visit.dailyGraph'>['data'] {
  const range = rangeOfQuestion(question)
  const visits = listOfDays(range).map((date) => ({
    date,
    ...sums(markets(question).reduce((sum, { dma_code }) => sum + visitsOn(date, dma_code, question), 0)),
  }))
  return { visits, start_date: range.start, end_date: range.end }
}

/** Two venues for each market, with names for administrators. */
export function placesOfVisits(question: VisitQuestion, market: Marketplace): Output<'visit.locations'> {
  const { by } = counted(question, rangeOfQuestion(question))
  const named = market.me.role === 'admin'
  const data = by.flatMap(({ dma, total }) =>
    [0, 1].map((nth) => {
      const { latitude, longitude } = dma
      return {
        ...{ latitude: latitude + nth / 20, longitude, visits: nth ? Math.floor(total / 3) : total - Math.floor(total / 3) },
        ...{ before: null, dma: dma.dma_code, venues: 1, venue_id: named ? dma.dma_code * 10 + nth : null },
        ...{ name: named ? `${dma.dma_name} ${nth + 1}` : null, address: named ? `${nth + 1} Main St` : null },
      }
    }),
  )
  return { data, count: data.length, page: 1, total: data.length, squares: !question.bid }
}

/** A saved filter of the first brand. */
export const newFilters = (): Filter[] => [filterRow(901, 'Last week', 1, { date: 'week' })]

export function filterRow(
  filter_id: number,
  filter_name: string,
  brand_id: number,
  { date, start, end, dmas, service }: VisitQuestion,
): Filter {
  return {
    ...{ filter_id, filter_name, filter_date_type: date, customFilterURL: '' },
    filter_body: { start: start ?? null, end: end ?? null, dmas: (dmas ?? []).map(Number), service: service ?? null },
    brand_id,
    brand_name: newBrands().find(({ id }) => id === brand_id)?.name ?? '',
    service_id: service ?? null,
    updated_at: LONG_AGO,
    lock_version: 1,
  }
}
