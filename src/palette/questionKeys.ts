import type { KeyboardEvent } from 'react'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'

/** True for caret keys at the ends of the field, which move to the next answer. */
export const stepsAside = ({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, at: string | null): boolean => {
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || altKey || ctrlKey || metaKey || shiftKey) return false
  const { selectionStart, selectionEnd, value } = target as HTMLInputElement
  return at === null || (selectionStart === selectionEnd && selectionStart === (key === 'ArrowLeft' ? 0 : value.length))
}

/** Key hints for a text of several lines, other questions, multi-select and review. */
export const LINES_HINTS = [
  ['Enter', 'continue'],
  ['Shift+Enter', 'new line'],
  ['Esc', 'back'],
] as const
/** For the last answer, which shows its effect. */
export const CONFIRM_HINTS = [
  ['Enter', 'run it'],
  ['Shift+Enter', 'new line'],
  ['Esc', 'back'],
] as const
export const HINTS = [
  ['Enter', 'continue'],
  ['Esc', 'back'],
] as const
/** For several choices, in every question. */
export const SEVERAL_HINTS = [
  ['Space', 'select'],
  ['Enter', 'continue'],
  [shownAs('Mod+a', isMac), 'all'],
  ['Esc', 'back'],
] as const
/** Added to any of these once a question has been answered. */
export const LAST_ANSWER = ['Backspace', 'edit the last answer'] as const
/** Added if texts used before are offered. */
export const EDIT_PAST = ['↓ Tab', 'edit one used before'] as const
export const REVIEW_HINTS = [
  ['Enter', 'run it'],
  ['Esc', 'back'],
] as const
