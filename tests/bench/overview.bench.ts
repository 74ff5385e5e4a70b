// What the Overview costs: `node tests/bench/overview.bench.ts [--respondents 600000] [--rounds 40]`, on SQLite and, where it starts, on PostgreSQL.
// A database full of other projects' respondents; then typical projects (300 to 1,000 completes), and the same with ten times the respondents.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { buildApp } from '../../server/app.ts'
import type { House } from '../../server/context.ts'
import { transact } from '../../server/db/connect.ts'
import { closeHouse, openHouse } from '../../server/house.ts'
import { ingest } from '../../server/runtime/intake.ts'
import { hashToken } from '../../server/secrets.ts'
import { readSettings } from '../../server/settings.ts'
import { startPostgres } from '../support/postgres.ts'
import { makeRespondents, makeSurvey } from '../support/respondents.ts'

const { values } = parseArgs({
  options: { respondents: { type: 'string', default: '600000' }, rounds: { type: 'string', default: '40' } },
})
const [FILL, ROUNDS, PROJECTS, ONCE] = [Number(values.respondents), Number(values.rounds), 10, 2000]
const WIDGETS = [
  'summary',
  'gender',
  'age',
  'hhi',
  'children',
  'ethnicity',
  'marital_status',
  'geoaddress',
  'delivery_trend',
  'funnel',
  'user_responses',
]
const FILTER = '?ageRange[]=2&ageRange[]=3&gender[]=female&hhi[]=3&hhi[]=4'

interface Subject {
  project: number
  survey: number
}

async function makeProject(house: House, respondents: number, seed: number): Promise<Subject> {
  const { database } = house
  const { project, survey, questions } = await makeSurvey(database)
  for (let at = 0; at < respondents; at += 10_000) {
    const batch = makeRespondents(Math.min(10_000, respondents - at), seed + at, questions, `${seed}-`)
    await transact(database, (tx) => ingest(database, tx, { id: survey, project_id: project.id }, batch, { trusted: true }))
  }
  return { project: project.id, survey }
}

/** Signs an administrator in, straight in the database; answers the token headers. */
async function signIn(house: House): Promise<Record<string, string>> {
  const at = new Date().toISOString()
  await transact(house.database, async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        email: 'bench@example.com',
        first_name: 'Bench',
        last_name: 'Mark',
        phone: '',
        company: '',
        role: 'admin',
        birth_date: null,
        status: 'active',
        password_hash: null,
        password_expires_at: null,
        invitation_hash: null,
        invitation_expires_at: null,
        reset_hash: null,
        reset_expires_at: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('sessions')
      .values({
        user_id: user.id,
        client: 'bench',
        token_hash: hashToken('bench'),
        admin_id: null,
        reason: null,
        user_agent: '',
        created_at: at,
        last_seen_at: at,
        expires_at: '2999-01-01T00:00:00.000Z',
      })
      .execute()
  })
  return { 'access-token': 'bench', client: 'bench' }
}

const quantile = (times: number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]! * 100) / 100

async function bench(where: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Record<string, unknown>[]> {
  const house = await openHouse({ ...readSettings({ ...where, DEMO: 'none' }), test: false }, pino({ level: 'silent' }))
  const app = await buildApp(house)
  const headers = await signIn(house)
  for (let filled = 0, seed = 1; filled < FILL; filled += 10_000, seed++) await makeProject(house, 10_000, seed * 100_000_000)
  const once: Subject[] = []
  const tenfold: Subject[] = []
  for (let at = 0; at < PROJECTS; at++) {
    once.push(await makeProject(house, ONCE, 7_000 + at))
    tenfold.push(await makeProject(house, 10 * ONCE, 17_000 + at))
  }
  if (house.database.engine === 'postgres')
    await house.database.db.executeQuery((await import('kysely')).CompiledQuery.raw('vacuum analyze'))
  const time = async (subjects: Subject[], urlOf: (subject: Subject) => string) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const url = urlOf(subjects[round % subjects.length]!)
      const began = performance.now()
      const answer = await app.inject({ url, headers })
      times.push(performance.now() - began)
      if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    }
    return times.slice(Math.floor(ROUNDS / 10))
  }
  const lines: Record<string, unknown>[] = []
  const addresses: [string, (subject: Subject) => string][] = [
    ['overview (all in one)', (subject) => `/v3/portal/projects/${subject.project}/overview`],
    ...WIDGETS.map((widget): [string, (subject: Subject) => string] => [
      widget,
      (subject) => `/v3/portal/surveys/runtime/${subject.survey}/${widget}`,
    ]),
  ]
  for (const [call, urlOf] of addresses) {
    const line: Record<string, unknown> = { engine: house.database.engine, call }
    for (const [filtered, query] of [
      ['', ''],
      [' filtered', FILTER],
    ] as const) {
      const plain = await time(once, (subject) => urlOf(subject) + query)
      const ten = await time(tenfold, (subject) => urlOf(subject) + query)
      Object.assign(line, {
        [`p50${filtered}`]: quantile(plain, 0.5),
        [`p95${filtered}`]: quantile(plain, 0.95),
        [`p50 ×10${filtered}`]: quantile(ten, 0.5),
        [`p95 ×10${filtered}`]: quantile(ten, 0.95),
      })
    }
    lines.push(line)
  }
  await app.close()
  await closeHouse(house)
  return lines
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
try {
  console.log(
    `${FILL.toLocaleString('en')} respondents of other projects; ${PROJECTS} projects of ${ONCE.toLocaleString('en')} respondents and ${PROJECTS} of ${(10 * ONCE).toLocaleString('en')}; milliseconds`,
  )
  console.table(await bench({ DATA_DIR: join(folder, 'sqlite') }))
  const postgres = await startPostgres()
  if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
  else {
    console.table(await bench({ DATA_DIR: join(folder, 'postgres'), DATABASE_URL: await postgres.url('overview') }))
    await postgres.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
