import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { connect } from '../../../server/db/connect.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startServer } from '../../support/server.ts'
import { type Smtp, startSmtp } from '../../support/smtp.ts'
import { type Random, randomOf } from '../random.ts'
import { FAULTS, type Fault, type Ground, layGround, untilReady } from './faults.ts'
import { momentOf } from './moment.ts'
import { reckon, untilSettled } from './reckoning.ts'
import { nothingPromised, workUntilKilled } from './work.ts'

const PROGRAM = 'tests/torture/crash/server.ts'
/** Twice the time a killed process's job waits on PostgreSQL, plus the sweep. */
const SETTLE_MS = 150_000

/**
 * The part `crash` of `npm run torture`: kills the server `--rounds` times amid writes, intake, payouts and email.
 * With `--kill` it breaks the server's dependencies instead.
 */
export async function tortureCrash(how: How): Promise<Outcome> {
  const rounds = how.number('rounds', 100)
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const fault = FAULTS.find((one) => one === how.word('kill', 'server'))
  if (!fault) return { figures: {}, faults: [`--kill is ${FAULTS.join(', ')}`] }
  const smtp = await startSmtp()
  const base: Record<string, string> = { ...(await how.database()), DEMO: 'none', LOG_LEVEL: 'fatal', SMTP_URL: smtp.url }
  const ground = fault === 'server' ? { env: base, remove: async () => {} } : await layGround(fault, how.engine, base)
  if (typeof ground === 'string') {
    await smtp.stop()
    how.say(`not run: ${ground}`)
    return { figures: {}, faults: [] }
  }
  const env: Record<string, string> = { ...ground.env, LEDGER: join(mkdtempSync(join(base.DATA_DIR!, 'ledger-')), 'paid') }
  try {
    const world = await fill(env, rounds)
    const promised = nothingPromised()
    const times: number[] = []
    const survivors: number[] = []
    const tell = (round: number) => {
      if (round % 10 === 0)
        how.say(
          `${round} rounds, ${promised.answers} answers, ${lines(env.LEDGER!)} rewards paid, ${promised.faults.length} strange answers`,
        )
    }
    const run = { world, env, rounds, random, promised, times, kept: survivors, tell }
    if ('strike' in ground) await strikeUnder(run, ground)
    else await killAgain(run)
    const settled = await settle(env)
    const database = open(env)
    const faults = await reckon(database, promised, env.LEDGER!, smtp)
    const jobs = await database.db.selectFrom('jobs').select(['status', 'attempts']).execute()
    await database.close()
    return {
      figures: figuresOf({ fault, rounds, promised, smtp, settled, jobs, times, kept: survivors, paid: lines(env.LEDGER!) }),
      faults,
    }
  } finally {
    await ground.remove()
    await smtp.stop()
  }
}

interface Run {
  world: Awaited<ReturnType<typeof fill>>
  env: Record<string, string>
  rounds: number
  random: Random
  promised: ReturnType<typeof nothingPromised>
  /** How long each round took to be ready (again). */
  times: number[]
  /** Successful responses of each killed server. */
  kept: number[]
  tell(round: number): void
}

/** Kills and restarts the server repeatedly. */
async function killAgain({ world, env, rounds, random, promised, times, kept, tell }: Run): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    const began = performance.now()
    const server = await startServer(env, PROGRAM)
    times.push(performance.now() - began)
    const moment = momentOf(random)
    const killed = moment.come.then(() => server.kill())
    await Promise.all([
      workUntilKilled({ ...world, url: server.url, random, promised, acknowledged: moment.acknowledged }),
      killed,
    ])
    kept.push(moment.heard())
    tell(round)
  }
}

/** Runs one server while a dependency breaks repeatedly. */
async function strikeUnder({ world, env, rounds, random, promised, times, tell }: Run, ground: Ground): Promise<void> {
  const server = await startServer(env, PROGRAM)
  let going = true
  try {
    for (let round = 1; round <= rounds; round++) {
      going = true
      const work = workUntilKilled({ ...world, url: server.url, random, promised, going: () => going })
      await ground.strike(server, random)
      const time = await untilReady(server.url)
      if (time === null) throw new Error(`not ready again half a minute after round ${round}`)
      times.push(time)
      await after(100)
      going = false
      await work
      tell(round)
    }
  } catch (error) {
    promised.faults.unshift(`${(error as Error).message}; the server said: ${server.log().slice(-1500)}`)
  } finally {
    going = false
    if (/unhandled|uncaught/i.test(server.log())) promised.faults.unshift(`the server said: ${server.log().slice(-1500)}`)
    await server.stop()
  }
}

