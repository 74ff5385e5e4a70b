import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ariaKeys } from '../../src/ui/Kbd.tsx'

const root = resolve(import.meta.dirname, '../..')
const sources = globSync('src/**/*.tsx', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

test('a live region is read as a whole: not "3" of "page 3 of 7"', () => {
  const parts = sources.flatMap(([file, text]) =>
    [...text.matchAll(/<\w+(?:=>|[^<>])*aria-live="polite"(?:=>|[^<>])*/g)]
      .filter(([tag]) => !tag.includes('aria-atomic="true"'))
      .map(() => file),
  )
  expect(parts).toEqual([])
})

test('announcements follow the order of the page', () => {
  expect(sources.filter(([, text]) => /tabIndex=\{[1-9]/.test(text)).map(([file]) => file)).toEqual([])
})

test('displayed shortcuts use ARIA’s key names', () => {
  expect(['Ctrl+K', '⌘K', '⌥⇧↓', 'g p', 'Esc', '/', '+'].map((keys) => ariaKeys(keys))).toEqual([
    'Control+K',
    'Meta+K',
    'Alt+Shift+ArrowDown',
    'g p',
    'Escape',
    '/',
    'Plus',
  ])
})
