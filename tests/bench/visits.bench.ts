// Visits: `npm run bench -- visits [--rows=100000] [--part=intake|demo|mid|large]`.
// It runs on SQLite and, where it starts, on PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startPostgres } from '../support/postgres.ts'
import { intake } from './visitIntake.ts'
import { reads } from './visitReads.ts'

/** TABLE  the parts: each runs on a migrated, empty database, and returns the lines of its table. */
const PARTS: Readonly<Record<string, (database: Database, rows: number) => Promise<object[]>>> = {
  intake,
  demo: (database) => reads(database, 'demo'),
  mid: (database) => reads(database, 'mid'),
  large: (database) => reads(database, 'large'),
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' }, part: { type: 'string' } } })
const parts = Object.entries(PARTS).filter(([name]) => !values.part || name === values.part)
const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
const postgres = await startPostgres()
if ('reason' in postgres) console.log(`PostgreSQL left out: ${postgres.reason}`)
try {
  for (const [name, part] of parts) {
    const lines: object[] = []
    const places = [
      { file: join(folder, `${name}.db`) },
      ...('reason' in postgres ? [] : [{ url: await postgres.url(`visits_${name}`) }]),
    ]
    for (const place of places) {
      const database = connect(place)
      try {
        await migrate(database)
        lines.push(...(await part(database, Number(values.rows))))
      } finally {
        await database.close()
      }
    }
    console.log(name)
    console.table(lines)
  }
} finally {
  if (!('reason' in postgres)) await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
