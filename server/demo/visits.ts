import { addDays, daysBetween } from '../../contract/pacing.ts'
import type { Visit } from '../domain/visit/store.ts'
import type { Calendar } from './calendar.ts'
import type { Market } from './market.ts'
import { type Random, randomOf } from './random.ts'
import { type BrandPlan, brandsOf, type ServicePlan, STORY, type Trade, type VenuePlan } from './visitation.ts'

/** Weights of hours on weekdays and weekends, and of days from Sunday. */
interface Curve {
  weekday: readonly number[]
  weekend: readonly number[]
  days: readonly number[]
}
const CURVES: Readonly<Record<Trade, Curve>> = {
  coffee: {
    weekday: [0, 0, 0, 0, 0, 1, 5, 11, 15, 10, 7, 6, 7, 6, 5, 5, 5, 4, 3, 2, 1, 1, 0, 0],
    weekend: [0, 0, 0, 0, 0, 0, 2, 4, 8, 12, 12, 10, 8, 6, 5, 5, 4, 3, 2, 2, 1, 1, 0, 0],
    days: [0.8, 1.05, 1.1, 1.1, 1.1, 1.1, 0.9],
  },
  cinema: {
    weekday: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 4, 7, 12, 15, 12, 7, 4, 2],
    weekend: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 5, 6, 6, 6, 7, 9, 13, 16, 14, 9, 6, 4],
    days: [1.6, 0.35, 0.45, 0.45, 0.55, 1.6, 2.2],
  },
  shop: {
    weekday: [0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 6, 7, 9, 8, 7, 8, 10, 13, 12, 9, 6, 3, 1, 0],
    weekend: [0, 0, 0, 0, 0, 0, 1, 2, 4, 7, 11, 13, 13, 13, 13, 12, 11, 9, 7, 5, 3, 2, 1, 0],
    days: [1.15, 0.9, 0.88, 0.9, 0.95, 1.1, 1.4],
  },
  fuel: {
    weekday: [1, 1, 1, 1, 2, 4, 8, 12, 11, 7, 6, 6, 7, 6, 6, 8, 11, 13, 10, 7, 5, 4, 3, 2],
    weekend: [2, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 10, 9, 9, 9, 9, 8, 7, 6, 5, 4, 3, 2],
    days: [0.8, 1, 1, 1, 1.05, 1.2, 1],
  },
  gym: {
    weekday: [0, 0, 0, 0, 1, 6, 10, 9, 6, 5, 4, 4, 5, 4, 3, 4, 7, 12, 14, 11, 7, 4, 2, 1],
    weekend: [0, 0, 0, 0, 0, 1, 3, 6, 10, 12, 11, 9, 7, 6, 6, 6, 5, 4, 3, 2, 1, 1, 0, 0],
    days: [0.75, 1.3, 1.2, 1.15, 1.05, 0.85, 0.8],
  },
}
/** The share of a day's visits that a holiday keeps. */
const HOLIDAY = 0.35
/** A gap of three days, as days before today. */
const GAP = { first: 20, last: 18 }
/** One venue in the larger sizes exceeds what a list of devices can hold. */
const CROWD = { devices: 9000, days: 31 }
/** Of a brand's devices, a third come once and a tenth make half of the visits; `visits` is the mean for a device. */
const POOL = { once: 1 / 3, often: 0.1, visits: 5.2 }
/** One in this many recurring devices also visits another brand: 8 % of all devices. */
const SHARED = 4

/** A range of days with visits; the ones without raw visits are too old for them to be kept. */
export interface Window {
  brand: number
  from: string
  to: string
  raw: boolean
  /** An estimate of its visits. */
  weight: number
}

