import { expect, test } from 'vitest'
import { sourceOf, sourcesOf } from '../support/graph.ts'

/** The files that format numbers, money, percents, dates and times; everything else uses them. */
const FORMATS = ['contract/format.ts', 'contract/decimals.ts', 'src/data/format.ts']

/** Formatting by hand, as patterns. */
const BY_HAND: Readonly<Record<string, RegExp>> = {
  'a number or date by its locale': /\.toLocale(Date|Time)?String\(/,
  'a formatter': /\bIntl\.(NumberFormat|DateTimeFormat|RelativeTimeFormat)\(/,
  decimals: /\.toFixed\(/,
  percent: /\}(\s|\\u00a0)?%/,
  money: /\$\$\{/,
  'a time’s day in UTC': /_at\??\)?\.slice\(0, 10\)/,
}

/** Lines without figures for users: lengths and colors in CSS, patterns in SQL. */
const CSS_OR_SQL = /\b(width|left|right|color-mix|like|pattern|'--\w+')\b|--end/

/** Text that isn't for people, by file, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'server/demo': 'generates what somebody typed',
  'server/domain/report/values.ts': 'tenths of degrees in a file for machines',
  'server/domain/runtime/insertBulk.ts': 'numbers the parameters of a statement',
  'contract/zone.ts': 'reads a zone’s offsets',
  'src/palette/steps.ts': 'rounds what was typed',
  'src/panes/project/ActivitiesTab.tsx': 'places bars in CSS',
  'src/panes/visitation/SampleVisits.tsx': 'points of a drawing',
  'src/shell/Split.tsx': 'compares widths',
  'src/ui/charts/Sparkline.tsx': 'points of a drawing',
}

const ANY = new RegExp(
  Object.values(BY_HAND)
    .map(({ source }) => `(?:${source})`)
    .join('|'),
)

const faultsOf = (text: string): string[] =>
  ANY.test(text)
    ? text.split('\n').flatMap((line, at) => {
        if (!ANY.test(line)) return []
        const what = Object.keys(BY_HAND).find((kind) => BY_HAND[kind]!.test(line))
        return what === 'percent' && CSS_OR_SQL.test(line) ? [] : [`${at + 1}: ${what}: ${line.trim()}`]
      })
    : []

const FAULTS = ['contract', 'server', 'src']
  .flatMap(sourcesOf)
  .filter((file) => !FORMATS.includes(file))
  .flatMap((file) => faultsOf(sourceOf(file)).map((fault) => ({ file, fault })))
const covers = (path: string, file: string) => file === path || file.startsWith(`${path}/`)
const EXCEPTIONS = Object.keys(ELSEWHERE)

test('numbers, money, percents and dates are formatted in one place', () => {
  const faults = FAULTS.filter(({ file }) => !EXCEPTIONS.some((path) => covers(path, file)))
  expect(faults.map(({ file, fault }) => `${file}:${fault}`)).toEqual([])
})

test('every exception is still needed', () => {
  expect(EXCEPTIONS.filter((path) => !FAULTS.some(({ file }) => covers(path, file)))).toEqual([])
})

test('the rule finds each value formatted by hand, and lets CSS pass', () => {
  const found = [
    "rows.toLocaleString('en-US')",
    "new Intl.NumberFormat('en-US')",
    '(cents / 100).toFixed(2)',
    '{margin} %</span>',
    'by}%)',
    ['$$', '{amount}'].join(''),
    'shortDate((answered_at ?? invited_at).slice(0, 10))',
  ]
  expect(found.filter((line) => !faultsOf(line).length)).toEqual([])
  expect(faultsOf('style={{ width: share}% }}')).toEqual([])
})
