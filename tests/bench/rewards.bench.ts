// Reward receivers over HTTP among many entries in the demo's projects, on SQLite and, if it starts, PostgreSQL:
// `node tests/bench/rewards.bench.ts [--rows 4000000] [--engine sqlite|postgres] [--times 20]`.
// Searches, filters and sorts of the first page of 50 with its count, and pages by cursor.
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Database, insertMany, transact } from '../../server/db/connect.ts'
import { onBothEngines, type Served } from './served.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    rows: { type: 'string', default: '4000000' },
    times: { type: 'string', default: '20' },
  },
})
const ROWS = Number(values.rows)
const TIMES = Number(values.times)
/** Rows in one statement, because PostgreSQL's triggers hold a statement's rows in memory. */
const BATCH = 20_000
const DAYS = 700

/** Adds entries to the demo's projects in the shares of decisions.md 12: statuses, amounts, repeats. */
async function fill(database: Database): Promise<void> {
  const { rows: projects } = await sql<{ id: number }>`select id from projects where generation = 'project' order by id`.execute(
    database.db,
  )
  const ids = projects.map(({ id }) => Number(id))
  const began = performance.now()
  for (let at = 0; at < ROWS; at += BATCH) {
    // One project for each batch in turn, so that each gets entries of every age.
    const project = ids[(at / BATCH) % ids.length]!
    const many = Math.min(BATCH, ROWS - at)
    await transact(database, (tx) =>
      insertMany(
        tx,
        'entries',
        Array.from({ length: many }, (_, nth) => entry(at + nth, project)),
      ),
    )
  }
  await sql`analyze`.execute(database.db)
  console.log(`${database.engine}: ${ROWS} entries in ${Math.round((performance.now() - began) / 1000)} s`)
}

const AMOUNTS = [5, 5, 5, 5, 5, 10, 10, 10, 15, 20, 25, 50]
const WORDS = ['maya', 'noor', 'leo', 'ana', 'ben', 'iris', 'omar', 'zoe', 'kai', 'lena']
/** The nth entry: 82 % sent, 12 pending, 1 processing, 5 rejected; 1.5 % repeat an email, 6 % an address. */
function entry(nth: number, project_id: number) {
  const share = (nth * 7919) % 100
  const status = share < 82 ? ('sent' as const) : share < 94 ? 'pending' : share < 95 ? 'processing' : 'rejected'
  const own = nth % 67 === 1 ? nth - 1 : nth
  const email = `${WORDS[nth % WORDS.length]}.${own}@example.com`
  const address = nth % 17 === 1 ? nth - 1 : nth
  const odd = nth % 200 === 3
  const created_at = new Date(Date.UTC(2026, 9, 1) - ((nth * 104_729) % (DAYS * 1440)) * 60_000).toISOString()
  const at = new Date(Date.parse(created_at) + 86_400_000).toISOString()
  return {
    ...{ project_id, survey_id: null, reward_id: null, email, email_key: email, status },
    ip: `10.${address & 255}.${(address >> 8) & 255}.${(address >> 16) & 255}`,
    amount_cents: (odd ? 7 : AMOUNTS[nth % AMOUNTS.length]!) * 100,
    provider_id: nth % 5 ? 1 : 600,
    ...{ reason: '', second_chances: 0, claimed_at: null, payout_job: null, import_id: null },
    ...{ sent_at: status === 'sent' ? at : null, created_at, updated_at: created_at },
  }
}

/** The list's requests, with their titles. */
const ASKED: readonly (readonly [what: string, query: string])[] = [
  ['newest', ''],
  ['search: beginning of an email', 'search=maya.12'],
  ['search: a whole email', 'search=ben.4004%40example.com'],
  ['search: an address', 'search=10.4.10.0'],
  ['status', 'status=pending'],
  ['flag: any', 'flag=any'],
  ['flag: amount, pending', 'flag=amount&status=pending'],
  ['flag: IP, sent', 'flag=ip&status=sent'],
  ['provider', 'provider=600'],
  ['provider, flag, status', 'provider=600&flag=email&status=sent'],
  ['a month', 'from=2026-01-01&to=2026-01-31'],
  ['an amount', 'min=25&max=25'],
  ['by amount', 'column=amount&order=asc'],
  ['by email', 'column=email&order=asc'],
  ['by address', 'column=ip&order=desc'],
  ['by sent', 'column=sent_at&order=desc'],
  ['by status', 'column=status&order=asc'],
  ['by flags', 'column=flags&order=desc'],
  ['by provider', 'column=provider&order=asc'],
  ['flag by email', 'flag=any&column=email&order=asc'],
  ['status by amount', 'status=sent&column=amount&order=desc'],
  ['a month by amount', 'from=2026-01-01&to=2026-01-31&column=amount&order=desc'],
]
const PATH = '/v3/portal/rewards/all/rewarded'

async function bench({ engine, get, json }: Served): Promise<void> {
  const lines: Record<string, unknown>[] = []
  const measure = async (what: string, query: string) => {
    const all: number[] = []
    for (let time = 0; time < TIMES; time++) all.push(await get(`${PATH}?${query}`))
    const cold = all[0]!
    all.sort((a, b) => a - b)
    const at = (share: number) => Math.round(all[Math.min(all.length - 1, Math.floor(all.length * share))]!)
    lines.push({ engine, what, first: Math.round(cold), p50: at(0.5), p95: at(0.95) })
  }
  for (const [what, query] of ASKED) await measure(what, query)
  let after = ''
  for (let page = 0; page < 40; page++) {
    const { next } = await json<{ next: string | null }>(`${PATH}?status=sent&counts=0&per_page=500&after=${after}`)
    after = next ?? after
  }
  await measure('20,000 rows down, by cursor', `status=sent&counts=0&after=${after}`)
  const one = await json<{ data: { project_id: number; client_id: number }[] }>(PATH)
  await measure('a project', `project_id=${one.data[0]!.project_id}`)
  await measure('a client', `client_id=${one.data[0]!.client_id}`)
  await measure('a client by amount', `client_id=${one.data[0]!.client_id}&column=amount&order=desc`)
  console.table(lines)
}

await onBothEngines(fill, bench, values.engine, 'demo')
