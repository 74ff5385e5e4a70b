import { type RefObject, useEffect, useState } from 'react'

/** How far outside the pane an element still counts as in view, in px, so that it has loaded when scrolled to. */
const AHEAD = 500

interface Watch {
  observer: IntersectionObserver
  heard: Map<Element, (inSight: boolean) => void>
}
const watches = new WeakMap<Element, Watch>()

function watchIn(scroller: Element): Watch {
  const known = watches.get(scroller)
  if (known) return known
  const heard: Watch['heard'] = new Map()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) heard.get(target)?.(isIntersecting)
    },
    { root: scroller, rootMargin: `${AHEAD}px 0px` },
  )
  const made = { observer, heard }
  watches.set(scroller, made)
  return made
}

/** True while an element is in or near its pane's visible part; each pane has one observer. */
export function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [inSight, setInSight] = useState(false)
  useEffect(() => {
    const own = element.current
    const scroller = own?.closest('[data-pane-scroller]')
    if (!own || !scroller) return setInSight(true)
    const { observer, heard } = watchIn(scroller)
    heard.set(own, setInSight)
    observer.observe(own)
    return () => {
      heard.delete(own)
      observer.unobserve(own)
    }
  }, [element])
  return inSight
}
