import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { calls, type Input } from '../../contract/calls.ts'
import { IMPORT_ROW_KINDS, IMPORT_STATUSES } from '../../contract/importWords.ts'
import { IMPORT_RULES } from '../../contract/recordAccess.ts'
import type { RunningJob } from '../../server/core/context.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { importJob } from '../../server/imports/importJob.ts'
import { locationKind } from '../../server/imports/locations.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
let serial = 0
const street = () => `${++serial + 100} Test Street`

/** A stored file with these lines. */
async function stored(lines: readonly string[] | Buffer, name = `Stores ${++serial}.csv`): Promise<number> {
  const content = lines instanceof Buffer ? lines : lines.join('\r\n')
  const storage_key = `uploads/test-list-${++serial}`
  await app.services.files.put(storage_key, content, 'text/csv')
  const size = Buffer.byteLength(content)
  return (await app.make.file({ storage_key, original_name: name, uploaded_by: app.admin.id, size, kind: 'location' })).id
}
const HEAD = 'Store,Address,City,State,ZIP,Lat,Long'
const process = (input: Partial<Input<'import.process'>>) =>
  admin().call('import.process', { client_id: app.client.id, name: `Group ${++serial}`, ...input })

/** Imports a file to its end. */
async function processed(lines: readonly string[], input: Partial<Input<'import.process'>> = {}) {
  const answer = await process({ file_id: await stored(lines), ...input })
  expect([answer.status, answer.body.message]).toEqual([200, answer.body.message])
  const { import_id, job_id } = answer.body.data
  const job = await app.services.jobs.settled(job_id!, 30_000)
  expect([job.status, job.error]).toEqual(['done', ''])
  return shown(import_id!)
}
const shown = async (id: number) => (await admin().call('import.get', { id })).body.data
const rowsOf = async (id: number, kind: 'error' | 'repeat' | 'approximate') =>
  (await admin().call('import.rows', { id, kind })).body.data.map(({ line, column, value, message }) => [
    line,
    column,
    value,
    message,
  ])
const membersOf = (group_id: number) =>
  app.db
    .selectFrom('location_group_places')
    .innerJoin('places', 'places.id', 'place_id')
    .selectAll('places')
    .select('line')
    .where('group_id', '=', group_id)
    .orderBy('line')
    .execute()

