import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { clockOf } from '../../server/domain/visit/clock.ts'
import { COUNTED } from '../../server/domain/visit/countLimits.ts'
import { dateOf, monthOf, numbersOf } from '../../server/domain/visit/range.ts'
import { inTime } from '../../server/domain/visit/reading.ts'
import { isBehind, rollUp, rollupKind } from '../../server/domain/visit/rollups.ts'
import { storeVisits, type Visit } from '../../server/domain/visit/store.ts'
import { dayNumberOf } from '../../server/domain/visit/sums.ts'
import { warmPeriods } from '../../server/domain/visit/warm.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

/** The days with visits: both clock changes, two whole months, and the current one. */
const FIRST = '2026-01-20'
const TODAY = '2026-11-20'
const GAP = { start: '2026-03-21', end: '2026-10-04' }
const ZONE = 'America/New_York'
/** Market areas: with ranks 1, 2, 12 and 30, without a rank, and unknown. */
const RANKED = [1, 2, 12, 30]

interface Venue {
  id: number
  service: number
  dma: number
}
interface Asked {
  bid?: number
  service?: number
  start: string
  end: string
  dmas?: string
}

let app: Fieldwork
const venues: Venue[] = []
let visits: Visit[] = []
/** Services by brand, and those of the client user. */
let brands: { id: number; services: number[] }[] = []
let given: Set<number>
const gone = new Set<number>()
let markets: { code: number; rank: number | null }[] = []
const usual = { ...COUNTED }
/** RECOUNT=4 tries four times as many filters, more than 500. */
const TIMES = Number(process.env.RECOUNT ?? 1)

/** A repeatable sequence of numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const random = numbers(14)
const clock = clockOf(ZONE)

beforeAll(async () => {
  // Otherwise the server rolls up every ten seconds by itself, in between what a test prepares and what it expects.
  vi.spyOn(rollupKind, 'tick').mockResolvedValue(undefined)
  app = await fieldwork({ TIME_ZONE: ZONE }, 'fatal')
  app.services.now = () => new Date('2026-11-20T22:30:00Z')
  Object.assign(COUNTED, { exact: 900, listed: 60, held: 900 * 6, summed: 40 })
  const areas = await app.db.selectFrom('dmas').select(['code', 'rank']).orderBy('code').execute()
  const chosen = [...RANKED.map((rank) => areas.find((area) => area.rank === rank)!), areas.find(({ rank }) => rank === null)!]
  markets = [...chosen.map(({ code, rank }) => ({ code: Number(code), rank })), { code: 0, rank: null }]
  brands = await app.write(async (tx) => {
    const made: typeof brands = []
    const stamps = { created_at: TODAY, updated_at: TODAY }
    for (const [name, count] of [
      ['North', 3],
      ['South', 2],
      ['East', 1],
      ['Empty', 0],
    ] as const) {
      const brand = { name, name_key: name, start_dt: FIRST, ...stamps }
      const { id } = await tx.insertInto('brands').values(brand).returning('id').executeTakeFirstOrThrow()
      const services: number[] = []
      for (let nth = 0; nth < count; nth++) {
        const service = { brand_id: id, name: `${name} ${nth}`, name_key: `${nth}`, start_dt: FIRST, ...stamps }
        services.push((await tx.insertInto('services').values(service).returning('id').executeTakeFirstOrThrow()).id)
      }
      for (const service_id of services)
        for (let nth = 0; nth < 5; nth++) {
          const dma = markets[random(markets.length)]!.code
          const place = { latitude: 30 + random(100) / 10, longitude: -100 + random(100) / 10 }
          const venue = { service_id, code: `v${nth}`, name: `Venue ${nth}`, address: `${nth} Main St`, dma, ...place }
          const row = { ...venue, placed: 'given' as const, since: FIRST, ...stamps }
          const { id: venue_id } = await tx.insertInto('venues').values(row).returning('id').executeTakeFirstOrThrow()
          venues.push({ id: venue_id, service: service_id, dma })
        }
      made.push({ id, services })
    }
    return made
  })
  given = new Set([brands[0]!.services[0]!, brands[0]!.services[2]!, brands[2]!.services[0]!])
  await app.write((tx) =>
    tx
      .insertInto('service_users')
      .values([...given].map((service_id) => ({ service_id, user_id: app.member.id, added_at: TODAY })))
      .execute(),
  )
  await store(6000)
}, 60_000 * TIMES)
afterAll(() => {
  Object.assign(COUNTED, usual)
  vi.restoreAllMocks()
})

/** Stores visits of random venues and moments, also around midnight. */
async function store(count: number): Promise<void> {
  const days = Array.from({ length: dayNumberOf(TODAY) - dayNumberOf(FIRST) + 1 }, (_, at) => dayNumberOf(FIRST) + at).filter(
    (day) => dateOf(day) < GAP.start || dateOf(day) > GAP.end,
  )
  const added = Array.from({ length: count }, (): Visit => {
    const start = clock.startOf(days[random(days.length)]!)
    const within = random(5) ? random(20 * 3600) : random(2) ? random(120) : 86_400 - random(7200)
    return { venue_id: venues[random(venues.length)]!.id, at: start + within, device: 2 ** 40 + random(900) * 7_919_331_337 }
  })
  await app.write((tx) => storeVisits(app.services.database, tx, added, ZONE))
  const known = new Map([...visits, ...added].map((visit) => [`${visit.venue_id} ${visit.at} ${visit.device}`, visit]))
  visits = [...known.values()]
}

