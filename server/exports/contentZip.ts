import { Readable } from 'node:stream'
import { seesAll } from '../../contract/actor.ts'
import { REVIEWS } from '../../contract/content.ts'
import { participant } from '../../contract/contentWords.ts'
import { lists } from '../../contract/listRows.ts'
import type { JobKind, RunningJob } from '../core/context.ts'
import { BOM, csvLine, fileName } from '../core/csv.ts'
import { HttpError } from '../core/errors.ts'
import { readingAs } from '../core/unitOfWork.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { type ContentRow, contentList, nameFor } from '../domain/content/list.ts'
import { masked } from '../domain/content/mask.ts'
import { addExport, fileToSend } from '../domain/file/fileRows.ts'
import { contentToSend, readContent } from '../files/contentToSend.ts'
import { newKey } from '../files/fileStore.ts'
import { discard } from '../files/receiveUpload.ts'
import { bytesOf } from '../files/thumbnail.ts'
import { type ZipEntry, zipOf } from './zip.ts'

interface ContentInput {
  project_id: number
  ids: number[]
  part: number
  parts: number
}
/** Items in one read. */
const SOME = 200
const HEADINGS = [
  'File',
  'ID',
  'Person',
  'Email',
  'Action',
  'Comment',
  'Link',
  'Activity',
  'Market area',
  'When',
  'Review',
  'Reason',
]
const { words } = lists.content.columns.review

/** The entries of the archive: the files, then the list of all items with their captions. */
async function* entriesOf(job: RunningJob, { ids }: ContentInput, held: Set<number>): AsyncGenerator<ZipEntry> {
  const { services } = job
  const ctx = readingAs(services, 'content.download', job.caller)
  const all = seesAll(ctx.actor)
  const captions: string[] = []
  let done = 0
  const caption = (row: ContentRow, file: string) => {
    const [text, link] = [row.comment, row.url].map((value) => (all ? value : masked(value)))
    const review = REVIEWS.includes(row.review) ? words[row.review] : row.review
    captions.push(
      csvLine([
        file,
        `U-${row.id}`,
        participant(row.person),
        row.email,
        row.action,
        text,
        link,
        row.activity,
        row.market,
        row.at,
        review,
        row.review_reason,
      ]),
    )
  }
  for (let at = 0; at < ids.length; at += SOME) {
    for (const row of await contentList.rows(ctx, ids.slice(at, at + SOME))) {
      job.signal.throwIfAborted()
      held.add(row.project_id)
      const file = row.file_id === null ? undefined : await fileToSend(services.database, row.file_id)
      const content = file && (await contentToSend(services, file, !all).catch(withoutContent))
      const bytes = content && (await bytesOf(await readContent(services.files, content)))
      // Names contain ids, because cameras give pictures of different people the same names.
      const name = file ? `U-${row.id}.${nameFor(false, row).split('.').at(-1)}` : ''
      caption(row, bytes ? name : file ? `${name} (its content is missing)` : '')
      if (bytes) yield { name, bytes }
      job.progress(++done, ids.length)
    }
  }
  yield { name: 'captions.csv', content: [BOM, csvLine(HEADINGS), ...captions] }
}

/** What can't be sent without its metadata is missing from the archive. */
function withoutContent(error: unknown): null {
  if (error instanceof HttpError && error.code === 'unreadable') return null
  throw error
}

/** Packs items into a ZIP file in the store, one content in memory at a time; the result names the file. */
export const contentKind: JobKind = {
  news: 'export',
  again: true,
  async run(job) {
    const { files, now } = job.services
    const input = job.input as ContentInput
    const ctx = readingAs(job.services, 'content.download', job.caller)
    const held = new Set<number>([input.project_id])
    job.progress(0, input.ids.length)
    const storage_key = newKey('exports', 'zip', now())
    const { size, sha256 } = await files.put(storage_key, Readable.from(zipOf(entriesOf(job, input, held))), 'application/zip')
    const part = input.parts > 1 ? ` ${input.part} of ${input.parts}` : ''
    const original_name = fileName(`${job.title.replace(/ \(\d+ of \d+\)$/, '')}${part}`, 'zip', ctx.today)
    try {
      const holds = job.caller.actor && !seesAll(job.caller.actor) ? JSON.stringify([...held]) : null
      const uploaded_by = job.caller.actor?.id ?? null
      const id = await job.write(({ tx, now: at }) =>
        addExport(tx, at, { original_name, storage_key, mime: 'application/zip', size, sha256, uploaded_by, holds }),
      )
      return { file_id: id, file_name: original_name, rows: input.ids.length, size }
    } catch (error) {
      if (!(error instanceof CommitUnknown)) await discard({ services: job.services }, [{ storage_key }])
      throw error
    }
  },
}
