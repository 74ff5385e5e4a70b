import { sql } from 'kysely'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import { leftServices } from './leftServices.ts'
import { type Days, monthAfter, monthOf, type VisitRange } from './range.ts'
import type { Key, Reading } from './reading.ts'
import { dayNumberOf } from './sums.ts'

/** The key of `meta` for the active services included in the roll-ups of `all` and of brands: [service, brand]. */
export const HELD = 'visits.held'

/** How days are read: whole months from monthly roll-ups, the others day by day. */
interface Split {
  months: Days[]
  days: Days[]
}

/** Which source each part of a read uses, so that figures are right before, during and after the roll-up job. */
export interface Cover {
  /** Days read from the roll-ups of `all`. */
  all: Split
  /** A long run of these days that is worth merging once, and the other days. */
  core: Days | null
  rest: Split
  /** The days among them with services whose latest visits aren't rolled up. */
  stale: ReadonlyMap<number, ReadonlySet<number>>
  /** The requested markets that `all` contains. */
  markets(): Promise<readonly number[]>
  /** Days read from services: from packs, and from cells and leaves where these aren't rolled up. */
  services: Splits
  /** The same for days of services, which each have packs of their own. */
  ofServices: { core: Days | null; rest: Splits }
  /** Keys of these services' cells and leaves by market area: of all days, or only of stale ones. */
  keys(which: 'all' | 'stale'): Promise<ReadonlyMap<number, Key[]>>
  /** True for days of months in which the brand's roll-ups can't be used. */
  unusable(day: number): boolean
  /** Days on which the roll-ups of `all` contain services that left, by service: what is read must be without them. */
  left: ReadonlyMap<number, ReadonlySet<number>>
}

type Splits = ReadonlyMap<number, Split & { stale: readonly Days[] }>

/** A service's cells in one market area, and their first day. */
type Pair = readonly [service: number, dma: number, first: number]

/** Plans how to read some days; an export has the time to read services however many there are. */
export async function coverOf(reading: Reading, range: VisitRange, days: Days, hasTime = false): Promise<Cover> {
  // Marks are read before roll-ups, and included services before marks: a job in between then only makes both needless.
  const held = range.whole || range.unit?.scope === 'brand' ? await heldServices(reading.db) : new Map<number, number>()
  const stale = await staleDays(reading, range, days)
  const months = await staleMonths(reading, days)
  const changed = await leftMonths(reading, range, days, { ...months, stale }, held)
  const isLong = !hasTime && range.whole && changed.size > 0 && (await isTooMuch(reading, range, days, changed))
  const left = isLong ? await leftDays(reading, range, days, { held, stale }) : null
  const unusable: ReadonlySet<number> = left ? new Set() : changed
  const running = monthOf(dayNumberOf(range.today))
  const whole = wholeMonths(days).filter((month) => month < running)
  const [served, others] = range.whole ? parted(days, (day) => !unusable.has(monthOf(day))) : [[], [days]]
  const staleMonth = new Set([...stale.keys()].map(monthOf))
  const isClean = (month: number) => !staleMonth.has(month) && (!months.all.has(month) || months.removed.has(`all 0 ${month}`))
  const clean = whole.filter((month) => !unusable.has(month) && isClean(month))
  const services = others.length ? splitsOf(range, others, whole, stale, months.service) : new Map()
  const all = split(served, new Set(clean))
  const today = dayNumberOf(range.today)
  const core = range.whole ? coreOf(all, stale, today, CORE.all) : null
  let markets: Promise<readonly number[]> | undefined
  return {
    all,
    core,
    rest: core ? { months: without(all.months, core), days: without(all.days, core) } : all,
    stale,
    markets: () => (markets ??= served.length ? marketsHeld(reading, range) : Promise.resolve([])),
    services,
    ofServices: servicesCore(services, others, whole, { stale, months: months.service, today }),
    keys: (which) => keysOf(reading, range, services, which === 'all' ? others : null),
    unusable: (day) => unusable.has(monthOf(day)),
    left: leftIn(left ?? [], all.months),
  }
}

/** Services with visits that aren't rolled up, by day. */
type StaleDays = Map<number, Set<number>>

