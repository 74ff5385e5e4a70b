// Admissions beside single-row intakes in an open loop over HTTP, and intake with and without a live plan:
// `node tests/bench/quotas-intake.bench.ts [--seconds 20] [--engine sqlite|postgres]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { readSettings } from '../../server/core/settings.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { signedIn } from '../api/calling.ts'
import { makers } from '../support/makers.ts'
import { startPostgres } from '../support/postgres.ts'
import { startServer } from '../support/server.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, engine: { type: 'string', default: '' } },
})
const SECONDS = Number(values.seconds)
const [ARRIVALS, INTAKES] = [100, 50]
const AGES = [2, 3, 4, 5, 6, 7]
const GENDERS = ['female', 'male']
/** Room for everybody in each of the cells. */
const ROOM = 100_000

type Post = (path: string, body: object) => Promise<unknown>

let serial = 0
const who = () => ({ age: AGES[++serial % 6], gender: GENDERS[serial % 2] })
const row = () => ({ respondent_id: `r${++serial}`, outcome: 'completes', at: new Date().toISOString(), ...who() })

const quantiles = (times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1))
  return { count: times.length, p50: at(0.5), p99: at(0.99), most: at(1) }
}

/** Starts work at its due time, whether or not earlier work is done; returns the latencies. */
async function openLoop(rate: number, seconds: number, work: () => Promise<unknown>): Promise<number[]> {
  const began = performance.now()
  const times: Promise<number>[] = []
  for (let nth = 0; nth < rate * seconds; nth++) {
    const due = began + (nth * 1000) / rate
    if (due > performance.now()) await delay(due - performance.now())
    times.push(work().then(() => performance.now() - due))
  }
  return Promise.all(times)
}

async function goLive(post: Post, project: number): Promise<void> {
  const cells = AGES.flatMap((age) => GENDERS.map((gender) => ({ conditions: { age: [age], gender: [gender] }, target: ROOM })))
  const dimensions = [
    { name: 'Age', fields: ['age'], cells: AGES.map((age) => ({ conditions: { age: [age] }, target: 2 * ROOM })) },
    { name: 'Both', kind: 'interlock', fields: ['age', 'gender'], cells },
  ]
  const made = (await post(`projects/${project}/quotas`, { total: 12 * ROOM, dimensions })) as { data: { id: number } }
  await post(`quotas/${made.data.id}/live`, {})
}

async function measure(engine: string, env: Record<string, string>): Promise<void> {
  const services = await createServices(readSettings(env), pino({ level: 'silent' }))
  const make = makers(services)
  const client = await make.client()
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const surveyed = async () => {
    const { id } = await make.project({ client_id: client.id, ordered: 12 * ROOM, status: 'active' })
    return { project: id, survey: (await make.survey({ project_id: id })).id }
  }
  const [planned, free] = [await surveyed(), await surveyed()]
  const headers = { ...(await signedIn(services, admin)), 'content-type': 'application/json' }
  await closeServices(services)
  const server = await startServer(env)
  let refused = 0
  const post: Post = async (path, body) => {
    const answer = await fetch(`${server.url}/v3/portal/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status === 503) refused++
    else if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    return answer.json()
  }
  const admit = () => post(`surveys/runtime/${planned.survey}/admit`, { pid: `p${++serial}`, profile: who() })
  const intake = (survey: number, rows: number) =>
    post(`surveys/runtime/${survey}/responses`, { rows: Array.from({ length: rows }, row) })
  const lines: Record<string, unknown>[] = []
  try {
    await goLive(post, planned.project)
    for (let at = 0; at < 50; at++) await Promise.all([admit(), intake(planned.survey, 1), intake(free.survey, 1)])
    lines.push({ engine, call: 'admit, alone', ...quantiles(await openLoop(ARRIVALS, SECONDS / 2, admit)) })
    for (const [place, { survey }] of [['', planned] as const, [' of another survey', free] as const]) {
      const [admissions, intakes] = await Promise.all([
        openLoop(ARRIVALS, SECONDS, admit),
        openLoop(INTAKES, SECONDS, () => intake(survey, 1)),
      ])
      lines.push({ engine, call: `admit, beside intake${place}`, ...quantiles(admissions) })
      lines.push({ engine, call: `intake${place} beside admit`, ...quantiles(intakes) })
    }
    console.log(`Load ${loadavg()[0]!.toFixed(1)}, ${refused} calls were a 503`)
    console.table(lines)
    const rates: Record<string, unknown>[] = []
    for (const [rows, rounds] of [[1, 200] as const, [500, 12] as const]) {
      const spent = { planned: 0, free: 0 }
      for (let round = 0; round < rounds; round++)
        for (const [name, { survey }] of [['free', free] as const, ['planned', planned] as const]) {
          const began = performance.now()
          await intake(survey, rows)
          spent[name] += performance.now() - began
        }
      const rate = (ms: number) => Math.round((rows * rounds * 1000) / ms)
      const ratio = Number((spent.free / spent.planned).toFixed(2))
      rates.push({ engine, rows, 'without a plan, rows/s': rate(spent.free), 'with one, rows/s': rate(spent.planned), ratio })
    }
    console.table(rates)
  } finally {
    await server.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-quotas-intake-'))
const common = { DEMO: 'none', LOG_LEVEL: 'fatal', LIMITS: 'writes_day=10000000' }
try {
  if (values.engine !== 'postgres') await measure('sqlite', { ...common, DATA_DIR: join(folder, 'sqlite') })
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres(undefined, { durable: true })
    if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
    else {
      const DATABASE_URL = await postgres.url('quotas_intake')
      await measure('postgres', { ...common, DATA_DIR: join(folder, 'postgres'), DATABASE_URL })
      await postgres.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