const codesOf = (dmas: string | undefined): Set<number> | null => {
  if (!dmas || dmas === 'All DMAs') return null
  const most = /^Top (\d+)$/.exec(dmas)
  if (most) return new Set(markets.flatMap(({ code, rank }) => (rank !== null && rank <= Number(most[1]) ? [code] : [])))
  return new Set(dmas.split(',').map(Number))
}

/** The same figures, counted one by one from raw visits. */
function recounted({ bid, service, start, end, dmas }: Asked, sees: (service: number) => boolean) {
  const codes = codesOf(dmas)
  const ofBrand = bid === undefined ? null : new Set(brands.find(({ id }) => id === bid)!.services)
  const among = new Map(
    venues
      .filter((venue) => sees(venue.service) && !gone.has(venue.service))
      .filter((venue) => (!ofBrand || ofBrand.has(venue.service)) && (service === undefined || venue.service === service))
      .filter((venue) => !codes || codes.has(venue.dma))
      .map((venue) => [venue.id, venue]),
  )
  const { from, to } = numbersOf({ start, end })
  const days = new Map<number, { total: number; devices: Set<number> }>()
  const byMarket = new Map<number, { total: number; devices: Set<number> }>()
  const byVenue = new Map<number, number>()
  const hours = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  const devices = new Set<number>()
  let total = 0
  let first: number | null = null
  const note = (sums: Map<number, { total: number; devices: Set<number> }>, key: number, device: number) => {
    const sum = sums.get(key) ?? { total: 0, devices: new Set<number>() }
    sums.set(key, sum)
    sum.total++
    sum.devices.add(device)
  }
  for (const { venue_id, at, device } of visits) {
    const venue = among.get(venue_id)
    if (!venue) continue
    const day = clock.dayOf(at)
    first = Math.min(first ?? day, day)
    if (day < from || day > to) continue
    total++
    devices.add(device)
    note(days, day, device)
    note(byMarket, venue.dma, device)
    byVenue.set(venue_id, (byVenue.get(venue_id) ?? 0) + 1)
    const weekday = (new Date(`${dateOf(day)}T00:00:00Z`).getUTCDay() + 6) % 7
    hours[weekday]![clock.hourOf(at)]!++
  }
  return { total, devices, days, byMarket, byVenue, hours, first, venues: [...among.values()] }
}

