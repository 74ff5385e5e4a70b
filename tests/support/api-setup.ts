import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { createDatabase, startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of PostgreSQL's maintenance database; empty when the tests run on SQLite. */
    postgres: string
    /** A migrated database without records: the file, or the name of the database on PostgreSQL. */
    template: string
    /** A folder for the files of this run, removed at its end. */
    scratch: string
  }
}

/**
 * Once for a run of the API tests: a scratch folder, with ENGINE=postgres a PostgreSQL (or the one that TEST_POSTGRES_URL names), and a migrated
 * database that each file of tests begins with a copy of.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'fieldwork-api-'))
  project.provide('scratch', scratch)
  let stop = async () => {}
  let url = ''
  if (process.env.ENGINE === 'postgres') {
    url = process.env.TEST_POSTGRES_URL ?? ''
    if (!url) {
      const started = await startPostgres()
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