describe('a location file', () => {
  test('has decimal commas in its positions if its cells are divided by semicolons', async () => {
    const line = `Acme;${street()};Seattle;WA;98101;47,6101;-122,3421`
    const file_id = await stored([HEAD.replaceAll(',', ';'), line, `Beta;${street()};Seattle;WA;98101;47,5;-122`])
    const tried = await process({ file_id, dry: true } as never)
    expect(tried.body.data.check).toMatchObject({ created: 2, failed: 0, decimal_commas: ['Lat', 'Long'] })
    const answer = await process({ file_id })
    await app.services.jobs.settled(answer.body.data.job_id!, 30_000)
    const { group_id } = await shown(answer.body.data.import_id!)
    expect((await membersOf(group_id!)).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [47.6101, -122.3421],
      [47.5, -122],
    ])
  })

  test('becomes a group, with positions from the file, the ZIP or the city, and is linked to an activity', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const activity = await app.make.activity({ project_id: project.id })
    const [a, b, c, d] = [street(), street(), street(), street()]
    const file = await processed(
      [
        HEAD,
        `One,${a},Boston,MA,02108,42.36,-71.06`,
        `Two,${b},,,02108,,`,
        `Three,${c},Boston,Massachusetts,,,`,
        `Four,${d},,,,,`,
      ],
      { name: 'Top Stores', activity_id: activity.id },
    )
    expect(file).toMatchObject({ status: 'done', rows: 4, created: 4, reused: 0, repeated: 0, failed: 0, project_id: project.id })
    const places = await membersOf(file.group_id!)
    expect(places.map(({ name, position, state, line }) => [name, position, state, line])).toEqual([
      ['One', 'exact', 'MA', 2],
      ['Two', 'zip', '', 3],
      ['Three', 'city', 'MA', 4],
      ['Four', 'none', '', 5],
    ])
    expect(await rowsOf(file.id, 'approximate')).toEqual([
      [3, 'Address', b, 'ZIP 02108'],
      [4, 'Address', c, 'Boston, MA'],
      [5, 'Address', d, 'No position'],
    ])
    const linked = await app.db
      .selectFrom('activity_location_groups')
      .select('group_id')
      .where('activity_id', '=', activity.id)
      .execute()
    expect(linked).toEqual([{ group_id: file.group_id }])
  })

  test('imports its valid rows, and reports each error in the specification’s words', async () => {
    const file = await processed([
      HEAD,
      `,${street()},,,02108,,`,
      'No address,,,,02108,,',
      `Short,${street()},,,0210,,`,
      `Far,${street()},,,,420,-71`,
      `Half,${street()},,,,42,`,
      `Good,${street()},,,2108,,`,
    ])
    expect(file).toMatchObject({ created: 1, failed: 5 })
    expect(await rowsOf(file.id, 'error')).toEqual([
      [2, 'Store', '', 'Location Name cannot be blank'],
      [3, 'Address', '', 'Location Address cannot be blank'],
      [4, 'ZIP', '0210', 'ZIP 0210 is not a ZIP code of 5 or 9 digits'],
      [5, 'Lat', '420', 'Latitude 420 is out of range'],
      [6, 'Long', '', 'Give both coordinates, or none.'],
    ])
    // A spreadsheet had dropped the leading zero of the valid one.
    expect((await membersOf(file.group_id!)).map(({ zip, position }) => [zip, position])).toEqual([['02108', 'zip']])
  })

  test('skips repeats in the file and the group, and links a location known elsewhere', async () => {
    const [known, twice] = [street(), street()]
    const first = await processed([HEAD, `Old name,${known},,,02108,,`])
    const second = await processed([
      HEAD,
      `New name,"${known.replace('Street', 'St.').toUpperCase()}",,,02108-1234,,`,
      `A,${twice},,,10001,,`,
      `B,${twice.replace('Street', 'st')},,,10001,,`,
    ])
    expect(second).toMatchObject({ created: 1, reused: 1, repeated: 1 })
    expect((await membersOf(second.group_id!)).map(({ name }) => name)).toEqual(['Old name', 'A'])
    expect(await rowsOf(second.id, 'repeat')).toEqual([[4, 'Address', twice.replace('Street', 'st'), 'same as line 3']])
    const again = await processed([HEAD, `X,${known},,,02108,,`], { group_id: first.group_id! })
    expect(await rowsOf(again.id, 'repeat')).toEqual([[2, 'Address', known, 'as “Old name”']])
  })

  test('with one street in two cities without ZIPs has two locations', async () => {
    const same = street()
    const file = await processed([HEAD, `A,${same},Boston,MA,,,`, `B,${same},Denver,CO,,,`])
    expect(file).toMatchObject({ created: 2, repeated: 0 })
  })

  test('offers its errors as a file, which can be corrected and imported into the same group', async () => {
    const [good, bad] = [street(), street()]
    const file = await processed([HEAD, `Good,${good},,,02108,,`, `"=Bad, Inc",${bad},,,0210,420,`])
    const link = await admin().call('import.errors', { id: file.id })
    const { text } = await admin().raw('GET', link.body.data.url)
    const [head, line] = text.replace('\uFEFF', '').split('\r\n')
    expect(head).toBe(`${HEAD},error`)
    expect(line).toBe(`"'=Bad, Inc",${bad},,,0210,420,,ZIP 0210 is not a ZIP code of 5 or 9 digits; Latitude 420 is out of range`)
    const more = await processed([head!, `Good too,${bad},,,02108,,,`], { group_id: file.group_id! })
    expect(more).toMatchObject({ created: 1, makes_group: false, group_id: file.group_id })
    expect((await membersOf(file.group_id!)).map(({ name }) => name)).toEqual(['Good', 'Good too'])
  })
})