/** The demo's visits in batches: a brand's days, split into those with raw visits and older ones. */
export function windowsOf({ amounts, calendar: { today } }: Market): Window[] {
  const { days, raw, brands, venues, aDay } = amounts.visitation
  const first = addDays(today, 1 - days)
  const rawFrom = addDays(today, 1 - Math.min(raw, days))
  return Array.from({ length: Math.min(brands, amounts.brand) }, (_, brand) => [
    ...(rawFrom > first ? [{ brand, from: first, to: addDays(rawFrom, -1), raw: false }] : []),
    { brand, from: rawFrom, to: today, raw: true },
  ])
    .flat()
    .map((one) => ({ ...one, weight: (daysBetween(one.from, one.to) + 1) * venues * aDay }))
}

/** A brand's visits in these days, up to now. */
export function visitsOf(market: Market, { brand: at, from, to }: Window): Visit[] {
  const brand = brandsOf(market)[at]!
  const random = randomOf(market.seed, 'visits', brand.id, from)
  const clock = dayTimes(market.calendar)
  const rates = ratesOf(market, brand, at)
  const devices = devicesOf(market, at, from)
  const visits: Visit[] = []
  const crowded = at === STORY.cinemas && market.amounts.visitation.days > 120 ? brand.services[0]!.venues[0]!.id : 0
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const times = clock(day)
    for (const service of brand.services) {
      if (day < service.start || day > service.until) continue
      const part = times.of(service.trade)
      for (const venue of service.venues) {
        const visit = (device: number) => visits.push({ venue_id: venue.id, at: part.draw(random), device })
        const many = poisson(random, rates(service, venue, day) * part.elapsed)
        for (let nth = 0; nth < many; nth++) visit(devices(random, venue.dma))
        if (venue.id !== crowded || daysBetween(day, market.calendar.today) >= CROWD.days) continue
        const crowd = Math.floor(CROWD.devices * part.elapsed)
        for (let nth = 0; nth < crowd; nth++) visit(numberOf(`crowd ${(nth * 7 + daysBetween(from, day) * 2000) % 40_000}`))
      }
    }
  }
  return visits
}

/** A venue's expected visits on a whole day; over all brands they average the size's visits for a venue and day. */
function ratesOf(market: Market, brand: BrandPlan, at: number): (service: ServicePlan, venue: VenuePlan, day: string) => number {
  const { today } = market.calendar
  const { days, aDay, venues } = market.amounts.visitation
  const first = addDays(today, 1 - days)
  const factor = (service: ServicePlan, day: string): number => {
    const ago = daysBetween(day, today)
    if (at === STORY.gap && ago <= GAP.first && ago >= GAP.last && days > GAP.first) return 0
    const grown = at === STORY.growing ? 1.03 ** (daysBetween(first, day) / 30.4) : 1
    return CURVES[service.trade].days[new Date(`${day}T00:00:00Z`).getUTCDay()]! * grown * (isHoliday(day) ? HOLIDAY : 1)
  }
  const known = new Map<string, number>()
  const factorOf = (service: ServicePlan, day: string): number => {
    const key = `${service.id} ${day}`
    const value = known.get(key) ?? factor(service, day)
    known.set(key, value)
    return value
  }
  let sum = 0
  for (const service of brand.services)
    for (let day = first; day <= today; day = addDays(day, 1)) {
      if (day < service.start || day > service.until) continue
      for (const venue of service.venues) if (day >= venue.since) sum += venue.weight * factorOf(service, day)
    }
  const scale = sum > 0 ? (venues * days * aDay) / sum : 0
  return (service, venue, day) => (day < venue.since ? 0 : venue.weight * factorOf(service, day) * scale)
}

/** A large US holiday, with fewer visits. */
function isHoliday(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  const [month, of, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()]
  if (['12-25', '01-01', '07-04'].includes(day.slice(5))) return true
  const nth = Math.ceil(of / 7)
  // Presidents' Day, Memorial Day, Labor Day, Thanksgiving.
  if (month === 2) return weekday === 1 && nth === 3
  if (month === 5) return weekday === 1 && of > 24
  if (month === 9) return weekday === 1 && nth === 1
  return month === 11 && weekday === 4 && nth === 4
}

