import { ANONYMOUS } from '../core/caller.ts'
import type { JobKind, RunningJob, Services } from '../core/context.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { jobWaits, type Looked, thumbMade, thumbsQueued } from '../domain/file/fileRows.ts'
import { newKey } from './fileStore.ts'
import { filmFacts } from './metadata.ts'
import { discard } from './receiveUpload.ts'
import { bytesOf, thumbnailOf } from './thumbnail.ts'

const KIND = 'thumbnails'
/** Files examined before their rows are written in one transaction. */
const BATCH = 8

/** True for types with a thumbnail or a length. */
export const isLookedAt = (mime: string): boolean => /^image\/|^video\/(mp4|quicktime)$/.test(mime)

/** Adds the job that creates thumbnails, unless one is queued; call it after the files' commit. */
export async function wantThumbnails(services: Services): Promise<void> {
  await asSystem(services, 'job.add', ANONYMOUS, async (ctx) => {
    if (!(await jobWaits(ctx.tx, KIND))) await services.jobs.add(ctx, { kind: KIND, title: 'Thumbnails', input: {} })
  })
}

async function look(services: Services, file: { id: number; storage_key: string; mime: string }): Promise<Looked> {
  try {
    const bytes = await bytesOf(await services.files.read(file.storage_key))
    if (file.mime.startsWith('video/')) return { ...filmFacts(bytes), thumb_key: '', thumb_state: 'none' }
    const { thumb, width, height } = await thumbnailOf(bytes)
    const thumb_key = newKey('uploads', 'jpg', services.now())
    await services.files.put(thumb_key, thumb, 'image/jpeg')
    return { width, height, thumb_key, thumb_state: 'done' }
  } catch (error) {
    services.log.info({ err: error, file: file.id }, 'a file has no thumbnail')
    return { thumb_key: '', thumb_state: 'failed' }
  }
}

/** Creates the thumbnails of all files that need one. */
async function run(job: RunningJob): Promise<object> {
  const { services } = job
  let [done, failed] = [0, 0]
  for (;;) {
    job.signal.throwIfAborted()
    const { rows, count } = await thumbsQueued(services.database, BATCH)
    if (!rows.length) return { done, failed }
    job.progress(done + failed, done + failed + count)
    const looked: { file: (typeof rows)[number]; is: Looked }[] = []
    for (const file of rows) looked.push({ file, is: await look(services, file) })
    const unused = await job.write(async (ctx) => {
      const late = []
      for (const { file, is } of looked) {
        if (await thumbMade(ctx.tx, file.id, is)) ctx.emit({ noun: 'file', id: file.id, project_id: file.project_id })
        else if (is.thumb_key) late.push({ storage_key: is.thumb_key })
      }
      return late
    })
    await discard({ services }, unused)
    failed += looked.filter(({ is }) => is.thumb_state === 'failed').length
    done += looked.filter(({ is }) => is.thumb_state !== 'failed').length
  }
}

/** Adds the job again if the process was killed between an upload and its job. */
async function sweep(services: Services): Promise<void> {
  const { count } = await thumbsQueued(services.database, 1)
  if (count) await wantThumbnails(services)
}

/** The server's own job; one at a time creates all missing thumbnails. */
export const thumbnailKind: JobKind = { again: true, width: 1, run, sweep }
