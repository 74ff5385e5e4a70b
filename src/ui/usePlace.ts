import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react'

/** Pixels between field and list, and between list and window edge. */
const GAP = 4
/** The height of eight choices in px. */
const TALL = 234

/** Places a list below its field, or above if there is more room; a scrolling dialog would cut it off. */
export function usePlace(field: RefObject<HTMLElement | null>, open: boolean): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' })
  useLayoutEffect(() => {
    if (!open) return
    const measure = () => {
      const { left, top, bottom, width } = field.current!.getBoundingClientRect()
      const below = innerHeight - bottom - 2 * GAP
      const above = top - 2 * GAP
      const across = { left, minWidth: width, maxWidth: Math.max(width, innerWidth - left - GAP) }
      setPlace(
        below >= Math.min(TALL, above)
          ? { ...across, top: bottom + GAP, maxHeight: Math.min(TALL, below) }
          : { ...across, bottom: innerHeight - top + GAP, maxHeight: Math.min(TALL, above) },
      )
    }
    measure()
    // Scroll events don't bubble, so capture them.
    addEventListener('scroll', measure, true)
    addEventListener('resize', measure)
    const dialog = field.current!.closest('[role=dialog]')
    dialog?.addEventListener('animationend', measure)
    return () => {
      removeEventListener('scroll', measure, true)
      removeEventListener('resize', measure)
      dialog?.removeEventListener('animationend', measure)
    }
  }, [field, open])
  return place
}