describe('a file of the world', () => {
  const text = (lines: readonly string[]) => Buffer.from(lines.join('\r\n'))
  /** Titles, a stray quotation mark, a null character, a cell in Windows-1252, and a column that isn't taken. */
  const world = () =>
    Buffer.concat([
      text(['Stores in autumn', '', 'Name;Address;City;State;ZIP;Notes', `Café;${street()}, Suite 1;Boston;MA;02108;x`, '']),
      Buffer.from(`Pi\xf1ata;${street()};Boston;MA;02108;y\r\n`, 'latin1'),
      text([`Stray;"${street()};Boston;MA;02108;z`, `Null\0;${street()};Boston;MA;02108;z`, `Good;${street()};Boston;MA;02108`]),
      Buffer.from(`;${'n'.repeat(40_000)}\r\n`),
    ])

  test('is read as the check says, with an error for each bad line', async () => {
    const file_id = await stored(world())
    const { check } = (await process({ file_id, dry: true })).body.data
    expect(check).toMatchObject({
      ...{ rows: 5, created: 3, failed: 2, ignored_columns: ['Notes'] },
      taken: { sheet: '', delimiter: ';', encoding: 'utf-8', heading_line: 3 },
      other_encoding: { lines: 1, first: [5] },
      errors: [
        { line: 6, column: '', message: 'A quotation mark in this line isn’t closed or doubled' },
        { line: 7, column: 'Name', message: 'Name has a null character' },
      ],
    })
    const { import_id, job_id } = (await process({ file_id })).body.data
    await app.services.jobs.settled(job_id!, 30_000)
    const file = await shown(import_id!)
    expect(file).toMatchObject({ status: 'done', created: 3, failed: 2 })
    expect((await membersOf(file.group_id!)).map(({ name, line }) => [name, line])).toEqual([
      ['Café', 4],
      ['Piñata', 5],
      ['Good', 8],
    ])
    // A line that can't be told apart is corrected in the file.
    const [stray] = (await admin().call('import.rows', { id: file.id })).body.data
    expect((await admin().call('import.correct', { id: file.id, row_id: stray!.id, value: 'x' })).status).toBe(422)
  })

  test('is read otherwise when its sheet, delimiter, encoding or heading line is changed, by either call', async () => {
    const file_id = await stored(world())
    const { import_id } = (await process({ file_id, hold: true })).body.data
    const id = import_id!
    const { preview } = await shown(id)
    expect(preview).toMatchObject({ delimiter: ';', encoding: 'utf-8', heading_line: 3, headed: true })
    expect(preview!.head.slice(0, 2)).toEqual([
      { line: 1, text: 'Stores in autumn' },
      { line: 3, text: 'Name, Address, City, State, ZIP, Notes' },
    ])
    const change = async (patch: object) => (await admin().call('import.map', { id, ...patch })).body.data.preview
    const unheaded = await change({ heading_line: 0 })
    expect(unheaded).toMatchObject({ heading_line: 0, headed: false })
    expect(unheaded!.sample.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8])
    expect(await change({ heading_line: 3 })).toMatchObject({ heading_line: 3, headings: preview!.headings })
    const windows = await change({ encoding: 'windows-1252' })
    expect([windows!.encoding, windows!.sample.slice(0, 2).map(({ cells }) => cells[0])]).toEqual([
      'windows-1252',
      ['CafÃ©', 'Piñata'],
    ])
    expect(await change({ encoding: 'utf-8' })).toMatchObject({ encoding: 'utf-8', heading_line: 3 })
    expect(await change({ delimiter: ',' })).toMatchObject({ delimiter: ',' })
    const refused = [
      [{ sheet: 'Stores' }, 'sheet', 'A CSV file has no sheets. Leave sheet out.'],
      [{ heading_line: 900 }, 'heading_line', 'Line 900 isn’t one of the first 200 lines with text.'],
    ] as const
    for (const [patch, field, sentence] of refused) {
      const { status, body } = await process({ file_id, ...patch, dry: true })
      expect([status, body.fields]).toEqual([422, { [field]: sentence }])
    }
    const workbook = await stored(readFileSync(new URL('../fixtures/libreoffice-stores.xlsx', import.meta.url)), 'stores.xlsx')
    const { body } = await process({ file_id: workbook, dry: true })
    expect(body.data.check).toMatchObject({
      taken: { sheet: 'Stores', delimiter: '', encoding: '', heading_line: 3 },
      ...{ rows: 2, created: 2, ignored_columns: ['Opened', 'Visited', 'Open', 'Sum'] },
    })
    for (const [patch, sentence] of [
      [{ sheet: 'Shops' }, 'This workbook has no sheet “Shops”. Use one of “Empty”, “Stores”, “Lists”.'],
      [{ delimiter: ';' as const }, 'A workbook has no delimiter. Leave delimiter out.'],
      [{ encoding: 'utf-8' as const }, 'A workbook has no encoding. Leave encoding out.'],
    ] as const)
      expect((await process({ file_id: workbook, ...patch, dry: true })).body.message).toBe(sentence)
  })

  test('brings back the names of its errors, which a spreadsheet could take for formulas', async () => {
    const names = ['@Home Diner', '+1 Fitness', '-Dash- Cafe', "'=Typed", 'Plain']
    const file = await processed(['Name,Address,ZIP', ...names.map((name) => `${name},${street()},bad`)])
    expect(file).toMatchObject({ created: 0, failed: 5 })
    const { url } = (await admin().call('import.errors', { id: file.id })).body.data
    const errors = (await admin().raw('GET', url)).text
    expect(errors).toContain("'@Home Diner,")
    const again = await processed([errors.replaceAll(',bad,', ',02108,')])
    // Typed with an apostrophe in the first file, "=Typed" came without it.
    expect((await membersOf(again.group_id!)).map(({ name }) => name)).toEqual([...names.slice(0, 3), '=Typed', 'Plain'])
  })
})

