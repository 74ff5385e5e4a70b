import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { MOST_VENUES } from '../../contract/importWords.ts'
import { xlsxOf } from '../../server/exports/xlsx.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { formOf, inStore } from './uploading.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

/** Reads a file by the call; nothing of it may stay in the store. */
async function read(name: string, content: string | Buffer, fields: Record<string, string | number> = {}, who = app.as('admin')) {
  const before = inStore(app)
  const { body, type } = await formOf([[name, Buffer.from(content)]], fields)
  const answer = await who.raw('POST', '/v3/portal/visitation/venues/file', body, { 'content-type': type })
  expect(inStore(app)).toBe(before)
  return answer
}
async function venuesOf(...args: Parameters<typeof read>): Promise<Output<'service.readVenues'>['data']> {
  const answer = await read(...args)
  expect([answer.status, answer.body.message]).toEqual([200, undefined])
  return (answer.body as unknown as Output<'service.readVenues'>).data
}

const VENUE = { code: '00123', name: 'Éclair', address: '11 First Ave', latitude: 42.36, longitude: -71.06, dma: 506 }
const HEAD = ['Code', 'Name', 'Address', 'Latitude', 'Longitude', 'DMA']
const LINE = ['00123', 'Éclair', '11 First Ave', '42.36', '-71.06', '506']
const withMark = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('a file of venues', () => {
  test.each<[what: string, content: string | Buffer, taken: object]>([
    ['commas', `${HEAD}\n${LINE}\n`, { delimiter: ',', encoding: 'utf-8', heading_line: 1 }],
    ['sep= and semicolons', `sep=;\r\n${HEAD.join(';')}\r\n${LINE.join(';')}\r\n`, { delimiter: ';', heading_line: 2 }],
    ['a title above', `Stores for autumn\n\n${HEAD}\n${LINE}\n`, { delimiter: ',', heading_line: 3 }],
    ['tabs in UTF-16', withMark(`${HEAD.join('\t')}\n${LINE.join('\t')}\n`), { delimiter: '\t', encoding: 'utf-16le' }],
    ['Windows-1252', Buffer.from(`${HEAD}\n${LINE}\n`, 'latin1'), { delimiter: ',' }],
    ['commas in semicolons', `${HEAD.join(';')}\n${LINE.join(';').replaceAll('.', ',')}\n`, { delimiter: ';' }],
  ])('with %s is read like an import', async (_, content, taken) => {
    const { venues, check } = await venuesOf('venues.csv', content)
    expect([venues, check.errors, check.taken]).toEqual([[VENUE], [], expect.objectContaining(taken)])
  })

  test('is read from a workbook, sheet by sheet', async () => {
    const listing = {
      ...{ title: 'Venues', count: 1, columns: HEAD },
      async *pages() {
        yield [LINE]
      },
    }
    const book = Buffer.concat(await Array.fromAsync(xlsxOf(listing)))
    const { venues, check } = await venuesOf('venues.xlsx', book)
    expect([venues, check.taken, check.sheets]).toEqual([
      [VENUE],
      { sheet: 'Export', delimiter: '', encoding: '', heading_line: 1 },
      ['Export'],
    ])
    const refused = await read('venues.xlsx', book, { sheet: 'Stores' })
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { sheet: 'This workbook has no sheet “Stores”. Use one of “Export”.' },
    ])
  })

  test('is read again with another delimiter or heading line', async () => {
    const text = 'Id|Market\nCode|DMA\nA1|501\n'
    expect((await venuesOf('v.csv', text)).check.taken).toMatchObject({ delimiter: '|', heading_line: 1 })
    const again = await venuesOf('v.csv', text, { heading_line: 2 })
    expect(again.venues.map(({ code, dma }) => [code, dma])).toEqual([['A1', 501]])
    const { venues, check } = await venuesOf('v.csv', text, { delimiter: ';' })
    expect([venues, check.blocked]).toEqual([[], 'Choose the column that holds the code.'])
  })

  test('has its columns chosen by hand, each a field of a venue', async () => {
    const text = 'Nr,Wo,Gebiet\nA1,11 First Ave,501\n'
    const found = await venuesOf('v.csv', text)
    expect([found.check.blocked, found.check.headings, found.check.columns, found.check.sample]).toEqual([
      'Choose the column that holds the code.',
      ['Nr', 'Wo', 'Gebiet'],
      ['', '', ''],
      [{ line: 2, cells: ['A1', '11 First Ave', '501'] }],
    ])
    const { venues, check } = await venuesOf('v.csv', text, { heading_line: 1, mapping: '["code","address","dma"]' })
    expect(venues).toEqual([{ code: 'A1', name: '', address: '11 First Ave', latitude: null, longitude: null, dma: 501 }])
    expect([check.blocked, check.columns, check.ignored_columns]).toEqual(['', ['code', 'address', 'dma'], []])
    for (const mapping of ['code', '{}', '["zip"]', '[1]'])
      expect((await read('v.csv', text, { mapping })).body.fields).toEqual({
        mapping: 'mapping must be a JSON list of code, name, address, latitude, longitude, dma, or "" to ignore a column',
      })
  })

  test('has its errors by line and column, and its good lines all the same', async () => {
    const lines = [
      'Code,Name,Lat,Lng,DMA,Phone',
      'A1,First,40.7,-74,,1',
      ',Second,40,-74,,2',
      'A1,Third,40,-74,,3',
      'A4,Fourth,400,-74,,4',
      'A5,Fifth,40,,,5',
      'A6,Sixth,0,0,,6',
      'A7,Seventh,,,1,7',
      `A8,${'x'.repeat(201)},,,501,8`,
      'A9,Ninth,12 N,-74,,9',
      `${'x'.repeat(101)},Tenth,,,501,10`,
      'A11,Eleventh,,,501.5,11',
      'A12,Twelfth,,,501,12',
      'A13,Thirteenth,42.36,71.06,,13',
      'A14,Fourteenth,-71.06,42.36,506,14',
      'A15,Fifteenth,34.05,-118.24,506,15',
    ]
    const { venues, check } = await venuesOf('venues.csv', lines.join('\n'))
    expect(venues.map(({ code }) => code)).toEqual(['A1', 'A12'])
    expect([check.rows, check.failed, check.ignored_columns]).toEqual([15, 13, ['Phone']])
    expect(check.errors.map(({ line, column, message }) => `${line} ${column}: ${message}`)).toEqual([
      '3 Code: The venue has no code',
      '4 Code: The venue repeats the code A1',
      '5 Lat: Latitude 400 is out of range',
      '6 Lng: The venue needs both a latitude and a longitude',
      '7 DMA: The venue needs a position or a market area: 0, 0 is no position, and is taken as unknown',
      '8 DMA: The venue has no market area 1',
      '9 Name: Name needs at most 200 characters',
      '10 Lat: Latitude must be a number',
      '11 Code: The venue has a code that must not be longer than 100 characters',
      '12 DMA: DMA must be a whole number',
      '14 Lat: The venue has a doubtful position (42.36, -71.06 is probably meant: no market area is near 42.36, 71.06)',
      '15 Lat: The venue has a doubtful position (42.36, -71.06 is probably meant: -71.06, 42.36 is 9,475 miles from market area 506)',
      '16 Lat: The venue has a doubtful position (34.05, -118.24 is 2,588 miles from market area 506)',
    ])
  })

  test('is refused if it is no table, has too many lines, or comes from a client user', async () => {
    const refusals = [
      await read('venues.xlsx', 'PK\u0003\u0004 but nothing in it'),
      await read('venues.pdf', '%PDF-1.7'),
      await read('venues.csv', `Code,DMA\n${Array.from({ length: MOST_VENUES + 1 }, (_, at) => `A${at},501`).join('\n')}`),
      await read('venues.csv', 'Code,DMA\nA1,501\n', {}, app.as('client')),
    ]
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual([
      [422, 'venues.xlsx is not a xlsx file by its content'],
      [422, 'Invalid file type.  File must be one of following types csv, xlsx'],
      [422, 'This file has 50,001 rows. The limit is 50,000.'],
      [403, expect.any(String)],
    ])
  })
})
