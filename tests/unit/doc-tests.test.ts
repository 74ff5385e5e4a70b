import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceOf, sourcesOf } from '../support/graph.ts'

/* Links between pages, pages that sources name, and files and tests that pages name lead somewhere. */

const root = join(import.meta.dirname, '../..')
const PAGES = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) =>
  textOf(page)
    .split('\n')
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) => anchorOf(line.replace(/^#+ /, '')))

test('every link of a page leads to a file, and to a heading of it', () => {
  const links = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^()\s#]*)(?:#([^()\s]+))?\)/g)].map(([link, path = '', anchor]) => {
      const target = path ? join(dirname(page), path) : page
      const broken = !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      return { link: `${page}: ${link}`, broken }
    }),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ broken }) => broken).map(({ link }) => link)).toEqual([])
})

const SOURCES = ['cli', 'verbs', 'contract', 'scripts', 'server', 'src', 'tests'].flatMap(sourcesOf)

test('every page that a source names exists', () => {
  const named = SOURCES.flatMap((file) =>
    [...sourceOf(file).matchAll(/\b(?:docs\/[\w/-]+|README|ARCHITECTURE|CONTRIBUTING|GLOSSARY)\.md\b/g)].map(([page]) => ({
      page,
      file,
    })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ page }) => !existsSync(join(root, page))).map(({ page, file }) => `${file}: ${page}`)).toEqual([])
})

test('every test that a page names exists', () => {
  const ENDS = ['', '.ts', '.test.ts', '.spec.ts', '.test.tsx']
  const named = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/`(?:tests\/)?((?:component|e2e|unit|api|screens|support|torture)\/[\w./-]+)`/g)].map(
      ([, name]) => ({
        page,
        name: name!,
      }),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ name }) => !ENDS.some((end) => existsSync(join(root, 'tests', `${name}${end}`))))
  expect(missing.map(({ page, name }) => `${page}: ${name}`)).toEqual([])
})

test('every source that a page names exists', () => {
  /** Files of programs that are not ours. */
  const OTHERS = ['openapi-ts.config.ts']
  const known = ['', ...readdirSync(root), ...SOURCES].map((file) => `/${file}`)
  const named = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => ({ page, name: name! })),
  )
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter(({ name }) => !OTHERS.includes(name) && !known.some((file) => file.endsWith(`/${name}`)))
  expect(missing.map(({ page, name }) => `${page}: ${name}`)).toEqual([])
})
