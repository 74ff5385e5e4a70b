import { type RefObject, useEffect, useState } from 'react'

/** How far outside the pane an element still counts as in view, in px, so that it has loaded when scrolled to. */
const AHEAD = 500

interface ScrollerObserver {
  observer: IntersectionObserver
  callbacks: Map<Element, (inSight: boolean) => void>
}
const observers = new WeakMap<Element, ScrollerObserver>()

function observerFor(scroller: Element): ScrollerObserver {
  const known = observers.get(scroller)
  if (known) return known
  const callbacks: ScrollerObserver['callbacks'] = new Map()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting)
    },
    { root: scroller, rootMargin: `${AHEAD}px 0px` },
  )
  const entry = { observer, callbacks }
  observers.set(scroller, entry)
  return entry
}

/** Reports whether an element is in or near its pane's visible part, until the returned function is called. */
export function watchInSight(element: Element, report: (inSight: boolean) => void): () => void {
  const scroller = element.closest('[data-pane-scroller]')
  if (!scroller) {
    report(true)
    return () => {}
  }
  const { observer, callbacks } = observerFor(scroller)
  callbacks.set(element, report)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer.unobserve(element)
  }
}

/** True while an element is in or near its pane's visible part; each pane has one observer. */
export function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [inSight, setInSight] = useState(false)
  useEffect(() => (element.current ? watchInSight(element.current, setInSight) : setInSight(true)), [element])
  return inSight
}
