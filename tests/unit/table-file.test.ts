import { describe, expect, test } from 'vitest'
import { plainOfComma } from '../../contract/money.ts'
import { NotATable, openTable, type TableLine } from '../../server/core/tableFile.ts'
import { zipOf } from '../../server/exports/zip.ts'
import { commaColumns, recognize, valuesOf } from '../../server/imports/fileColumns.ts'

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of given) found.push(one)
  return found
}
const csv = async (text: string | Buffer, more: { delimiter?: ',' | ';' } = {}) => {
  const table = await openTable(Buffer.from(text as string), { workbook: false, ...more })
  return { ...table, lines: await all(table.rows()) }
}
const cellsOf = (lines: readonly TableLine[]) => lines.map(({ cells }) => cells)

describe('a CSV', () => {
  test('is split by the delimiter that divides its lines evenly, without byte order mark and empty lines', async () => {
    const { delimiter, lines } = await csv('\uFEFFName;Address\r\nAcme, Inc;12 Main St\r\n\r\n;\r\nBeta;1 Elm St')
    expect(delimiter).toBe(';')
    expect(lines).toEqual([
      { line: 1, cells: ['Name', 'Address'] },
      { line: 2, cells: ['Acme, Inc', '12 Main St'] },
      { line: 5, cells: ['Beta', '1 Elm St'] },
    ])
  })
  test('keeps delimiters, quotes and line ends in quoted cells, and counts lines as the file has them', async () => {
    const { lines } = await csv('a,b,c\n"x ""y""","1\n2",\nlast,,z')
    expect(lines).toEqual([
      { line: 1, cells: ['a', 'b', 'c'] },
      { line: 2, cells: ['x "y"', '1\n2', ''] },
      { line: 4, cells: ['last', '', 'z'] },
    ])
  })
  test('is read as UTF-16 with a byte order mark, and as Excel’s Windows encoding if it isn’t UTF-8', async () => {
    expect(cellsOf((await csv(Buffer.from('\uFEFFCafé,1', 'utf16le'))).lines)).toEqual([['Café', '1']])
    expect(cellsOf((await csv(Buffer.from('Café,1', 'latin1'))).lines)).toEqual([['Café', '1']])
  })
  test('is refused if it has nothing in it', async () => {
    for (const bad of ['', ' \n ']) await expect(csv(bad)).rejects.toBeInstanceOf(NotATable)
  })
})

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

async function workbook(sheets: Record<string, string>, shared: readonly string[] = []): Promise<Buffer> {
  const names = Object.keys(sheets)
  const entries = [
    {
      name: 'xl/workbook.xml',
      content: [
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
      ],
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: [
        `<Relationships>${names.map((_, at) => `<Relationship Id="r${at}" Type="${OFFICE}/worksheet" Target="worksheets/s${at}.xml"/>`).join('')}</Relationships>`,
      ],
    },
    {
      name: 'xl/sharedStrings.xml',
      content: [`<sst xmlns="${MAIN}">${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`],
    },
    ...Object.values(sheets).map((rows, at) => ({
      name: `xl/worksheets/s${at}.xml`,
      content: [`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`],
    })),
  ]
  return Buffer.concat(await all(zipOf(entries)))
}

describe('a workbook', () => {
  test('has its sheets by name, and the rows of one with shared and inline texts, numbers and gaps', async () => {
    const bytes = await workbook(
      {
        Notes: '<row r="1"><c r="A1" t="inlineStr"><is><t>Read me</t></is></c></row>',
        Stores:
          '<row r="1"/><row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2"><v>42.360000000000003</v></c></row><row r="4"><c t="inlineStr"><is><t>R&amp;D</t></is></c></row>',
      },
      ['Acme #1'],
    )
    const table = await openTable(bytes, { workbook: true, sheet: 'Stores' })
    expect(table.sheets).toEqual(['Notes', 'Stores'])
    expect(await all(table.rows())).toEqual([
      { line: 2, cells: ['Acme #1', '', '42.36'] },
      { line: 4, cells: ['R&D'] },
    ])
  })
  test('is refused if it is no workbook, or only half of one', async () => {
    const bytes = await workbook({ Stores: '<row r="1"><c r="A1"><v>1</v></c></row>' })
    for (const bad of [
      Buffer.from('no workbook at all'),
      bytes.subarray(0, 200),
      Buffer.concat([bytes.subarray(0, 300), bytes.subarray(400)]),
    ])
      await expect(openTable(bad, { workbook: true })).rejects.toBeInstanceOf(NotATable)
  })
})

