import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plainOfComma } from '../../contract/money.ts'
import { NotATable, openTable } from '../../server/core/tableFile.ts'
import type { TableLine } from '../../server/core/tableLine.ts'
import { type ZipEntry, zipOf } from '../../server/exports/zip.ts'
import { commaColumns, recognize, valuesOf } from '../../server/imports/fileColumns.ts'

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of given) found.push(one)
  return found
}
const csv = async (text: string | Buffer, more: { delimiter?: ',' | ';' | '|' } = {}) => {
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

describe('a bad line of a CSV', () => {
  const faulty = async (text: string | Buffer) =>
    (await csv(text, { delimiter: ',' })).lines.map(({ line, cells, faults }) => [line, faults?.map(({ at }) => at) ?? cells])

  test('is one with a quotation mark that isn’t closed or doubled; the lines after it are read', async () => {
    expect(await faulty('a,"b\nc,d')).toEqual([
      [1, [-1]],
      [2, ['c', 'd']],
    ])
    expect(await faulty('a,b\n1,"Foo,Bar\n2,Baz\n3,"Qux",x\n4,"y"z,\n5,"v\nw"')).toEqual([
      [1, ['a', 'b']],
      [2, [-1]],
      [3, ['2', 'Baz']],
      [4, ['3', 'Qux', 'x']],
      [5, [-1]],
      [6, ['5', 'v\nw']],
    ])
  })
  test('isn’t one with inches, or with blanks around its quotation marks', async () => {
    expect(await faulty('x,6" pipe,"a, b"\n1 , "2, 3" ,4')).toEqual([
      [1, ['x', '6" pipe', 'a, b']],
      [2, ['1', '2, 3', '4']],
    ])
  })
  test('has a cell that is too long or has a null character', async () => {
    expect(await faulty(`a,b\n"${'n'.repeat(40_000)}",1\n2,x\0\n3,y`)).toEqual([
      [1, ['a', 'b']],
      [2, [0]],
      [3, [1]],
      [4, ['3', 'y']],
    ])
    expect(await faulty(`a,b\n${'n,'.repeat(600_000)}\n3,y`)).toEqual([
      [1, ['a', 'b']],
      [2, [-1]],
      [3, ['3', 'y']],
    ])
  })
  test('costs no more if all are', async () => {
    const began = performance.now()
    expect(await faulty(`"x${'a\n'.repeat(60_000)}`)).toHaveLength(60_000)
    expect(await faulty('"x,y\n'.repeat(20_000))).toHaveLength(20_000)
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

describe('how a CSV is read', () => {
  const how = async (text: string | Buffer) => {
    const { delimiter, encoding, lines } = await csv(text)
    return { delimiter, encoding, lines }
  }
  test('is told by its first line, which isn’t one of its own', async () => {
    expect(await how('sep=;\r\na,b;c\r\n')).toMatchObject({ delimiter: ';', lines: [{ line: 2, cells: ['a,b', 'c'] }] })
    expect(await how('"sep=|"\na;b|c\n')).toMatchObject({ delimiter: '|', lines: [{ line: 2 }] })
  })
  test('is the delimiter that divides most lines alike, though ends are missing and titles are above', async () => {
    for (const [text, delimiter] of [
      ['Name;Address;City\nA;11 First Ave, Suite 1;Boston\nB;12 First Ave, Suite 2\nC;13 First Ave, Suite 3', ';'],
      ['Stores, autumn\n\nName|Address\nA, B|1 Elm; 2\nC|2, Elm', '|'],
      ['a@x.test;5,0\nb@x.test;10,00\nc@x.test;2,5', ';'],
      ['Name\tAddress\nA, Inc\t1 Elm St, Boston\nB, Inc\t2 Elm St, Boston', '\t'],
      ['Name,Note\n"A;B",x\n"C;D",y', ','],
      ['Email\na@x.test\nb@x.test', ','],
    ])
      expect([text, (await how(text!)).delimiter]).toEqual([text, delimiter])
  })
  test('is the encoding of each line: a line of another one is read by its own', async () => {
    const mixed = Buffer.concat([Buffer.from('Café,1\n'), Buffer.from('Piñata,2\n', 'latin1'), Buffer.from('Plain,3\n')])
    const { encoding, lines } = await how(mixed)
    expect([encoding, lines]).toEqual([
      'utf-8',
      [
        { line: 1, cells: ['Café', '1'] },
        { line: 2, cells: ['Piñata', '2'], other: true },
        { line: 3, cells: ['Plain', '3'] },
      ],
    ])
    for (const [bytes, named] of [
      [Buffer.from('Café,1\nb,2', 'utf16le'), 'utf-16le'],
      [Buffer.from('Café,1\nb,2', 'utf16le').swap16(), 'utf-16be'],
      [Buffer.from('\uFEFF\uFEFFCafé,1\nb,2'), 'utf-8'],
      [Buffer.from('Café,1\nb,2\x1a', 'latin1'), 'windows-1252'],
    ] as const)
      expect(await how(bytes)).toMatchObject({ encoding: named, lines: [{ cells: ['Café', '1'] }, { cells: ['b', '2'] }] })
  })
  test('has a line for each end, of any kind', async () => {
    const ends = ['a,1\rb,2\rc,3', 'a,1\r\r\nb,2\r\r\nc,3', 'a,1\nb,2\r\nc,3\n']
    for (const text of ends) expect((await how(text)).lines.map(({ line }) => line)).toEqual([1, 2, 3])
  })
})

describe('a file of LibreOffice', () => {
  const file = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
  const day = '2026-03-01'
  test('as XLSX: its first visible sheet with rows, with dates, digits, words and errors', async () => {
    const table = await openTable(file('libreoffice-stores.xlsx'), { workbook: true })
    expect([table.sheets, table.sheet]).toEqual([['Empty', 'Stores', 'Lists'], 'Stores'])
    expect(await all(table.rows())).toEqual([
      { line: 1, cells: ['Store list for autumn'] },
      { line: 3, cells: ['Name', 'Address', 'ZIP', 'Opened', 'Visited', 'Open', 'Sum'] },
      { line: 4, cells: ['Café Zoë & Sons', '11 First Ave\nSuite 4', '02108', day, `${day} 14:05:00`, 'TRUE', '42.36'] },
      {
        ...{ line: 5, cells: ['_x0041_', '12 Second Ave', '12207', '', '', 'FALSE', '#DIV/0!'] },
        faults: [{ at: 6, message: 'has the spreadsheet’s error #DIV/0!' }],
      },
    ])
  })
  test('as CSV with semicolons in Excel’s encoding', async () => {
    const { delimiter, encoding, lines } = await csv(file('libreoffice-stores.csv'))
    expect([delimiter, encoding, lines[1]!.cells[0], lines[2]!.cells.slice(0, 2)]).toEqual([
      ...[';', 'windows-1252', 'Name'],
      ['Café Zoë & Sons', '11 First Ave\nSuite 4'],
    ])
  })
})

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

async function workbook(
  sheets: Record<string, string>,
  shared: readonly string[] = [],
  styles = '',
  properties = '',
): Promise<Buffer> {
  const names = Object.keys(sheets)
  const entries = [
    {
      name: 'xl/workbook.xml',
      content: [
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${properties}<sheets>${names.map((name, at) => `<sheet name="${name}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
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
    { name: 'xl/styles.xml', content: [`<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`] },
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
  test('has numbers as their format shows them, and words of other namespaces left out', async () => {
    const styles = [
      '<numFmt numFmtId="170" formatCode="[$-409]d&quot;. day of &quot;mmm\\ yyyy;@"/>',
      '<numFmt numFmtId="171" formatCode="0.00_);[Red]\\(0.00\\)"/>',
      '<numFmt numFmtId="172" formatCode="[h]:mm"/>',
      '<numFmt numFmtId="173" formatCode="h:mm AM/PM"/>',
      '<numFmt numFmtId="174" formatCode="&quot;days &quot;0"/>',
    ]
    const ids = [0, 14, 170, 171, 172, 173, 174, 22]
    const cells = [46082.5, 46082, 46082, 1.5, 1.75, 0.25, 12, 46082.5]
    const bytes = await workbook(
      {
        Stores: `<row r="1">${cells.map((value, at) => `<c s="${at}"><v>${value}</v></c>`).join('')}<x:c xmlns:x="urn:other"><x:v>9</x:v></x:c></row>`,
      },
      [],
      `<numFmts>${styles.join('')}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`,
    )
    const [line] = await all((await openTable(bytes, { workbook: true })).rows())
    expect(line!.cells).toEqual([
      ...['46082.5', '2026-03-01', '2026-03-01', '1.5', '42:00:00', '06:00:00', '12'],
      '2026-03-01 12:00:00',
    ])
  })
  test('has digits with the zeros and signs of their format, and a general format in any language', async () => {
    const shown = async (code: string, value: string) => {
      const styles = `<numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs>`
      const bytes = await workbook({ A: `<row><c s="0"><v>${value}</v></c></row>` }, [], styles)
      return (await all((await openTable(bytes, { workbook: true })).rows()))[0]!.cells[0]
    }
    const rows: [code: string, value: string, text: string][] = [
      ['00000', '2108', '02108'],
      ['[$-409]00000', '2108', '02108'],
      ['[&lt;=99999]00000;00000\\-0000', '2108', '02108'],
      ['00000\\-0000', '21081234', '02108-1234'],
      ['000-00-0000', '12345678', '012-34-5678'],
      ['&quot;S-&quot;000_);@', '7', 'S-007'],
      ['000', '12345', '12345'],
      ['000', '1.5', '1.5'],
      ['00.00', '1.5', '1.5'],
      ['0%', '0.125', '0.125'],
      ['Standard', '46082', '46082'],
      ['[Red]General', '46082', '46082'],
    ]
    for (const [code, value, text] of rows) expect([code, await shown(code, value)]).toEqual([code, text])
  })
  test('has faults where a number has lost digits, a text is missing, or a cell holds an error', async () => {
    const cells =
      '<c><v>1234567890123456</v></c><c><v>1.2345678901234568E+19</v></c><c><v>123456789012345</v></c><c t="s"><v>9</v></c>'
    const bytes = await workbook({ A: `<row>${cells}<c t="e"><v>#REF!</v></c><c t="str"><v>#N/A</v></c></row>` }, ['a'])
    const [line] = await all((await openTable(bytes, { workbook: true })).rows())
    expect(line!.faults!.map(({ at, message }) => `${at} ${message}`).sort()).toEqual([
      '0 has a number of more than 15 digits, whose last ones spreadsheets lose: write it as text',
      '1 has a number of more than 15 digits, whose last ones spreadsheets lose: write it as text',
      '3 has a text that the workbook lacks',
      '4 has the spreadsheet’s error #REF!',
      '5 has the spreadsheet’s error #N/A',
    ])
    const errors = await csv('Name,City,Note\n#NAME?, #NV ,#tag|x|y')
    expect(errors.delimiter).toBe(',')
    const [, csvLine] = errors.lines
    expect(csvLine!.faults!.map(({ at }) => at)).toEqual([0, 1])
  })
  test('has 200 columns at most: more are dropped with what is wrong in them', async () => {
    const bytes = await workbook({ A: `<row>${'<c t="e"><v>#REF!</v></c>'.repeat(202)}</row>` })
    const [line] = await all((await openTable(bytes, { workbook: true })).rows())
    expect([line!.cells.length, line!.faults!.length]).toEqual([200, 200])
  })
  test('has words for yes and no, sections of plain text, rows in any order, and columns in lower case', async () => {
    const yes = '<c t="b"><v>true</v></c><c t="b"><v>1</v></c><c t="b"><v>false</v></c><c t="b"/>'
    const bytes = await workbook(
      {
        A: `<row r="5">${yes}</row><row r="2"><c r="b2" t="s"><v>0</v></c><c t="inlineStr"><is><t><![CDATA[<c> & d]]></t></is></c></row>`,
      },
      ['<![CDATA[a & b]]>'],
    )
    expect(await all((await openTable(bytes, { workbook: true })).rows())).toEqual([
      { line: 5, cells: ['TRUE', 'TRUE', 'FALSE', ''] },
      { line: 6, cells: ['', 'a & b', '<c> & d'] },
    ])
  })
  test('is read in the encoding that each part says, or refused', async () => {
    const part = (said: string) =>
      `<?xml version="1.0"${said}?><worksheet><sheetData><row><c t="inlineStr"><is><t>Café</t></is></c></row></sheetData></worksheet>`
    const read = async (bytes: Buffer) => {
      const entries: ZipEntry[] = [
        {
          name: 'xl/workbook.xml',
          content: [`<workbook xmlns:o="${OFFICE}"><sheets><sheet name="A" o:id="RID1"/></sheets></workbook>`],
        },
        {
          name: 'xl/_rels/workbook.xml.rels',
          content: ['<Relationships><Relationship Id="rId1" Type="/worksheet" Target="sheet%201.xml"/></Relationships>'],
        },
        { name: 'xl/sheet 1.xml', bytes },
      ]
      const book = Buffer.concat(await all(zipOf(entries)))
      return cellsOf(await all((await openTable(book, { workbook: true })).rows()))
    }
    for (const bytes of [
      Buffer.from(part('')),
      Buffer.from(`\ufeff${part(' encoding="UTF-8"')}`),
      Buffer.from(part(' encoding="ISO-8859-1"'), 'latin1'),
      Buffer.from(`\ufeff${part(' encoding="UTF-16"')}`, 'utf16le'),
      Buffer.from(`\ufeff${part(" encoding='utf-16'")}`, 'utf16le').swap16(),
    ])
      expect(await read(bytes)).toEqual([['Café']])
    for (const bytes of [Buffer.from(part(''), 'latin1'), Buffer.from(part(' encoding="klingon"'))])
      await expect(read(bytes)).rejects.toBeInstanceOf(NotATable)
  })
  test('has texts with empty entries, runs and phonetic hints, and counts days from 1904 if it says so', async () => {
    const bytes = await workbook(
      {
        A: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c><c s="1"><v>1</v></c></row>',
      },
      ['', 'Tokyo</t><rPh sb="0" eb="2"><t>TOUKYOU</t></rPh><t>', 'a</t><r><t>b</t></r><t>'],
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
      '<workbookPr date1904="1"/>',
    )
    const [line] = await all((await openTable(bytes, { workbook: true })).rows())
    expect(line!.cells).toEqual(['', 'Tokyo', 'ab', '', '1904-01-02'])
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

describe('headings', () => {
  const FIELDS = [
    { id: 'name', headings: ['name'], doubtful: ['store'] },
    { id: 'address', headings: ['street'], doubtful: ['address'], holds: (cell: string) => /^\d+ \p{L}/u.test(cell), least: 0.6 },
    { id: 'zip', headings: ['zip'], holds: (cell: string) => /^\d{5}$/.test(cell) },
  ]
  const found = (...rows: string[][]) => {
    const { heading_line, columns } = recognize(lines(...rows), FIELDS)
    return [heading_line, columns]
  }
  test('are below titles, and above the data even if a cell of it is a heading', () => {
    expect(found(['Stores in autumn'], ['By', 'Ada'], ['Name', 'Street', 'ZIP'], ['A', '1 Elm', '02108'])).toEqual([
      3,
      ['name', 'address', 'zip'],
    ])
    expect(found(['Stores'], ['Address'], ['1 Elm St'], ['2 Elm St'])).toEqual([2, ['address']])
    expect(found(['Filiale', 'Wo', 'PLZ'], ['A', '1 Elm', '02108'], ['Name', '2 Street', '02109'])).toEqual([
      1,
      ['', 'address', 'zip'],
    ])
    expect(found(['A', '1 Elm', '02108'], ['Name', '2 Elm', '02109'])).toEqual([0, ['', 'address', 'zip']])
    expect(found(['Liste'], ['Filiale', 'Wo'], ['A', '1 Elm'], ['B', '2 Elm'])).toEqual([2, ['', 'address']])
  })
  test('that other columns have, too, are taken only if their cells fit, and after those that say more', () => {
    expect(found(['Address', 'Street'], ['a@x.test', '1 Elm'], ['b@x.test', '2 Elm'])).toEqual([1, ['', 'address']])
    expect(found(['Name', 'Address'], ['A', 'a@x.test'], ['B', 'b@x.test'])).toEqual([1, ['name', '']])
    expect(found(['Store', 'Name', 'Street'], ['1', 'A', '1 Elm'])).toEqual([1, ['', 'name', 'address']])
    expect(found(['Store', 'Street'], ['1', '1 Elm'])).toEqual([1, ['name', 'address']])
  })
  test('that say enough are taken whatever their cells are', () => {
    expect(found(['Name', 'Street', 'ZIP'], ['A', '1 Elm', 'bad'])).toEqual([1, ['name', 'address', 'zip']])
  })
  test('may be any line, or none', () => {
    const rows = lines(['Name', 'Street'], ['Name', 'ZIP'], ['A', '02108'])
    expect(recognize(rows, FIELDS, { heading_line: 2 })).toMatchObject({ heading_line: 2, columns: ['name', 'zip'] })
    expect(recognize(rows, FIELDS, { heading_line: 0 })).toMatchObject({ headed: false, headings: ['Column A', 'Column B'] })
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
    [['12,50', 'five', '#N/A', '42°21', 'no. 5,'], true],
    [['five', '#N/A'], false],
    [['12,50', '$1,250,000'], false],
    [['12,50', '1.5 USD'], false],
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
