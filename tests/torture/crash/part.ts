import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { connect, transact } from '../../../server/db/connect.ts'
import { closeHouse, openHouse } from '../../../server/house.ts'
import { readSettings } from '../../../server/settings.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../api/makers.ts'
import { startServer } from '../../support/server.ts'
import { type Smtp, startSmtp } from '../../support/smtp.ts'
import { randomOf } from '../random.ts'
import { reckon } from './reckoning.ts'
import { nothingPromised, workUntilKilled } from './work.ts'

const PROGRAM = 'tests/torture/crash/server.ts'
/** Longer than a job of a killed process waits on PostgreSQL, twice, and the sweep besides. */
const SETTLE_MS = 150_000

/** The part `crash` of `npm run torture`: `--rounds` times the server is killed in the middle of writes, intake, payouts and mail. */
export async function tortureCrash(how: How): Promise<Outcome> {
  const rounds = how.number('rounds', 100)
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const smtp = await startSmtp()
  const env: Record<string, string> = { ...(await how.database()), DEMO: 'none', LOG_LEVEL: 'error', SMTP_URL: smtp.url }
  env.LEDGER = join(mkdtempSync(join(env.DATA_DIR!, 'ledger-')), 'paid')
  const world = await fill(env, rounds)
  const promised = nothingPromised()
  const starts: number[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      const began = performance.now()
      const server = await startServer(env, PROGRAM)
      starts.push(performance.now() - began)
      const killed = after(random.int(20, 700)).then(() => server.kill())
      await Promise.all([workUntilKilled({ ...world, url: server.url, random, promised }), killed])
      if (round % 10 === 0)
        how.say(
          `${round} kills, ${promised.answers} answers, ${lines(env.LEDGER)} rewards paid, ${promised.faults.length} strange answers`,
        )
    }
    const settled = await settle(env)
    const database = open(env)
    const faults = await reckon(database, promised, env.LEDGER, smtp)
    const jobs = await database.db.selectFrom('jobs').select(['status', 'attempts']).execute()
    await database.close()
    return { figures: figuresOf({ rounds, promised, smtp, settled, jobs, starts, paid: lines(env.LEDGER) }), faults }
  } finally {
    await smtp.stop()
  }
}

/** The database alone, without a server's jobs and mail. */
const open = (env: Record<string, string>) =>
  connect(env.DATABASE_URL ? { url: env.DATABASE_URL, poolSize: 2 } : { file: join(env.DATA_DIR!, 'fieldwork.db') })
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const lines = (file: string): number => {
  try {
    return readFileSync(file, 'utf8').split('\n').length - 1
  } catch {
    return 0
  }
}

/** People, projects, surveys and rewards enough for all rounds; the session outlives every kill. */
async function fill(env: Record<string, string>, rounds: number) {
  const house = await openHouse(readSettings(env), pino({ level: 'silent' }))
  const make = makers(house)
  const client = await make.client()
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const projects: number[] = []
  const surveys: number[] = []
  const entries: number[] = []
  for (let at = 0; at < 4; at++) {
    const project = await make.project({ client_id: client.id })
    const survey = await make.survey({ project_id: project.id })
    projects.push(project.id)
    surveys.push(survey.id)
    for (let entry = 0; entry < rounds * 6; entry++)
      entries.push((await make.entry({ project_id: project.id, survey_id: survey.id, amount_cents: 500 })).id)
  }
  const headers = await signedIn(house, admin)
  await closeHouse(house)
  return { headers, client: client.id, projects, surveys, entries }
}

/** Lets a last server finish what the killed ones left; answers how long it took, in milliseconds. */
async function settle(env: Record<string, string>): Promise<number> {
  const began = performance.now()
  const server = await startServer(env, PROGRAM)
  const database = open(env)
  // A mail whose sender was killed waits for its lease of ten minutes: these have passed.
  await transact(database, (tx) =>
    tx.updateTable('mails').set({ not_before: new Date().toISOString() }).where('status', '=', 'sending').execute(),
  )
  for (;;) {
    const { db } = database
    const left = await Promise.all([
      db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'running']).execute(),
      db.selectFrom('entries').select('id').where('status', '=', 'processing').execute(),
      db.selectFrom('mails').select('id').where('status', 'in', ['queued', 'sending']).execute(),
    ])
    if (left.every((rows) => rows.length === 0) || performance.now() - began > SETTLE_MS) break
    await after(250)
  }
  await database.close()
  await server.stop()
  return performance.now() - began
}

function figuresOf(given: {
  rounds: number
  promised: ReturnType<typeof nothingPromised>
  smtp: Smtp
  settled: number
  jobs: { status: string; attempts: number }[]
  starts: number[]
  paid: number
}): Outcome['figures'] {
  const { promised, jobs, starts } = given
  const yes = (map: Map<unknown, boolean>) => `${[...map.values()].filter(Boolean).length} of ${map.size} sent`
  const people = [...promised.respondents.values()]
  return {
    kills: given.rounds,
    'answers before a kill': promised.answers,
    'notes acknowledged': yes(promised.notes),
    'respondents acknowledged': `${people.flatMap((map) => [...map.values()].filter(Boolean)).length} of ${people.reduce((sum, map) => sum + map.size, 0)} sent`,
    'rewards acknowledged': yes(promised.redeemed),
    'rewards paid by the provider': given.paid,
    'jobs, and those begun more than once': `${jobs.length}, ${jobs.filter((job) => job.attempts > 1).length}`,
    'jobs that ended with a reason': jobs.filter((job) => job.status === 'failed').length,
    'invitations acknowledged': yes(promised.invited),
    'mails that came': given.smtp.mails.length,
    'median start (ms)': Math.round([...starts].sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0),
    'all settled after (ms)': Math.round(given.settled),
  }
}
