// Intake speed: `node tests/bench/intake.bench.ts [--rows 100000]`, on SQLite and, where it starts, on PostgreSQL.
// `--size large` measures it in the marketplace that `npm run seed -- --size large` left, to which it adds its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { ingest, readRows, take } from '../../server/domain/runtime/intake.ts'
import { parseNdjson } from '../../server/domain/runtime/ndjson.ts'
import { startPostgres } from '../support/postgres.ts'
import { makeRespondents, makeSurvey } from '../support/respondents.ts'
import { seededLarge } from './served.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' }, size: { type: 'string', default: '' } } })
const ROWS = Number(values.rows)
const BATCH = 10_000

interface Line {
  engine: string
  path: string
  'respondents/s': number
  /** By this process's processor time, unaffected by other programs; on PostgreSQL that is our half only. */
  'respondents/CPU s': number
  'peak MB': number
}

/** Ingests all batches in sequence; returns respondents a second, without making them, and the peak memory. */
async function measure(
  database: Database,
  path: string,
  work: (batch: ReturnType<typeof makeRespondents>, survey: { id: number; project_id: number }) => Promise<unknown>,
): Promise<Line> {
  const { project, survey, questions } = await makeSurvey(database)
  let [spent, busy, peak] = [0, 0, 0]
  for (let at = 0; at < ROWS; at += BATCH) {
    const batch = makeRespondents(Math.min(BATCH, ROWS - at), at + 1, questions)
    const [began, before] = [performance.now(), process.cpuUsage()]
    await work(batch, { id: survey, project_id: project.id })
    spent += performance.now() - began
    const { user, system } = process.cpuUsage(before)
    busy += user + system
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  return {
    engine: database.engine,
    path,
    'respondents/s': Math.round((ROWS / spent) * 1000),
    'respondents/CPU s': Math.round((ROWS / busy) * 1_000_000),
    'peak MB': Math.round(peak / 1_048_576),
  }
}

async function bench(database: Database): Promise<Line[]> {
  await migrate(database)
  return [
    await measure(database, 'trusted rows (demo data)', (batch, survey) =>
      transact(database, (tx) => ingest(database, tx, survey, batch, { trusted: true })),
    ),
    await measure(database, 'NDJSON, parsed and checked', async (batch, survey) => {
      const text = batch.map((row) => JSON.stringify(row)).join('\n')
      const { good } = await readRows(database.db, survey, parseNdjson(text))
      await transact(database, (tx) => take(database, tx, survey, good))
    }),
    await measure(database, 'a second time (all known)', async (batch, survey) => {
      const part = batch.slice(0, 1000)
      await transact(database, (tx) => ingest(database, tx, survey, part))
      for (let at = 0; at < batch.length; at += part.length) await transact(database, (tx) => ingest(database, tx, survey, part))
    }),
  ]
}

if (values.size === 'large') {
  const database = seededLarge().open()
  console.table(await bench(database))
  await database.close()
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
const lines: Line[] = []
try {
  const sqlite = connect({ file: join(folder, 'intake.db') })
  lines.push(...(await bench(sqlite)))
  await sqlite.close()
  const postgres = await startPostgres()
  if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
  else {
    const database = connect({ url: await postgres.url('intake') })
    lines.push(...(await bench(database)))
    await database.close()
    await postgres.stop()
  }
  console.table(lines)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
