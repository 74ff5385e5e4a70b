import { store } from '../data/jotaiStore.ts'
import { focusPane } from './paneElements.ts'
import { activeIdAtom } from './workspaceState.ts'

const STOPS =
  ':is(a[href], button, input:not([type=hidden]), select, textarea, [tabindex]):not(:disabled, [tabindex="-1"], [hidden])'
const OVER = ':is([role=dialog], [role=alertdialog])[data-state=open], [role=menu]'
/** What a removed part of a form belongs to, innermost first. */
const WITHIN = '[data-field], fieldset, [role=group], [data-section], form'

/** The position of a removed element: each element around it with its neighbors. */
type Place = readonly { parent: Element; next: Element | null; before: Element | null }[]

function placeOf(element: Element, pane: Element): Place {
  const place: { parent: Element; next: Element | null; before: Element | null }[] = []
  for (let at: Element | null = element; at && at !== pane; at = at.parentElement)
    if (at.parentElement) place.push({ parent: at.parentElement, next: at.nextElementSibling, before: at.previousElementSibling })
  return place
}

const stopsIn = (element: Element): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility())
const alike = (one: Element, other: Element) =>
  one.tagName === other.tagName && one.getAttribute('role') === other.getAttribute('role')

/** Returns the same control of the neighboring row, or the row itself. */
function inNeighbour(gone: Element, lost: Element, { next, before }: Place[number]): HTMLElement | null {
  const place = [...gone.querySelectorAll(STOPS)].indexOf(lost)
  for (const row of [next, before]) {
    if (!row?.isConnected || !alike(row, gone)) continue
    if (lost === gone && row instanceof HTMLElement && row.matches(STOPS)) return row
    const stops = stopsIn(row)
    const found =
      (place >= 0 && stops[place] && alike(stops[place], lost) ? stops[place] : null) ?? stops.find((one) => alike(one, lost))
    if (found) return found
    if (row instanceof HTMLElement && row.matches('[tabindex]')) return row
  }
  return null
}

/** Returns what to focus after the focused element was removed. */
function afterLoss(lost: HTMLElement, place: Place): HTMLElement | null {
  if (lost.isConnected) return null
  // Finds the outermost element that was removed with it, and that element's neighbors.
  const level = place.findIndex(({ parent }) => parent.isConnected)
  const removedAt = place[level]
  if (!removedAt) return null
  const gone = level === 0 ? lost : place[level - 1]!.parent
  const beside = inNeighbour(gone, lost, removedAt)
  if (beside) return beside
  for (let around = removedAt.parent.closest(WITHIN); around; around = around.parentElement?.closest(WITHIN) ?? null) {
    const [first] = stopsIn(around)
    if (first) return first
  }
  return null
}

/**
 * Restores the focus when the focused element is removed or disabled and nothing else takes it.
 * It moves to the neighboring row, or the same part of the form, or the pane. Returns a function that stops it.
 */
export function restoreLostFocus(): () => void {
  let lost: HTMLElement | null = null
  let pane: HTMLElement | null = null
  let place: Place = []
  let frame = 0
  const isLost = () => {
    const now = document.activeElement
    if (lost === null || (now !== null && now !== document.body && now !== lost)) return false
    // A click on plain text removes the focus too, but the element could be focused again.
    return (
      !lost.isConnected || lost.matches(':disabled') || (now !== lost && (!lost.checkVisibility() || !!lost.closest('[inert]')))
    )
  }
  const check = () => {
    if (frame || !isLost()) return
    // The code that removes it may focus something once that is drawn, and a menu does so a task later.
    frame = requestAnimationFrame(() => setTimeout(restore))
  }
  const restore = () => {
    frame = 0
    if (!lost || !isLost() || document.querySelector(OVER)) return
    const [was, around] = [lost, pane]
    lost = null
    const open = around?.isConnected && !around.inert ? around : null
    const target = open && open.id === `pane-${store.get(activeIdAtom)}` ? afterLoss(was, place) : null
    target?.focus()
    if (!target || document.activeElement !== target) focusPane(store.get(activeIdAtom))
  }
  const watcher = new MutationObserver(check)
  const focused = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLElement)) return
    lost = event.target
    const now = lost.closest<HTMLElement>('section[role=tabpanel]')
    place = now ? placeOf(lost, now) : []
    if (now === pane) return
    pane = now
    watcher.disconnect()
    // Outside, such as in the header, only the blur event tells.
    if (now) watcher.observe(now, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
  }
  const blurred = () => requestAnimationFrame(() => lost && !lost.isConnected && check())
  document.addEventListener('focusin', focused)
  document.addEventListener('focusout', blurred)
  return () => {
    cancelAnimationFrame(frame)
    lost = null
    watcher.disconnect()
    document.removeEventListener('focusin', focused)
    document.removeEventListener('focusout', blurred)
  }
}
