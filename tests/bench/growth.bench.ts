// How every list and dashboard grows from the demo marketplace to mid and to three times mid, on SQLite:
// `node tests/bench/growth.bench.ts [--rounds 30]`.
// `--size large` compares mid with large where that was seeded, on its engine.
// The real servers of all sizes run side by side and are called in turns, so that a busy moment affects them all.
// Prints the p10 of each call's processor time in ms, which other programs hardly affect, and the p50 by the clock.
// The least would be too little: the kernel adds up a running thread's time now and then.
// Ratios compare the p10 with that of the size before.
// Only calls that return more may exceed 1.3, so kB are printed, too.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Database, transact } from '../../server/db/connect.ts'
import { atRest, cpuDuring } from './load.ts'
import { onBothEngines, quantile, type Served } from './served.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' }, size: { type: 'string', default: '' } } })
const ROUNDS = Number(values.rounds)

interface Subject {
  project: number
  survey: number
}
/** As the workspace reads it: children are read when they are unfolded, and counted in sums and trends all the same. */
const LIST = '/v3/portal/projects/all?per_page=50&brief=true&texts=false'
const OF = '/v3/portal/surveys/runtime'
const CALLS: [name: string, path: (subject: Subject, round: number) => string][] = [
  ['(floor: healthz)', () => '/healthz'],
  ['projects, 50 rows', () => LIST],
  ['projects, 50 rows with children', () => '/v3/portal/projects/all?per_page=50'],
  ['projects, 10 rows', () => '/v3/portal/projects/all'],
  ['projects, by name', () => `${LIST}&column=name&order=asc`],
  ['projects, by end date', () => `${LIST}&column=end_dt&order=desc`],
  ['projects, by client', () => `${LIST}&column=client&order=asc`],
  ['projects, by delivered', () => `${LIST}&column=delivered&order=desc`],
  ['projects, by pacing', () => `${LIST}&column=pacing&order=asc`],
  ['projects, deep page', () => `${LIST}&page=4`],
  ['projects, active', () => `${LIST}&status=active`],
  ['projects, red pacing', () => `${LIST}&pacing=red`],
  ['projects, searched', () => `${LIST}&search=tracker`],
  ['projects, new words', (_, round) => `${LIST}&search=tracker%20${round}`],
  ['projects, new words, no hit', (_, round) => `${LIST}&search=nothing%20${round}`],
  ['projects, no hit', () => `${LIST}&search=nothinglikeit`],
  ['campaigns, 50 rows', () => '/v1/campaigns?per_page=50&brief=true'],
  ['clients, 50 rows', () => '/v3/portal/clients?per_page=50'],
  ['users, 50 rows', () => '/v3/portal/users?per_page=50'],
  ['partners, 50 rows', () => '/v3/portal/partners?per_page=50'],
  ['teams, 50 rows', () => '/v3/portal/teams?per_page=50'],
  ['locations, 50 rows', () => '/v3/portal/locations?per_page=50'],
  ['rewards of a project, 50 rows', ({ project }) => `/v3/portal/projects/${project}/rewarded/rewards?per_page=50`],
  ['one project', ({ project }) => `/v3/portal/projects/${project}`],
  ['overview', ({ project }) => `/v3/portal/projects/${project}/overview`],
  ['overview, filtered', ({ project }) => `/v3/portal/projects/${project}/overview?ageRange[]=2&gender[]=female&hhi[]=3`],
  ['summary', ({ survey }) => `${OF}/${survey}/summary`],
  ['delivery_trend', ({ survey }) => `${OF}/${survey}/delivery_trend`],
  ['geoaddress', ({ survey }) => `${OF}/${survey}/geoaddress`],
  ['user_responses', ({ survey }) => `${OF}/${survey}/user_responses`],
  ['user_responses, by income', ({ survey }) => `${OF}/${survey}/user_responses?hhi[]=3`],
]

