import { store } from '../data/jotaiStore.ts'
import { activate, placeOf } from '../routing/layout.ts'
import { change } from './navigation.ts'
import { activeIdAtom, layoutAtom } from './workspaceState.ts'

/**
 * Each pane lives in an element of its own for as long as it is open. Columns put that element where it belongs, so that
 * nothing of a pane is lost when columns come and go: React renders into the element through a portal.
 */
interface Home {
  element: HTMLElement
  /** What had the focus last in here. */
  focus: HTMLElement | null
  scrolled: Map<Element, { top: number; left: number }>
}
const homes = new Map<string, Home>()

/** The element of a pane, made at first asking. */
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

/** Forgets the elements of panes that are closed, and takes those off the page that are only kept for what was typed in them. */
export function dropElements(open: ReadonlySet<string>, kept: ReadonlySet<string>): void {
  for (const [id, { element }] of homes) {
    if (open.has(id)) continue
    element.remove()
    if (!kept.has(id)) homes.delete(id)
  }
}

/** Puts a pane's element into its column, shown or kept behind; what was scrolled stays scrolled. */
export function settleElement(id: string, parent: HTMLElement, shown: boolean): void {
  const element = elementOf(id)
  if (element.parentElement !== parent) {
    parent.append(element)
    for (const [node, { top, left }] of homes.get(id)!.scrolled) {
      if (element.contains(node)) node.scrollTo(left, top)
      else homes.get(id)!.scrolled.delete(node)
    }
  }
  // Hidden, not displayed: none, which would forget every scroll position and size in there.
  element.inert = !shown
  element.style.visibility = shown ? '' : 'hidden'
  element.style.contentVisibility = shown ? '' : 'hidden'
}

let activated = 0
let pointed = 0
store.sub(activeIdAtom, () => {
  activated = performance.now()
})
if (typeof document !== 'undefined')
  addEventListener('pointerdown', () => (pointed = performance.now()), { capture: true, passive: true })

/** Active is where the focus is (workspace.md). A dialog that gives the focus back after it opened another pane does not count. */
function takeFocus(id: string, event: FocusEvent): void {
  if (store.get(activeIdAtom) === id || !placeOf(store.get(layoutAtom), id)) return
  const justOpened = performance.now() - activated < 400 && pointed < activated
  const from = event.relatedTarget
  if (justOpened && !(from instanceof Element && from.closest('section[role=tabpanel]'))) {
    queueMicrotask(() => focusPane(store.get(activeIdAtom)))
    return
  }
  change((layout) => activate(layout, id), 'focus')
}

/** Gives the focus to a pane: to what had it last in there, else to the pane itself. */
export function focusPane(id: string): void {
  const home = homes.get(id)
  if (!home || home.element.inert) return
  const last = home.focus
  const target =
    last?.isConnected && home.element.contains(last)
      ? last
      : (home.element.querySelector<HTMLElement>(WANTS_FOCUS) ?? home.element)
  target.focus({ preventScroll: true })
}

/** A pane that is still loading holds the focus for its list or first field, and gives it on when that is there. */
function passFocusOn(element: HTMLElement): void {
  const watcher = new MutationObserver(() => {
    const target = element.querySelector<HTMLElement>(WANTS_FOCUS)
    if (target && document.activeElement === element) target.focus({ preventScroll: true })
  })
  element.addEventListener('focus', () => watcher.observe(element, { childList: true, subtree: true }))
  element.addEventListener('blur', () => watcher.disconnect())
}

/** What takes the focus in a pane that was just opened: its list, or the first field of a form that is there to be filled in. */
const WANTS_FOCUS =
  '[role=grid], [role=treegrid], [data-fill-in] :is(input:not([type=hidden], [type=file], [hidden], [tabindex="-1"]), select, textarea)'

/** Gives the focus to the active pane; what a palette or dialog does when it closes. */
export const focusActivePane = (): void => focusPane(store.get(activeIdAtom))

const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog])[data-state=open]'

/**
 * Remembers the focused element; returns the function that restores the focus to it, or to the active pane when it is
 * gone or another pane was opened.
 */
export function whereFocusIs(): () => void {
  const element = document.activeElement
  const active = store.get(activeIdAtom)
  return () => {
    // Radix gives back only after a timer: another dialog may have the focus by then, and keeps it.
    if (document.querySelector(OPEN_DIALOG)) return
    if (store.get(activeIdAtom) === active && element instanceof HTMLElement && element !== document.body && element.isConnected)
      element.focus({ preventScroll: true })
    else focusActivePane()
  }
}

/** True where the focus must not be taken away: a dialog, a menu, a row of tabs walked with the arrows. */
export const focusIsTaken = (): boolean =>
  Boolean(document.activeElement?.closest('[role=dialog],[role=alertdialog],[role=menu],[data-keeps-focus]'))
