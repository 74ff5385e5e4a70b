import type { Scroll } from '../commands/workspaceApi.ts'
import { store } from '../data/jotaiStore.ts'
import { activate, placeOf } from '../routing/layout.ts'
import { change } from './navigation.ts'
import { activeIdAtom, layoutAtom } from './workspaceState.ts'

/**
 * Each open pane has a permanent element, rendered through a portal and placed in its column.
 * That way, nothing in a pane is lost when columns change.
 */
interface Home {
  element: HTMLElement
  /** The element that had the focus last. */
  focus: HTMLElement | null
  scrolled: Map<Element, { top: number; left: number }>
}
const homes = new Map<string, Home>()

/** Returns a pane's element, creating it on first call. */
export function elementOf(id: string): HTMLElement {
  const known = homes.get(id)
  if (known) return known.element
  const element = document.createElement('section')
  element.id = `pane-${id}`
  element.className = 'absolute inset-0 outline-none'
  element.tabIndex = -1
  element.setAttribute('role', 'tabpanel')
  element.setAttribute('aria-labelledby', `tab-${id}`)
  const home: Home = { element, focus: null, scrolled: new Map() }
  homes.set(id, home)
  element.addEventListener('focusin', (event) => {
    if (event.target !== element) home.focus = event.target as HTMLElement
    takeFocus(id, event)
  })
  passFocusOn(element)
  element.addEventListener(
    'scroll',
    (event) => {
      const { target } = event
      if (target instanceof Element) home.scrolled.set(target, { top: target.scrollTop, left: target.scrollLeft })
    },
    { capture: true, passive: true },
  )
  return element
}

/** Drops the elements of closed panes, and detaches those kept only for unsaved changes. */
export function dropElements(open: ReadonlySet<string>, kept: ReadonlySet<string>): void {
  for (const [id, { element }] of homes) {
    if (open.has(id)) continue
    element.remove()
    if (!kept.has(id)) homes.delete(id)
  }
}

/** Places a pane's element in its column, visible or hidden; scroll positions survive. True if it was elsewhere. */
export function settleElement(id: string, parent: HTMLElement, shown: boolean): boolean {
  const element = elementOf(id)
  const moves = element.parentElement !== parent
  if (moves) {
    parent.append(element)
    for (const [node, { top, left }] of homes.get(id)!.scrolled) {
      if (element.contains(node)) node.scrollTo(left, top)
      else homes.get(id)!.scrolled.delete(node)
    }
  }
  // Hidden by visibility instead of `display: none`, which would lose scroll positions and sizes.
  element.inert = !shown
  element.style.visibility = shown ? '' : 'hidden'
  element.style.contentVisibility = shown ? '' : 'hidden'
  return moves
}

let activated = 0
let pointed = 0
store.sub(activeIdAtom, () => {
  activated = performance.now()
})
if (typeof document !== 'undefined')
  addEventListener('pointerdown', () => (pointed = performance.now()), { capture: true, passive: true })

/** The focus activates a pane (workspace.md), unless a dialog restores it after opening another pane. */
function takeFocus(id: string, event: FocusEvent): void {
  if (store.get(activeIdAtom) === id || !placeOf(store.get(layoutAtom), id)) return
  const justOpened = performance.now() - activated < 400 && pointed < activated
  const from = event.relatedTarget instanceof Element ? event.relatedTarget.closest('section[role=tabpanel]') : null
  // A pane that has just been left may still pass the focus on to its list, which has loaded by now.
  if (justOpened && (!from || from === homes.get(id)?.element)) {
    queueMicrotask(() => focusPane(store.get(activeIdAtom)))
    return
  }
  change((layout) => activate(layout, id), 'focus')
}

/** Focuses a pane: the element that had the focus last, or else the pane itself. */
export function focusPane(id: string): void {
  const home = homes.get(id)
  if (!home || home.element.inert) return
  const known = home.focus?.isConnected && home.element.contains(home.focus) && !home.focus.matches(':disabled')
  const last = known ? home.focus : null
  for (const target of [last, last ? null : wantsFocus(home.element), home.element]) {
    target?.focus({ preventScroll: true })
    // An element that was disabled or hidden since can't take it.
    if (target && document.activeElement === target) return
  }
}

