import type { KeyboardEvent } from 'react'
import { isMac, shownAs } from '../runner/keys/token.ts'

/** The caret's keys at the ends of the field lead to the answers beside it. */
export const stepsAside = ({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, at: string | null): boolean => {
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || altKey || ctrlKey || metaKey || shiftKey) return false
  const { selectionStart, selectionEnd, value } = target as HTMLInputElement
  return at === null || (selectionStart === selectionEnd && selectionStart === (key === 'ArrowLeft' ? 0 : value.length))
}

/** What the keys do in a text of several lines, in any other question, where several are ticked, and in a review. */
export const LINES_HINTS = [
  ['Enter', 'continue'],
  ['Shift+Enter', 'new line'],
  ['Esc', 'back'],
] as const
export const HINTS = [
  ['Enter', 'continue'],
  ['Esc', 'back'],
] as const
/** Shown with any of these once something was answered. */
export const LAST_ANSWER = ['Backspace', 'edit the last answer'] as const
export const SEVERAL_HINTS = [
  ['Enter', 'tick'],
  [shownAs('Mod+Enter', isMac), 'continue'],
  ['Esc', 'back'],
] as const
/** Where the usual ones are ticked already. */
export const PREFILLED_HINTS = [
  ['Enter', 'continue with these'],
  ['↑ ↓', 'another choice'],
  ['Space', 'tick'],
  ['Esc', 'back'],
] as const
export const REVIEW_HINTS = [
  ['Enter', 'run it'],
  ['Esc', 'back'],
] as const
