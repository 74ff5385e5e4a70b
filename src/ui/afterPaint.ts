/**
 * Runs a task of its own after the next paint: drawing a chart or a map takes longer than a frame and must not delay
 * the text around it or the next key. Returns the function that cancels it.
 */
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

/** Hears of an element's new sizes, each after it was painted; of several in a row the last alone. Returns a way to stop. */
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
