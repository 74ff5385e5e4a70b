import { describe, expect, test } from 'vitest'
import type { Cell } from '../../server/core/csv.ts'
import { uniqueNames } from '../../server/core/uniqueNames.ts'
import type { CellKind } from '../../server/exports/exportSource.ts'
import { xlsxOf } from '../../server/exports/xlsx.ts'
import { unzipped } from '../support/unzipped.ts'

async function workbook(columns: string[], pages: Iterable<Cell[][]>, kinds: CellKind[] = []): Promise<Buffer> {
  const listing = {
    title: 'Clients',
    count: 1,
    columns,
    kinds,
    async *pages() {
      yield* pages
    },
  }
  const pieces: Uint8Array[] = []
  for await (const piece of xlsxOf(listing)) pieces.push(piece)
  return Buffer.concat(pieces)
}
const sheet = async (columns: string[], rows: Cell[][], kinds?: CellKind[]) =>
  unzipped(await workbook(columns, [rows], kinds)).get('xl/worksheets/sheet1.xml')!
const cells = (xml: string) => [...xml.matchAll(/<c(?:\/>|[^>]*>.*?<\/c>)/gs)].map(([cell]) => cell)

describe('a workbook', () => {
  test('has the parts a spreadsheet needs, with their references', async () => {
    const files = unzipped(await workbook(['Name'], [[['Acme']]]))
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    expect(files.get('xl/workbook.xml')).toContain('<sheet name="Export" sheetId="1" r:id="rId1"/>')
    expect(files.get('[Content_Types].xml')).toContain('PartName="/xl/worksheets/sheet1.xml"')
  })

  test('writes texts, numbers, dates and times as such, and missing values as empty', async () => {
    const xml = await sheet(
      ['A'],
      [['Acme', 12.5, -3, true, null, '2026-03-01', '2026-03-01T12:00:00.000Z', '2026-02-31', '1850-01-01']],
      [...Array.from({ length: 5 }, (): CellKind => 'plain'), 'day', 'moment', 'day', 'day'],
    )
    expect(cells(xml).slice(1)).toEqual([
      '<c t="inlineStr"><is><t>Acme</t></is></c>',
      '<c><v>12.5</v></c>',
      '<c><v>-3</v></c>',
      '<c t="inlineStr"><is><t>yes</t></is></c>',
      '<c/>',
      '<c s="2"><v>46082</v></c>',
      '<c s="3"><v>46082.5</v></c>',
      '<c t="inlineStr"><is><t>2026-02-31</t></is></c>',
      '<c t="inlineStr"><is><t>1850-01-01</t></is></c>',
    ])
  })

  test('lets a column’s kind decide, whatever a cell looks like', async () => {
    const looks = ['2026-05-01', '2026-05-01T10:00:00Z', '12', '007', '1e5', '-3.5', '12345678901', '1,5', 'yes']
    const xml = async (kind: CellKind) =>
      cells(
        await sheet(
          ['A'],
          looks.map((text) => [text]),
          [kind],
        ),
      )
        .slice(1)
        .map((cell, at) => (cell.includes('<t>') ? looks[at] : cell))
    expect(await xml('text')).toEqual(looks)
    expect(await xml('plain')).toEqual(looks)
    expect(await xml('number')).toEqual([
      ...looks.slice(0, 2),
      '<c><v>12</v></c>',
      '007',
      '1e5',
      '<c><v>-3.5</v></c>',
      ...looks.slice(6),
    ])
    for (const kind of ['day', 'moment'] as const)
      expect(await xml(kind)).toEqual(['<c s="2"><v>46143</v></c>', '<c s="3"><v>46143.416666666664</v></c>', ...looks.slice(2)])
    expect(cells(await sheet(['A'], [[12]], ['text']))[1]).toBe('<c t="inlineStr"><is><t>12</t></is></c>')
  })

  test('numbers repeated headings, as a CSV does', async () => {
    const headings = ['Same', 'same', 'Other', 'Same (2)', 'Same']
    const xml = await sheet(headings, [])
    expect(cells(xml).map((cell) => />([^<]+)<\/t>/.exec(cell)![1])).toEqual([
      ...['Same', 'same (2)', 'Other', 'Same (2) (2)', 'Same (3)'],
    ])
    expect(uniqueNames(headings)).toEqual(['Same', 'same (2)', 'Other', 'Same (2) (2)', 'Same (3)'])
    const many = uniqueNames(Array.from({ length: 20_000 }, () => 'Same'))
    expect(new Set(many).size).toBe(20_000)
  })

  test('says that its times are UTC, in columns that are wide enough for them', async () => {
    const files = unzipped(await workbook(['Name', 'Last visit'], [[['Acme', '2026-03-01T12:00:00.000Z']]]))
    expect(files.get('xl/styles.xml')).toContain(String.raw`formatCode="yyyy\-mm\-dd\ hh:mm:ss\ &quot;UTC&quot;"`)
    const width = /<cols><col min="1" max="2" width="(\d+)"/.exec(files.get('xl/worksheets/sheet1.xml')!)![1]
    expect(Number(width)).toBeGreaterThan('2026-03-01 12:00:00 UTC'.length)
  })

  test('keeps spaces at the ends of a text, and writes every other printable text as it is or escaped', async () => {
    const texts = [
      ' a',
      'a ',
      ' ',
      'a  b',
      'x',
      'A & B',
      'a_b',
      '1 < 2',
      'é',
      'a\nb',
      '~!"#$%\'()*+,-./:;=?@[\\]^`{|}',
      '2026-13-45',
    ]
    const xml = cells(await sheet(['A'], [texts])).slice(1)
    const parts = xml.map((cell) => /<t( xml:space="preserve")?>([\s\S]*)<\/t>/.exec(cell)!)
    const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>' } as Record<string, string>
    expect(parts.map(([, , text]) => text!.replace(/&\w+;/g, (entity) => entities[entity]!))).toEqual(texts)
    for (const [, preserved, text] of parts) if (/^\s|\s$/.test(text!)) expect(preserved).toBeDefined()
    expect(parts.filter(([, preserved]) => !preserved).map(([, , text]) => text)).toEqual(['a  b', 'x', texts[10], '2026-13-45'])
  })

  test('has no formula, whatever the text', async () => {
    const xml = await sheet(['=1+1'], [['=HYPERLINK("http://evil.test")', '+1', '@SUM(A1)', '<f>1+1</f>', ']]>&amp;']])
    expect(xml).not.toContain('<f>')
    expect(cells(xml).every((cell) => cell.includes('t="inlineStr"'))).toBe(true)
    expect(xml).toContain('&lt;f&gt;1+1&lt;/f&gt;')
    expect(xml).toContain(']]&gt;&amp;amp;')
  })

  test('escapes what XML can’t hold, and truncates text longer than a cell', async () => {
    const xml = await sheet(['A'], [['a\u0000b\rc\nd', '_x0041_', '\ud800', 'x'.repeat(40_000)]])
    const [, odd, spelled, half, long] = cells(xml)
    expect(odd).toContain('a_x0000_b_x000D_c\nd')
    expect(spelled).toContain('_x005F_x0041_')
    expect(half).toContain('\ufffd')
    expect(long!.length).toBeLessThan(32_900)
  })

  test('continues on a second sheet after the last row one can hold, without holding them in memory', async () => {
    function* pages() {
      for (let page = 0; page < 1050; page++) yield Array.from({ length: 1000 }, (_, at) => [page * 1000 + at])
    }
    const files = unzipped(await workbook(['N'], pages()))
    const [first, second] = [1, 2].map((at) => files.get(`xl/worksheets/sheet${at}.xml`)!)
    expect(first!.match(/<row>/g)).toHaveLength(1_048_576)
    expect(second!.match(/<row>/g)).toHaveLength(1_050_000 - 1_048_575 + 1)
    expect(second).toContain('<row><c><v>1048575</v></c></row>')
    expect(files.get('xl/workbook.xml')).toContain('name="Export 2"')
  }, 60_000)
})
