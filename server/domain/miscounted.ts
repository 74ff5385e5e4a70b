import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { COUNTERS, miscountedSurvey } from './runtime/recount.ts'

interface StoredNumber {
  what: string
  /** Two statements of the same columns: an owner, a part of it, and its number. */
  stored: string
  counted: string
}

const VISITS = `select visit_days.service_id as owner, '' as part, sum(visit_days.visits) as n from visit_days
  join services on services.id = visit_days.service_id
  where {day} >= services.start_dt and (services.end_dt is null or {day} <= services.end_dt) group by visit_days.service_id`
const DAY = {
  sqlite: `date(visit_days.day * 86400, 'unixepoch')`,
  postgres: `to_char(date '1970-01-01' + visit_days.day::int, 'YYYY-MM-DD')`,
}

/** TABLE  numbers that are stored beside what they count, with both statements. */
const STORED: readonly StoredNumber[] = [
  {
    what: 'delivered completes of projects',
    stored: `select id as owner, '' as part, delivered as n from projects`,
    counted: `select project_id as owner, '' as part, count(*) as n from respondents where outcome = 'completes' group by project_id`,
  },
  {
    what: 'completes in answer columns',
    stored: `select survey_id as owner, '' as part, completes as n from answer_sizes`,
    counted: `select survey_id as owner, '' as part, count(*) as n from respondents where ordinal is not null group by survey_id`,
  },
  {
    what: 'numbers of rewards',
    stored: `select project_id as owner, reward_id || ' ' || status || ' ' || flagged as part, count as n from entry_totals`,
    counted: `select project_id as owner, coalesce(reward_id, 0) || ' ' || status || ' ' || case when flags <> 0 then 1 else 0 end as part,
      count(*) as n from entries group by 1, 2`,
  },
  {
    what: 'amounts of rewards',
    stored: `select project_id as owner, reward_id || ' ' || status || ' ' || flagged as part, amount_cents as n from entry_totals`,
    counted: `select project_id as owner, coalesce(reward_id, 0) || ' ' || status || ' ' || case when flags <> 0 then 1 else 0 end as part,
      sum(amount_cents) as n from entries group by 1, 2`,
  },
  {
    what: 'visits of days',
    stored: `select service_id as owner, cast(day as text) as part, visits as n from visit_days`,
    counted: `select service_id as owner, cast(day as text) as part, sum(visits) as n from visit_cells group by 1, 2`,
  },
  {
    what: 'visits of venues',
    stored: `select venues.service_id as owner, cast(day as text) as part, sum(visits) as n from visit_venue_days
      join venues on venues.id = visit_venue_days.venue_id group by 1, 2`,
    counted: `select service_id as owner, cast(day as text) as part, sum(visits) as n from visit_cells group by 1, 2`,
  },
  { what: 'visits of services', stored: `select id as owner, '' as part, completed as n from services`, counted: VISITS },
]

/** A number that differs from what it counts. */
export interface Miscounted {
  what: string
  /** How many of them differ, and the id of the first one’s owner. */
  count: number
  first: number
}

/** All stored numbers that differ from what is counted, and how many kinds were compared. Reads every respondent. */
export async function miscounted(db: Db, engine: 'sqlite' | 'postgres'): Promise<{ off: Miscounted[]; kinds: number }> {
  const off: Miscounted[] = []
  const add = (what: string, owners: readonly number[]) =>
    owners.length && off.push({ what, count: owners.length, first: owners[0]! })
  for (const { what, stored, counted } of STORED) {
    const statement = `select coalesce(s.owner, c.owner) as owner from (${stored}) s full join (${counted}) c on c.owner = s.owner and c.part = s.part
      where coalesce(s.n, 0) <> coalesce(c.n, 0) order by 1`
    const { rows } = await sql.raw<{ owner: number }>(statement.replaceAll('{day}', DAY[engine])).execute(db)
    add(
      what,
      rows.map(({ owner }) => Number(owner)),
    )
  }
  const bySurvey = new Map<string, number[]>()
  const surveys = await db.selectFrom('surveys').select('id').orderBy('id').execute()
  for (const { id } of surveys)
    for (const table of await miscountedSurvey(db, id)) bySurvey.set(table, [...(bySurvey.get(table) ?? []), id])
  for (const [table, ids] of bySurvey) add(`respondents in ${table}`, ids)
  return { off, kinds: STORED.length + COUNTERS.length }
}
