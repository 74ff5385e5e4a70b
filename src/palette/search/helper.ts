import type { Order, Reply } from './work.ts'

/** The worker, or what stands in for it in a test. */
export type Helper = {
  post: (order: Order) => void
  onReply: (listener: (reply: Reply) => void) => void
  /** Told once when it can't go on: everything is then done on the page. */
  onFail: (listener: () => void) => void
  end: () => void
}

/** Starts the worker; null where there are none. */
export function startHelper(): Helper | null {
  if (typeof Worker === 'undefined') return null
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'palette index' })
  return {
    post: (order) => worker.postMessage(order),
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
