import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from './postgres.ts'

/** The engine that this run of the API tests is about. */
export const engine: 'sqlite' | 'postgres' = process.env.ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** Settings of a server on a fresh, empty database: a data folder of its own and, on PostgreSQL, a database of its own. */
export async function freshDatabase(): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const settings = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'data-')) }
  if (engine === 'sqlite') return settings
  return { ...settings, DATABASE_URL: await createDatabase(inject('postgres'), `test_${randomBytes(6).toString('hex')}`) }
}