/** Days on which services in the range have visits that aren't rolled up. */
async function staleDays({ db }: Reading, { services, whole }: VisitRange, { from, to }: Days): Promise<StaleDays> {
  let query = db.selectFrom('visit_stale').select(['service_id', 'day']).where('day', '>=', from).where('day', '<=', to)
  if (!whole && services.size <= 100) query = query.where('service_id', 'in', [...services, 0])
  const stale = new Map<number, Set<number>>()
  for (const { service_id, day } of await query.execute())
    if (services.has(service_id)) getOrInsert(stale, Number(day), () => new Set<number>()).add(service_id)
  return stale
}

/** Months whose roll-ups miss days, by scope; those of `all` and of brands that still include a removed service. */
async function staleMonths({ db }: Reading, { from, to }: Days) {
  const rows = await db
    .selectFrom('visit_stale_months')
    .selectAll()
    .where('scope', '<>', 'venues')
    .where('month', '>=', monthOf(from))
    .where('month', '<=', to)
    .execute()
  const all = new Set<number>()
  const removed = new Set<string>()
  const service = new Map<number, Set<number>>()
  for (const row of rows) {
    if (row.removed) removed.add(`${row.scope} ${row.scope_id} ${row.month}`)
    if (row.scope === 'all') all.add(Number(row.month))
    else if (row.scope === 'service') getOrInsert(service, row.scope_id, () => new Set<number>()).add(Number(row.month))
  }
  return { all, service, removed }
}

/**
 * Months in which the roll-ups of `all` or of the brand don't match the active services.
 * Found by comparing, so that a deletion, its undo and a deleted brand need no marks of their own.
 * A new service adds no months here, because all its days are marked as stale anyway.
 */
async function leftMonths(
  { db }: Reading,
  { whole, unit, services }: VisitRange,
  { from, to }: Days,
  { removed, stale }: { removed: ReadonlySet<string>; stale: Cover['stale'] },
  held: ReadonlyMap<number, number>,
): Promise<ReadonlySet<number>> {
  const left = new Set<number>()
  const [scope, id] = whole ? ['all', 0] : unit?.scope === 'brand' ? ['brand', unit.id] : ['', 0]
  if (!scope) return left
  for (let month = monthOf(from); month <= to; month = monthAfter(month))
    if (removed.has(`${scope} ${id} ${month}`)) left.add(month)
  const gone = [...held].flatMap(([service, brand]) => ((whole || brand === id) && !services.has(service) ? [service] : []))
  for (const month of await monthsWithVisits(db, gone, { from, to })) left.add(month)
  const came = [...services].filter((service) => !held.has(service))
  for (const { service_id, day } of await daysWithVisits(db, came, { from, to }))
    if (!stale.get(Number(day))?.has(service_id)) left.add(monthOf(Number(day)))
  return left
}

/** The most packs of services in a read. */
const PACKS = 20_000

/** True if reading the months from services would take too long. */
async function isTooMuch({ db }: Reading, { services }: VisitRange, days: Days, months: ReadonlySet<number>): Promise<boolean> {
  let packs = 0
  let visits = 0
  for (const month of months) {
    const [from, to] = [Math.max(days.from, month), Math.min(days.to, monthAfter(month) - 1)]
    packs += services.size * (to - from + 1 === monthAfter(month) - month ? 1 : to - from + 1)
    const { rows } = await sql<{ visits: number | null }>`select sum(visits) as visits from visit_rollups
      where scope = 'all' and scope_id = 0 and market = 0 and period = 'd' and start_day between ${from} and ${to}`.execute(db)
    visits += Number(rows[0]?.visits ?? 0)
  }
  return packs > PACKS || visits > COUNTED.remade
}

interface LeftDay {
  service: number
  day: number
  /** Whether the roll-ups of the day and of its month contain the service. */
  inDay: boolean
  inMonth: boolean
}

