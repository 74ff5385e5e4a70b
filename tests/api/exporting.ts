import { expect } from 'vitest'
import type { ExportName } from '../../contract/exports.ts'
import type { Fieldwork, Person } from './support.ts'

/** Starts an export, waits for it and reads its file. */
export async function exported(
  app: Fieldwork,
  who: Person,
  source: ExportName,
  filter: Record<string, unknown> = {},
  columns?: string[],
) {
  const started = await who.call('export.start', { source, filter, ...(columns ? { columns } : {}) })
  expect(started.status).toBe(200)
  await app.services.jobs.settled(started.body.data.id, 10_000)
  const job = (await who.call('job.get', { id: started.body.data.id })).body.data
  return { job, text: (await app.as('stranger').raw('GET', job.download ?? '')).text, rows: () => job.result.rows }
}
