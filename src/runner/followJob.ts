import type { Output } from '../../contract/calls.ts'
import { count } from '../../contract/format.ts'
import { api } from '../data/apiClient.ts'
import { store } from '../data/jotaiStore.ts'
import { onLive } from '../data/live.ts'
import { href } from '../routing/routes.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { fileReady, readyFilesAtom } from '../workspace/readyFiles.ts'
import { atNow, keymapAtom } from './keys/activeContext.ts'
import { chainOf, keysOf } from './keys/bindings.ts'
import { isMac, shownAs } from './keys/keyReading.ts'
import { dismiss, type More, toast } from './toast.tsx'

type Job = Output<'job.get'>['data']
/** Checks a job again after this many ms, in case the event of its end was missed. */
const AGAIN_MS = 15_000

/** Waits for jobs to end and reports once: `ready`, with Download for a single file, or why one failed. */
export const followJob = (jobs: number | readonly number[], ready: string): void =>
  whenEnded(jobs, (done) => void noticeReady(done, ready))

/** Waits for jobs to end: reports why one failed, then passes on those that are done, if any. */
export function whenEnded(jobs: number | readonly number[], then: (done: readonly Job[]) => void): void {
  const open = new Set(typeof jobs === 'number' ? [jobs] : jobs)
  if (!open.size) return
  const done: Job[] = []
  const look = async (id: number) => {
    const job = await api.read('job.get', { id }).then(
      ({ data }) => data,
      () => null,
    )
    if (!job || job.status === 'queued' || job.status === 'running' || !open.delete(id)) return
    if (job.status === 'failed') void toast(`“${job.title}” failed: ${job.error}`, { tone: 'bad' })
    if (job.status === 'done') done.push(job)
    if (open.size) return
    stop()
    clearInterval(timer)
    if (done.length) then(done)
  }
  const lookAll = () => {
    for (const id of open) void look(id)
  }
  const stop = onLive((events) => {
    for (const { noun, subject_id, kind } of events)
      if (kind === 'missed') lookAll()
      else if (noun === 'job' && subject_id !== null && open.has(subject_id)) void look(subject_id)
  })
  const timer = setInterval(lookAll, AGAIN_MS)
  lookAll()
}

function noticeReady(done: readonly Job[], ready: string): Promise<void> {
  const [job] = done as [Job]
  if (!done.some(({ result }) => result.file_id)) return toast(ready, { tone: 'good' })
  if (done.length > 1)
    return toast(`${ready}: ${count(done.length)} files`, {
      ...stays(done),
      detail: keysThatFetch('one after the other'),
      action: { label: 'Show them', run: () => workspace.open(href('jobs')) },
    })
  const keys = keysThatFetch('it')
  return toast(ready, {
    ...stays(done),
    detail: `${nameOf(job)}${keys && `. ${keys}`}`,
    action: { label: 'Download', run: () => void download(job.id) },
  })
}

const nameOf = ({ result, title }: Job) => String(result.file_name ?? title)
const keysThatFetch = (what: string): string => {
  const keys = keysHere('job.fetchReady')
  return keys ? `${shownAs(keys, isMac)} downloads ${what}.` : ''
}

/** A toast about files stays until the last one is downloaded, because the user may not have looked when it came. */
function stays(done: readonly Job[]): More {
  const id = `ready-${done[0]!.id}`
  for (const job of done.toReversed()) fileReady(job.id, nameOf(job))
  const stop = store.sub(readyFilesAtom, () => {
    const left = store.get(readyFilesAtom)
    if (done.some((job) => left.some((one) => one.id === job.id))) return
    stop()
    void dismiss(id)
  })
  return { tone: 'good', id, lasts: Number.POSITIVE_INFINITY }
}

/** Returns a command's shortcut, unless its keys mean something else in the current context. */
function keysHere(command: string): string | null {
  const map = store.get(keymapAtom)
  const keys = keysOf(map, command)
  const bound = keys && chainOf(map, atNow()).findLast((bindings) => bindings[keys])?.[keys]
  return bound === command ? keys : null
}

async function download(id: number): Promise<void> {
  const { data } = await api.write('job.link', { id })
  workspace.files.fetched(id)
  location.assign(data.url)
}
