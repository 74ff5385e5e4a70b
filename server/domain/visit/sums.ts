import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { SETTINGS } from '../../../contract/organizationSettings.ts'
import type { PacingColor } from '../../../contract/pacing.ts'
import { addDays, daysBetween } from '../../../contract/pacing.ts'
import type { Ctx } from '../../core/context.ts'
import type { Engine } from '../../db/connect.ts'

type Asking = Pick<Ctx, 'today' | 'now'> & { services: { database: { engine: Engine } } }

/** A civil date as a number of days since 1970, as in the counters of visits. */
export const dayNumberOf = (date: string): number => daysBetween('1970-01-01', date)

/** Rounds half up: SQLite's cast truncates, PostgreSQL's rounds. */
const whole = (engine: Engine, value: RawBuilder<unknown>): RawBuilder<number> =>
  engine === 'sqlite' ? sql<number>`(cast(${value} + 1000.5 as integer) - 1000)` : sql<number>`floor(${value} + 0.5)`

/** Whole days from one civil date to another. */
const daysIn = (engine: Engine, from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> =>
  engine === 'sqlite'
    ? sql<number>`cast(round(julianday(${to}) - julianday(${from})) as integer)`
    : sql<number>`(cast(${to} as date) - cast(${from} as date))`

/** A service's visits from the first to the last day, both as numbers since 1970. */
export const visitsBetween = (first: number, last: number, service = 'services'): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(counted.visits), 0) from visit_days counted
    where counted.service_id = ${sql.ref(`${service}.id`)} and counted.day between ${first} and ${last})`

/** The change between two figures in percent; null if the first is 0. */
export const changeOf = (engine: Engine, before: RawBuilder<number>, now: RawBuilder<number>): RawBuilder<number | null> =>
  sql<number | null>`(case when ${before} > 0 then ${whole(engine, sql`100.0 * (${now} - ${before}) / ${before}`)} end)`

/**
 * A service's expected visits up to today (decisions.md 3), unrounded.
 * Zero without an order or an end date, and before the start.
 */
export function expectedOf({ today, services }: Asking, service = 'services'): RawBuilder<number> {
  const { engine } = services.database
  const column = (name: string) => sql.ref(`${service}.${name}`)
  const days = sql`(${daysIn(engine, column('start_dt'), column('end_dt'))} + 1)`
  const gone = sql`(${daysIn(engine, column('start_dt'), sql`${today}`)} + 1)`
  return sql<number>`(case when ${column('ordered')} = 0 or ${column('end_dt')} is null or ${column('start_dt')} > ${today} then 0.0
    else ${column('ordered')} * 1.0 * (case when ${gone} > ${days} then ${days} else ${gone} end) / ${days} end)`
}

/** A service's visits that count for its pacing: none unless some are expected. */
export const countedOf = (service = 'services'): RawBuilder<number> => {
  const column = (name: string) => sql.ref(`${service}.${name}`)
  return sql<number>`(case when ${column('ordered')} = 0 or ${column('end_dt')} is null then 0 else ${column('completed')} end)`
}

/** Completed visits in percent of the expected ones; 0 if none are expected. */
export const pacingSql = (engine: Engine, completed: RawBuilder<number>, expected: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`(case when ${expected} > 0 then ${whole(engine, sql`100.0 * ${completed} / ${expected}`)} else 0 end)`

/** The color of a progress bar: gray if nothing is expected. */
export const progressColor = (percentage: number, expected: boolean): PacingColor =>
  !expected ? 'Gray' : percentage < 30 ? 'Red' : percentage < 70 ? 'Orange' : 'Green'

/** The organization's setting for days without visits after which an active service is silent. */
const silence = (engine: Engine): RawBuilder<number> => {
  const days =
    engine === 'sqlite'
      ? sql`json_extract(settings, '$.visits_silence_days')`
      : sql`cast(cast(settings as json) ->> 'visits_silence_days' as integer)`
  return sql<number>`coalesce((select ${days} from organizations order by id limit 1), ${sql.lit(SETTINGS.visits_silence_days)})`
}

/** True for an active service within its term whose last visit (or its start, without any) is too long ago. */
export function silentSql({ services, today, now }: Asking): RawBuilder<SqlBool> {
  const { engine } = services.database
  const seconds = Math.floor(Date.parse(now) / 1000)
  return sql<SqlBool>`(services.status = 'active' and (services.end_dt is null or services.end_dt >= ${today}) and (case
    when services.last_at is null then ${daysIn(engine, sql`services.start_dt`, sql`${today}`)} > ${silence(engine)}
    else services.last_at < ${seconds} - 86400 * ${silence(engine)} end))`
}

/** A second since 1970 as ISO text; null stays null. */
export const isoOf = (engine: Engine, seconds: RawBuilder<unknown>): RawBuilder<string | null> =>
  engine === 'sqlite'
    ? sql<string | null>`strftime('%Y-%m-%dT%H:%M:%S.000Z', ${seconds}, 'unixepoch')`
    : sql<string | null>`to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`

/** The ranges of days that lists show, as numbers since 1970. */
export function spans(today: string) {
  const last = dayNumberOf(today)
  return {
    last,
    week: [last - 6, last] as const,
    weekBefore: [last - 13, last - 7] as const,
    month: [last - 29, last] as const,
    monthBefore: [last - 59, last - 30] as const,
  }
}

/** Visits of each service on each of the last 14 days, oldest first. */
export async function trendsOf(ctx: Pick<Ctx, 'db' | 'today'>, ids: readonly number[]): Promise<Map<number, number[]>> {
  const first = dayNumberOf(addDays(ctx.today, -13))
  const trends = new Map(ids.map((id) => [id, Array<number>(14).fill(0)]))
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await ctx.db
      .selectFrom('visit_days')
      .select(['service_id', 'day', 'visits'])
      .where('service_id', 'in', ids.slice(at, at + 500))
      .where('day', '>=', first)
      .where('day', '<=', first + 13)
      .execute()
    for (const { service_id, day, visits } of rows) trends.get(service_id)![Number(day) - first] = Number(visits)
  }
  return trends
}

/** Counts a service's visits within its term. */
export async function completedOf(
  { tx }: Pick<Ctx, 'tx'>,
  { id, start_dt, end_dt }: { id: number; start_dt: string; end_dt: string | null },
): Promise<number> {
  let query = tx
    .selectFrom('visit_days')
    .select((eb) => eb.fn.sum<number>('visits').as('visits'))
    .where('service_id', '=', id)
    .where('day', '>=', dayNumberOf(start_dt))
  if (end_dt !== null) query = query.where('day', '<=', dayNumberOf(end_dt))
  return Number((await query.executeTakeFirstOrThrow()).visits ?? 0)
}
