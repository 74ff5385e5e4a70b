import pg from 'pg'
import { afterAll, expect, inject, vi } from 'vitest'
import { closeAll } from './after-file.ts'
import { madeDatabases } from './engine.ts'

// Closes whatever each API test file opened, so that none of its servers run beside later files.
afterAll(async () => {
  const names = madeDatabases.splice(0)
  await closeAll()
  if (!names.length) return
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  try {
    await vi.waitFor(async () => expect(await connectionsTo(client, names)).toEqual([]), { timeout: 40_000, interval: 25 })
    // They may be in memory, and there are more than a hundred in a run. Force: PostgreSQL's own workers may look in.
    for (const name of names) await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
  } finally {
    await client.end()
  }
}, 60_000)

/** The last query of each connection to these databases that the file left open. */
async function connectionsTo(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ query: string }>('select query from pg_stat_activity where datname = any($1)', [names])
  return rows.map((row) => row.query)
}
