import type { KeyboardEvent } from 'react'
import { expect, test } from 'vitest'
import { keepInside } from '../../src/palette/PaletteInput.tsx'

/** True if a key in a multi-line text belongs to the text. */
const isKept = (key: string, caret: number, value = 'one\ntwo') => {
  let stopped = false
  const stopPropagation = () => {
    stopped = true
  }
  const target = { selectionStart: caret, selectionEnd: caret, value }
  keepInside({
    key,
    target,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    stopPropagation,
  } as unknown as KeyboardEvent)
  return stopped
}

test('an arrow at the end of a multi-line text leads to the next answer, and moves the caret within it', () => {
  expect([isKept('ArrowLeft', 3), isKept('ArrowRight', 3), isKept('ArrowUp', 0), isKept('Home', 0)]).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([isKept('ArrowLeft', 0), isKept('ArrowRight', 7)]).toEqual([false, false])
})