/** Holds the focus for the list or first field of a loading pane, and passes it on once that renders. */
function passFocusOn(element: HTMLElement): void {
  /** What would have taken the focus when Escape led to the pane; it doesn't get it back by a change. */
  let left: HTMLElement | null = null
  const watcher = new MutationObserver(() => {
    const target = wantsFocus(element)
    if (target && target !== left && document.activeElement === element) target.focus({ preventScroll: true })
  })
  element.addEventListener('focus', ({ relatedTarget }) => {
    left = relatedTarget instanceof Node && element.contains(relatedTarget) ? wantsFocus(element) : null
    watcher.observe(element, { childList: true, subtree: true })
  })
  element.addEventListener('blur', () => watcher.disconnect())
}

/** What takes the focus in a new pane: its list, unless it is only part of the page, or a form's first field. */
const WANTS_FOCUS =
  '[role=grid], [role=treegrid]:not([data-part]), [data-fill-in] :is(input:not([type=hidden], [type=file], [hidden], [tabindex="-1"]), select, textarea, [role=checkbox][tabindex="0"])'

/** Focuses the checked radio button, because a key pressed on another one would check that. */
function wantsFocus(element: HTMLElement): HTMLElement | null {
  const first = element.querySelector<HTMLElement>(WANTS_FOCUS)
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first
  return element.querySelector<HTMLElement>(`input[type=radio][name="${CSS.escape(first.name)}"]:checked`) ?? first
}

/** How many px j and the arrow keys scroll. */
const LINE = 56

/**
 * Scrolls a pane: the scroller around the focus, or else the one with most to scroll.
 * The focus is on the pane, outside its scroller, so the browser's own keys do nothing there.
 */
export function scrollPane(id: string, how: Scroll, count = 1): void {
  const element = homes.get(id)?.element
  const scroller = element && scrollerIn(element)
  if (!scroller) return
  const screen = scroller.clientHeight * 0.9
  const by = {
    up: -LINE,
    down: LINE,
    screenUp: -screen,
    screenDown: screen,
    top: -scroller.scrollHeight,
    bottom: scroller.scrollHeight,
  }
  // Scrolls at once, because a held key would outrun an animation.
  scroller.scrollBy({ top: by[how] * count, behavior: 'instant' })
}

const canScroll = (element: Element) =>
  element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)

function scrollerIn(pane: HTMLElement): Element | null {
  const focused = pane.contains(document.activeElement) ? document.activeElement : null
  for (let at = focused; at && at !== pane; at = at.parentElement) if (canScroll(at)) return at
  const outer = pane.querySelector('[data-pane-scroller]')
  if (outer && canScroll(outer)) return outer
  const room = (element: Element) => element.clientHeight * element.clientWidth
  return [...pane.querySelectorAll('*')].filter(canScroll).sort((a, b) => room(b) - room(a))[0] ?? null
}

/** Focuses the active pane, as a closing palette or dialog does. */
export const focusActivePane = (): void => focusPane(store.get(activeIdAtom))

const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog])[data-state=open]'

/**
 * Remembers the focused element; returns a function that focuses it again.
 * If the element is gone or another pane was opened, that focuses the active pane.
 */
export function whereFocusIs(): () => void {
  const element = document.activeElement
  const active = store.get(activeIdAtom)
  return () => {
    // Radix restores the focus after a timer; another dialog that has it by then keeps it.
    if (document.querySelector(OPEN_DIALOG)) return
    // A command may have focused a field of a pane, such as a list's search.
    const now = document.activeElement
    if (now && now !== element && now.closest('section[role=tabpanel]')) return
    if (store.get(activeIdAtom) === active && element instanceof HTMLElement && element !== document.body && element.isConnected)
      element.focus({ preventScroll: true })
    else focusActivePane()
  }
}

/** True if the focus must stay: in a dialog, a menu, or a tab row used by arrow keys. */
export const focusIsTaken = (): boolean =>
  Boolean(document.activeElement?.closest('[role=dialog],[role=alertdialog],[role=menu],[data-keeps-focus]'))
