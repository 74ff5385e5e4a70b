import { type ChildProcess, fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { HttpError } from '../../core/errors.ts'
import type { FileStore } from '../../core/ports.ts'
import { type Readers, type ReadTasks, Unreadable } from '../../core/readers.ts'
import { isBackground } from '../../db/statementTag.ts'
import { bytesOf } from '../thumbnail.ts'
import type { Reply, Request } from './child.ts'

const MB = 1_048_576
/** Resident memory of a reader (bytes), the share of it that JavaScript may take, and what it leaves to Node itself. */
const MOST_RESIDENT = 400 * MB
const HEAP_SHARE = 0.64
const NODE_ITSELF = 66 * MB
/** What the server itself needs (bytes), before readers get the rest. */
const SERVER = 400 * MB
const MOST_READERS = 4
/** How long the reading of one content may take (ms), without the time in which nobody wants its next piece. */
const READ_MS = 30_000
/** How long a call waits for a reader (ms). */
const WAIT_MS = 30_000
/** A reader without work ends after this time (ms), and at once if it has this much resident memory (bytes). */
const IDLE_MS = 10_000
const GROWN = 160 * MB

/** Limits that tests shorten. */
export interface ReaderLimits {
  readMs?: number
  waitMs?: number
  resident?: number
  readers?: number
}

interface Reader {
  child: ChildProcess
  /** Its reply to a request; throws Unreadable after `within` ms, and when it dies. */
  request(message: Request, within: number): Promise<Reply>
  idle?: NodeJS.Timeout
}

/** How many readers fit into the memory of this machine or container, beside the server. */
const readersThatFit = (resident: number): number => {
  const memory = process.constrainedMemory() || totalmem()
  return Math.max(1, Math.min(MOST_READERS, Math.floor((Math.min(memory, totalmem()) - SERVER) / resident)))
}

/** Opens the readers of a process; each starts with the first content it has to read. */
export function openReaders(files: FileStore, log: FastifyBaseLogger, limits: ReaderLimits = {}): Readers {
  const { readMs = READ_MS, waitMs = WAIT_MS, resident = MOST_RESIDENT } = limits
  const { readers = readersThatFit(resident) } = limits
  const idle: Reader[] = []
  const all = new Set<Reader>()
  const waiting: ((reader: Reader) => void)[] = []
  let closed = false

  const end = (reader: Reader) => {
    clearTimeout(reader.idle)
    all.delete(reader)
    reader.child.kill('SIGKILL')
  }
  const free = (reader: Reader) => {
    const next = waiting.shift()
    if (next) return next(reader)
    idle.push(reader)
    reader.idle = setTimeout(() => {
      idle.splice(idle.indexOf(reader), 1)
      end(reader)
    }, IDLE_MS).unref()
    rest(reader, true)
  }
  async function take(): Promise<Reader> {
    const known = idle.pop()
    if (known) {
      clearTimeout(known.idle)
      rest(known, false)
      return known
    }
    if (all.size < readers) return start()
    const { promise, resolve, reject } = Promise.withResolvers<Reader>()
    // A job can wait for as long as others read.
    const late = isBackground()
      ? undefined
      : setTimeout(() => {
          waiting.splice(waiting.indexOf(resolve), 1)
          reject(new HttpError(503, 'busy', 'Other files are being read right now. Please try again.', { retry_after: 5 }))
        }, waitMs)
    waiting.push(resolve)
    return promise.finally(() => clearTimeout(late))
  }
  function start(): Reader {
    const reader = startReader(resident, (message) => log.warn(message))
    all.add(reader)
    reader.child.once('exit', () => {
      clearTimeout(reader.idle)
      if (idle.includes(reader)) idle.splice(idle.indexOf(reader), 1)
      all.delete(reader)
      if (waiting.length && !closed) waiting.shift()!(start())
    })
    return reader
  }

  return {
    async *read(task, key, options) {
      const reader = await take()
      let left = readMs
      let open = false
      const step = async (message: Request): Promise<Reply> => {
        const began = performance.now()
        try {
          return await reader.request(message, left)
        } catch (error) {
          end(reader)
          throw error
        } finally {
          left -= performance.now() - began
        }
      }
      try {
        // Read only now, so that the contents of those who wait aren't in memory.
        const bytes = await bytesOf(await files.read(key))
        let reply = await step({ task, bytes, options })
        open = true
        for (; reply.is === 'piece'; reply = await step('next')) yield reply.piece as ReadTasks[typeof task]['piece']
        open = false
        if (reply.is === 'end' && reply.resident > GROWN) end(reader)
        if (reply.is === 'fault') throw faultOf(reply)
      } finally {
        // A caller that leaves early needs no more pieces.
        if (open && all.has(reader)) await step('leave').catch(() => {})
        if (all.has(reader)) free(reader)
      }
    },
    close() {
      closed = true
      for (const reader of all) end(reader)
    },
  }
}

const faultOf = ({ message, status, code, more }: Extract<Reply, { is: 'fault' }>): Error =>
  status === undefined ? new Unreadable('broken', message) : new HttpError(status, code!, message, more)

/** An idle reader doesn't keep its process running. */
function rest({ child }: Reader, is: boolean): void {
  if (is) {
    child.unref()
    child.channel?.unref()
  } else {
    child.ref()
    child.channel?.ref()
  }
}

function startReader(resident: number, warn: (message: string) => void): Reader {
  const cache = getCompileCacheDir()
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [String(resident)], {
    serialization: 'advanced',
    // A small space for new objects: with the usual one, garbage takes as much as the rest.
    execArgv: [
      `--max-old-space-size=${Math.floor(Math.min(resident * HEAP_SHARE, resident - NODE_ITSELF) / MB)}`,
      '--max-semi-space-size=2',
    ],
    // It gets no secrets, and needs few threads.
    env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', ...(cache && { NODE_COMPILE_CACHE: cache }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // If memory runs out, the system ends a reader first and never the server.
  if (process.platform === 'linux' && child.pid) writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
  let pending: { resolve(reply: Reply): void; reject(error: Error): void } | null = null
  let slow = false
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  child.on('message', (message: Reply | 'ready') => {
    if (message === 'ready') return ready.resolve()
    pending?.resolve(message)
    pending = null
  })
  const gone = (how: string) => {
    if (!slow) warn(`a reader of files ended (${how})`)
    const error = slow
      ? new Unreadable('slow', 'it takes too long')
      : new Unreadable('large', 'it needs more memory than one file may take')
    ready.reject(error)
    pending?.reject(error)
    pending = null
  }
  child.on('error', (error) => gone(error.message))
  child.on('exit', (code, signal) => pending && gone(String(signal ?? code)))
  return {
    child,
    async request(message, within) {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      // If it doesn't start, nobody waits for its reply.
      promise.catch(() => {})
      pending = { resolve, reject }
      const late = setTimeout(
        () => {
          slow = true
          child.kill('SIGKILL')
        },
        Math.max(0, within),
      )
      try {
        await ready.promise
        if (child.connected) child.send(message)
        else gone('disconnected')
        return await promise
      } finally {
        clearTimeout(late)
      }
    },
  }
}