describe('an error in a line', () => {
  const correct = (id: number, row_id: number, value: string) => admin().call('import.correct', { id, row_id, value })
  const errorsOf = async (id: number) => (await admin().call('import.rows', { id, kind: 'error' })).body.data

  test('can be corrected, which adds the location as the file would have, and undone', async () => {
    const file = await processed([HEAD, `Good,${street()},,,02108,,`, `Bad,${street()},,,0210,,`])
    const [error] = await errorsOf(file.id)
    const refused = await correct(file.id, error!.id, '0211')
    expect([refused.status, refused.body.fields]).toEqual([422, { value: 'ZIP 0211 is not a ZIP code of 5 or 9 digits' }])
    const answer = await correct(file.id, error!.id, ' 02110 ')
    expect([answer.status, answer.body.message]).toEqual([200, `The line was added to “${file.name}”.`])
    expect(answer.body.data).toMatchObject({ created: 2, failed: 0, counts: { error: 0, approximate: 2 } })
    const members = async () => (await membersOf(file.group_id!)).map(({ name, zip, line }) => [name, zip, line])
    expect(await members()).toEqual([
      ['Good', '02108', 2],
      ['Bad', '02110', 3],
    ])
    expect((await correct(file.id, error!.id, '02110')).status).toBe(404)
    await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
    expect(await members()).toEqual([['Good', '02108', 2]])
    expect(await shown(file.id)).toMatchObject({ created: 1, failed: 1, counts: { error: 1, approximate: 1 } })
  })

  test('waits for the other error of its line', async () => {
    const file = await processed([HEAD, `Bad,${street()},,,0210,420,-71`])
    const [zip, latitude] = await errorsOf(file.id)
    const first = await correct(file.id, zip!.id, '02110')
    expect(first.body.message).toBe('Something else is still wrong with this line.')
    expect(first.body.data).toMatchObject({ created: 0, failed: 1 })
    const [left] = await errorsOf(file.id)
    expect(left).toMatchObject({ value: latitude!.value, message: latitude!.message })
    expect((await correct(file.id, left!.id, '42')).body.data).toMatchObject({ created: 1, failed: 0 })
  })

  test('is corrected beside what can’t be read, which stays an error, and where its cell is missing', async () => {
    const file = await processed([HEAD, `#N/A,${street()},#REF!,MA,02108,,`, `Short,${street()},,,02108,42.36`])
    const [name, city, short] = await errorsOf(file.id)
    expect([name, city].map((one) => one!.message)).toEqual([
      'Store has the spreadsheet’s error #N/A',
      'City has the spreadsheet’s error #REF!',
    ])
    const again = await correct(file.id, name!.id, '#NAME?')
    expect([again.status, again.body.fields]).toEqual([422, { value: 'has the spreadsheet’s error #NAME?' }])
    expect((await correct(file.id, name!.id, 'Shop')).body.data).toMatchObject({ created: 0, failed: 2 })
    const [left] = await errorsOf(file.id)
    expect(left).toMatchObject({ line: 2, column: 'City', value: '#REF!', message: city!.message })
    expect((await correct(file.id, left!.id, 'Boston')).body.data).toMatchObject({ created: 1, failed: 1 })
    expect(short).toMatchObject({ column: 'Long' })
    expect((await correct(file.id, short!.id, '-71.06')).body.data).toMatchObject({ created: 2, failed: 0 })
    expect((await membersOf(file.group_id!)).map((one) => [one.name, one.city])).toEqual([
      ['Shop', 'Boston'],
      ['Short', ''],
    ])
  })

  test('of a file with decimal commas is in the file of errors as it is, beside numbers with points', async () => {
    const file = await processed([
      HEAD.replaceAll(',', ';'),
      ...[`Good;${street()};Boston;MA;02108;42,36;-71,06`, `Odd;${street()};Boston;MA;02108;42°21;-71,06`],
    ])
    expect(file).toMatchObject({ created: 1, failed: 1 })
    const link = await admin().call('import.errors', { id: file.id })
    const { text } = await admin().raw('GET', link.body.data.url)
    expect(text.split('\r\n')[1]).toMatch(/,Boston,MA,02108,42°21,-71\.06,Latitude must be a number$/)
  })

  test('corrected to an existing location is a repeat', async () => {
    const twice = street()
    const file = await processed([HEAD, `Good,${twice},,,02108,,`, `Bad,${twice},,,0210,,`])
    const [error] = await errorsOf(file.id)
    const answer = await correct(file.id, error!.id, '02108')
    expect(answer.body.data).toMatchObject({ created: 1, repeated: 1, failed: 0 })
    expect(await rowsOf(file.id, 'repeat')).toEqual([[3, 'Address', twice, 'as “Good”']])
  })

  test('of a file that was undone, or of another file, is refused', async () => {
    const [file, other] = [await processed([HEAD, `Bad,${street()},,,0210,,`]), await processed([HEAD, `One,${street()},,,,,`])]
    const [error] = await errorsOf(file.id)
    expect((await correct(other.id, error!.id, '02110')).status).toBe(404)
    expect((await app.as('client').call('import.correct', { id: file.id, row_id: error!.id, value: '1' })).status).toBe(403)
    await admin().call('import.undo', { id: file.id })
    expect((await correct(file.id, error!.id, '02110')).status).toBe(409)
  })
})

