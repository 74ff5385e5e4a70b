import { useEffect, useState } from 'react'

/** How long (ms) pointer or focus must rest on a text before its card shows, and leave before it hides. */
const REST_MS = 400
const LEAVE_MS = 150

interface Card {
  text: string
  left: number
  /** The distance from the top of the window, or from its bottom if there is no room below. */
  top?: number
  bottom?: number
}

/** What a button without words shows to the mouse as its title; keys need it, too. */
const TIP = ':scope > [aria-hidden][title]'
const isCut = (one: Element) => one.scrollWidth > one.clientWidth + 1

/** Returns the truncated text at, around or within an element; none if its title shows it. */
function cutIn(target: Element): HTMLElement | null {
  const around = target.closest<HTMLElement>('.truncate')
  const all = around ? [around, ...around.querySelectorAll<HTMLElement>('.truncate')] : []
  const within = around ? [] : target.querySelectorAll<HTMLElement>('.truncate')
  return [...all, ...within].find((one) => isCut(one) && !one.closest('[title]')) ?? null
}

/** Returns the truncated text at the cursor of a list, or at a focused element as small as a link or a tab. */
function cutAtFocus(): HTMLElement | null {
  const at = document.activeElement
  if (!at?.matches(':focus-visible')) return null
  if (at.matches('[role=grid], [role=treegrid]')) {
    const cell = at.querySelector('[data-cell]')
    return cell && cutIn(cell)
  }
  if (!at.matches('a, button, [role=tab], [role=option]')) return null
  return at.querySelector<HTMLElement>(TIP) ?? cutIn(at)
}

function cardOf(element: HTMLElement): Card {
  const { left, top, bottom } = element.getBoundingClientRect()
  const text = (element.textContent || element.title).replace(/\s+/g, ' ').trim()
  const beside = Math.max(8, Math.min(left - 9, innerWidth - 320))
  return bottom > innerHeight - 120
    ? { text, left: beside, bottom: innerHeight - top + 4 }
    : { text, left: beside, top: bottom + 4 }
}

/** Shows and hides the card of the text under pointer or focus. Returns a function that stops it. */
function watch(show: (card: Card | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over: HTMLElement | null = null
  let byFocus = false
  const later = (wait: number, then: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(then, wait)
  }
  const hide = () => {
    clearTimeout(timer)
    over = null
    byFocus = false
    show(null)
  }
  const rest = (element: HTMLElement, focus: boolean) =>
    later(REST_MS, () => {
      if (!element.isConnected) return hide()
      over = element
      byFocus = focus
      show(cardOf(element))
    })
  const pointed = ({ target, pointerType }: PointerEvent) => {
    if (!(target instanceof Element) || pointerType === 'touch') return
    // The pointer may move onto the card, to read or copy it.
    if (target.closest('[data-cut-text]')) return clearTimeout(timer)
    const cut = cutIn(target.closest('.truncate') ?? document.createElement('i'))
    if (cut && cut === over) clearTimeout(timer)
    else if (cut) rest(cut, false)
    else if (!byFocus) later(LEAVE_MS, hide)
  }
  const focused = () => {
    const cut = cutAtFocus()
    if (cut) rest(cut, true)
    else if (byFocus) hide()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && over) {
      // Escape closes a card shown by focus. Under the pointer it may be there by chance, and a dialog closes first.
      if (byFocus && !over.closest('[role=dialog], [role=alertdialog]')) event.stopPropagation()
      return hide()
    }
    // Keys move the cursor within a list while the focus stays.
    requestAnimationFrame(focused)
  }
  const scrolled = () => over && hide()
  const ends = [
    ['pointerover', pointed],
    ['pointerdown', hide],
    ['focusin', focused],
    ['keydown', pressed],
    ['scroll', scrolled],
  ] as const
  for (const [name, work] of ends) addEventListener(name, work as EventListener, { capture: true, passive: true })
  // The pointer may already rest on a text when this code loads.
  const under = [...document.querySelectorAll('.truncate:hover')].at(-1)
  const cut = under && cutIn(under)
  if (cut) rest(cut, false)
  return () => {
    clearTimeout(timer)
    for (const [name, work] of ends) removeEventListener(name, work as EventListener, { capture: true })
  }
}

/** A card with the full truncated text, under the pointer or at the keyboard's focus, or a focused button's name. */
export function TruncatedText() {
  const [card, setCard] = useState<Card | null>(null)
  useEffect(() => watch(setCard), [])
  if (!card) return null
  const { text, ...place } = card
  return (
    // Hidden from screen readers, because the document has the full text where it is truncated.
    <div
      aria-hidden="true"
      data-cut-text=""
      dir="auto"
      style={place}
      className="floats fixed z-50 max-w-md rounded-md border border-edge bg-raised px-2 py-1 text-meta text-ink shadow-float select-text"
    >
      {text}
    </div>
  )
}
