/** How many reads await their responses. */
let reads = 0
/** Counts a read, whose response and drawing come before what `whenIdle` runs. */
export function beforeIdle<T>(read: Promise<T>): Promise<T> {
  reads++
  const end = () => void reads--
  read.then(end, end)
  return read
}

/** How often (ms) to look whether all reads have ended. */
const LOOK_MS = 16

/**
 * Runs `work` once the page is idle and awaits no read, after `latest` ms at most; returns what cancels it.
 * With `beside`, it doesn't wait for reads.
 */
export function whenIdle(work: () => void, latest: number, beside = false): () => void {
  const due = performance.now() + latest
  let stop = () => {}
  const look = () => {
    const left = due - performance.now()
    if (reads && !beside && left > 0) {
      const timer = setTimeout(wait, LOOK_MS)
      stop = () => clearTimeout(timer)
    } else work()
  }
  const wait = () => {
    const timeout = Math.max(1, due - performance.now())
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(work, timeout)
      stop = () => clearTimeout(timer)
    } else {
      const idle = requestIdleCallback(look, { timeout })
      stop = () => cancelIdleCallback(idle)
    }
  }
  wait()
  return () => stop()
}
