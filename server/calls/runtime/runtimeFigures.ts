import { type RawBuilder, sql } from 'kysely'
import { inMinutes } from '../../../contract/interview.ts'
import { addDays, daysBetween, expectedToDate, pacingOf, partsOf } from '../../../contract/pacing.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import type { Funnel, GeoPoint, Slice, Summary, TrendDay } from '../../../contract/runtime.ts'
import { SPELLING } from '../../../contract/status.ts'
import {
  AGES,
  agesOf,
  CHILDREN,
  ETHNICITIES,
  ethnicitiesOf,
  GENDERS,
  INCOMES,
  MARITAL,
  type Term,
} from '../../../contract/vocabulary.ts'
import type { Db } from '../../db/connect.ts'
import { PLACES, tenthsOf } from '../../domain/responses/answerColumns.ts'
import { type Reading, SurveyAnswers } from '../../domain/responses/surveyAnswers.ts'
import { type CellFilter, cellsWanted, DIMENSIONS, type Dimension, dimensionOf, isFiltered } from '../../domain/runtime/cells.ts'
import { getOrInsert } from '../../domain/runtime/getOrInsert.ts'
import { inRange, type Range } from '../../domain/runtime/range.ts'
import { lengthOf } from '../../domain/survey/length.ts'

/** Widgets by dimension of a cell: their terms, the first term's offset, and the label for "not stated". */
const SHOWN = {
  age: { terms: AGES, from: 1, unknown: { value: 8, label: 'Other' } },
  gender: { terms: GENDERS, from: 1, unknown: { value: 'unknown', label: 'Unknown' } },
  hhi: { terms: INCOMES, from: 0, unknown: { value: 'unknown', label: 'Unknown' } },
  ethnicity: { terms: ETHNICITIES, from: 1, unknown: { value: 'unknown', label: 'Unknown' } },
} as const satisfies Partial<Record<Dimension, { terms: readonly Term[]; from: number; unknown: Term }>>
export type Demographic = keyof typeof SHOWN

/** A share in per cent with one decimal; 0 if the total is 0. */
export const percentOf = (count: number, total: number): number => (total ? Math.round((1000 * count) / total) / 10 : 0)

function slices(counts: readonly (Term & { count: number })[], unknown: Term & { count: number }): Slice[] {
  // Unknown is hidden while it is empty.
  const all = unknown.count > 0 ? [...counts, unknown] : counts
  const shares = sharesOf(all.map(({ count }) => count))
  return all.map(({ value, label, count }, at) => ({ value, label, count, percent: shares[at]! }))
}

/** A row of figures that are read together; `counters` are a total's, in the order of TOTALS. */
interface Counted {
  figure: Demographic | 'whole' | 'wanted' | 'day'
  value: string
  completes: number
  counters: string
}

/** Reads several figures in one statement; under a filter, shares add up the matching cells, which are read once. */
async function read(db: Db, range: Range, filter: CellFilter, figures: readonly RawBuilder<unknown>[]): Promise<Counted[]> {
  const matching = isFiltered(filter)
    ? sql`with matching as materialized (select cell, completes from demo_cells where ${inRange(range)} and ${cellsWanted(filter)}) `
    : sql``
  return (await sql<Counted>`${matching}${sql.join(figures, sql` union all `)}`.execute(db)).rows
}

/** SQL for completes by demographics: from the marginals, or with filters from the matching cells. */
function sharesIn(range: Range, names: readonly Demographic[], filter: CellFilter): RawBuilder<unknown> {
  if (!isFiltered(filter))
    return sql`select dimension as figure, cast(value as text) as value, sum(completes) as completes, '' as counters
      from marginals where ${inRange(range)} and dimension in (${sql.join(names)}) group by dimension, value`
  const sums = names.map(
    (name) =>
      sql`select ${sql.lit(name)} as figure, cast(${dimensionOf(name)} as text) as value, sum(completes) as completes, '' as counters from matching group by 2`,
  )
  return sql.join(sums, sql` union all `)
}

