import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of PostgreSQL's maintenance database; empty when the tests run on SQLite. */
    postgres: string
    /** A folder for the files of this run, removed at its end. */
    scratch: string
  }
}

/** Once for a run of the API tests: a scratch folder and, with ENGINE=postgres, a PostgreSQL (or the one that TEST_POSTGRES_URL names). */
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
  project.provide('postgres', url)
  return async () => {
    await stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
