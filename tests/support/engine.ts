import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from './postgres.ts'

/** The engine this API test run uses. */
export const engine: 'sqlite' | 'postgres' = process.env.ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** The PostgreSQL databases this test file created. */
export const madeDatabases: string[] = []

type Place = { DATA_DIR: string; DATABASE_URL?: string }

/** Settings for a server on a new, empty database, with its own data folder and, on PostgreSQL, its own database. */
export async function freshDatabase(): Promise<Place> {
  const place = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'data-')) }
  return engine === 'sqlite' ? place : { ...place, DATABASE_URL: await made() }
}

/** The same with a migrated database without records. */
export async function migratedDatabase(): Promise<Place> {
  const place = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'data-')) }
  if (engine === 'postgres') return { ...place, DATABASE_URL: await made(inject('template')) }
  copyFileSync(inject('template'), join(place.DATA_DIR, 'fieldwork.db'))
  return place
}

async function made(template?: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  madeDatabases.push(name)
  return await createDatabase(inject('postgres'), name, undefined, template)
}