/** A unique count must be equal if it is marked exact, and close otherwise. */
function near(
  shown: { unique: number; unique_exact: boolean; unique_error: number },
  devices: Set<number> | undefined,
  about: string,
) {
  const real = devices?.size ?? 0
  if (shown.unique_exact) expect([shown.unique, shown.unique_error], about).toEqual([real, 0])
  else
    expect(Math.abs(shown.unique - real), `${about}: ${shown.unique} for ${real}`).toBeLessThanOrEqual(Math.max(2, real * 0.01))
}

const roles = () => [
  { person: app.as('admin'), sees: () => true },
  { person: app.as('client'), sees: (service: number) => given.has(service) },
]

function filters(count: number, seed: number): { asked: Asked; role: 0 | 1 }[] {
  const pick = numbers(seed)
  const span = dayNumberOf(TODAY) - dayNumberOf(FIRST)
  return Array.from({ length: count }, () => {
    const role = pick(2) as 0 | 1
    const sees = roles()[role]!.sees
    const brand = brands.filter(({ services }) => services.some((id) => sees(id) && !gone.has(id)))[pick(3) % (role ? 2 : 3)]
    const services = brand?.services.filter((id) => sees(id) && !gone.has(id)) ?? []
    const start = addDays(FIRST, pick(span))
    const length = [0, 1, 6, 29, 60, 300][pick(6)]!
    const codes = markets.filter(({ code }) => code && pick(2)).map(({ code }) => code)
    const dmas = [undefined, 'All DMAs', 'Top 10', 'Top 25', 'Top 50', codes.join(',') || undefined, codes[0]?.toString()][
      pick(7)
    ]
    const asked: Asked = { start, end: addDays(start, length), ...(dmas ? { dmas } : {}) }
    if (brand && pick(3)) asked.bid = brand.id
    if (asked.bid && services.length && pick(2)) asked.service = services[pick(services.length)]!
    return { asked, role }
  })
}

/** Reads all figures under many filters, and compares each with the raw visits. */
async function compareAll(count: number, seed: number): Promise<void> {
  for (const { asked, role } of filters(count * TIMES, seed)) await compare(asked, roles()[role]!)
}

/** The same for the last 365 days of all brands, which are merged in advance. */
async function compareYear(): Promise<void> {
  for (const dmas of ['All DMAs', 'Top 25']) await compare({ start: addDays(TODAY, -364), end: TODAY, dmas }, roles()[0]!)
}

async function compare(asked: Asked, { person, sees }: { person: Person; sees: (service: number) => boolean }) {
  const about = JSON.stringify(asked)
  const real = recounted(asked, sees)
  const input = { ...asked, date: 'custom' }
  const { body } = await person.call('visit.counts', { ...input, compare_before: 1 })
  const counts = body.data!
  expect([counts.total, counts.start_date], about).toEqual([real.total, real.first === null ? null : dateOf(real.first)])
  expect(counts.unique_exact, about).toBe(real.total <= COUNTED.exact)
  near(counts, real.devices, about)
  expect(counts.hours, about).toEqual(real.hours)
  expect([counts.filter_start_date, counts.filter_end_date]).toEqual([asked.start, asked.end])
  const length = dayNumberOf(asked.end) - dayNumberOf(asked.start) + 1
  const earlier = recounted({ ...asked, start: addDays(asked.start, -length), end: addDays(asked.start, -1) }, sees)
  expect(counts.before!.total, about).toBe(earlier.total)
  near(counts.before!, earlier.devices, about)
  expect(new Map(counts.by_market.map(({ dma, venues: of }) => [dma, of])), about).toEqual(
    new Map(
      [...new Set(real.venues.map(({ dma }) => dma))].map((dma) => [dma, real.venues.filter((one) => one.dma === dma).length]),
    ),
  )
  for (const market of counts.by_market) {
    const of = real.byMarket.get(market.dma)
    expect([market.total, market.before], about).toEqual([of?.total ?? 0, earlier.byMarket.get(market.dma)?.total ?? 0])
    near(market, of?.devices, `${about} in ${market.dma}`)
  }
  const { visits: days } = (await person.call('visit.dailyGraph', input)).body.data
  expect(days.map(({ date }) => date)).toEqual(Array.from({ length }, (_, at) => addDays(asked.start, at)))
  for (const day of days) {
    const of = real.days.get(dayNumberOf(day.date))
    expect(day.total, `${about} on ${day.date}`).toBe(of?.total ?? 0)
    near(day, of?.devices, `${about} on ${day.date}`)
  }
  const points = (await person.call('visit.locations', input)).body
  expect(points.total, about).toBe(real.total)
  expect(points.data.map((point) => point.visits).sort(), about).toEqual(
    real.venues.map(({ id }) => real.byVenue.get(id) ?? 0).sort(),
  )
  COUNTED.venues = 0
  const { body: many } = await person.call('visit.locations', input).finally(() => (COUNTED.venues = usual.venues))
  const sum = (of: 'visits' | 'venues') => many.data.reduce((all, point) => all + point[of], 0)
  expect([many.total, sum('visits'), sum('venues'), many.squares], about).toEqual([
    ...[real.total, real.total, real.venues.length],
    real.venues.length > 0,
  ])
}

