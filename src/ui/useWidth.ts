import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in px, kept true as its column is resized; 0 before the first layout. Panes are columns: the window's width says nothing. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.round(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