/** Opens the database alone, without a server's jobs and email. */
const open = (env: Record<string, string>) =>
  connect(env.DATABASE_URL ? { url: env.DATABASE_URL, poolSize: 2 } : { file: join(env.DATA_DIR!, 'fieldwork.db') })
const lines = (file: string): number => {
  try {
    return readFileSync(file, 'utf8').split('\n').length - 1
  } catch {
    return 0
  }
}

/** Makes users, projects, surveys and rewards for all rounds; the session survives every kill. */
async function fill(env: Record<string, string>, rounds: number) {
  const services = await createServices(readSettings(env), pino({ level: 'silent' }))
  const make = makers(services)
  const client = await make.client()
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const projects: number[] = []
  const surveys: number[] = []
  for (let at = 0; at < 4; at++) {
    const project = await make.project({ client_id: client.id })
    const survey = await make.survey({ project_id: project.id })
    projects.push(project.id)
    surveys.push(survey.id)
    const one = (at: number) => ({
      project_id: project.id,
      survey_id: survey.id,
      amount_cents: 500,
      email: `w${project.id}.${at}@mail.test`,
    })
    await make.entries(Array.from({ length: rounds * 12 }, (_, at) => one(at)))
  }
  const entries = (await services.database.db.selectFrom('entries').select('id').execute()).map((row) => row.id)
  const headers = await signedIn(services, admin)
  await closeServices(services)
  return { headers, client: client.id, projects, surveys, entries }
}

/** Lets a last server finish what the killed ones left behind; returns how long it took in ms. */
async function settle(env: Record<string, string>): Promise<number> {
  const began = performance.now()
  const server = await startServer(env, PROGRAM)
  const database = open(env)
  await untilSettled(database, SETTLE_MS)
  await database.close()
  await server.stop()
  return performance.now() - began
}

function figuresOf(given: {
  fault: Fault
  rounds: number
  promised: ReturnType<typeof nothingPromised>
  smtp: Smtp
  settled: number
  jobs: { status: string; attempts: number }[]
  times: number[]
  kept: number[]
  paid: number
}): Outcome['figures'] {
  const { promised, jobs, times, kept, fault } = given
  const yes = (map: Map<unknown, boolean>) => `${[...map.values()].filter(Boolean).length} of ${map.size} sent`
  const people = [...promised.respondents.values()]
  return {
    [fault === 'disk' ? 'times the disk was full' : fault === 'pause' ? 'pauses' : 'kills']: given.rounds,
    answers: promised.answers,
    ...(fault === 'server'
      ? {
          'acknowledged before a kill: least, median, most': leastMedianMost(kept),
          'killed before anything was acknowledged': kept.filter((count) => !count).length,
        }
      : { 'answers of 503 and 507': promised.troubles, 'slowest answer (ms)': Math.round(promised.slowest) }),
    'notes acknowledged': yes(promised.notes),
    'respondents acknowledged': `${people.flatMap((map) => [...map.values()].filter(Boolean)).length} of ${people.reduce((sum, map) => sum + map.size, 0)} sent`,
    'rewards acknowledged': yes(promised.redeemed),
    'rewards paid by the provider': given.paid,
    'jobs, and those begun more than once': `${jobs.length}, ${jobs.filter((job) => job.attempts > 1).length}`,
    'jobs that ended with a reason': jobs.filter((job) => job.status === 'failed').length,
    'invitations acknowledged': yes(promised.invited),
    'mails that came': given.smtp.mails.length,
    [fault === 'server' ? 'median start (ms)' : 'median and longest until ready again (ms)']: ready(times, fault === 'server'),
    'all settled after (ms)': Math.round(given.settled),
  }
}

function leastMedianMost(counts: readonly number[]): string {
  const sorted = [...counts].sort((a, b) => a - b)
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((count) => count ?? 0).join(', ')
}

function ready(times: readonly number[], median: boolean): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return median ? String(middle) : `${middle}, ${sorted.at(-1) ?? 0}`
}
