import { useAtom, useAtomValue } from 'jotai'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { stripBidi } from '../../contract/bidi.ts'
import { panesOf } from '../routing/layout.ts'
import { IconButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { box } from '../ui/useField.ts'
import { announce } from '../workspace/announce.ts'
import { findInPaneAtom, screenOf } from '../workspace/findInPane.ts'
import { blockOf, findText, type Match, shownIn } from '../workspace/findText.ts'
import { elementOf, focusPane } from '../workspace/paneElements.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** How long (ms) after a change in the pane to search again. */
const AGAIN_MS = 150
/** How many characters of a line are announced with its match. */
const LINE = 120
const STOP = 'a[href], button:not(:disabled), summary, [data-entry], [role=tab]'

/** The last search, offered again. */
let last = ''

/** The bar that searches a pane; it stays open for all tabs of its record, and closes with the screen. */
export function FindBar() {
  const [finding, setFinding] = useAtom(findInPaneAtom)
  const pane = panesOf(useAtomValue(layoutAtom)).find(({ id }) => id === finding?.pane)
  const stays = finding !== null && pane !== undefined && screenOf(pane.ref) === finding.screen
  useEffect(() => {
    if (finding && !stays) setFinding(null)
  }, [finding, stays, setFinding])
  if (!finding || !stays) return null
  return createPortal(<Bar key={finding.pane} target={finding} onClose={() => setFinding(null)} />, elementOf(finding.pane))
}

interface FindResult {
  query: string
  matches: readonly Match[]
  at: number
}
const NONE: FindResult = { query: '', matches: [], at: 0 }

function Bar({ target, onClose }: { target: { pane: string }; onClose: () => void }) {
  const { pane } = target
  /** Another tab of the record has another scroller. */
  const rootOf = useCallback(() => elementOf(pane).querySelector<HTMLElement>('[data-pane-scroller]'), [pane])
  const bar = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const from = useRef(document.activeElement)
  const [query, setQuery] = useState(last)
  const [found, setFound] = useState(NONE)
  const here = found.matches[found.at]
  const latest = useRef(found)
  latest.current = found

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request focuses it again
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [target])

  const search = useCallback(
    (moves: boolean) => {
      const root = rootOf()
      if (!root) return
      const before = latest.current.matches[latest.current.at]
      const matches = findText(root, query)
      const next = matches.findIndex((match) => isAtOrAfter(match, before, root))
      setFound({ query, matches, at: Math.max(0, next) })
      const first = matches[Math.max(0, next)]
      if (moves && first) scrollTo(first, root)
    },
    [rootOf, query],
  )
  useEffect(() => {
    last = query
    search(true)
    const whole = elementOf(pane)
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = (targets: readonly (EventTarget | null)[]) => {
      if (targets.every((target) => bar.current?.contains(target as Node))) return
      clearTimeout(timer)
      timer = setTimeout(() => search(false), AGAIN_MS)
    }
    const watcher = new MutationObserver((changes) => changed(changes.map(({ target }) => target)))
    const attributeFilter = ['open', 'hidden', 'data-state', 'aria-expanded', 'value']
    watcher.observe(whole, { childList: true, characterData: true, subtree: true, attributeFilter })
    const typed = ({ target }: Event) => changed([target])
    whole.addEventListener('input', typed)
    return () => {
      clearTimeout(timer)
      watcher.disconnect()
      whole.removeEventListener('input', typed)
    }
  }, [search, query, pane])

  // Browsers without highlights still count matches, and scroll to each.
  useEffect(() => {
    for (const { field } of found.matches) field?.control.setAttribute('data-found-field', '')
    here?.field?.control.setAttribute('data-found-field', 'here')
    const marks = globalThis.CSS?.highlights
    const removeHighlights = () => {
      for (const { field } of found.matches) field?.control.removeAttribute('data-found-field')
    }
    if (!marks) return removeHighlights
    marks.set('found', new Highlight(...found.matches.filter(({ field }) => !field).map(({ range }) => range)))
    if (here && !here.field) {
      const at = new Highlight(here.range)
      at.priority = 1
      marks.set('found-here', at)
    }
    return () => {
      removeHighlights()
      marks.delete('found')
      marks.delete('found-here')
    }
  }, [found, here])

  const count = found.matches.length
  const words = !found.query.trim() ? '' : count ? `${found.at + 1} of ${count}` : 'Nothing found'
  useEffect(() => {
    if (words) announce(() => (here ? `${words}. ${lineOf(here)}` : `${words}.`))
  }, [words, here])

  const step = (by: 1 | -1) => {
    const root = rootOf()
    if (!count || !root) return
    const at = (found.at + by + count) % count
    setFound({ ...found, at })
    scrollTo(found.matches[at]!, root)
  }
  const close = () => {
    const root = rootOf()
    onClose()
    if (here?.range.startContainer.isConnected && root) landOn(here, root)
    else if (from.current instanceof HTMLElement && root?.contains(from.current)) from.current.focus({ preventScroll: true })
    else focusPane(pane)
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey } = event
    const steps = key === 'F3' || (key === 'Enter' && event.target === input.current)
    if (key === 'Escape') close()
    else if (steps) step(shiftKey ? -1 : 1)
    else if (event.target === input.current && key === 'ArrowDown') step(1)
    else if (event.target === input.current && key === 'ArrowUp') step(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search
      ref={bar}
      aria-label="Find in this pane"
      data-inline=""
      onKeyDown={pressed}
      className="floats absolute top-2 right-4 z-20 flex max-w-[calc(100%-2rem)] items-center gap-1 rounded-md border border-edge bg-raised p-1 shadow-float"
    >
      <input
        ref={input}
        type="search"
        aria-label="Find in this pane"
        placeholder="Find in this pane"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className={cx(box, 'h-7 w-52 min-w-0 px-2 [&::-webkit-search-cancel-button]:hidden')}
      />
      <span data-found="" className="min-w-20 px-1 text-center text-meta text-muted tabular-nums">
        {words}
      </span>
      <IconButton label="Previous match" onClick={() => step(-1)}>
        <ChevronUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Next match" onClick={() => step(1)}>
        <ChevronDown size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Close" onClick={close}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </search>
  )
}