function shareOf(rows: readonly Counted[], name: Demographic, { project }: Range): Slice[] {
  const counts = new Map(rows.filter(({ figure }) => figure === name).map((row) => [Number(row.value), Number(row.completes)]))
  const { from, unknown } = SHOWN[name]
  const terms = name === 'age' ? agesOf(project.generation) : SHOWN[name].terms
  // A newer project doesn't offer Other, but counts and shows respondents who have it.
  const isShown = ({ value, count }: Term & { count: number }) =>
    name !== 'ethnicity' || count > 0 || ethnicitiesOf(project.generation).some((term) => term.value === value)
  const known = terms.map((term: Term, at) => ({ ...term, count: counts.get(at + from) ?? 0 })).filter(isShown)
  return slices(known, { ...unknown, count: counts.get(DIMENSIONS[name].unknown) ?? 0 })
}

/** Completes by one demographic. */
export const demographic = async (db: Db, range: Range, name: Demographic, filter: CellFilter): Promise<Slice[]> =>
  shareOf(await read(db, range, filter, [sharesIn(range, [name], filter)]), name, range)

type Totals = Record<
  'completes' | 'terminates' | 'overquota' | 'partials' | 'm0' | 'm1' | 'm2' | 'm3' | 'm4' | 'c0' | 'c1' | 'c2' | 'c3' | 'c4',
  number
>
const TOTALS = [
  'completes',
  'terminates',
  'overquota',
  'partials',
  'm0',
  'm1',
  'm2',
  'm3',
  'm4',
  'c0',
  'c1',
  'c2',
  'c3',
  'c4',
] as const

