// `npm run record`: records the answers that tests of screens read (tests/support/answers) from a server on the demo.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mock } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import pino from 'pino'
import { type CallId, calls } from '../contract/calls.ts'
import { readSettings } from '../server/core/settings.ts'
import { connect, transact } from '../server/db/connect.ts'
import { migrate } from '../server/db/migrate.ts'
import { seed } from '../server/demo/seed.ts'
import { buildApp } from '../server/http/app.ts'
import { closeServices, createServices } from '../server/services.ts'
import { signedIn } from '../tests/api/calling.ts'
import { DAY, type Question, READS, SERIES, shorten } from '../tests/support/answers/recorded.ts'
import { pack, type Recorded, requestKey, type Step, type Stored } from '../tests/support/answers/recording.ts'
import { openScratch } from '../tests/support/scratch.ts'
import { helpIfAsked } from './help.ts'

helpIfAsked('npm run record: records the answers that tests of screens read, from a server on the demo.')

const answers = resolve(import.meta.dirname, '../tests/support/answers')

// Only dates stand still: timers of the server go on.
mock.timers.enable({ apis: ['Date'], now: Date.parse(DAY) })

const scratch = openScratch('fieldwork-record')
const demo = join(scratch, 'demo.db')
try {
  await fill()
  for (const who of ['admin', 'client'] as const) await record(who)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const database = connect({ file: demo })
  await migrate(database)
  await seed(database, { size: 'demo', now: new Date() })
  await transact(database, shorten)
  await database.close()
}

async function record(who: 'admin' | 'client'): Promise<void> {
  const reads = await withServer(who, async (ask) => await allReads(who, ask))
  const series: Record<string, Step[]> = {}
  for (const [name, { as = 'admin', before = [], steps }] of Object.entries(SERIES)) {
    if (as !== who) continue
    series[name] = await withServer(who, async (ask) => {
      for (const one of before) expectDone(one, (await ask(one)).answer)
      let known = before.length ? await allReads(who, ask, true) : reads
      const made: Step[] = []
      for (const step of steps) {
        mock.timers.setTime(Date.now() + 1000)
        const { request, answer } = await ask(step === 'undo' ? undoOf(made) : step)
        const now = await allReads(who, ask, true)
        made.push({
          request,
          answer,
          after: Object.fromEntries(Object.entries(now).filter(([key, body]) => !isDeepStrictEqual(body, known[key]))),
        })
        known = now
      }
      return made
    })
  }
  writeFileSync(join(answers, `${who}.json`), text(pack({ reads, series })))
}

type Ask = (asked: Question) => Promise<{ request: string; answer: Recorded }>

/** Runs a server on a copy of the demo, with the clock at its day. */
async function withServer<T>(who: 'admin' | 'client', use: (ask: Ask) => Promise<T>): Promise<T> {
  mock.timers.setTime(Date.parse(DAY))
  const folder = join(scratch, 'data')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  copyFileSync(demo, join(folder, 'fieldwork.db'))
  const settings = readSettings({ DATA_DIR: folder, NODE_ENV: 'test', DEMO: 'demo', PUBLIC_URL: 'http://fieldwork.test' })
  const services = await createServices(settings, pino({ level: 'error' }))
  const app = await buildApp(services)
  try {
    const person = await services.database.db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', `${who}@fieldwork.test`)
      .executeTakeFirstOrThrow()
    const headers = await signedIn(services, person)
    return await use(async ({ id, input }) => {
      const { method, url, body } = requestOf(id, input)
      const {
        statusCode,
        body: told,
        headers: given,
      } = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...headers, 'x-fieldwork': 'workspace' },
        ...(body ? { payload: body } : {}),
      })
      const answer: Recorded = { status: statusCode, body: withoutRequest(JSON.parse(told)) }
      if (given['x-undo']) answer.undo = Number(given['x-undo'])
      return { request: requestKey(method, url, body), answer }
    })
  } finally {
    await app.close()
    await closeServices(services)
  }
}

/** The number of a request is new each time. */
function withoutRequest(body: unknown): unknown {
  if (!body || typeof body !== 'object') return body
  const { request_id: _, ...rest } = body as Record<string, unknown>
  return rest
}

async function allReads(who: 'admin' | 'client', ask: Ask, again = false): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const one of READS) {
    if ((one.as && one.as !== who) || (again && one.once)) continue
    const { request, answer } = await ask(one)
    expectDone(one, answer)
    found[request] = answer.body
  }
  return found
}

function expectDone({ id, input }: Question, { status, body }: Recorded): void {
  if (status >= 300) throw new Error(`${id} ${JSON.stringify(input)}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
}

function undoOf(made: readonly Step[]): Question {
  const last = made.findLast(({ answer }) => answer.undo)
  if (!last) throw new Error(`Nothing to undo after ${JSON.stringify(made.at(-1)?.answer).slice(0, 300)}`)
  return { id: 'undo.take', input: { id: last.answer.undo! } }
}

/** The request as the typed client makes it (src/data/apiClient.ts). */
function requestOf(id: CallId, input: object): { method: string; url: string; body?: object } {
  const { method, path } = calls[id]
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (method === 'POST' || method === 'PUT') return { method, url: filled, body: rest }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one))
    else query.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  const search = query.toString()
  return { method, url: search ? `${filled}?${search}` : filled }
}

/** JSON with a line for each answer and part, so that a change shows what it changed. */
function text({ reads, series, parts }: Stored): string {
  const lines = (all: object) =>
    Object.entries(all)
      .map(([key, body]) => `${JSON.stringify(key)}: ${JSON.stringify(body)}`)
      .join(',\n')
  const listed = parts.map((part) => JSON.stringify(part)).join(',\n')
  return `{"reads": {\n${lines(reads)}\n},\n"series": {\n${lines(series)}\n},\n"parts": [\n${listed}\n]}\n`
}
