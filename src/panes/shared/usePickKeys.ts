import { type KeyboardEvent, useRef } from 'react'

interface Picking<Row> {
  /** The text of the search field. */
  search: string
  /** The rows that match it and can be selected. */
  matches: readonly Row[]
  /** The rows that can be selected without a search. */
  all: readonly Row[]
  isChosen(row: Row): boolean
  /** Selects rows, or deselects them. */
  set(rows: readonly Row[], on: boolean): void
  onSearch(text: string): void
  focusList(): void
}

/**
 * The keys of a search field with rows to select several of, the same as in the palette's questions.
 * Space selects while nothing is typed, Enter takes the first match once and then a typed number of rows, Ctrl+A all.
 * Letters typed in the list go on in the search field, so they filter; Escape leaves the list for shortcuts.
 */
export function usePickKeys<Row>(picking: Picking<Row>) {
  /** The search whose first match Enter selected; the next Enter is left to the form. */
  const taken = useRef<string | null>(null)
  const { search, matches, all, isChosen, set, onSearch, focusList } = picking
  const typed = search.trim()
  if (taken.current !== null && taken.current !== typed) taken.current = null
  const toggle = (rows: readonly Row[]) => set(rows, !rows.every(isChosen))
  const act = (event: KeyboardEvent): boolean => {
    const { key, target, shiftKey, altKey } = event
    const mod = event.ctrlKey || event.metaKey
    const field = target instanceof HTMLInputElement && target.type === 'search' ? target : null
    if (altKey || (!field && !(target as HTMLElement).matches('[role=listbox]'))) return false
    if (key.toLowerCase() === 'a' && mod && !shiftKey && !(field && typed)) toggle(matches)
    else if (!field || mod || shiftKey) return false
    else if (key === 'ArrowDown') focusList()
    else if (key === ' ' && !typed && matches[0]) {
      toggle([matches[0]])
      focusList()
    } else if (key === 'Enter' && typed && taken.current === null) {
      const first = /^[1-9]\d{0,3}$/.test(typed) && !matches.length ? all.slice(0, Number(typed)) : matches.slice(0, 1)
      if (!first.length) return false
      matches.length ? toggle(first) : set(first, true)
      taken.current = matches.length ? typed : null
      matches.length ? field.select() : onSearch('')
    } else return false
    return true
  }
  return (event: KeyboardEvent): void => {
    if (searches(event)) return
    if (!act(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Moves a letter typed in the list, or a Backspace, to the search field, where it is typed; "/" only goes there. */
function searches(event: KeyboardEvent): boolean {
  const { key, currentTarget, target, ctrlKey, metaKey, altKey } = event
  const types = ([...key].length === 1 && key !== ' ') || key === 'Backspace'
  if (!types || ctrlKey || metaKey || altKey || !(target as HTMLElement).matches('[role=listbox]')) return false
  const field = currentTarget.querySelector<HTMLInputElement>('input[type=search]')
  if (!field) return false
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
  if (key === '/') event.preventDefault()
  event.stopPropagation()
  return true
}