/** The days of services that left, null if too many; those with visits that aren't rolled up become stale. */
async function leftDays(
  { db }: Reading,
  { services }: VisitRange,
  days: Days,
  { held, stale }: { held: ReadonlyMap<number, number>; stale: StaleDays },
): Promise<LeftDay[] | null> {
  const noted = await leftServices(db)
  const gone = [...new Set([...held.keys(), ...noted.keys()])].filter((service) => !services.has(service))
  const left = (await daysWithVisits(db, gone, days)).flatMap(({ service_id: service, day: of }): LeftDay[] => {
    const day = Number(of)
    const note = held.has(service) ? null : noted.get(service)!
    const inDay = !note || note.days.has(day)
    const inMonth = !note || note.months.has(monthOf(day))
    return inDay || inMonth ? [{ service, day, inDay, inMonth }] : []
  })
  if (left.length > COUNTED.taken) return null
  const ids = [...new Set(left.map(({ service }) => service))]
  for (let at = 0; at < ids.length; at += 500)
    for (const { day } of await db
      .selectFrom('visit_stale')
      .select('day')
      .where('service_id', 'in', ids.slice(at, at + 500))
      .where('day', '>=', days.from)
      .where('day', '<=', days.to)
      .execute())
      getOrInsert(stale, Number(day), () => new Set<number>())
  return left
}

/** The days of services that left in the roll-ups that are read, by service. */
function leftIn(left: readonly LeftDay[], months: readonly Days[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>()
  for (const { service, day, inDay, inMonth } of left)
    if (months.some(({ from, to }) => from <= day && day <= to) ? inMonth : inDay)
      getOrInsert(found, service, () => new Set<number>()).add(day)
  return found
}

/** The services included in the roll-ups of `all` and of brands, each with its brand. */
export async function heldServices(db: Reading['db']): Promise<Map<number, number>> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', HELD).executeTakeFirst()
  return new Map(row ? (JSON.parse(row.value) as [number, number][]) : [])
}

/** The months within these days in which one of the services has visits. */
export async function monthsWithVisits(db: Reading['db'], services: readonly number[], days?: Days): Promise<Set<number>> {
  return new Set((await daysWithVisits(db, services, days)).map(({ day }) => monthOf(Number(day))))
}

/** The days on which each of the services has visits. */
export async function daysWithVisits(
  db: Reading['db'],
  services: readonly number[],
  days?: Days,
): Promise<{ service_id: number; day: number }[]> {
  const found: { service_id: number; day: number }[] = []
  for (let at = 0; at < services.length; at += 500) {
    let query = db
      .selectFrom('visit_days')
      .select(['service_id', 'day'])
      .where('service_id', 'in', services.slice(at, at + 500))
    if (days) query = query.where('day', '>=', days.from).where('day', '<=', days.to)
    for (const row of await query.execute()) found.push(row)
  }
  return found
}

/** The least days that are worth merging as a core: a day of all brands is many bytes, one of services few. */
const CORE = { all: 4, services: 14 }
/** The latest days, which change too often to be cached. */
const SETTLED = 2

/** The longest run of rolled-up days; months in it must be complete, other days are read one by one. */
function coreOf({ months, days }: Split, stale: Cover['stale'], today: number, least: number): Days | null {
  let longest: Days | null = null
  let run: Days | null = null
  const add = (from: number, to: number) => {
    if (run && run.to + 1 === from) run.to = to
    else run = { from, to }
    if (!longest || run.to - run.from > longest.to - longest.from) longest = { ...run }
  }
  for (const { from, to, isMonths } of [
    ...months.map((run) => ({ ...run, isMonths: true })),
    ...days.map((run) => ({ ...run, isMonths: false })),
  ].sort((a, b) => a.from - b.from)) {
    if (isMonths) {
      add(from, to)
      continue
    }
    for (let day = from; day <= Math.min(to, today - SETTLED); day++) {
      const month = monthOf(day)
      const end = monthAfter(month) - 1
      // A month read day by day isn't rolled up yet, so its row must not be read.
      const isWhole = from <= month && end <= to && end <= today - SETTLED
      if (!isWhole && !stale.has(day)) add(day, day)
    }
  }
  const core = longest as Days | null
  return core && core.to - core.from + 1 >= least ? core : null
}

