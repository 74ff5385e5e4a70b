import { useEffect, useState } from 'react'

/** How long pointer or focus rests on a text before its card shows, and until the card goes. */
const REST_MS = 400
const LEAVE_MS = 150

interface Card {
  text: string
  left: number
  /** From the top of the window, or from its bottom where there is no room below. */
  top?: number
  bottom?: number
}

const isCut = (one: Element) => one.scrollWidth > one.clientWidth + 1

/** The cut text at, around or within an element; none where its title says it. */
function cutIn(target: Element): HTMLElement | null {
  const around = target.closest<HTMLElement>('.truncate')
  const all = around ? [around, ...around.querySelectorAll<HTMLElement>('.truncate')] : []
  const within = around ? [] : target.querySelectorAll<HTMLElement>('.truncate')
  return [...all, ...within].find((one) => isCut(one) && !one.closest('[title]')) ?? null
}

/** A list's cell under the cursor; else what has the focus, if it is as small as a link or a tab. */
function cutAtFocus(): HTMLElement | null {
  const at = document.activeElement
  if (!at?.matches(':focus-visible')) return null
  if (at.matches('[role=grid], [role=treegrid]')) {
    const cell = at.querySelector('[data-cell]')
    return cell && cutIn(cell)
  }
  return at.matches('a, button, [role=tab], [role=option]') ? cutIn(at) : null
}

function cardOf(element: HTMLElement): Card {
  const { left, top, bottom } = element.getBoundingClientRect()
  const text = element.textContent.replace(/\s+/g, ' ').trim()
  const beside = Math.max(8, Math.min(left - 9, innerWidth - 320))
  return bottom > innerHeight - 120
    ? { text, left: beside, bottom: innerHeight - top + 4 }
    : { text, left: beside, top: bottom + 4 }
}

/** Watches pointer and focus; shows and hides the card of what they rest on. Returns what ends it. */
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
    // The card itself may be pointed at, to read or copy it.
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
      // Shown by the focus it is what Escape is for; below the pointer it may lie by chance, and a dialog closes first.
      if (byFocus && !over.closest('[role=dialog], [role=alertdialog]')) event.stopPropagation()
      return hide()
    }
    // Keys move the cursor within a list, whose focus stays.
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
  // This code comes once the page is idle: the pointer may rest on a text already.
  const under = [...document.querySelectorAll('.truncate:hover')].at(-1)
  const cut = under && cutIn(under)
  if (cut) rest(cut, false)
  return () => {
    clearTimeout(timer)
    for (const [name, work] of ends) removeEventListener(name, work as EventListener, { capture: true })
  }
}

/** A card with the whole of a text that is cut, under the pointer or at the keyboard's focus (WCAG 1.4.13). */
export function TruncatedText() {
  const [card, setCard] = useState<Card | null>(null)
  useEffect(() => watch(setCard), [])
  if (!card) return null
  const { text, ...place } = card
  return (
    // Hidden from screen readers, as the document has the whole text where it is cut.
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
