/** Does something once the page has nothing else to do, at the latest after so many milliseconds; returns a way to take it back. */
export function whenIdle(work: () => void, latest: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, latest)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: latest })
  return () => cancelIdleCallback(idle)
}