describe('an import is refused for', () => {
  test.each([
    ['a.pdf', [HEAD, 'x'], 'Invalid file type.  File must be one of following types csv, xlsx'],
    ['a.xlsx', ['no workbook'], 'This file can’t be read as a table.'],
    ['a.csv', ['a,"b'], 'Choose the column that holds the address.'],
    ['a.csv', [HEAD], 'This file has headings, and no rows below them.'],
    ['b.csv', [HEAD, ...Array.from({ length: 50_001 }, () => 'x,y,,,,,')], 'This file has 50,001 rows. The limit is 50,000.'],
    ['c.csv', ['Colour,Shape', 'red,round'], 'Choose the column that holds the address.'],
  ])('%s', async (name, lines, message) => {
    const answer = await process({ file_id: await stored(lines, name) })
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })

  test('a file that is too big, a blank name or another client’s project', async () => {
    const big = await stored(Buffer.alloc(10_485_760, 'x'))
    expect((await process({ file_id: big })).body.message).toBe('File must be smaller than 10 MB')
    const file_id = await stored([HEAD, `A,${street()},,,,,`])
    expect((await process({ file_id, name: ' ' })).body.message).toBe('Group Location Name cannot be blank')
    const other = await app.make.client({})
    const project = await app.make.project({ client_id: other.id, name: 'Wave 12' })
    const answer = await process({ file_id, project_id: project.id })
    expect([answer.status, answer.body.message]).toEqual([422, '“Wave 12” belongs to another client.'])
  })

  test('the same file again, unless confirmed', async () => {
    const lines = [HEAD, `A,${street()},,,02108,,`]
    const first = await processed(lines, { name: 'First of two' })
    const answer = await process({ file_id: await stored(lines) })
    expect([answer.status, answer.body.code]).toEqual([409, 'same_file'])
    expect(answer.body.message).toMatch(/^This file became “First of two” on /)
    expect(answer.body).toMatchObject({ import_id: first.id, group_id: first.group_id })
    expect(await processed(lines, { again: true })).toMatchObject({ reused: 1, created: 0 })
  })

  test('every call by a client user, and unknown ids', async () => {
    const file = await processed([HEAD, `A,${street()},,,02108,,`])
    for (const id of [
      'import.get',
      'import.check',
      'import.rows',
      'import.map',
      'import.run',
      'import.errors',
      'import.undo',
    ] as const) {
      expect([id, (await app.as('client').call(id, { id: file.id })).status]).toEqual([id, 403])
      expect([id, (await admin().call(id, { id: 999_999 })).status]).toEqual([id, 404])
    }
    expect((await app.as('client').call('import.process', { file_id: file.file_id })).status).toBe(403)
    expect((await app.as('client').call('import.list')).status).toBe(403)
    expect(calls['import.process'].path).toBe('/v3/portal/locations/process')
  })
})

