import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BROWSERS } from '../../scripts/browsers.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const [chrome, edge, firefox, safari] = BROWSERS.map((browser) => /[\d.]+$/.exec(browser)![0])

test('the browsers that the build is for are those of the README and of the page for older ones', () => {
  expect(edge).toBe(chrome)
  expect(read('README.md')).toContain(`Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`)
  expect(read('public/older-browser.js')).toContain(`Chrome or Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`)
})

test('every page asks for what it needs before it loads its script', () => {
  for (const page of ['index.html', 'partner.html', 'api-docs.html'])
    expect(read(page)).toMatch(/<script vite-ignore defer src="\/older-browser\.js"><\/script>\s*<script type="module"/)
})