const FIELDS = [
  { id: 'name', headings: ['name', 'store'] },
  { id: 'zip', headings: ['zip', 'zip code'], holds: (cell: string) => /^\d{5}$/.test(cell) },
  { id: 'address', headings: ['address'], holds: (cell: string) => /^\d+ \p{L}/u.test(cell), least: 0.5 },
]
const lines = (...rows: string[][]): TableLine[] => rows.map((cells, at) => ({ line: at + 1, cells }))

describe('columns', () => {
  test('are recognized by their headings first, then by what their cells hold', () => {
    const found = recognize(lines(['Store', 'Where', 'ZIP-Code', 'x'], ['A', '1 Elm St', '02108', '5']), FIELDS)
    expect(found).toEqual({
      headed: true,
      heading_line: 1,
      headings: ['Store', 'Where', 'ZIP-Code', 'x'],
      columns: ['name', 'address', 'zip', ''],
    })
  })
  test('have letters where there are no headings', () => {
    expect(recognize(lines(['1 Elm St', '02108'], ['2 Elm St', '02109']), FIELDS)).toEqual({
      headed: false,
      heading_line: 0,
      headings: ['Column A', 'Column B'],
      columns: ['address', 'zip'],
    })
  })
  test('are as the user mapped them, without unknown names', () => {
    const guess = { headed: true, columns: ['', 'name', 'colour'] }
    expect(recognize(lines(['a', 'b', 'c'], ['1', '2', '3']), FIELDS, guess).columns).toEqual(['', 'name', ''])
  })
  test('mapped to one field twice give the first cell that isn’t empty', () => {
    expect(valuesOf([' ', '12 Main', 'x'], { columns: ['address', 'address', ''] }, FIELDS)).toEqual({ address: '12 Main' })
  })
})

describe('a column of amounts', () => {
  const fields = [{ id: 'amount', headings: ['amount'], ofComma: plainOfComma }]
  const columns = ['', 'amount']
  /** TABLE  the cells of a column, whether its commas are decimal signs, and the delimiter of its file. */
  const COLUMNS: readonly [readonly string[], boolean, (';' | ',' | '\t')?][] = [
    [['12,50', '7', '1.250,50', '', ' 0,5 ', '$3,00', '1 200,00', '-5,00'], true],
    [['12,50', '7.50'], false],
    [['12,50', '1,250'], false],
    [['12,50', '1,250.50'], false],
    [['12,50', 'five'], false],
    [['12', '1.250'], false],
    [['1,250', '2,500'], false],
    [['12,50', '7,00'], false, ','],
    [['12,50', '7,00'], false, '\t'],
  ]
  test('has decimal commas in a file with semicolons, if all of it has', async () => {
    async function* linesOf(cells: readonly string[]) {
      for (const [line, cell] of cells.entries()) yield { line, cells: ['a', cell] }
    }
    for (const [cells, has, delimiter = ';'] of COLUMNS)
      expect([cells, await commaColumns(linesOf(cells), fields, { delimiter, columns })]).toEqual([cells, has ? [1] : []])
  })
  test('is read with points then, and a corrected cell as it is typed', () => {
    const read = (cell: string) => valuesOf(['', cell], { columns, commas: [1] }, fields).amount
    expect(['12,50', '1.250,50', ' 0,5 ', '7', '12.50', 'x'].map(read)).toEqual(['12.50', '1250.50', '0.5', '7', '12.50', 'x'])
  })
})