describe('a file whose columns are being mapped', () => {
  test('writes nothing, is checked as a whole, and runs with corrected columns', async () => {
    const lines = ['Where;What;Code', `${street()};One;02108`, `${street()};Two;0210`]
    const answer = await process({ file_id: await stored(lines), hold: true })
    const id = answer.body.data.import_id!
    expect(answer.body.data.job_id).toBeNull()
    const { preview, lock_version } = await shown(id)
    expect(preview).toMatchObject({
      delimiter: ';',
      headed: true,
      headings: ['Where', 'What', 'Code'],
      columns: ['address', '', ''],
    })
    const mapping = ['address', 'name', 'zip']
    const changed = await admin().call('import.map', { id, mapping, lock_version })
    expect(changed.body.data.preview).toMatchObject({ columns: mapping })
    expect((await admin().call('import.map', { id, mapping: ['', '', ''], lock_version })).status).toBe(409)
    const check = (await admin().call('import.check', { id })).body.data
    expect(check).toMatchObject({ rows: 2, created: 1, failed: 1, approximate: 1, blocked: '' })
    expect(check.errors).toEqual([
      { line: 3, column: 'Code', value: '0210', code: 'format', message: 'ZIP 0210 is not a ZIP code of 5 or 9 digits' },
    ])
    const run = await admin().call('import.run', { id })
    await app.services.jobs.settled(run.body.data.job_id!, 30_000)
    expect(await shown(id)).toMatchObject({ status: 'done', created: 1, failed: 1, preview: null })
  })

  test('is only checked with dry=1', async () => {
    const before = await app.db.selectFrom('imports').select('id').execute()
    const answer = await process({ file_id: await stored([HEAD, `A,${street()},,,02108,,`]), dry: true })
    expect(answer.body.data).toMatchObject({ import_id: null, job_id: null, check: { rows: 1, created: 1 } })
    expect(await app.db.selectFrom('imports').select('id').execute()).toEqual(before)
  })
})