interface Times {
  /** The share of the day's visits that happened before now, 0 to 1. */
  elapsed: number
  draw(random: Random): number
}

/** Draws times of a day in seconds by a trade's hours, none after now. */
function dayTimes(calendar: Calendar): (day: string) => { of(trade: Trade): Times } {
  const now = Math.floor(calendar.now.getTime() / 1000) - 60
  return (day) => {
    const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
    const starts = Array.from({ length: 24 }, (_, hour) => Math.floor(calendar.at(day, hour) / 1000))
    const known = new Map<Trade, Times>()
    const timesOf = (trade: Trade): Times => {
      const hours = CURVES[trade][weekend ? 'weekend' : 'weekday']
      const whole = hours.reduce((sum, weight) => sum + weight, 0)
      const spans = starts.map((start) => Math.max(0, Math.min(3600, now - start)))
      const sums: number[] = []
      let sum = 0
      for (const [hour, weight] of hours.entries()) {
        sum += weight * (spans[hour]! / 3600)
        sums.push(sum)
      }
      return {
        elapsed: sum / whole,
        draw(random) {
          const wanted = random.next() * sum
          let hour = 0
          while (hour < 23 && sums[hour]! <= wanted) hour++
          return starts[hour]! + Math.floor(random.next() * spans[hour]!)
        },
      }
    }
    return {
      of(trade) {
        const times = known.get(trade) ?? timesOf(trade)
        known.set(trade, times)
        return times
      },
    }
  }
}

/** Draws the device of a visit in a market area, usually a frequent one. */
function devicesOf(market: Market, brand: number, from: string): (random: Random, dma: number) => number {
  const { days, aDay, venues } = market.amounts.visitation
  const weights = new Map<number, number>()
  let whole = 0
  for (const { dma, weight } of brandsOf(market)[brand]!.services.flatMap((service) => service.venues)) {
    weights.set(dma, (weights.get(dma) ?? 0) + weight)
    whole += weight
  }
  const order = [...weights].sort(([one, first], [other, second]) => second - first || one - other)
  const pools = new Map(
    order.map(([dma, weight], place) => {
      const size = Math.max(12, Math.round((venues * days * aDay * weight) / whole / POOL.visits))
      const often = Math.max(1, Math.round(size * POOL.often))
      return [dma, { place, often, some: Math.max(1, Math.round(size * (1 - POOL.once - POOL.often))) }]
    }),
  )
  // Two brands share some of their devices.
  const pair = Math.floor(brand / 2)
  const numbers = new Map<string, number>()
  const known = (name: string): number => {
    const number = numbers.get(name) ?? numberOf(name)
    numbers.set(name, number)
    return number
  }
  let once = 0
  return (random, dma) => {
    const { place, often, some } = pools.get(dma)!
    const drawn = random.next()
    if (drawn < POOL.once / POOL.visits) return numberOf(`once ${brand} ${from} ${once++}`)
    const at = drawn < 0.5 + POOL.once / POOL.visits ? random.int(0, often - 1) : often + random.int(0, some - 1)
    return known(at % SHARED === 0 ? `pair ${pair} ${place} ${at}` : `${brand} ${dma} ${at}`)
  }
}

/** A device's 48-bit number from its name in the plan. */
function numberOf(name: string): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    high = Math.imul(high ^ code, 0x5bd1e995)
    low = Math.imul(low ^ code, 0x1b873593) ^ (high >>> 13)
  }
  high = Math.imul(high ^ (high >>> 15), 0x2c1b3c6d)
  low = Math.imul(low ^ (low >>> 16), 0x297a2d39)
  return ((high ^ (high >>> 16)) & 0xffff) * 0x1_0000_0000 + ((low ^ (low >>> 15)) >>> 0)
}

/** A whole number with this mean; above 50 the normal distribution is near enough. */
function poisson(random: Random, mean: number): number {
  if (mean <= 0) return 0
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  const limit = Math.exp(-mean)
  let many = 0
  for (let product = random.next(); product > limit; product *= random.next()) many++
  return many
}