describe('every figure is what its raw visits say', () => {
  test('before anything is rolled up', () => compareAll(14, 1), 60_000 * TIMES)

  test(
    'while the job rolls up',
    async () => {
      let turns = 30
      const soon = {
        get aborted() {
          return turns-- < 0
        },
      } as AbortSignal
      await rollUp(app.services, TODAY, soon)
      await compareAll(14, 2)
    },
    60_000 * TIMES,
  )

  test(
    'once it is done',
    async () => {
      await rollUp(app.services, TODAY)
      expect(await app.db.selectFrom('visit_stale').selectAll().execute()).toEqual([])
      // Now the figures come from packs: for each service, one for every past month and for each of its days.
      const packs = await app.db.selectFrom('visit_packs').select('period').where('scope', '=', 'service').execute()
      expect(packs.length).toBeGreaterThan(200)
      await warmPeriods(app.services, TODAY, new AbortController().signal)
      await compareYear()
      await compareAll(40, 3)
    },
    60_000 * TIMES,
  )

  test(
    'when visits of rolled up days arrive late',
    async () => {
      await store(150)
      await compareYear()
      await compareAll(14, 4)
      await rollUp(app.services, TODAY)
      await compareYear()
      await compareAll(14, 5)
      // Figures cached before must not be returned.
      await compareAll(14, 3)
    },
    60_000 * TIMES,
  )

  test(
    'when venues were counted before there were packs of them',
    async () => {
      await app.write(async (tx) => {
        await tx.deleteFrom('visit_packs').where('scope', '=', 'venues').execute()
        const days = await tx.selectFrom('visit_days').select('day').distinct().execute()
        const months = [...new Set(days.map(({ day }) => monthOf(Number(day))))]
        await tx
          .insertInto('visit_stale_months')
          .values(months.map((month) => ({ scope: 'venues' as const, scope_id: 0, month, removed: 1 })))
          .onConflict((conflict) => conflict.columns(['scope', 'scope_id', 'month']).doUpdateSet({ removed: 1 }))
          .execute()
      })
      await store(40)
      await compareAll(6, 10)
      await rollUp(app.services, TODAY)
      expect(await isBehind(app.services, TODAY)).toBe(false)
      await compareAll(6, 11)
    },
    60_000 * TIMES,
  )

  test(
    'when a service is deleted and restored, with or without the job in between',
    async () => {
      const id = brands[0]!.services[1]!
      const setGone = (deleted_at: string | null) =>
        app.write((tx) => tx.updateTable('services').set({ deleted_at }).where('id', '=', id).execute())
      await setGone(TODAY)
      gone.add(id)
      await store(40)
      await compareAll(8, 6)
      await rollUp(app.services, TODAY)
      await compareYear()
      await compareAll(8, 7)
      await setGone(null)
      gone.delete(id)
      await compareAll(8, 8)
      await rollUp(app.services, TODAY)
      await compareYear()
      await compareAll(8, 9)
    },
    90_000 * TIMES,
  )

  test(
    'after a service left, while the others take too long to read: devices are within an error that is reported',
    async () => {
      const id = brands[0]!.services[1]!
      const setGone = (deleted_at: string | null) =>
        app.write((tx) => tx.updateTable('services').set({ deleted_at }).where('id', '=', id).execute())
      await rollUp(app.services, TODAY)
      await setGone(TODAY)
      gone.add(id)
      Object.assign(COUNTED, { remade: 0, leaves: 300 })
      try {
        await compareLeft()
        // With more days than are taken away, the others are read: no figure still contains the service.
        COUNTED.taken = 0
        await compareLeft()
        COUNTED.taken = usual.taken
        await store(60)
        await compareLeft()
        let turns = 45
        const soon = {
          get aborted() {
            return turns-- < 0
          },
        } as AbortSignal
        await rollUp(app.services, TODAY, soon)
        expect(await isBehind(app.services, TODAY)).toBe(true)
        await compareLeft()
        COUNTED.leaves = usual.leaves
        await compareLeft()
        await rollUp(app.services, TODAY)
        expect(await isBehind(app.services, TODAY)).toBe(false)
        await compareYear()
        await compareAll(8, 12)
      } finally {
        Object.assign(COUNTED, { remade: usual.remade, leaves: usual.leaves, taken: usual.taken })
      }
      await setGone(null)
      gone.delete(id)
      await rollUp(app.services, TODAY)
      await compareAll(8, 13)
    },
    90_000 * TIMES,
  )
})