/** An import of 2,500 rows whose job the server doesn't start, and its job as a worker would get it. */
async function waiting() {
  app.services.jobs.define('locations', { run: async () => ({}), once: true })
  const lines = Array.from({ length: 2500 }, (_, at) => `Store ${at},${street()},,,02108,,`)
  const answer = await process({ file_id: await stored([HEAD, ...lines]) })
  const { import_id, job_id } = answer.body.data
  await app.services.jobs.settled(job_id!, 30_000)
  await app.db.updateTable('jobs').set({ status: 'running' }).where('id', '=', job_id!).execute()
  let batches = 0
  const job = (most: number): RunningJob => ({
    id: job_id!,
    title: '',
    input: { import_id },
    services: app.services,
    caller: { user: null, actor: null, session: null, partner: null, apiKey: null, token: null },
    signal: new AbortController().signal,
    progress: () => {},
    write: (work) => {
      if (++batches > most) return Promise.reject(Object.assign(new Error('killed'), { code: 'KILLED' }))
      return asSystem(app.services, 'job.locations', job(most).caller, work)
    },
  })
  return { import_id: import_id!, job_id: job_id!, job }
}
const countIn = async (import_id: number) => {
  const [places, members] = await Promise.all([
    app.db.selectFrom('places').select('id').where('import_id', '=', import_id).where('deleted_at', 'is', null).execute(),
    app.db.selectFrom('location_group_places').select('place_id').where('import_id', '=', import_id).execute(),
  ])
  return [places.length, members.length]
}

describe('a job', () => {
  test('that was killed resumes at its line, and imports no line twice', async () => {
    const { import_id, job } = await waiting()
    await importJob(locationKind)
      .run(job(2))
      .catch(() => {})
    expect(await countIn(import_id)).toEqual([2000, 2000])
    await app.db.updateTable('imports').set({ status: 'running' }).where('id', '=', import_id).execute()
    const [one, other] = await Promise.allSettled([importJob(locationKind).run(job(99)), importJob(locationKind).run(job(99))])
    expect([one.status, other.status]).toContain('fulfilled')
    expect(await countIn(import_id)).toEqual([2500, 2500])
    expect(await shown(import_id)).toMatchObject({ status: 'done', created: 2500, rows: 2500 })
  })

  test('that is cancelled keeps nothing, and its file can run again', async () => {
    const { import_id, job_id, job } = await waiting()
    await importJob(locationKind)
      .run(job(1))
      .catch(() => {})
    await app.db.updateTable('imports').set({ status: 'running' }).where('id', '=', import_id).execute()
    app.services.jobs.define('locations', importJob(locationKind))
    const { group_id } = await shown(import_id)
    expect((await admin().call('job.cancel', { id: job_id })).status).toBe(200)
    expect(await countIn(import_id)).toEqual([0, 0])
    expect(await app.db.selectFrom('location_groups').select('id').where('id', '=', group_id!).execute()).toEqual([])
    expect(await shown(import_id)).toMatchObject({ status: 'checked', created: 0, group_id: null })
    const run = await admin().call('import.run', { id: import_id })
    await app.services.jobs.settled(run.body.data.job_id!, 30_000)
    expect(await shown(import_id)).toMatchObject({ status: 'done', created: 2500 })
  })
})

