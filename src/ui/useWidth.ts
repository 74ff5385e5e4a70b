import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * An element's width in px, updated on resize; 0 before layout. Panes are columns, so the window's width won't do.
 * It is `guess`, if given, until the browser has laid out the page: a right one spares a layout and a render.
 */
export function useWidth(ref: RefObject<HTMLElement | null>, guess = 0): number {
  const [width, setWidth] = useState(guess)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first guess counts
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.round(element.clientWidth))
    if (!guess) measure()
    let isGuess = guess > 0
    const observer = new ResizeObserver(() => {
      // Between layout and paint, so that a wrong guess isn't seen.
      if (isGuess) flushSync(measure)
      else measure()
      isGuess = false
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
