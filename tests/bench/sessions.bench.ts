// Entries by a link in an open loop over HTTP, latency from the due time:
// `node tests/bench/sessions.bench.ts [--rate 200] [--seconds 10] [--engine sqlite|postgres]`.
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
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    engine: { type: 'string', default: '' },
  },
})
const [RATE, SECONDS] = [Number(values.rate), Number(values.seconds)]

/** A project in field with a survey, for whose link an administrator's headers are. */
async function fill(env: Record<string, string>) {
  const services = await createServices(readSettings(env), pino({ level: 'silent' }))
  const make = makers(services)
  const client = await make.client()
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const project = await make.project({ client_id: client.id, ordered: 100_000, status: 'active' })
  await make.survey({ project_id: project.id, survey_link: 'https://survey.test/run' })
  const partner = await make.partner({})
  const headers = await signedIn(services, admin)
  await closeServices(services)
  return { headers, project: project.id, partner_id: partner.id }
}

async function measure(engine: string, env: Record<string, string>): Promise<void> {
  const { headers, project, partner_id } = await fill(env)
  const server = await startServer(env)
  try {
    const send = async <T>(path: string, body: object): Promise<T> => {
      const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      return (await (await fetch(`${server.url}/v3/portal/${path}`, options)).json()) as T
    }
    const { data: quota } = await send<{ data: { id: number } }>(`projects/${project}/quotas`, {
      dimensions: [
        {
          name: 'Gender',
          fields: ['gender'],
          cells: ['female', 'male'].map((gender) => ({ conditions: { gender: [gender] }, share: 50 })),
        },
      ],
    })
    await send(`quotas/${quota.id}/live`, {})
    const fields = { partner_id, name: 'Main', max_entrants_minute: 6000, return_quota_full: 'https://panel.test/full' }
    const { data: link } = await send<{ data: { id: number; url: string } }>(`projects/${project}/entry_links`, fields)
    await send(`entry_links/${link.id}/resume`, {})
    const door = server.url + new URL(link.url).pathname
    const times: number[] = []
    const answers = new Map<number, number>()
    const enter = async (nth: number, due: number) => {
      const address = `${door}?pid=p${nth}&gender=${nth % 2 ? 'female' : 'male'}`
      const answer = await fetch(address, { redirect: 'manual' })
      await answer.arrayBuffer()
      times.push(performance.now() - due)
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    }
    const began = performance.now()
    const all: Promise<void>[] = []
    for (let nth = 0; nth < RATE * SECONDS; nth++) {
      const due = began + (nth * 1000) / RATE
      const wait = due - performance.now()
      if (wait > 1) await delay(wait)
      all.push(enter(nth, due))
    }
    await Promise.all(all)
    times.sort((a, b) => a - b)
    const at = (share: number) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1))
    const statuses = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
    console.table([{ engine, rate: RATE, p50: at(0.5), p95: at(0.95), p99: at(0.99), statuses, load: loadavg()[0]!.toFixed(1) }])
  } finally {
    await server.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-sessions-'))
const common = { DEMO: 'none', LOG_LEVEL: 'fatal', LIMITS: 'writes_day=10000000' }
try {
  if (values.engine !== 'postgres') await measure('sqlite', { ...common, DATA_DIR: join(folder, 'sqlite') })
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres(undefined, { durable: true })
    if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
    else {
      const DATABASE_URL = await postgres.url('sessions')
      await measure('postgres', { ...common, DATA_DIR: join(folder, 'postgres'), DATABASE_URL })
      await postgres.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
