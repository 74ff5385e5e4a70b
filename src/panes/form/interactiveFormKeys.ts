import type { KeyboardEvent } from 'react'
import { focusField } from '../shared/form/FormShell.tsx'

/** Delay before the next question scrolls into view, in ms, so that the eye can follow. */
const SCROLL_MS = 300

const TYPED = 'input:not([type=checkbox]):not([type=radio]), textarea, select'
const fieldsOf = (form: HTMLElement): HTMLElement[] =>
  [...form.querySelectorAll<HTMLElement>('[data-field]')].filter((one) => one.checkVisibility())

/** Moves to the next or previous question; after the last one, to the send button. */
export function toQuestion(form: HTMLFormElement, from: Element | null, by: 1 | -1): void {
  const fields = fieldsOf(form)
  const here = from?.closest<HTMLElement>('[data-field]')
  const at = here ? fields.indexOf(here) : -1
  const next = fields[at + by]
  if (!next) {
    if (by === 1) form.querySelector<HTMLElement>('[data-command="form.send"]')?.focus()
    return
  }
  focusField(form, next.dataset.field!, 'none')
  setTimeout(() => {
    if (next.contains(document.activeElement)) next.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }, SCROLL_MS)
}

/** A question's checkboxes, radio buttons or presets, in the order of their digits. */
const optionsOf = (field: Element): HTMLElement[] => {
  const boxes = [...field.querySelectorAll<HTMLElement>('input[type=checkbox], input[type=radio]')]
  return boxes.length ? boxes : [...field.querySelectorAll<HTMLElement>('button[aria-pressed]')]
}

/** In a text field a digit is text, except one that starts no market area code, typed into an empty search. */
function isTyping(target: HTMLElement, digit: number): boolean {
  if (!target.matches(TYPED)) return false
  return !(target.matches('[type=search]') && (target as HTMLInputElement).value === '' && digit <= 4)
}

/** Keys of the form with one question at a time: Enter moves on, Shift+Enter back, a digit selects an option. */
export function questionKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const target = event.target as HTMLElement
  const field = target.closest('[data-field]')
  if (!field) return
  if (event.key === 'Enter') {
    // Multi-line fields and buttons handle Enter themselves.
    if (target.matches('button, a, summary') || (target.matches('textarea') && !event.shiftKey)) return
    event.preventDefault()
    toQuestion(event.currentTarget, target, event.shiftKey ? -1 : 1)
    return
  }
  if (!/^[1-9]$/.test(event.key) || isTyping(target, Number(event.key))) return
  const option = optionsOf(field)[Number(event.key) - 1]
  if (!option) return
  event.preventDefault()
  option.click()
  if (!target.matches('[type=search]')) option.focus({ preventScroll: true })
}
