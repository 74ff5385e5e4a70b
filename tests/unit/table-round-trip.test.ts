import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DELIMITERS, ENCODINGS, type Encoding } from '../../contract/importWords.ts'
import { csvLines, withoutApostrophes } from '../../server/core/csv.ts'
import { openTable } from '../../server/core/tableFile.ts'
import { xlsxOf } from '../../server/exports/xlsx.ts'
import { rounds } from './rounds.ts'

/** A table of texts without rows that are blank, which no reader tells. */
const tableOf = (cell: fc.Arbitrary<string>) =>
  fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))
    .filter((rows) => rows.every((row) => row.some((one) => one.trim())))

const sign = fc.constantFrom(...'aZ0 éñ€"\',;|\t\r\n_x=+-@.<&>', '_x000D_', '\r\n', '\u00a0', '\u200b', '日')
const text = fc.oneof(fc.string({ unit: sign, maxLength: 12 }), fc.string({ unit: 'grapheme' }))
// A foreign file's cell that looks protected is read as if it were.
const foreign = text.filter((one) => withoutApostrophes(one) === one && !one.includes('\0'))

async function read(bytes: Buffer, how: Parameters<typeof openTable>[1]) {
  const table = await openTable(bytes, how)
  const lines = await Array.fromAsync(table.rows())
  return { ...table, rows: lines.map(({ cells }) => cells), faults: lines.flatMap(({ faults = [] }) => faults) }
}

/** A CSV as other programs write it: only what needs quotes has them. */
const written = (rows: readonly string[][], delimiter: string, end: string) => {
  const quoted = (cell: string) =>
    /^\s|\s$|["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  return rows.map((row) => row.map(quoted).join(delimiter) + end).join('')
}
/** Windows-1252 beyond Latin-1. */
const EURO = 0x80
const encoders: Record<Encoding, (text: string, mark: boolean) => Buffer> = {
  'utf-8': (one, mark) => Buffer.from((mark ? '\uFEFF' : '') + one),
  'utf-16le': (one) => Buffer.from(`\uFEFF${one}`, 'utf16le'),
  'utf-16be': (one) => Buffer.from(`\uFEFF${one}`, 'utf16le').swap16(),
  'windows-1252': (one) => Buffer.from([...one].map((letter) => (letter === '€' ? EURO : letter.charCodeAt(0)))),
}
const fitsWindows = (one: string) => /^[\0-\x7e\xa0-\xff€]*$/.test(one)

describe('any table of texts', () => {
  test('comes back from CSV in four dialects and four encodings', async () => {
    const how = fc.record({
      delimiter: fc.constantFrom(...DELIMITERS),
      encoding: fc.constantFrom(...ENCODINGS),
      end: fc.constantFrom('\r\n', '\n', '\r'),
      mark: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(tableOf(foreign), how, async (rows, { delimiter, encoding, end, mark }) => {
        const all = written(rows, delimiter, end)
        fc.pre(encoding !== 'windows-1252' || fitsWindows(all))
        // A first line that says sep= isn't a row, in no reader.
        fc.pre(!/^"?sep=/i.test(all))
        const found = await read(encoders[encoding](all, mark), { workbook: false, delimiter, encoding })
        expect(found.faults).toEqual([])
        expect(found.rows).toEqual(rows)
      }),
      { numRuns: rounds(400, 5000) },
    )
  })

  test('comes back from our CSV, without our apostrophes', async () => {
    await fc.assert(
      fc.asyncProperty(tableOf(text.filter((one) => !one.includes('\0'))), async (rows) => {
        fc.pre(!/^sep=/i.test(rows[0]![0]!))
        const found = await read(Buffer.from(`\uFEFF${csvLines(rows)}`), { workbook: false, delimiter: ',' })
        expect(found.rows).toEqual(rows)
      }),
      { numRuns: rounds(300, 5000) },
    )
  })

  test('comes back from our XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(tableOf(text.filter((one) => !/[\ufffe\uffff\0]/.test(one))), async (rows) => {
        const columns = rows[0]!
        const listing = {
          ...{ title: 'Any', count: rows.length, columns },
          async *pages() {
            yield rows.slice(1)
          },
        }
        const bytes = Buffer.concat(await Array.fromAsync(xlsxOf(listing)))
        const found = await read(bytes, { workbook: true })
        // A cell that is empty at the end of its row isn't told from a missing one.
        expect(found.rows).toEqual(rows)
      }),
      { numRuns: rounds(150, 2000) },
    )
  })

  test('has its delimiter and encoding recognized, if its cells are words', async () => {
    const word = fc
      .string({ unit: fc.constantFrom(...'abcdefgh éñ.'), minLength: 1, maxLength: 8 })
      .filter((one) => one.trim() === one)
    const how = fc.record({ delimiter: fc.constantFrom(...DELIMITERS), encoding: fc.constantFrom(...ENCODINGS) })
    await fc.assert(
      fc.asyncProperty(tableOf(word), how, async (rows, { delimiter, encoding }) => {
        fc.pre(rows.some((row) => row.some((cell) => /[éñ]/.test(cell))))
        const found = await read(encoders[encoding](written(rows, delimiter, '\r\n'), false), { workbook: false })
        expect([found.delimiter, found.encoding, found.rows]).toEqual([delimiter, encoding, rows])
      }),
      { numRuns: rounds(200, 2000) },
    )
  })
})
