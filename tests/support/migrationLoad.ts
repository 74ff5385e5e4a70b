import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../../server/db/connect.ts'
import { migrate, migrationsOf } from '../../server/db/migrate.ts'
import { LATER } from './laterMigrations.ts'

/** Rows of each table at the baseline; the others are derived from them. */
export interface Filling {
  projects: number
  people: number
}

/** How a migration went: its duration, and a caller's longest wait for a lock (ms), without stalls of the machine. */
export interface Went {
  name: string
  took: number
  waited: number
  table: string
}

const AT = `'2026-01-01T00:00:00.000Z'`
const CALLER = 'caller'
const LOOK_MS = 5
/** A longer pause between two looks is a stall of the machine, in which a short wait looks like a hang. */
const STALL_MS = 250

/** Fills the tables of the baseline, by plain SQL as only that schema's columns exist. */
const fillings = ({ projects, people }: Filling): string[] => [
  `insert into clients (name, created_at, updated_at) select 'Client ' || n, ${AT}, ${AT} from generate_series(1, 50) n`,
  `insert into users (email, first_name, last_name, role, status, created_at, updated_at)
    select 'user' || n || '@example.com', 'User', n::text, 'admin', 'active', ${AT}, ${AT} from generate_series(1, 200) n`,
  `insert into partners (name, created_at, updated_at) select 'Partner ' || n, ${AT}, ${AT} from generate_series(1, 50) n`,
  `insert into projects (generation, client_id, name, status, ordered, cost_cents, created_at, updated_at)
    select 'project', 1 + n % 50, 'Project ' || n, 'live', 100, 5000, ${AT}, ${AT} from generate_series(1, ${projects}) n`,
  `insert into project_partners (project_id, partner_id, assigned_at) select n, 1 + n % 50, ${AT} from generate_series(1, ${projects}) n`,
  `insert into proffers (project_id, partner_id, round, fill_requirements, created_at)
    select n, 1 + n % 50, 1, 'full', ${AT} from generate_series(1, ${projects}) n`,
  `insert into activities (project_id, name, activity_type, created_at, updated_at)
    select n, 'Activity ' || n, 'survey', ${AT}, ${AT} from generate_series(1, ${projects}) n`,
  `insert into surveys (project_id, activity_id, name, survey_vendor, created_at, updated_at)
    select n, n, 'Survey ' || n, 'v' || n, ${AT}, ${AT} from generate_series(1, ${projects}) n`,
  `insert into questions (survey_id, name, position, created_at, updated_at)
    select 1 + n % ${projects}, 'Question ' || n, n, ${AT}, ${AT} from generate_series(1, ${projects} * 5) n`,
  `insert into rewards (project_id, name, amount_cents, provider_id, created_at, updated_at)
    select n, 'Reward', 500, 1, ${AT}, ${AT} from generate_series(1, ${projects}) n`,
  `insert into entries (project_id, reward_id, email, email_key, ip, amount_cents, provider_id, status, created_at, updated_at)
    select 1 + n % ${projects}, 1 + n % ${projects}, 'e' || n || '@example.com', 'e' || n || '@example.com', '10.0.0.1', 500, 1, 'sent', ${AT}, ${AT}
    from generate_series(1, ${people} / 5) n`,
  `insert into respondents (survey_id, respondent_id, project_id, outcome, at, cell, marital, children, fraud)
    select 1 + n % ${projects}, 'r' || n, 1 + n % ${projects}, 'complete', ${AT}, n % 14, 0, 0, (n % 100 = 0)::int from generate_series(1, ${people}) n`,
  `insert into files (project_id, activity_id, kind, original_name, storage_key, mime, size, created_at, updated_at)
    select 1 + n % ${projects}, 1 + n % ${projects}, case when n % 2 = 0 then 'media' else 'asset' end, 'a.jpg', 'k' || n, 'image/jpeg', 1000, ${AT}, ${AT}
    from generate_series(1, ${people} / 5) n`,
  `insert into history (subject, subject_id, project_id, action, origin, before, after, at)
    select (array['project', 'survey', 'location', 'user'])[1 + n % 4], 1 + n % ${projects}, 1 + n % ${projects}, 'project.edit', 'event',
      case when n % 50 = 0 then '{"client_id":2}' else '{"name":"x"}' end, '{"name":"y"}', ${AT} from generate_series(1, ${people} / 2) n`,
  `insert into events (noun, subject_id, audience, at) select 'project', 1 + n % ${projects}, 'scope', ${AT} from generate_series(1, ${people} / 10) n`,
  `insert into mails (to_address, subject, body, status, not_before, created_at)
    select 'user' || n || '@example.com', 'Hello', 'Text', 'sent', ${AT}, ${AT} from generate_series(1, ${people} / 5) n`,
  `insert into jobs (kind, title, status, not_before, created_at) select 'export', 'Export', 'done', ${AT}, ${AT} from generate_series(1, 1000) n`,
  `insert into places (name, address, latitude, longitude)
    select 'Place ' || n, n || ' Main Street, Springfield, IL 62701', 39 + n % 100 / 100.0, -89.6 from generate_series(1, ${projects} * 3) n`,
  `insert into location_groups (client_id, name, created_at, updated_at) select 1 + n % 50, 'Group ' || n, ${AT}, ${AT} from generate_series(1, 100) n`,
  `insert into location_group_places (group_id, place_id) select 1 + n % 100, n from generate_series(1, ${projects} * 3) n`,
]

