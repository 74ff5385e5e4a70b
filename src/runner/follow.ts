import { api } from '../data/apiClient.ts'
import { store } from '../data/jotaiStore.ts'
import { onLive } from '../data/live.ts'
import { keymapAtom } from './keys/activeContext.ts'
import { keysOf } from './keys/bindings.ts'
import { isMac, shownAs } from './keys/token.ts'
import { toast } from './say.tsx'

/** Asks again after this many ms in case the event of the job's end was missed. */
const AGAIN_MS = 15_000

/** Waits for a job's end and says it once: `ready` with Download for a file, or why it failed. */
export function follow(id: number, ready: string): void {
  let over = false
  const end = () => {
    over = true
    stop()
    clearInterval(timer)
  }
  const look = async () => {
    const job = await api.read('job.get', { id }).then(
      ({ data }) => data,
      () => null,
    )
    if (over || !job || job.status === 'queued' || job.status === 'running') return
    end()
    if (job.status === 'failed') return toast(`“${job.title}” failed: ${job.error}`, { tone: 'bad' })
    if (job.status !== 'done') return
    const keys = keysOf(store.get(keymapAtom), 'job.fetchLatest')
    await toast(ready, {
      tone: 'good',
      detail: `${job.result.file_name ?? job.title}${keys ? `. ${shownAs(keys, isMac)} on the project downloads it.` : ''}`,
      lasts: 20_000,
      action: { label: 'Download', run: () => void download(id) },
    })
  }
  const stop = onLive((events) => {
    if (events.some(({ noun, subject_id, kind }) => (noun === 'job' && subject_id === id) || kind === 'missed')) void look()
  })
  const timer = setInterval(() => void look(), AGAIN_MS)
  void look()
}

async function download(id: number): Promise<void> {
  const { data } = await api.write('job.link', { id })
  location.assign(data.url)
}
