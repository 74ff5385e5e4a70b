import type { KeyboardEvent } from 'react'
import { focusField } from '../shared/form/FormShell.tsx'

/** Ms until the next question scrolls into view, so that the eye follows the answer out. */
const SCROLL_MS = 300

const TYPED = 'input:not([type=checkbox]):not([type=radio]), textarea, select'
const fieldsOf = (form: HTMLElement): HTMLElement[] =>
  [...form.querySelectorAll<HTMLElement>('[data-field]')].filter((one) => one.checkVisibility())

/** Moves to the next question or back; after the last one comes the button that sends. */
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

/** The boxes, choices or presets of a question, in the order of their digits. */
const optionsOf = (field: Element): HTMLElement[] => {
  const boxes = [...field.querySelectorAll<HTMLElement>('input[type=checkbox], input[type=radio]')]
  return boxes.length ? boxes : [...field.querySelectorAll<HTMLElement>('button[aria-pressed]')]
}

/** Digits are text in a field, but for those that begin no code of a market area, while its search is empty. */
function isTyping(target: HTMLElement, digit: number): boolean {
  if (!target.matches(TYPED)) return false
  return !(target.matches('[type=search]') && (target as HTMLInputElement).value === '' && digit <= 4)
}

/** The keys of a form that asks question by question: Enter goes on, Shift+Enter back, a digit ticks an option. */
export function questionKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const target = event.target as HTMLElement
  const field = target.closest('[data-field]')
  if (!field) return
  if (event.key === 'Enter') {
    // A text of several lines takes Enter itself, and so does a button.
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
