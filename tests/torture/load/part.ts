import { spawn } from 'node:child_process'
import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { leftover } from '../../support/leftovers.ts'
import { startServer } from '../../support/server.ts'
import { memoryFaults, memoryFigures, WATCHED, watchMemory } from './memory.ts'

interface Heard {
  calls: { name: string; count: number; p50: number; p95: number; p99: number; worst: number }[]
  errors: [what: string, times: number][]
  heard: number
}

/** The part `load` of `npm run torture`: `--callers` on kept connections for `--minutes`, a quarter with a stream. */
export async function tortureLoad(how: How): Promise<Outcome> {
  const minutes = how.number('minutes', 10)
  const callers = how.number('callers', 200)
  const env = { ...(await how.database()), DEMO: 'demo', LOG_LEVEL: 'error' }
  const server = await startServer({ ...env, ...WATCHED })
  try {
    const people = await someAdmins(env)
    const given = { ...people, url: server.url, callers, ms: minutes * 60_000, seed: 1 }
    const memory = await watchMemory(server, how.number('collect', 5) * 60_000)
    const heard = await call(given)
    await memory.stop()
    const all = heard.calls.reduce((sum, one) => sum + one.count, 0)
    return {
      figures: {
        callers,
        requests: `${all}, ${Math.round(all / (minutes * 60))} a second`,
        'pieces of live events heard': heard.heard,
        ...Object.fromEntries(
          heard.calls.map((one) => [
            `${one.name} (ms: p50 p95 p99 worst)`,
            `${one.p50}  ${one.p95}  ${one.p99}  ${one.worst}  of ${one.count}`,
          ]),
        ),
        ...memoryFigures(memory),
      },
      faults: [
        ...heard.errors.map(([what, times]) => `${what}, ${times} times`),
        ...(/"level":50/.test(server.log()) ? ['the server logged errors'] : []),
        ...memoryFaults(memory),
      ],
    }
  } finally {
    await server.stop()
  }
}

async function someAdmins(env: Record<string, string>) {
  const services = await createServices(readSettings(env), pino({ level: 'silent' }))
  await services.jobs.close()
  const { db } = services.database
  const admins = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .execute()
  const projects = (
    await db
      .selectFrom('projects')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('status', 'in', ['active', 'paused', 'completed'])
      .limit(60)
      .execute()
  ).map((row) => row.id)
  const surveys = (
    await db.selectFrom('surveys').select('id').where('project_id', 'in', projects).where('deleted_at', 'is', null).execute()
  ).map((row) => row.id)
  const headers: Record<string, string>[] = []
  for (let nth = 0; nth < 20; nth++) headers.push(await signedIn(services, admins[nth % admins.length]!))
  await closeServices(services)
  return { headers, projects, surveys }
}

function call(given: object): Promise<Heard> {
  const child = spawn(process.execPath, ['tests/torture/load/callers.ts'], {
    env: { PATH: process.env.PATH, GIVEN: JSON.stringify(given) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = leftover(() => void child.kill('SIGKILL'))
  child.once('close', ended)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return new Promise((resolve, reject) =>
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(printed) as Heard) : reject(new Error(`The callers ended with ${code}.`)),
    ),
  )
}
