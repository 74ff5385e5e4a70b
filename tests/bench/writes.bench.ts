// Writes with history, live event and undo from 1, 20 and 200 callers; the list and an Overview meanwhile and alone:
// `node tests/bench/writes.bench.ts [--size demo|mid|large] [--writes 1000] [--engine sqlite|postgres]`.
// Each caller changes a project's name and waits for the response; 200 projects are changed in turn.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Database } from '../../server/db/connect.ts'
import { atRest, underLoad } from './load.ts'
import { onBothEngines, type Served, type Size } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    size: { type: 'string', default: 'demo' },
    writes: { type: 'string', default: '1000' },
  },
})
const WRITES = Number(values.writes)

async function projectsOf({ db }: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('generation', '=', 'project')
    .where('deleted_at', 'is', null)
    .where('parent_id', 'is', null)
    .orderBy('delivered', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}

async function bench({ engine, url, headers, pid, get }: Served, projects: number[]): Promise<void> {
  await atRest(pid)
  const lines: Record<string, unknown>[] = []
  const reads: [string, string][] = [
    ['list, 50 rows', '/v3/portal/projects/all?per_page=50'],
    ['overview', `/v3/portal/projects/${projects[projects.length >> 1]}/overview`],
  ]
  for (const [call, path] of reads) {
    for (let at = 0; at < 20; at++) await get(path)
    for (const callers of [1, 20]) lines.push({ engine, call, callers, ...(await underLoad(callers, 200, () => get(path), pid)) })
  }
  for (const callers of [1, 20, 200]) {
    const write = async (nth: number) => {
      const id = projects[nth % projects.length]!
      const answer = await fetch(`${url}/v3/portal/projects`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ project: { id, name: `Written ${callers} ${nth}` } }),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
    }
    lines.push({ engine, call: 'write', callers, ...(await underLoad(callers, WRITES, write, pid)) })
  }
  console.log(`Load ${loadavg()[0]!.toFixed(1)}; cpu is the server's own processor time a call, without PostgreSQL's half.`)
  console.table(lines)
}

await onBothEngines(projectsOf, bench, values.engine, values.size as Size)