/** A running project of usual size without children: the same in every marketplace. */
async function subjectOf({ db }: Database): Promise<Subject> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('surveys', 'surveys.project_id', 'projects.id')
    .select(['projects.id as project', 'surveys.id as survey'])
    .where('projects.deleted_at', 'is', null)
    .where('surveys.deleted_at', 'is', null)
    .where('projects.generation', '=', 'project')
    .where('projects.parent_id', 'is', null)
    .where('delivered', '>=', 280)
    .where('delivered', '<=', 340)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('projects as part').select('part.id').whereRef('part.parent_id', '=', 'projects.id'))),
    )
    .orderBy('projects.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return row
}

/** Two more of every project, client and user, each family kept together. */
async function tripled(database: Database): Promise<Subject> {
  const subject = await subjectOf(database)
  const tables = { clients: ['id'], users: ['id'], projects: ['id', 'parent_id'] }
  for (const [table, moved] of Object.entries(tables))
    for (const copy of [1, 2])
      await transact(database, async (tx) => {
        const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(tx)
        const names = rows.map(({ name }) => name)
        const value = (name: string) => {
          if (moved.includes(name)) return sql`${sql.ref(name)} + ${sql.lit(copy * 10_000_000)}`
          return table === 'users' && name === 'email' ? sql`${sql.lit(`${copy}.`)} || email` : sql.ref(name)
        }
        await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
          select ${sql.join(names.map(value))} from ${sql.table(table)} where id < 10000000`.execute(tx)
      })
  return subject
}

type Place = { name: string; served: Served; subject: Subject }

async function bench(places: readonly Place[]): Promise<void> {
  for (const { served } of places) await atRest(served.pid)
  const times = CALLS.map(() => places.map((): number[] => []))
  const cpu = CALLS.map(() => places.map((): number[] => []))
  const bytes = CALLS.map((): string[] => [])
  const left: string[] = []
  // Round by round, so that a server's own work of some seconds doesn't meet every round of a call.
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, [name, path]] of CALLS.entries())
      for (const [nth, { served, subject }] of places.entries()) {
        if (left.includes(name)) continue
        try {
          const spent = await cpuDuring(served.pid, async () => {
            times[at]![nth]!.push(await served.get(path(subject, round)))
          })
          if (spent !== null) cpu[at]![nth]!.push(spent)
        } catch (error) {
          left.push(name)
          console.log(`${name} left out: ${String(error).slice(0, 120)}`)
        }
      }
  for (const [at, [name, path]] of CALLS.entries())
    for (const { served, subject } of places)
      if (!left.includes(name)) {
        const answer = await fetch(served.url + path(subject, ROUNDS), { headers: served.headers })
        bytes[at]!.push(((await answer.arrayBuffer()).byteLength / 1000).toFixed(1))
      }
  console.log(`Load ${loadavg()[0]!.toFixed(1)}; ${ROUNDS} rounds, p10 of processor time / p50 by the clock in ms.`)
  console.table(
    CALLS.filter(([name]) => !left.includes(name)).map(([call]) => {
      const at = CALLS.findIndex(([name]) => name === call)
      const mine = times[at]!
      const best = cpu[at]!.map((spent) => quantile(spent, 0.1))
      const line: Record<string, unknown> = { call }
      for (const [nth, { name }] of places.entries()) {
        line[name] = `${best[nth]} / ${quantile(mine[nth]!, 0.5)}`
        if (nth) line[`${places[nth - 1]!.name} → ${name}`] = Math.round((100 * best[nth]!) / best[nth - 1]!) / 100
      }
      return { ...line, kB: bytes[at]!.join(' / ') }
    }),
  )
}

if (values.size === 'large')
  await onBothEngines(
    subjectOf,
    (large, second) =>
      onBothEngines(
        subjectOf,
        (mid, first) =>
          bench([
            { name: 'mid', served: mid, subject: first },
            { name: 'large', served: large, subject: second },
          ]),
        large.engine,
        'mid',
      ),
    '',
    'large',
  )
else
  await onBothEngines(
    subjectOf,
    (demo, first) =>
      onBothEngines(
        subjectOf,
        (mid, second) =>
          onBothEngines(
            tripled,
            (three, third) =>
              bench([
                { name: 'demo', served: demo, subject: first },
                { name: 'mid', served: mid, subject: second },
                { name: '3 × mid', served: three, subject: third },
              ]),
            'sqlite',
            'mid',
          ),
        'sqlite',
        'mid',
      ),
    'sqlite',
    'demo',
  )