/** A long run of days that all these services have rolled up, and each one's other days. */
function servicesCore(
  services: Splits,
  runs: readonly Days[],
  whole: readonly number[],
  marks: { stale: Cover['stale']; months: ReadonlyMap<number, ReadonlySet<number>>; today: number },
): Cover['ofServices'] {
  if (!services.size) return { core: null, rest: services }
  const not = new Set([...marks.stale.keys()].map(monthOf))
  for (const service of services.keys()) for (const month of marks.months.get(service) ?? []) not.add(month)
  const clean = new Set(whole.filter((month) => !not.has(month)))
  const core = coreOf(split(runs, clean), marks.stale, marks.today, CORE.services)
  if (!core) return { core, rest: services }
  // Nearly all services share the same split.
  const rests = new Map<object, Split & { stale: readonly Days[] }>()
  const restOf = (of: Split & { stale: readonly Days[] }) => ({
    months: without(of.months, core),
    days: without(of.days, core),
    stale: of.stale,
  })
  return { core, rest: new Map([...services].map(([id, of]) => [id, getOrInsert(rests, of, () => restOf(of))])) }
}

/** Runs of days without those of a core. */
const without = (runs: readonly Days[], core: Days): Days[] =>
  runs.flatMap(({ from, to }) => [
    ...(from < core.from ? [{ from, to: Math.min(to, core.from - 1) }] : []),
    ...(to > core.to ? [{ from: Math.max(from, core.to + 1), to }] : []),
  ])

const wholeMonths = ({ from, to }: Days): number[] => {
  const months: number[] = []
  for (
    let month = monthOf(from) < from ? monthAfter(monthOf(from)) : from;
    monthAfter(month) - 1 <= to;
    month = monthAfter(month)
  )
    months.push(month)
  return months
}

/** Splits days into runs that pass and runs that don't. */
function parted({ from, to }: Days, passes: (day: number) => boolean): [Days[], Days[]] {
  const parts: [Days[], Days[]] = [[], []]
  // The predicate depends only on the month.
  for (let day = from; day <= to; day = monthAfter(monthOf(day)))
    joined(parts[passes(day) ? 0 : 1], { from: day, to: Math.min(to, monthAfter(monthOf(day)) - 1) })
  return parts
}

/** Appends days to runs, extending the last run if they follow it. */
function joined(runs: Days[], days: Days): void {
  const last = runs.at(-1)
  if (last && last.to + 1 === days.from) last.to = days.to
  else runs.push(days)
}

/** Splits runs of days into whole clean months and other days. */
function split(runs: readonly Days[], clean: ReadonlySet<number>): Split {
  const done: Split = { months: [], days: [] }
  for (const { from, to } of runs)
    for (let day = from; day <= to; ) {
      const month = monthOf(day)
      const end = monthAfter(month) - 1
      if (day === month && end <= to && clean.has(month)) joined(done.months, { from: day, to: end })
      else joined(done.days, { from: day, to: Math.min(to, end) })
      day = end + 1
    }
  return done
}

/** How each service's days are read. */
function splitsOf(
  range: VisitRange,
  runs: readonly Days[],
  whole: readonly number[],
  stale: ReadonlyMap<number, ReadonlySet<number>>,
  staleMonth: ReadonlyMap<number, ReadonlySet<number>>,
): Cover['services'] {
  const staleDays = new Map<number, Set<number>>()
  for (const [day, services] of stale)
    for (const service of services) getOrInsert(staleDays, service, () => new Set<number>()).add(day)
  const usual = { ...split(runs, new Set(whole)), stale: [] }
  const splits = new Map<number, Split & { stale: readonly Days[] }>()
  for (const service of range.services) {
    const days = staleDays.get(service)
    const not = new Set([...(staleMonth.get(service) ?? []), ...[...(days ?? [])].map(monthOf)])
    if (!not.size) {
      splits.set(service, usual)
      continue
    }
    const all = split(runs, new Set(whole.filter((month) => !not.has(month))))
    const [clean, left]: [Days[], Days[]] = [[], []]
    for (const { from, to } of all.days)
      for (let day = from; day <= to; day++) joined(days?.has(day) ? left : clean, { from: day, to: day })
    splits.set(service, { months: all.months, days: clean, stale: left })
  }
  return splits
}