/** Sums as the raw visits say, and devices within their errors, whatever the job has made again. */
async function compareLeft() {
  const within = (shown: { unique: number; unique_error: number }, devices: Set<number> | undefined, about: string) =>
    expect(Math.abs(shown.unique - (devices?.size ?? 0)), `${about}: ${shown.unique} for ${devices?.size}`).toBeLessThanOrEqual(
      2 + shown.unique * shown.unique_error,
    )
  const year = { start: addDays(TODAY, -364), end: TODAY }
  const picked = markets.slice(0, 2).map(({ code }) => code)
  const periods = [year, { start: '2026-02-01', end: '2026-03-10' }, { start: addDays(TODAY, -6), end: TODAY }]
  for (const period of periods)
    for (const dmas of ['All DMAs', 'Top 25', picked.join(',')]) {
      const asked = { ...period, dmas }
      const about = JSON.stringify(asked)
      const real = recounted(asked, () => true)
      const { body } = await app.as('admin').call('visit.counts', { ...asked, date: 'custom' })
      const { total, hours, by_market, ...unique } = body.data!
      expect([total, hours], about).toEqual([real.total, real.hours])
      within(unique, real.devices, about)
      if (total <= COUNTED.exact) expect([unique.unique, unique.unique_error], about).toEqual([real.devices.size, 0])
      for (const market of by_market) {
        expect(market.total, `${about} in ${market.dma}`).toBe(real.byMarket.get(market.dma)?.total ?? 0)
        within(market, real.byMarket.get(market.dma)?.devices, `${about} in ${market.dma}`)
      }
      const { visits: days } = (await app.as('admin').call('visit.dailyGraph', { ...asked, date: 'custom' })).body.data
      for (const day of days) {
        const of = real.days.get(dayNumberOf(day.date))
        expect(day.total, `${about} on ${day.date}`).toBe(of?.total ?? 0)
        within(day, of?.devices, `${about} on ${day.date}`)
      }
    }
}