const SUMS = sql.join(TOTALS.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)`))

/** SQL for outcomes, marital statuses and children: one row per survey, or with filters the rows of matching cells. */
const totalsIn = (range: Range, figure: 'whole' | 'wanted', filter: CellFilter) =>
  sql`select ${sql.lit(figure)} as figure, '' as value, 0 as completes, concat_ws(',', ${SUMS}) as counters
    from demo_cells where ${inRange(range)} and ${cellsWanted(filter)}`

function totalsOf(rows: readonly Counted[], name: 'whole' | 'wanted'): Totals {
  const counters = rows.find(({ figure }) => figure === name)!.counters.split(',')
  return Object.fromEntries(TOTALS.map((name, at) => [name, Number(counters[at])])) as Totals
}

/** Outcomes, marital statuses and children. */
export const totals = async (db: Db, range: Range, filter: CellFilter): Promise<Totals> =>
  totalsOf(await read(db, range, {}, [totalsIn(range, 'wanted', filter)]), 'wanted')

/** SQL for completes by day. */
const daysIn = (range: Range, filter: CellFilter) =>
  sql`select 'day' as figure, day as value, sum(completes) as completes, '' as counters
    from day_cells where ${inRange(range)} and ${cellsWanted(filter)} group by day having sum(completes) > 0`

const daysOf = (rows: readonly Counted[]): ReadonlyMap<string, number> =>
  new Map(
    rows
      .filter(({ figure }) => figure === 'day')
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, completes }) => [value, Number(completes)]),
  )

/** An Overview's counts, in one statement: the totals without and with a filter, shares and days. */
export async function countedOf(db: Db, range: Range, filter: CellFilter, today: string) {
  const narrowed = isFiltered(filter)
  const rows = await read(db, range, filter, [
    totalsIn(range, 'whole', {}),
    ...(narrowed ? [totalsIn(range, 'wanted', filter)] : []),
    sharesIn(range, ['age', 'gender', 'hhi', 'ethnicity'], filter),
    daysIn(range, filter),
  ])
  const whole = totalsOf(rows, 'whole')
  return {
    whole,
    wanted: narrowed ? totalsOf(rows, 'wanted') : whole,
    shares: {
      age: shareOf(rows, 'age', range),
      gender: shareOf(rows, 'gender', range),
      hhi: shareOf(rows, 'hhi', range),
      ethnicity: shareOf(rows, 'ethnicity', range),
    },
    delivery_trend: trendOf(range, daysOf(rows), today),
  }
}

const household = (counts: Totals, terms: readonly Term[], letter: 'm' | 'c') => {
  const known = terms.map((term, at) => ({ ...term, count: counts[`${letter}${at}` as keyof Totals] }))
  return slices(known, {
    value: 'unknown',
    label: 'Unknown',
    count: counts.completes - known.reduce((sum, row) => sum + row.count, 0),
  })
}
export const maritalOf = (counts: Totals): Slice[] => household(counts, MARITAL, 'm')
export const childrenOf = (counts: Totals): Slice[] => household(counts, CHILDREN, 'c')

type Interviews = Pick<Funnel, 'loi_minutes' | 'left_open'>
/** Without a length of interview: under a filter. */
const UNTIMED: Interviews = { loi_minutes: null, left_open: 0 }
/** The median length of interview in minutes, to one decimal; null under a filter, or without start times. */
export async function interviewsOf(db: Db, range: Range, filter: CellFilter): Promise<Interviews> {
  if (isFiltered(filter)) return UNTIMED
  const { median_seconds, left_open } = await lengthOf(db, range.surveys)
  return { loi_minutes: median_seconds === null ? null : inMinutes(median_seconds), left_open }
}

/** The outcomes are disjoint, because every respondent has exactly one. */
export function funnelOf(counts: Totals, interviews = UNTIMED): Funnel {
  const { completes, terminates, overquota, partials } = counts
  const entrants = completes + terminates + overquota + partials
  const began = completes + partials
  return {
    entrants,
    incidence: entrants ? percentOf(entrants - terminates, entrants) : null,
    drop_off: began ? percentOf(partials, began) : null,
    ...interviews,
    completes_value: completes,
    terminates_value: terminates,
    overquota_value: overquota,
    partials_value: partials,
  }
}

/** The most places a page loads quickly; beyond it, neighbors are merged so that none is left out. */
const MOST_PLACES = 1000
/** Coarser grids in tenths of a degree: a half, one, two and five degrees. */
const STEPS = [5, 10, 20, 50]

/**
 * Completes by place, largest first, on the finest grid a map can hold.
 * Without filters it reads half degrees counted at intake, so its cost doesn't grow with the respondents.
 * Releases before stored 0, 0 as a position; nobody lives near it.
 */
export async function places(at: Reading, range: Range, filter: CellFilter): Promise<GeoPoint[]> {
  const coarse = !isFiltered(filter) && (await tenthsAreMany(at.db, range))
  let points = coarse
    ? await squares(at.db, range)
    : isFiltered(filter)
      ? await filtered(at, range, filter)
      : await tenths(at.db, range)
  for (const step of STEPS) {
    if (points.length <= MOST_PLACES) break
    points = merged(points, step)
  }
  return points
    .filter(({ lat, lon }) => lat || lon)
    .map(({ lats, lons, count }) => ({
      latitude: Math.round(lats / count) / 10,
      longitude: Math.round(lons / count) / 10,
      count,
    }))
    .sort((a, b) => b.count - a.count || a.latitude - b.latitude || a.longitude - b.longitude)
}

/** People at a place: its square's corner in tenths, and the sums of their own tenths. */
interface Crowd {
  lat: number
  lon: number
  lats: number
  lons: number
  count: number
}

/** True if a map can't hold every tenth; the count stops there. */
async function tenthsAreMany(db: Db, range: Range): Promise<boolean> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from (select 1 from geo_cells where ${inRange(range)} and ${cellsWanted({})} limit ${sql.lit(MOST_PLACES + 1)}) as found`.execute(
    db,
  )
  return Number(rows[0]?.count ?? 0) > MOST_PLACES
}

/** Places of completes that pass a filter, from the column of places: a few bytes for each complete. */
async function filtered(at: Reading, range: Range, filter: CellFilter): Promise<Crowd[]> {
  const counts = new Map<number, number>()
  for (const survey of range.surveys)
    for (const [place, count] of await (await SurveyAnswers.open(at, survey, filter, [PLACES])).places())
      counts.set(place, (counts.get(place) ?? 0) + count)
  return [...counts].map(([place, count]) => {
    const { lat, lon } = tenthsOf(place)
    return { lat, lon, lats: lat * count, lons: lon * count, count }
  })
}

