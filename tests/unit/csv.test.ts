import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, fileName, withoutApostrophes } from '../../server/core/csv.ts'
import { rounds } from './rounds.ts'
import { checkRows } from './rows.ts'

describe('a line of a CSV', () => {
  test('quotes what would break it', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain'])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
  })

  test('neutralises a formula', () => {
    checkRows(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx'], (text) => {
      expect(csvLine([text])).toMatch(/^"?'/)
    })
  })

  test('neutralises a disguised one', () => {
    checkRows(
      [
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
      ],
      (text) => {
        expect(csvLine([text])).toMatch(/^"?'/)
      },
    )
  })

  test('neutralises it after any separator', () => {
    checkRows(
      [
        ['x;=1+1', "x;'=1+1"],
        ['x; =1+1', "x;' =1+1"],
        ['x|@SUM(A1)', "x|'@SUM(A1)"],
        ['x\t+1', "x\t'+1"],
        ['a;b;-2+3;=4', "a;b;'-2+3;'=4"],
        ['x;＝1+1', "x;'＝1+1"],
        ['x;\u202e＋1', "x;'\u202e＋1"],
        ['x\u2028=1', "x\u2028'=1"],
      ],
      ([text, safe]) => {
        expect(csvLine([text])).toBe(`${safe}\r\n`)
      },
    )
  })

  test('neutralises it after a line break and within quotes', () => {
    expect(csvLine(['two\n=1+1'])).toBe('"two\n\'=1+1"\r\n')
    expect(csvLine(['two\r\n=1+1'])).toBe('"two\r\n\'=1+1"\r\n')
    expect(csvLine(['x;"=1+1"'])).toBe(`"x;'""=1+1"""\r\n`)
  })

  test('has no formula in any part, however split (any text)', () => {
    const risky = fc.string({ unit: fc.constantFrom(...'ab1 ;|,\t\r\n"=+-@＝＋\u202e\u00a0'), maxLength: 12 })
    fc.assert(
      fc.property(risky, (text) => {
        for (const part of csvLine([text])
          .slice(0, -2)
          .split(/[;|\t\r\n]/))
          expect(part, JSON.stringify(text)).not.toMatch(/^[\s\p{Cf}"]*([=+@＝＋－＠]|-(?!\d+(\.\d+)?"*$))/u)
      }),
      { numRuns: rounds(500, 5000) },
    )
  })

  test('keeps harmless text after separators', () => {
    checkRows(['8;-5;3', 'a; b | c', 'one;two@three.test', 'x;1-2'], (text) => {
      expect(csvLine([text])).toBe(`${text}\r\n`)
    })
  })

  test('keeps numbers, negative ones and those in text too', () => {
    expect(csvLine([-73.9, 0, Number.NaN, '-5', '-0.25'])).toBe('-73.9,0,,-5,-0.25\r\n')
  })

  test('keeps text that isn’t a formula', () => {
    checkRows(['a=b', 'well-known', 'me@mail.test', '👩‍👩‍👧‍👦', 'עברית', ''], (text) => {
      expect(csvLine([text])).toBe(`${text}\r\n`)
    })
  })

  test('keeps missing values empty', () => {
    expect(csvLine([null, undefined, true, false])).toBe(',,yes,no\r\n')
  })
})

test('a file is named after its list, without characters a file system rejects', () => {
  expect(fileName('Ü/ber: "Snacks" \\ W3', 'csv', '2026-03-01')).toBe('Uber-Snacks-W3-2026-03-01.csv')
  expect(fileName('東京', 'csv', '2026-03-01')).toBe('export-2026-03-01.csv')
})

describe('an apostrophe that protects', () => {
  const protectedText = (text: string) => {
    const line = csvLine([text]).slice(0, -2)
    return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line
  }
  test('is taken away again, whatever the text', () => {
    const sign = fc.constantFrom("'", '=', '+', '-', '@', ';', '|', '\t', '\r', '\n', ' ', '"', 'a', '5', '.', '＝', '\u202e')
    const text = fc.oneof(fc.string({ unit: sign, maxLength: 12 }), fc.string())
    fc.assert(
      fc.property(text, (one) => {
        expect(withoutApostrophes(protectedText(one))).toBe(one)
      }),
      { numRuns: rounds(2000, 50_000) },
    )
  })
  test('is left where nobody protects', () => {
    checkRows(["O'Brien = 5", "'Tis", "'", "it's; -5", "'-5", "''"], (text) => {
      expect(withoutApostrophes(text)).toBe(text)
    })
  })
})