describe('a period', () => {
  const counts = (input: object, person = app.as('admin')) => person.call('visit.counts', input as never)

  test('is in the display zone’s days, and custom ones are five days long without an end', async () => {
    const shown = async (date: string, more: object = {}) => {
      const { filter_start_date, filter_end_date } = (await counts({ date, ...more })).body.data!
      return [filter_start_date, filter_end_date]
    }
    expect(await shown('TODAY')).toEqual([TODAY, TODAY])
    expect(await shown('Week')).toEqual(['2026-11-14', TODAY])
    expect(await shown('last_month')).toEqual(['2026-10-01', '2026-10-31'])
    expect(await shown('custom', { start: '2026-02-01' })).toEqual(['2026-02-01', '2026-02-05'])
  })

  test('without visits has zeros, and every day', async () => {
    const asked = { date: 'custom', start: '2020-01-01', end: '2020-01-31' }
    const { status, body } = await counts(asked)
    expect([status, body.data!.total, body.data!.unique, body.data!.hours.flat().length]).toEqual([200, 0, 0, 168])
    const graph = await app.as('admin').call('visit.dailyGraph', asked as never)
    expect(graph.body.data.visits.map(({ total }) => total)).toEqual(new Array(31).fill(0))
    const empty = await counts({ bid: brands[3]!.id })
    expect([empty.status, empty.body.data!.total, empty.body.data!.start_date]).toEqual([200, 0, null])
  })

  test('that ends before it starts is refused, as is one beyond ten years and an unknown market', async () => {
    const wrong = await counts({ date: 'custom', start: '2026-02-02', end: '2026-02-01' })
    expect([wrong.status, wrong.body.fields]).toEqual([422, { start: MESSAGES.startBeforeEnd }])
    expect((await counts({ date: 'custom', start: '2001-01-01', end: '2026-01-01' })).body.fields).toEqual({
      end: 'A period is ten years at most',
    })
    expect((await counts({ dmas: 'Atlantis' })).body.fields).toEqual({ dmas: '“Atlantis” is not a market area' })
  })
})

describe('a reader', () => {
  const reads = ['visit.counts', 'visit.dailyGraph', 'visit.locations'] as const
  test('finds only their own brands and services', async () => {
    for (const read of reads) {
      for (const brand of brands) {
        const theirs = brand.services.some((id) => given.has(id))
        expect((await app.as('client').call(read, { bid: brand.id })).status, `${read} ${brand.id}`).toBe(theirs ? 200 : 404)
        expect((await app.as('admin').call(read, { bid: brand.id })).status).toBe(200)
        for (const service of brand.services)
          expect((await app.as('client').call(read, { service })).status).toBe(given.has(service) ? 200 : 404)
      }
      expect((await app.as('client').call(read, { bid: brands[0]!.id, service: brands[2]!.services[0]! })).status).toBe(404)
      expect((await app.as('admin').call(read, { bid: 9999 })).status).toBe(404)
      expect((await app.as('stranger').call(read, {})).status).toBe(401)
    }
  })

  test('gets names and addresses of venues only as an administrator', async () => {
    const [shown] = (await app.as('admin').call('visit.locations', {})).body.data
    expect([shown!.name, shown!.address, shown!.venue_id]).toEqual([
      expect.stringMatching(/^Venue/),
      expect.any(String),
      expect.any(Number),
    ])
    const theirs = (await app.as('client').call('visit.locations', {})).body.data
    expect(theirs).toHaveLength(venues.filter(({ service }) => given.has(service)).length)
    for (const point of theirs) expect([point.name, point.address, point.venue_id]).toEqual([null, null, null])
  })

  test(
    'loses revoked access at once',
    async () => {
      const service = brands[2]!.services[0]!
      await app.write((tx) => tx.deleteFrom('service_users').where('service_id', '=', service).execute())
      given.delete(service)
      expect((await app.as('client').call('visit.counts', { bid: brands[2]!.id })).status).toBe(404)
      await compareAll(14, 10)
    },
    20_000 * TIMES,
  )
})