async function tenths(db: Db, range: Range): Promise<Crowd[]> {
  // A single survey has one total for each place, so nothing is added up.
  const summed = range.surveys.length > 1
  const { rows } = await sql<{
    lat: number
    lon: number
    completes: number
  }>`select lat, lon, ${summed ? sql`sum(completes)` : sql`completes`} as completes from geo_cells
    where ${inRange(range)} and ${cellsWanted({})} ${summed ? sql`group by lat, lon` : sql``}`.execute(db)
  return rows.map((row) => {
    const [lat, lon, count] = [Number(row.lat), Number(row.lon), Number(row.completes)]
    return { lat, lon, lats: lat * count, lons: lon * count, count }
  })
}

async function squares(db: Db, range: Range): Promise<Crowd[]> {
  const { rows } = await sql<
    Record<'lat' | 'lon' | 'lats' | 'lons' | 'completes', number>
  >`select lat, lon, sum(lats) as lats, sum(lons) as lons, sum(completes) as completes from geo_squares where ${inRange(range)} group by lat, lon`.execute(
    db,
  )
  return rows.map((row) => ({
    lat: Number(row.lat) * 5,
    lon: Number(row.lon) * 5,
    lats: Number(row.lats),
    lons: Number(row.lons),
    count: Number(row.completes),
  }))
}

/** Merges places into a coarser grid; `step` is in tenths of a degree. */
function merged(crowds: readonly Crowd[], step: number): Crowd[] {
  const grid = new Map<number, Crowd>()
  for (const { lat, lon, lats, lons, count } of crowds) {
    const [south, west] = [Math.floor(lat / step) * step, Math.floor(lon / step) * step]
    const one = getOrInsert(grid, south * 10_000 + west, () => ({ lat: south, lon: west, lats: 0, lons: 0, count: 0 }))
    one.lats += lats
    one.lons += lons
    one.count += count
  }
  return [...grid.values()]
}

/** Three years of days; longer field periods show only days with completes. */
const LONGEST = 1096

/** Completes by day beside the plan, over the field period and all days with completes. */
export const trend = async (db: Db, range: Range, filter: CellFilter, today: string): Promise<TrendDay[]> =>
  trendOf(range, daysOf(await read(db, range, {}, [daysIn(range, filter)])), today)

function trendOf(range: Range, delivered: ReadonlyMap<string, number>, today: string): TrendDay[] {
  const family = partsOf(range.project, range.children)
  const dated = family.filter((part) => part.start_dt && part.end_dt)
  const edges = [...dated.flatMap((part) => [part.start_dt!, part.end_dt!]), ...delivered.keys()]
    .map((day) => day.slice(0, 10))
    .sort()
  const [first, last] = [edges[0], edges.at(-1)]
  if (!first || !last) return []
  const span = daysBetween(first, last) + 1
  const days = span <= LONGEST ? Array.from({ length: span }, (_, at) => addDays(first, at)) : [...delivered.keys()]
  let sum = 0
  return days.map((date) => {
    const here = delivered.get(date) ?? 0
    sum += here
    const expected = dated.length
      ? dated.reduce((plan, part) => plan + expectedToDate(part.ordered, part.start_dt, part.end_dt, date), 0)
      : null
    return {
      date,
      delivered: here,
      cumulative: date <= today || here > 0 ? sum : null,
      expected,
    }
  })
}

/** Pacing as the lists show it, with the outcomes of the range. */
export function summaryOf(range: Range, counts: Totals, today: string): Summary {
  const { project, children } = range
  const input = (part: typeof project) => ({
    status: part.status,
    ordered: part.ordered,
    delivered: part.delivered,
    start: part.start_dt,
    end: part.end_dt,
  })
  const family = [project, ...children]
  const pace = pacingOf(input(project), today, children.map(input))
  const {
    entrants,
    completes_value: completes,
    terminates_value: terminates,
    overquota_value: overquota,
    partials_value: partials,
  } = funnelOf(counts)
  return {
    project_id: project.id,
    survey_id: range.survey_id,
    name: project.name,
    status: SPELLING[project.status].v3,
    stored_status: project.status,
    ordered: family.reduce((sum, part) => sum + part.ordered, 0),
    delivered: family.reduce((sum, part) => sum + part.delivered, 0),
    expected: pace.expected,
    pacing: pace.pacing,
    pacing_color: pace.color,
    pacing_state: pace.state,
    start_dt: project.start_dt,
    end_dt: project.end_dt,
    entrants,
    completes,
    terminates,
    overquota,
    partials,
  }
}
