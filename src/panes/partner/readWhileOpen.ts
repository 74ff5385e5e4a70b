/** A partner has no live stream, so an open page polls at this interval, in ms (screens-quote-flow.md, Feasibility). */
const POLL_MS = 30_000

/** Reads now, and again while the page is seen and once it is online; returns a function that stops it. */
export function readWhileOpen(read: () => Promise<void>): () => void {
  void read()
  const poll = () => void (document.visibilityState === 'visible' && read())
  const timer = setInterval(poll, POLL_MS)
  document.addEventListener('visibilitychange', poll)
  addEventListener('online', poll)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', poll)
    removeEventListener('online', poll)
  }
}