describe('an export', () => {
  const period = { date: 'custom', start: '2026-02-20', end: '2026-03-10' }
  /** Starts an export, and opens its link once its job has ended. */
  async function file(person: Person, input: object) {
    const { body, status } = await person.call('visit.counts', { ...period, process: 'export', ...input } as never)
    expect([status, body.message]).toEqual([200, 'The export is on its way.'])
    const { status: how, result } = await app.services.jobs.settled(body.job_id!, 10_000)
    expect(how, result).toBe('done')
    const link = body.report_download_link!
    return {
      link,
      lines: (await app.as('stranger').raw('GET', link)).text
        .replace(/^\uFEFF/, '')
        .trim()
        .split('\r\n'),
    }
  }
  const openedBy = async (link: string) => (await app.as('stranger').raw('GET', link)).status

  test('has a line per day and market that matches the figures', async () => {
    for (const { person, sees } of roles())
      for (const dmas of [undefined, 'Top 10']) {
        const { lines } = await file(person, dmas ? { dmas } : {})
        const days = Array.from({ length: 19 }, (_, at) => addDays(period.start, at))
        const real = days.flatMap((day) => {
          const { byMarket } = recounted({ start: day, end: day, ...(dmas ? { dmas } : {}) }, sees)
          return [...byMarket]
            .sort(([a], [b]) => a - b)
            .map(([dma, { total, devices }]) => `${day} ${dma} ${total} ${devices.size}`)
        })
        expect(lines[0]).toBe('Date,Market code,Market,Visits,Unique devices,Unique ± %')
        const shown = lines.slice(1).map((line) => /^([^,]+),(\d+),.*,(\d+),(\d+),0$/.exec(line)?.slice(1).join(' '))
        expect(shown).toEqual(real)
      }
  })

  test('has a line per venue and day, for administrators only', async () => {
    const { lines } = await file(app.as('admin'), { include_venue: 1, bid: brands[1]!.id })
    const { byVenue, total } = recounted({ ...period, bid: brands[1]!.id }, () => true)
    const sums = lines.slice(1).map((line) => line.split(',').slice(-2).map(Number))
    expect(sums.reduce((sum, [visits]) => sum + visits!, 0)).toBe(total)
    expect(new Set(lines.slice(1).map((line) => /,(\d+),v\d,/.exec(line)?.[1])).size).toBe(byVenue.size)
    const refused = await app.as('client').call('visit.counts', { process: 'export', include_venue: 1 })
    expect([refused.status, refused.body.message]).toEqual([403, 'Only administrators can export venue data'])
    const other = await app.as('client').call('visit.counts', { process: 'export', bid: brands[1]!.id })
    expect(other.status).toBe(404)
  })

  test('can be downloaded only while its services are visible', async () => {
    const { link } = await file(app.as('client'), { format: 'xlsx' })
    expect(await openedBy(link)).toBe(200)
    const service_id = brands[0]!.services[0]!
    await app.write((tx) => tx.deleteFrom('service_users').where('service_id', '=', service_id).execute())
    expect(await openedBy(link)).toBe(404)
    const row = { service_id, user_id: app.member.id, added_at: TODAY }
    await app.write((tx) => tx.insertInto('service_users').values(row).execute())
    expect(await openedBy(link)).toBe(200)
  })

  test('returns 202 with Retry-After until its file is ready', async () => {
    const { body } = await app.as('client').call('visit.counts', { ...period, process: 'export' })
    await app.services.jobs.settled(body.job_id!, 10_000)
    const setStatus = (status: 'running' | 'done') =>
      app.write((tx) => tx.updateTable('jobs').set({ status, beat_at: '2999-01-01' }).where('id', '=', body.job_id!).execute())
    await setStatus('running')
    const early = await app.as('stranger').raw('GET', body.report_download_link!)
    expect([early.status, Number(early.headers['retry-after']) > 0]).toEqual([202, true])
    await setStatus('done')
  })
})

describe('a read that fails says so', () => {
  const asking = (work: () => Promise<unknown>, seconds: number) =>
    inTime(
      { services: app.services, db: app.db, call: 'visit.counts' } as never,
      async (reading) => {
        await work()
        await reading.turn()
      },
      seconds,
    )

  test('with 504 after its time limit', async () => {
    await expect(asking(async () => {}, 0)).rejects.toMatchObject({ status: 504, message: MESSAGES.visitsTimedOut })
  })
  test('with 500 and the page’s sentence otherwise', async () => {
    const fails = asking(() => Promise.reject(new Error('broken')), 10)
    await expect(fails).rejects.toMatchObject({ status: 500, message: MESSAGES.visitsFailed })
  })
})