describe('undo', () => {
  test('deletes the group and the locations that nobody uses or changed, and keeps the others', async () => {
    const [a, b, c] = [street(), street(), street()]
    const file = await processed([HEAD, `A,${a},,,02108,,`, `B,${b},,,02108,,`, `C,${c},,,02108,,`])
    const [first, second] = await membersOf(file.group_id!)
    const other = await processed([HEAD, `A,${a},,,02108,,`])
    await app.db
      .updateTable('places')
      .set({ name: 'Renamed', updated_at: '2099-01-01T00:00:00.000Z' })
      .where('id', '=', second!.id)
      .execute()
    const answer = await admin().call('import.undo', { id: file.id })
    expect(answer.body.data).toEqual({ id: file.id, removed: 1, kept: 2 })
    expect(await shown(file.id)).toMatchObject({ status: 'undone' })
    expect((await membersOf(other.group_id!)).map(({ id, deleted_at }) => [id, deleted_at])).toEqual([[first!.id, null]])
    const group = await app.db
      .selectFrom('location_groups')
      .select('deleted_at')
      .where('id', '=', file.group_id!)
      .executeTakeFirst()
    expect(group?.deleted_at).not.toBeNull()
    expect((await admin().call('import.undo', { id: file.id })).status).toBe(409)
  })

  test('removes from an existing group what the file added', async () => {
    const first = await processed([HEAD, `A,${street()},,,02108,,`])
    const more = await processed([HEAD, `B,${street()},,,02108,,`], { group_id: first.group_id! })
    await admin().call('import.undo', { id: more.id })
    expect((await membersOf(first.group_id!)).map(({ name }) => name)).toEqual(['A'])
  })
})

describe('an action on a file or one of its lines', () => {
  const HAS_CALL = ['import.map', 'import.run', 'import.errors', 'import.undo'] as const
  const sentenceOf = (reason: string) => `${reason[0]!.toUpperCase()}${reason.slice(1)}.`
  const settled = ({ status, body }: { status: number; body: { code?: string; message?: string } }) =>
    body.code === 'not_now' ? [status, body.message] : 'done'

  test.each(['location', 'reward'] as const)('is refused by a %s file’s rules, for the reason the screen shows', async (kind) => {
    const project = await app.make.project({ client_id: app.client.id })
    const { id } = await processed([HEAD, `Good,${street()},,,02108,,`, `Bad,${street()},,,0210,,`])
    await app.db.updateTable('imports').set({ kind, project_id: project.id }).where('id', '=', id).execute()
    for (const status of IMPORT_STATUSES)
      for (const number of [0, 1]) {
        await app.db.updateTable('imports').set({ status, created: number, failed: number }).where('id', '=', id).execute()
        const { allowed_actions, refused_actions, lock_version } = await shown(id)
        expect([...allowed_actions, ...Object.keys(refused_actions)].sort()).toEqual(Object.keys(IMPORT_RULES).sort())
        for (const action of HAS_CALL) {
          const call = action === 'import.errors' && kind === 'reward' ? 'reward.importErrors' : action
          const tried = call === action && call !== 'import.errors' ? { dry: true, lock_version } : {}
          const reason = refused_actions[action]
          const answer = await admin().call(call, { id, ...tried })
          expect([status, number, action, settled(answer)]).toEqual([
            status,
            number,
            action,
            reason ? [409, sentenceOf(reason)] : 'done',
          ])
          expect((await app.as('client').call(call, { id })).status).toBe(403)
        }
      }
  })

  test('is refused for a line, too', async () => {
    const { id } = await processed([HEAD, `Bad,${street()},,,0210,,`, `Good,${street()},,,02108,,`])
    for (const status of IMPORT_STATUSES)
      for (const kind of IMPORT_ROW_KINDS) {
        await app.db.updateTable('imports').set({ status }).where('id', '=', id).execute()
        await app.db.updateTable('import_rows').set({ kind }).where('import_id', '=', id).where('line', '=', 2).execute()
        const { data } = (await admin().call('import.rows', { id, kind })).body
        const line = data.find((row) => row.line === 2)!
        const reason = line.refused_actions['import.correct']
        const answer = await admin().call('import.correct', { id, row_id: line.id, value: '02110', dry: true })
        expect([status, kind, settled(answer)]).toEqual([status, kind, reason ? [409, sentenceOf(reason)] : 'done'])
      }
  })
})
