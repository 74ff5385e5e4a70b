import type { Order, Reply } from './workerTasks.ts'

/** The worker, or its replacement in a test. */
export type Helper = {
  post: (order: Order, transfer: Transferable[]) => void
  onReply: (listener: (reply: Reply) => void) => void
  /** Called once if it can't continue; everything then runs on the page. */
  onFail: (listener: () => void) => void
  end: () => void
}

/** Starts the worker; null where workers don't exist. */
export function startHelper(): Helper | null {
  if (typeof Worker === 'undefined') return null
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'palette index' })
  return {
    post: (order, transfer) => worker.postMessage(order, transfer),
    onReply: (listener) => {
      worker.onmessage = ({ data }: MessageEvent<Reply>) => listener(data)
    },
    onFail: (listener) => {
      worker.onerror = () => {
        worker.terminate()
        listener()
      }
    },
    end: () => worker.terminate(),
  }
}

/**
 * Runs a task in its own worker, whose memory is freed with it; returns the index, or null on failure.
 * `orders` posts the work and may throw to end it. `onPart` gets the number of names so far, on request with an index.
 */
export async function workOff(
  start: () => Helper | null,
  signal: AbortSignal,
  orders: (post: Helper['post']) => Promise<void> | void,
  onPart: (names: number, bytes: ArrayBuffer | null) => void = () => {},
): Promise<ArrayBuffer | null> {
  signal.throwIfAborted()
  const helper = start()
  if (helper === null) return null
  let stop = (): void => undefined
  const over = (): void => {
    signal.removeEventListener('abort', stop)
    helper.end()
  }
  const answer = new Promise<ArrayBuffer | null>((resolve, reject) => {
    helper.onReply((reply) => {
      if (reply.is === 'part') return onPart(reply.names, reply.bytes)
      if (reply.is === 'whole') resolve(reply.bytes)
      // The worker still has to store what it returned.
      if (reply.is === 'kept' || reply.bytes === null) over()
    })
    helper.onFail(() => {
      resolve(null)
      over()
    })
    stop = () => {
      over()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop)
  })
  answer.catch(() => undefined)
  try {
    await orders(helper.post)
  } catch (error) {
    over()
    throw error
  }
  return answer
}

/** Returns bytes that can be transferred without a copy; copies a view of a larger buffer. */
export function transferable(bytes: Uint8Array): { bytes: Uint8Array; transfer: Transferable[] } {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
  return { bytes: own, transfer: [own.buffer as ArrayBuffer] }
}