/** What callers of release 0.2 do; each writes rows of its own, so that they never wait for one another. */
const WRITES = [
  (n: number) => `update projects set name = 'Renamed ' || ${n}, updated_at = ${AT} where id = 1`,
  () => `insert into history (subject, subject_id, action, origin, at) values ('project', 2, 'project.edit', 'event', ${AT})`,
  (n: number) =>
    `insert into respondents (survey_id, respondent_id, project_id, outcome, at, cell, marital, children) values (3, 'w${n}', 3, 'partial', ${AT}, 0, 0, 0)`,
  (n: number) =>
    `insert into entries (project_id, email, email_key, amount_cents, provider_id, status, created_at, updated_at) values (4, 'w', 'w${n}', 500, 1, 'pending', ${AT}, ${AT})`,
  () =>
    `insert into mails (to_address, subject, body, status, not_before, created_at) values ('w', 's', 'b', 'sent', ${AT}, ${AT})`,
  () =>
    `insert into files (kind, original_name, storage_key, mime, size, created_at, updated_at) values ('asset', 'a', 'k', 'text/plain', 1, ${AT}, ${AT})`,
  (n: number) => `insert into places (name, address) values ('Written ${n}', '1 Elm Street')`,
  (n: number) =>
    `insert into proffers (project_id, partner_id, round, fill_requirements, created_at) values (5, 1, ${n + 2}, 'full', ${AT})`,
  (n: number) => `insert into surveys (project_id, name, created_at, updated_at) values (6, 'Written ${n}', ${AT}, ${AT})`,
  () => `update users set company = 'B' where id = 7`,
  () => `insert into events (noun, subject_id, audience, at) values ('project', 8, 'scope', ${AT})`,
]
const READS = [
  'select * from projects where generation = $1 order by name, id limit 50',
  'select count(*) from respondents where survey_id = 1 and outcome = $1',
  'select * from history where project_id = 9 and action <> $1 order by id desc limit 50',
  'select * from places where name > $1 order by id limit 50',
]

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: CALLER })
  await client.connect()
  return client
}

/** The migrations of this release, and one of each kind that a later release may bring. */
const STEPS = { ...migrationsOf('postgres'), ...LATER }
/** Those that run in a database of release 0.2. */
export const LATER_NAMES: readonly string[] = Object.keys(STEPS).sort().slice(1)

/**
 * Runs every later migration on a database filled at the baseline, while callers of release 0.2 read and write.
 * `hold` is a migration at whose start somebody reads projects for `heldMs`, as a backup does.
 */
export async function migrateUnderLoad(
  url: string,
  filling: Filling,
  { hold, heldMs, progress }: { hold: string; heldMs: number; progress?: (line: string) => void },
): Promise<{ went: Went[]; statements: number[]; failed: string[] }> {
  const database = connect({ url })
  await migrate(database, { to: Object.keys(STEPS).sort()[0]! })
  for (const text of fillings(filling)) await sql.raw(text).execute(database.db)
  await sql`analyze`.execute(database.db)
  const failed: string[] = []
  const statements: number[] = []
  let over = false
  const call = async (at: number, text: (n: number) => string, values: string[]) => {
    const client = await open(url)
    statements[at] = 0
    for (let n = 0; !over; n++) {
      await client.query(text(n), values).catch((error: Error) => failed.push(`${error.message}: ${text(n)}`))
      statements[at]!++
      await delay(15)
    }
    await client.end()
  }
  const callers = [
    ...WRITES.map((text, at) => call(at, text, [])),
    ...READS.map((text, at) => call(WRITES.length + at, () => text, ['project'])),
  ]
  let longest = { waited: 0, table: '' }
  const look = async () => {
    const client = await open(url)
    const stalls: { until: number; took: number }[] = []
    let last = performance.now()
    while (!over) {
      const { rows } = await client.query(`select coalesce(l.relation::regclass::text, l.locktype) as table,
        extract(epoch from clock_timestamp() - l.waitstart) * 1000 as waited from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and l.waitstart is not null and a.application_name = '${CALLER}' order by 2 desc limit 1`)
      const now = performance.now()
      if (now - last > STALL_MS) stalls.push({ until: now, took: now - last })
      last = now
      if (rows[0]) {
        const since = now - Number(rows[0].waited)
        const stalled = stalls.reduce((sum, { until, took }) => (until > since ? sum + took : sum), 0)
        const waited = Number(rows[0].waited) - stalled
        if (waited > longest.waited) longest = { waited, table: rows[0].table }
      }
      await delay(LOOK_MS)
    }
    await client.end()
  }
  const looking = look()
  const went: Went[] = []
  let reader: Promise<unknown> | null = null
  try {
    for (const name of LATER_NAMES) {
      if (name === hold) {
        const holder = await open(url)
        await holder.query('begin')
        await holder.query('select 1 from projects limit 1')
        reader = delay(heldMs).then(async () => {
          await holder.query('commit')
          await holder.end()
        })
      }
      longest = { waited: 0, table: '' }
      const began = performance.now()
      await migrate(database, { to: name, steps: STEPS })
      went.push({ name, took: performance.now() - began, ...longest })
      progress?.(`${name}: ${Math.round(performance.now() - began)} ms, waited ${Math.round(longest.waited)} ms ${longest.table}`)
    }
  } finally {
    await reader
    over = true
    await Promise.all([...callers, looking])
    await database.close()
  }
  return { went, statements, failed }
}
