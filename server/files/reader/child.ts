import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '../../../contract/errorCodes.ts'
import { type ErrorExtras, HttpError } from '../../core/errors.ts'
import type { ReadTask } from '../../core/readers.ts'
import { TASKS } from './readTasks.ts'

/*
 * The process that reads files of strangers. It knows one content at a time, and nothing of the database.
 * It gives a piece for each message, so that a slow receiver doesn't fill its memory.
 */

/** What the server asks: to begin with a content, for the next piece, or to leave the rest. */
export type Request = { task: ReadTask; bytes: Uint8Array; options: object } | 'next' | 'leave'
/** Its reply: a piece, the end, or why it can't read the content. */
export type Reply =
  | { is: 'piece'; piece: unknown }
  | { is: 'end'; resident: number }
  | { is: 'fault'; message: string; status?: number; code?: ErrorCode; more?: ErrorExtras }

new Worker(new URL('./watch.ts', import.meta.url), { workerData: Number(process.argv[2]) }).unref()
try {
  // The server's own thread goes first.
  setPriority(5)
} catch {
  // Some systems refuse it; the files are read all the same.
}

let pieces: AsyncIterator<unknown> | null = null

async function replyTo(request: Request): Promise<Reply> {
  const end = (): Reply => ({ is: 'end', resident: process.memoryUsage.rss() })
  try {
    if (request === 'leave') {
      await pieces?.return?.()
      pieces = null
      return end()
    }
    if (request !== 'next') {
      const { task, bytes, options } = request
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      pieces = TASKS[task](content, options as never)[Symbol.asyncIterator]()
    }
    const { done, value } = await pieces!.next()
    if (!done) return { is: 'piece', piece: value }
    pieces = null
    return end()
  } catch (error) {
    pieces = null
    const message = error instanceof Error ? error.message : String(error)
    return error instanceof HttpError
      ? { is: 'fault', message, status: error.status, code: error.code, more: error.more }
      : { is: 'fault', message }
  }
}

process.on('message', async (request: Request) => {
  const reply = await replyTo(request)
  process.send?.(reply)
})
// A terminal and systemd signal every process of a server; a file that is being read is its server's to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.send?.('ready')
