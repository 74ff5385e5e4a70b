/** Runs `work` in its own task after the next paint, so slow drawing doesn't delay text or keys. Returns cancel. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Calls back after a resize has painted, once per burst. Returns a function that stops it. */
export function onResized(element: Element, work: () => void): () => void {
  let cancel = () => {}
  const observer = new ResizeObserver(() => {
    cancel()
    cancel = afterPaint(work)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    cancel()
  }
}
