// Where the server's thread spends a call, in per cent of the time in which it does anything:
// `node tests/bench/server-profile.bench.ts [--calls 300] [--engine sqlite|postgres] [--size demo|mid|large]`.
// Each call is made by one caller over HTTP, after twenty that warm up. Sampled every 0.2 ms.
import { parseArgs } from 'node:util'
import { onBothEngines, type Size } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    calls: { type: 'string', default: '300' },
    size: { type: 'string', default: 'mid' },
  },
})
const ROUNDS = Number(values.calls)
const PROJECTS = '/v3/portal/projects/all?per_page=50'
const CALLS: [name: string, path: (busy: number) => string][] = [
  ['projects, 50 rows', () => PROJECTS],
  ['projects, by end date', () => `${PROJECTS}&column=end_dt&order=desc`],
  ['one project', (busy) => `/v3/portal/projects/${busy}`],
  ['overview', (busy) => `/v3/portal/projects/${busy}/overview`],
]

/** TABLE  parts of the server by the addresses of their scripts; the first that matches counts. */
const PARTS: [part: string, script: RegExp][] = [
  ['SQLite', /^sqlite$/],
  ['PostgreSQL driver', /node_modules\/pg/],
  ['idle', /^\((idle|root)\)$/],
  ['garbage', /^\(garbage collector\)$/],
  ['Kysely', /node_modules\/kysely/],
  ['zod', /node_modules\/zod/],
  ['Fastify, JSON', /node_modules\/(@?fastify|fast-|avvio|light-my|find-my)|^(stringify|parse)$/],
  ['Node', /^node:|^\(program\)$/],
  ['our calls and core', /server\/(calls|core|http)\//],
  ['our domain and rules', /server\/domain\/|\/contract\//],
  ['our database layer', /server\/db\//],
]

await onBothEngines(
  async ({ db }) => {
    const { project_id } = await db
      .selectFrom('entries')
      .select((eb) => ['project_id', eb.fn.countAll().as('n')])
      .groupBy('project_id')
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return project_id
  },
  async ({ engine, get, measures, profiled }, busy) => {
    const lines: Record<string, unknown>[] = []
    for (const [call, path] of CALLS) {
      for (let nth = 0; nth < 20; nth++) await get(path(busy))
      await measures('profile')
      for (let nth = 0; nth < ROUNDS; nth++) await get(path(busy))
      const parts: Record<string, number> = {}
      let all = 0
      for (const [script, ms] of Object.entries(await profiled())) {
        const part = PARTS.find(([, pattern]) => pattern.test(script))?.[0] ?? 'other'
        if (part === 'idle') continue
        parts[part] = (parts[part] ?? 0) + ms
        all += ms
      }
      const shares = Object.entries(parts).sort((a, b) => b[1] - a[1])
      lines.push({
        engine,
        call,
        'ms a call': Math.round((all / ROUNDS) * 100) / 100,
        ...Object.fromEntries(shares.map(([part, ms]) => [part, Math.round((ms / all) * 100)])),
      })
    }
    console.table(lines)
  },
  values.engine,
  values.size as Size,
)
