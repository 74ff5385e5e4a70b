import { Readable } from 'node:stream'
import { seesAll } from '../../contract/actor.ts'
import type { ExportName } from '../../contract/exports.ts'
import type { Ctx, JobKind, RunningJob, Services } from '../core/context.ts'
import { fileName } from '../core/csv.ts'
import { readLongFromReplica } from '../core/replicaReads.ts'
import { readingAs } from '../core/unitOfWork.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { addExport, takeOldExports } from '../domain/file/fileRows.ts'
import { newKey } from '../files/fileStore.ts'
import { discard } from '../files/receiveUpload.ts'
import { sendStream } from '../files/sendStream.ts'
import { csvOf, type Listing } from './exportSource.ts'
import { exportOf } from './exports.ts'
import { XLSX, xlsxOf } from './xlsx.ts'

const CSV = 'text/csv; charset=utf-8'
export interface ExportInput {
  source: ExportName
  filter: unknown
  /** Column ids in order; all if missing. */
  columns?: readonly string[]
  /** CSV if missing, as in jobs of older releases. */
  format?: 'csv' | 'xlsx'
}

/** Streams a list to the caller, page by page. */
export async function exportNow(ctx: Ctx, name: ExportName, filter: unknown): Promise<void> {
  const listing = await exportOf(name).open(ctx, filter)
  await sendStream(ctx, { name: fileName(listing.title, 'csv', ctx.today), mime: CSV }, csvOf(listing))
}

/** Days an exported file is kept. */
const KEPT_DAYS = 7

/** Removes expired files; their jobs stay, and the link says that the file is gone. */
async function removeOld(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const old = await takeOldExports(services.database, before)
  if (!old.length) return
  // An unavailable store must not block jobs: the content stays behind, and is logged.
  await discard({ services }, old)
}

/** The scope of a file's figures, as stored (server/jobs/exportAccess.ts). */
const holdsOf = ({ holds, services }: Listing): string | null =>
  services ? JSON.stringify({ services: [...services] }) : holds ? JSON.stringify([...holds]) : null

/** Writes the list's content to the store, reading from these services' database. */
async function writeFile(job: RunningJob, services: Services) {
  const { source, filter, columns, format = 'csv' } = job.input as ExportInput
  const ctx = readingAs(services, `export.${source}`, job.caller)
  const listing = await exportOf(source).open(ctx, filter, columns)
  let rows = 0
  job.progress(0, listing.count)
  const [write, mime] = format === 'xlsx' ? [xlsxOf, XLSX] : [csvOf, CSV]
  const pages = write(listing, (count) => {
    job.signal.throwIfAborted()
    rows += count
    job.progress(rows, Math.max(rows, listing.count))
  })
  const storage_key = newKey('exports', format, services.now())
  const { size, sha256 } = await services.files.put(
    storage_key,
    Readable.from(pages as AsyncIterable<string | Uint8Array>, { highWaterMark: 1 }),
    mime,
  )
  return { listing, rows, storage_key, mime, size, sha256, today: ctx.today }
}

/** Writes a list to the file store; the result names the file. A restart after a kill writes a new one. */
export const exportKind: JobKind = {
  news: 'export',
  again: true,
  sweep: removeOld,
  async run(job) {
    const { listing, rows, storage_key, mime, size, sha256, today } = await readLongFromReplica(
      job.services,
      (at) => writeFile(job, at),
      () => job.signal.aborted,
    )
    const original_name = fileName(listing.title, (job.input as ExportInput).format ?? 'csv', today)
    try {
      // An administrator's file has personal data, so it gets no `holds` and only administrators can open it.
      const holds = job.caller.actor && !seesAll(job.caller.actor) ? holdsOf(listing) : null
      const uploaded_by = job.caller.actor?.id ?? null
      const id = await job.write(({ tx, now: at }) =>
        addExport(tx, at, { original_name, storage_key, mime, size, sha256, uploaded_by, holds }),
      )
      job.progress(rows, rows)
      return { file_id: id, file_name: original_name, rows, size }
    } catch (error) {
      if (!(error instanceof CommitUnknown)) await discard({ services: job.services }, [{ storage_key }])
      throw error
    }
  },
}
