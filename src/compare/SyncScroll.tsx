import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { store } from '../data/jotaiStore.ts'
import { SCROLL_LIST } from '../ui/grid/useVirtualRows.ts'
import { comparisonAtom } from '../workspace/compareRole.ts'
import { elementOf } from '../workspace/paneElements.ts'
import { activeIdAtom } from '../workspace/workspaceState.ts'
import { mapScroll, type Scrolled } from './anchors.ts'
import { forgetPointers } from './shared.ts'

/** Keeps linked panes at the same scroll position. Renders nothing. */
export function SyncScroll() {
  const members = useAtomValue(comparisonAtom)?.members
  useEffect(() => (members ? scrollTogether(members) : undefined), [members])
  useEffect(() => forgetPointers, [])
  return null
}

/** Elements that scroll in a pane: the pane itself, or its list. */
const SCROLLERS = '[data-pane-scroller], [role=grid], [role=treegrid]'
const kindOf = (scroller: Element): string => (scroller.hasAttribute('data-pane-scroller') ? 'pane' : 'list')

/** Returns the scroll position in px; in a very long list it is ahead of the bar. */
const topOf = (scroller: HTMLElement): number => scroller.scrollTop + Number(scroller.dataset.ahead ?? 0)

/** Returns the element of the same kind in another pane. */
const peerIn = (pane: string, kind: string): HTMLElement | null =>
  [...elementOf(pane).querySelectorAll<HTMLElement>(SCROLLERS)].find((one) => kindOf(one) === kind) ?? null

function measure(scroller: HTMLElement): Scrolled {
  const range = scroller.scrollHeight - scroller.clientHeight
  // List rows have the same height, so pixels map one to one.
  if (kindOf(scroller) === 'list') return { range, anchors: [] }
  const { top } = scroller.getBoundingClientRect()
  // A sticky header covers the top, so the visible edge is below it.
  const head = scroller.querySelector('[data-sticks]')?.getBoundingClientRect().height ?? 0
  return {
    range,
    anchors: [...scroller.querySelectorAll<HTMLElement>('[data-anchor]')].map((element) => ({
      name: element.dataset.anchor ?? '',
      top: element.getBoundingClientRect().top - top + scroller.scrollTop - head,
    })),
  }
}

/**
 * The pane last used by wheel, touch, pointer or key leads; only its scrolling moves the others.
 * Their scroll events never move it back. Returns a function that stops it.
 */
function scrollTogether(members: readonly string[]): () => void {
  const panes = members.map((id) => ({ id, element: elementOf(id) }))
  const ofTarget = (target: EventTarget | null) =>
    target instanceof Node ? panes.find(({ element }) => element.contains(target))?.id : undefined
  let leader = members.includes(store.get(activeIdAtom)) ? store.get(activeIdAtom) : members[0]!
  let frame = 0

  const moveOthers = (scroller: HTMLElement) => {
    const kind = kindOf(scroller)
    const from = measure(scroller)
    const aims = panes.flatMap(({ id }) => {
      const peer = id === leader ? null : peerIn(id, kind)
      if (!peer) return []
      const to = measure(peer)
      return [{ peer, top: kind === 'list' ? topOf(scroller) : mapScroll(from, to, scroller.scrollTop) }]
    })
    // Measures everything before moving, so that layout runs once.
    for (const { peer, top } of aims) {
      if (Math.abs(topOf(peer) - top) < 1) continue
      if (kind === 'list') peer.dispatchEvent(new CustomEvent(SCROLL_LIST, { detail: top }))
      else peer.scrollTop = top
    }
  }
  const later = (scroller: HTMLElement) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => moveOthers(scroller))
  }
  const onTouch = (event: Event) => {
    leader = ofTarget(event.target) ?? leader
  }
  const onScroll = (event: Event) => {
    const { target } = event
    if (target instanceof HTMLElement && target.matches(SCROLLERS) && ofTarget(target) === leader) later(target)
  }
  const stopActive = store.sub(activeIdAtom, () => {
    const id = store.get(activeIdAtom)
    if (members.includes(id)) leader = id
  })
  const touches = ['wheel', 'touchstart', 'pointerdown', 'focusin'] as const
  for (const type of touches) document.addEventListener(type, onTouch, { capture: true, passive: true })
  document.addEventListener('scroll', onScroll, { capture: true, passive: true })
  // A part that loads late, or a new width, moves everything below it.
  const settle = () => {
    const scroller = peerIn(leader, 'pane')
    if (scroller && scroller.scrollTop > 0) later(scroller)
  }
  const sizes = new ResizeObserver(settle)
  for (const { id } of panes) {
    const inside = peerIn(id, 'pane')?.firstElementChild
    if (inside) sizes.observe(inside)
  }
  settle()
  return () => {
    cancelAnimationFrame(frame)
    stopActive()
    sizes.disconnect()
    for (const type of touches) document.removeEventListener(type, onTouch, { capture: true })
    document.removeEventListener('scroll', onScroll, { capture: true })
  }
}
