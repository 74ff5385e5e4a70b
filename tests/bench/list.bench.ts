// The cost of lists at mid size (3,000 projects, 400,000 reward entries), as best, p50 and p95 in ms:
// `node tests/bench/list.bench.ts [--rounds 100] [--engine sqlite|postgres] [--size demo|mid|large]`.
// Prints the server's least processor time and the statements of a call beside them.
// Calls go to the real server over HTTP in turns, so a busy moment affects them all.
import { parseArgs } from 'node:util'
import { cpuOf } from './load.ts'
import { onBothEngines, quantile, type Size } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    rounds: { type: 'string', default: '100' },
    size: { type: 'string', default: 'mid' },
  },
})
const ROUNDS = Number(values.rounds)
const PROJECTS = '/v3/portal/projects/all?per_page=50'
const CAMPAIGNS = '/v1/campaigns?per_page=50'

const CALLS: [name: string, path: (round: number, busy: number) => string][] = [
  ['(floor: healthz)', () => '/healthz'],
  ['projects, 50 rows', () => PROJECTS],
  ['projects, a deep page', (round) => `${PROJECTS}&page=${20 + (round % 10)}`],
  ['projects, active', () => `${PROJECTS}&status=active`],
  ['projects, searched', (round) => `${PROJECTS}&search=${['snack', 'tracker', 'brand', 'co'][round % 4]}`],
  ['projects, by end date', () => `${PROJECTS}&column=end_dt&order=desc`],
  ['projects, by delivered', () => `${PROJECTS}&column=delivered&order=desc`],
  ['projects, red pacing', () => `${PROJECTS}&pacing=red`],
  ['projects, page of 10', () => '/v3/portal/projects/all'],
  ['campaigns, 50 rows', () => CAMPAIGNS],
  ['campaigns, searched', () => `${CAMPAIGNS}&search=tracker`],
  ['one project', (_, busy) => `/v3/portal/projects/${busy}`],
  ['overview of a project', (_, busy) => `/v3/portal/projects/${busy}/overview`],
  ['clients', () => '/v3/portal/clients'],
  ['users', () => '/v3/portal/users'],
  ['rewards of a project, 50', (_, busy) => `/v3/portal/projects/${busy}/rewarded/rewards`],
  ['rewards, pending', (_, busy) => `/v3/portal/projects/${busy}/rewarded/rewards?status=pending`],
  ['palette index', () => '/v3/portal/palette/index'],
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
  async ({ engine, get, pid, statements }, busy) => {
    const times = CALLS.map((): number[] => [])
    const cpu = CALLS.map(() => Number.POSITIVE_INFINITY)
    const ran = CALLS.map(() => 0)
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, [, path]] of CALLS.entries()) {
        await statements()
        const used = cpuOf(pid)
        times[at]!.push(await get(path(round, busy)))
        if (round) cpu[at] = Math.min(cpu[at]!, cpuOf(pid) - used)
        ran[at] = await statements()
      }
    console.table(
      CALLS.map(([call], at) => ({
        engine,
        call,
        best: quantile(times[at]!, 0),
        p50: quantile(times[at]!, 0.5),
        p95: quantile(times[at]!, 0.95),
        processor: Math.round(cpu[at]! * 100) / 100,
        statements: ran[at],
      })),
    )
  },
  values.engine,
  values.size as Size,
)
