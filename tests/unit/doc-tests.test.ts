import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* docs/hands-ears-eyes.md names a test for each of its lines. */

const root = join(import.meta.dirname, '../..')

test('every test that the page names exists', () => {
  const page = readFileSync(join(root, 'docs/hands-ears-eyes.md'), 'utf8')
  const named = new Set([...page.matchAll(/`((?:component|e2e|unit|api)\/[\w-]+)(?:\.test|\.spec)?`/g)].map(([, name]) => name!))
  expect(named.size).toBeGreaterThan(30)
  const missing = [...named].filter(
    (name) => !['.spec.ts', '.test.ts', '.ts'].some((end) => existsSync(join(root, 'tests', `${name}${end}`))),
  )
  expect(missing).toEqual([])
})
