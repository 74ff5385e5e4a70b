import { describe, expect, test } from 'vitest'
import { csvLine, fileName } from '../../server/jobs/csv.ts'

describe('a line of a CSV', () => {
  test('quotes what would break it', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain'])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
  })

  test.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx'])('takes the formula out of %j', (text) => {
    expect(csvLine([text])).toMatch(/^"?'/)
  })

  test.each([
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' =1+1',
    '\u00a0=1',
    '\ufeff=1',
    '\u202e=1',
    '\u2068=1',
    '\n=1',
    '-1+2',
    '-1;=2',
    '-cmd',
  ])('takes it out where it is disguised: %j', (text) => {
    expect(csvLine([text])).toMatch(/^"?'/)
  })

  test('leaves numbers numbers, also negative ones, also where they are a text', () => {
    expect(csvLine([-73.9, 0, Number.NaN, '-5', '-0.25'])).toBe('-73.9,0,,-5,-0.25\r\n')
  })

  test.each(['a=b', 'well-known', 'me@mail.test', '👩‍👩‍👧‍👦', 'עברית', ''])('leaves what is no formula as it is: %j', (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`)
  })

  test('leaves what is not there empty', () => {
    expect(csvLine([null, undefined, true, false])).toBe(',,yes,no\r\n')
  })
})

test('a file is named after its list, without anything a file system would choke on', () => {
  expect(fileName('Ü/ber: "Snacks" \\ W3', 'csv', '2026-03-01')).toBe('Uber-Snacks-W3-2026-03-01.csv')
  expect(fileName('東京', 'csv', '2026-03-01')).toBe('export-2026-03-01.csv')
})
