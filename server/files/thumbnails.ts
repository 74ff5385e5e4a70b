import { ANONYMOUS } from '../core/caller.ts'
import type { JobKind, RunningJob, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { readOnce, Unreadable } from '../core/readers.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { hasNoRoom } from '../db/dbErrors.ts'
import { jobWaits, type Looked, thumbBegun, thumbMade, thumbsQueued } from '../domain/file/fileRows.ts'
import { newKey } from './fileStore.ts'
import { discard } from './receiveUpload.ts'

const KIND = 'thumbnails'
/** A content isn't begun more often, whatever ended its reading. */
const TRIES = 2
const WORN: Looked = {
  thumb_key: '',
  thumb_state: 'failed',
  thumb_fault: 'There is no preview, because the server stopped twice while it read the file.',
}

/** True for types with a thumbnail or a length. */
export const isLookedAt = (mime: string): boolean => /^image\/|^video\/(mp4|quicktime)$/.test(mime)

/** Adds the job that creates thumbnails, unless one is queued; call it after the files' commit. */
export async function wantThumbnails(services: Services): Promise<void> {
  await asSystem(services, 'job.add', ANONYMOUS, async (ctx) => {
    if (!(await jobWaits(ctx.tx, KIND))) await services.jobs.add(ctx, { kind: KIND, title: 'Thumbnails', input: {} })
  })
}

type Waiting = NonNullable<Awaited<ReturnType<typeof thumbsQueued>>['first']>

/** What is found in a content; null to try it once more, because its reading ended. */
async function look(services: Services, { storage_key, mime, thumb_tries }: Waiting): Promise<Looked | null> {
  const failed = (why: string): Looked => ({ thumb_key: '', thumb_state: 'failed', thumb_fault: why })
  try {
    if (mime.startsWith('video/'))
      return { ...(await readOnce(services.readers, 'film', storage_key, {})), thumb_key: '', thumb_state: 'none' }
    const { thumb, width, height } = await readOnce(services.readers, 'picture', storage_key, {})
    const thumb_key = newKey('uploads', 'jpg', services.now())
    await services.files.put(thumb_key, thumb, 'image/jpeg')
    return { width, height, thumb_key, thumb_state: 'done' }
  } catch (error) {
    // The store is away, the disk is full: it is none of the file's fault, which waits.
    if (error instanceof HttpError || hasNoRoom(error)) throw error
    services.log.info({ err: error, storage_key }, 'a file has no thumbnail')
    if (!(error instanceof Unreadable)) return failed('There is no preview, because its content is missing.')
    return error.fault !== 'broken' && thumb_tries + 1 < TRIES ? null : failed(`There is no preview, because ${error.message}.`)
  }
}

/** The same for a job: what isn't the file's fault doesn't count as begun. */
async function lookFor(job: RunningJob, file: Waiting): Promise<Looked | null> {
  try {
    const found = await look(job.services, file)
    // A stopping server ends its readers.
    if (found?.thumb_state !== 'done') job.signal.throwIfAborted()
    return found
  } catch (error) {
    await job.write((ctx) => thumbBegun(ctx.tx, file.storage_key, -1))
    throw error
  }
}

/** Creates the thumbnails of all files that need one. */
async function run(job: RunningJob): Promise<object> {
  const { services } = job
  let [done, failed] = [0, 0]
  for (;;) {
    job.signal.throwIfAborted()
    const { first, count } = await thumbsQueued(services.database)
    if (!first) return { done, failed }
    job.progress(done + failed, done + failed + count)
    // A server that was ended while it read a content, whatever ended it, doesn't begin with it a third time.
    const worn = first.thumb_tries >= TRIES
    // Counted before it begins, because what ends the server leaves no time to count it.
    if (!worn && !(await job.write((ctx) => thumbBegun(ctx.tx, first.storage_key, 1)))) continue
    const found = worn ? WORN : await lookFor(job, first)
    if (!found) continue
    const files = await job.write(async (ctx) => {
      const rows = await thumbMade(ctx.tx, first.storage_key, found)
      for (const { id, project_id } of rows) ctx.emit({ noun: 'file', id, project_id })
      return rows
    })
    if (!files.length && found.thumb_key) await discard({ services }, [{ storage_key: found.thumb_key }])
    if (found.thumb_state === 'failed') failed++
    else done++
  }
}

/** Adds the job again if the process was killed between an upload and its job. */
async function sweep(services: Services): Promise<void> {
  const { count } = await thumbsQueued(services.database)
  if (count) await wantThumbnails(services)
}

/** The server's own job; one at a time creates all missing thumbnails. */
export const thumbnailKind: JobKind = { again: true, width: 1, run, sweep }
