/** Runs `work` when the page is idle, at the latest after `latest` ms; returns a function that cancels it. */
export function whenIdle(work: () => void, latest: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, latest)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: latest })
  return () => cancelIdleCallback(idle)
}
