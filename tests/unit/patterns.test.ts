import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkSync } from 'recheck'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf } from '../support/graph.ts'

const root = resolve(import.meta.dirname, '../..')
/** Patterns that were found linear; `npm test` checks only new ones, as checking takes seconds. */
const place = join(root, 'tests/unit/linear-patterns.json')
const FOLDERS = ['contract', 'verbs', 'cli', 'server', 'src']
const MOST_MS = 10_000

/** TABLE  files that put a pattern together at run time, of what. */
const COMPOSED: Readonly<Record<string, string>> = {
  'contract/address.ts': 'one to three words at the end',
  'server/search-index/sendIndex.ts': 'the name of an encoding',
  'src/ui/TextInput.tsx': 'a number of decimals',
  'server/http/web.ts': 'the same addresses, read from the build',
  'src/routing/match.ts': 'a path of the route table',
  'src/data/partnerSession.ts': 'a path of the route table',
  'src/workspace/findText.ts': 'typed words, escaped, with blanks between them',
}

interface Literal {
  source: string
  flags: string
  file: string
}

const composed = new Set<string>()
/** Every regular expression that is written in the product. */
const literals: Literal[] = FOLDERS.flatMap(sourcesOf).flatMap((file) => {
  const found: Literal[] = []
  const walk = (node: unknown): void => {
    if (!node || typeof node !== 'object') return
    const { regex, callee } = node as { regex?: { pattern: string; flags: string } | null; callee?: { name?: string } }
    if (callee?.name === 'RegExp') composed.add(file)
    if (regex) found.push({ source: regex.pattern, flags: regex.flags, file })
    Object.values(node).forEach(walk)
  }
  walk(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
})
const nameOf = ({ source, flags }: Literal) => `/${source}/${flags}`

test('no pattern takes more than linear time, whatever text it meets', { timeout: 300_000 }, () => {
  const linear = new Set<string>(process.env.WHOLE ? [] : JSON.parse(readFileSync(place, 'utf8')))
  const faults = literals.flatMap((literal) => {
    const name = nameOf(literal)
    if (linear.has(name)) return []
    const result = checkSync(literal.source, literal.flags.replace('v', 'u'), { timeout: MOST_MS })
    linear.add(name)
    return result.status === 'safe'
      ? []
      : [`${literal.file}: ${name} is ${result.status === 'vulnerable' ? result.complexity.summary : result.error.kind}`]
  })
  expect(faults).toEqual([])
  const names = [...new Set(literals.map(nameOf))].sort()
  if (process.env.UPDATE) writeFileSync(place, `${JSON.stringify(names, null, 2)}\n`)
})

test('every pattern of the product is listed as linear', () => {
  const listed = new Set<string>(JSON.parse(readFileSync(place, 'utf8')))
  const names = new Set(literals.map(nameOf))
  expect([...names].filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !names.has(name))).toEqual([])
})

test('patterns are put together at run time only where their parts are known', () => {
  expect([...composed].sort()).toEqual(Object.keys(COMPOSED).sort())
})
