import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { createDatabase, startPostgres } from './postgres.ts'
import { openScratch } from './scratch.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** PostgreSQL's maintenance URL; empty when the tests run on SQLite. */
    postgres: string
    /** A migrated, empty database: a file, or a database name on PostgreSQL. */
    template: string
    /** A folder for this run's files, removed at the end. */
    scratch: string
  }
}

/**
 * Runs once for each API test run: makes a scratch folder, starts PostgreSQL if ENGINE=postgres, migrates a template.
 * TEST_POSTGRES_URL names an existing PostgreSQL. Each test file starts with a copy of the template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = openScratch('fieldwork-api')
  project.provide('scratch', scratch)
  let stop = async () => {}
  let url = ''
  if (process.env.ENGINE === 'postgres') {
    url = process.env.TEST_POSTGRES_URL ?? ''
    if (!url) {
      const started = await startPostgres(undefined, { brief: true })
      if ('reason' in started) throw new Error(`PostgreSQL could not be started for the tests: ${started.reason}`)
      url = started.adminUrl
      stop = started.stop
    }
  }
  const template = url ? `template_${randomBytes(6).toString('hex')}` : join(scratch, 'template.db')
  const database = connect(url ? { url: await createDatabase(url, template) } : { file: template })
  await migrate(database)
  await database.close()
  project.provide('postgres', url)
  project.provide('template', template)
  return async () => {
    await stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
