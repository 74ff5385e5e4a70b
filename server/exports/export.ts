import { Readable } from 'node:stream'
import type { ExportName } from '../../contract/exports.ts'
import { seesAll } from '../../contract/who.ts'
import type { Ctx, JobKind, Services } from '../core/context.ts'
import { fileName } from '../core/csv.ts'
import { readingAs } from '../core/unit.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { addExport, takeOldExports } from '../domain/file/fileRows.ts'
import { newKey } from '../files/fileStore.ts'
import { sendStream } from '../files/send.ts'
import { discard } from '../files/upload.ts'
import { csvOf } from './exportSource.ts'
import { exportOf } from './exports.ts'
import { XLSX, xlsxOf } from './xlsx.ts'

const CSV = 'text/csv; charset=utf-8'
export interface ExportInput {
  source: ExportName
  filter: unknown
  /** Ids of the columns, in their order; all of them when left out. */
  columns?: readonly string[]
  /** CSV when left out, as jobs of older releases are. */
  format?: 'csv' | 'xlsx'
}

/** Streams a list to the caller, page by page. */
export async function exportNow(ctx: Ctx, name: ExportName, filter: unknown): Promise<void> {
  const listing = await exportOf(name).open(ctx, filter)
  await sendStream(ctx, { name: fileName(listing.title, 'csv', ctx.today), mime: CSV }, csvOf(listing))
}

/** Days that an exported file is kept. */
const KEPT_DAYS = 7

/** Removes exported files that nobody needs any more; the job stays, its link says that the file is gone. */
async function removeOld(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const old = await takeOldExports(services.database, before)
  if (!old.length) return
  // A store that is away keeps no job waiting: such a content is left behind, and the log says so.
  await discard({ services }, old)
}

/** Writes a list into the file store, page by page; the result names the file. Begun again after a kill it writes a new one. */
export const exportKind: JobKind = {
  again: true,
  sweep: removeOld,
  async run(job) {
    const { files, now } = job.services
    const { source, filter, columns, format = 'csv' } = job.input as ExportInput
    const ctx = readingAs(job.services, `export.${source}`, job.caller)
    const listing = await exportOf(source).open(ctx, filter, columns)
    let rows = 0
    job.progress(0, listing.count)
    const [write, mime] = format === 'xlsx' ? [xlsxOf, XLSX] : [csvOf, CSV]
    const pages = write(listing, (count) => {
      job.signal.throwIfAborted()
      rows += count
      job.progress(rows, Math.max(rows, listing.count))
    })
    const storage_key = newKey('exports', format, now())
    const size = await files.put(storage_key, Readable.from(pages as AsyncIterable<string | Uint8Array>), mime)
    const original_name = fileName(listing.title, format, ctx.today)
    try {
      // What an administrator's file holds (addresses, other clients) is for administrators alone: nothing is noted of it.
      const holds = job.caller.actor && !seesAll(job.caller.actor) && listing.holds ? JSON.stringify([...listing.holds]) : null
      const uploaded_by = job.caller.actor?.id ?? null
      const id = await job.write(({ tx, now: at }) =>
        addExport(tx, at, { original_name, storage_key, mime, size, uploaded_by, holds }),
      )
      job.progress(rows, rows)
      return { file_id: id, file_name: original_name, rows, size }
    } catch (error) {
      if (!(error instanceof CommitUnknown)) await discard({ services: job.services }, [{ storage_key }])
      throw error
    }
  },
}