/** The keys of services' cells and leaves by market area; without runs, those that aren't rolled up. */
async function keysOf(
  reading: Reading,
  range: VisitRange,
  splits: Cover['services'],
  runs: readonly Days[] | null,
): Promise<ReadonlyMap<number, Key[]>> {
  const keys = new Map<number, Key[]>()
  const services = new Set([...splits].filter(([, { stale }]) => runs || stale.length).map(([service]) => service))
  for (const [service, dma] of await pairsOf(reading, { ...range, services })) {
    const of = getOrInsert(keys, dma, () => [])
    for (const { from, to } of runs ?? splits.get(service)!.stale) of.push([service, dma, from, to])
  }
  return keys
}

/** The market areas in which each service has visits, found by jumping through the cells' primary key. */
async function pairsOf({ db, turn }: Reading, { services, markets }: Pick<VisitRange, 'services' | 'markets'>): Promise<Pair[]> {
  const pairs: Pair[] = []
  const ids = [...services]
  for (let at = 0; at < ids.length; at += 200) {
    const { rows } = await sql<{ service_id: number; dma: number; first: number }>`
      with recursive held(service_id, dma) as (
        select s.id, (select min(c.dma) from visit_cells c where c.service_id = s.id) from services s
        where s.id in (${sql.join(ids.slice(at, at + 200))})
        union all
        select held.service_id, (select min(c.dma) from visit_cells c where c.service_id = held.service_id and c.dma > held.dma)
        from held where held.dma is not null
      ) select service_id, dma, (select min(day) from visit_cells first where first.service_id = held.service_id and first.dma = held.dma) as first
      from held where dma is not null`.execute(db)
    for (const { service_id, dma, first } of rows)
      if (!markets || markets.has(Number(dma))) pairs.push([service_id, Number(dma), Number(first)])
    await turn()
  }
  return pairs
}

/** The requested markets that roll-ups of all brands contain. */
async function marketsHeld({ db }: Reading, { markets }: VisitRange): Promise<number[]> {
  const { rows } = await sql<{ market: number }>`
    with recursive held(market) as (
      select (select min(market) from visit_rollups where scope = 'all' and scope_id = 0 and market > -5)
      union all
      select (select min(r.market) from visit_rollups r where r.scope = 'all' and r.scope_id = 0 and r.market > held.market)
      from held where held.market is not null
    ) select market from held where market is not null`.execute(db)
  return rows.map(({ market }) => Number(market)).filter((market) => market !== 0 && (!markets || markets.has(market)))
}

/** The first day with visits in the range, whatever the period. */
export async function firstDayOf(reading: Reading, range: VisitRange): Promise<number | null> {
  if (!range.markets) return range.firstDay
  const days = await (range.whole && (await allHold(reading, range)) ? firstRolled(reading, range) : firstCells(reading, range))
  return days.length ? Math.min(...days) : null
}

const firstCells = async (reading: Reading, range: VisitRange): Promise<number[]> =>
  (await pairsOf(reading, range)).map(([, , first]) => first)

/** True if the roll-ups of `all` include exactly the active services, in every month. */
async function allHold({ db }: Reading, { services }: VisitRange): Promise<boolean> {
  const held = await heldServices(db)
  if (held.size !== services.size || [...services].some((service) => !held.has(service))) return false
  return !(await db.selectFrom('visit_stale_months').select('month').where('removed', '=', 1).limit(1).executeTakeFirst())
}

/** The first days of the markets, from their roll-ups and from what isn't rolled up yet. */
async function firstRolled(reading: Reading, range: VisitRange): Promise<number[]> {
  const { db, engine } = reading
  const markets = range.preset === null ? await marketsHeld(reading, range) : [range.preset]
  const each = engine === 'sqlite' ? sql`json_each(${JSON.stringify(markets)}) k` : sql`unnest(${markets}::bigint[]) as k(value)`
  const rolled = await sql<{ first: number | null }>`select min((select min(start_day) from visit_rollups
    where scope = 'all' and scope_id = 0 and market = k.value and period = 'd')) as first from ${each}`.execute(db)
  const stale = await sql<{ first: number | null }>`select min(c.day) as first from visit_stale s
    join visit_cells c on c.day = s.day and c.service_id = s.service_id
    where c.dma in (${sql.join([...(range.markets ?? [])])})`.execute(db)
  return [...rolled.rows, ...stale.rows].flatMap(({ first }) => (first === null ? [] : [Number(first)]))
}
