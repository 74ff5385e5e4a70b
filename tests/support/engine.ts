import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from './postgres.ts'

/** The engine that this run of the API tests is about. */
export const engine: 'sqlite' | 'postgres' = process.env.ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** The names of the databases that this file of tests has made on PostgreSQL. */
export const madeDatabases: string[] = []

type Place = { DATA_DIR: string; DATABASE_URL?: string }

/** Settings of a server on a fresh, empty database: a data folder of its own and, on PostgreSQL, a database of its own. */
export async function freshDatabase(): Promise<Place> {
  const place = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'data-')) }
  return engine === 'sqlite' ? place : { ...place, DATABASE_URL: await made() }
}

/** The same of a database that is migrated, and has no records. */
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