/** True if a match isn't before another one, or, without one, not above the visible part. */
function isAtOrAfter({ range, field }: Match, other: Match | undefined, root: Element): boolean {
  if (!other?.range.startContainer.isConnected) return range.getBoundingClientRect().bottom > root.getBoundingClientRect().top
  const by = range.compareBoundaryPoints(Range.START_TO_START, other.range)
  return by > 0 || (by === 0 && (field?.from ?? 0) >= (other.field?.from ?? 0))
}

/** Returns the text around a match to announce; for a field, after its label. */
function lineOf({ range, field }: Match): string {
  const { parentElement } = range.startContainer
  const around = field
    ? `${nameOf(field.control)}: ${shownIn(field.control)}`
    : parentElement
      ? blockOf(parentElement).textContent
      : ''
  const line = around.replace(/\s+/g, ' ').trim()
  return stripBidi(line.length > LINE ? `${line.slice(0, LINE).toWellFormed()}…` : line)
}
const nameOf = (control: NonNullable<Match['field']>['control']): string =>
  control.labels?.[0]?.textContent ?? control.getAttribute('aria-label') ?? 'Field'

/** Scrolls to a match at once, clear of the bar and of sticky headers. */
function scrollTo({ range, field }: Match, root: HTMLElement): void {
  const inner = field?.control ?? range.startContainer.parentElement
  inner?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const { top, bottom } = range.getBoundingClientRect()
  const area = root.getBoundingClientRect()
  if (top < area.top + 80 || bottom > area.bottom - 24)
    root.scrollBy({ top: top - area.top - area.height / 3, behavior: 'instant' })
}

/** Focuses the match's link, button or field with the text selected, or else its line, where Tab continues. */
function landOn({ range, field }: Match, root: HTMLElement): void {
  const control = field?.control
  if (control && !control.disabled) {
    control.focus({ preventScroll: true })
    // Numbers and dates can't be selected in part.
    if (!(control instanceof HTMLSelectElement) && control.selectionStart !== null)
      control.setSelectionRange(field.from, field.to)
    return
  }
  const inner = control?.parentElement ?? range.startContainer.parentElement
  if (!inner) return
  const label = inner.closest('label')
  const stop = label?.control ?? inner.closest<HTMLElement>(STOP)
  const line = stop && root.contains(stop) ? stop : (blockOf(inner) as HTMLElement)
  if (line !== stop && !line.hasAttribute('tabindex')) {
    line.tabIndex = -1
    line.addEventListener('blur', () => line.removeAttribute('tabindex'), { once: true })
  }
  line.focus({ preventScroll: true })
}
