import { describe, expect, test } from 'vitest'
import { csvLine, fileName } from '../../server/jobs/csv.ts'

describe('a line of a CSV', () => {
  test('quotes what would break it', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain'])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('takes the formula out of %j', (text) => {
    expect(csvLine([text])).toMatch(/^"?'/)
  })

  test('leaves numbers numbers, also negative ones', () => {
    expect(csvLine([-73.9, 0, Number.NaN])).toBe('-73.9,0,\r\n')
  })

  test('leaves what is not there empty', () => {
    expect(csvLine([null, undefined, true, false])).toBe(',,yes,no\r\n')
  })
})

test('a file is named after its list, without anything a file system would choke on', () => {
  expect(fileName('Ü/ber: "Snacks" \\ W3', 'csv', '2026-03-01')).toBe('Uber-Snacks-W3-2026-03-01.csv')
  expect(fileName('東京', 'csv', '2026-03-01')).toBe('export-2026-03-01.csv')
})
