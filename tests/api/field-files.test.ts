import { beforeAll, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { fieldCode } from '../../contract/fieldCodes.ts'
import { type Field, type Fields, readField, sentenceOf } from '../../contract/fieldKinds.ts'
import { locationColumns, rewardColumns, venueColumns } from '../../contract/importFields.ts'
import { HOSTILE } from '../support/fieldTexts.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { formOf } from './uploading.ts'

/*
 * The last of a field's ways, beside field-kinds.test.ts here and in tests/unit: cells of a file.
 * Each column of each import is read by its call, a line for each hostile text.
 */
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

/** What a file can hold in a cell; a line break would move the numbers of the lines behind it. */
const TEXTS = HOSTILE.filter((text) => text.isWellFormed() && !/[\n\r]/.test(text))
/** Fewer lines than an answer names. */
const AT_ONCE = 40
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
interface Fault {
  line: number
  column: string
  code: string
  message: string
}
/** A kind of file: its columns, headings that are no others', the cells of one line, and its call's errors. */
interface Kind {
  columns: Fields
  headings?: Readonly<Record<string, string>>
  line: (nth: number) => Readonly<Record<string, string>>
  errors: (content: string) => Promise<readonly Fault[]>
}
const sent = async (path: string, content: string, fields: Record<string, string | number>) => {
  const { body, type } = await formOf([['list.csv', Buffer.from(content)]], fields)
  const answer = await app.as('admin').raw('POST', path, body, { 'content-type': type })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  return (answer.body as unknown as { data: unknown }).data
}
const KINDS: Readonly<Record<string, Kind>> = {
  locations: {
    columns: locationColumns,
    headings: { name: 'location name', address: 'street address', state: 'state code' },
    line: (nth) => ({ name: `Store ${nth}`, address: `${nth} Main Street`, city: 'Boston', state: 'MA', zip: '02108' }),
    async errors(content) {
      const storage_key = `uploads/test-fields-${Math.random()}`
      await app.services.files.put(storage_key, content, 'text/csv')
      const about = { storage_key, original_name: 'list.csv', uploaded_by: app.admin.id, size: Buffer.byteLength(content) }
      const file = await app.make.file({ ...about, kind: 'location' })
      const input = { client_id: app.client.id, name: storage_key, file_id: file.id }
      const { body } = await app.as('admin').call('import.process', input)
      await app.services.jobs.settled(body.data.job_id!, 60_000)
      const rows = await app.as('admin').call('import.rows', { id: body.data.import_id!, kind: 'error', per_page: 500 })
      return rows.body.data
    },
  },
  venues: {
    columns: venueColumns,
    headings: { name: 'venue name', address: 'venue address' },
    line: (nth) => ({ code: `V${nth}`, name: `Venue ${nth}`, address: '11 First Ave' }),
    errors: async (content) =>
      ((await sent('/v3/portal/visitation/venues/file', content, {})) as Output<'service.readVenues'>['data']).check.errors,
  },
  rewards: {
    columns: rewardColumns,
    line: (nth) => ({ email: `person${nth}@example.test`, amount: '5', note: 'Thanks' }),
    async errors(content) {
      const { id } = await app.make.project({ client_id: app.client.id })
      const data = (await sent('/v3/rewards/redeem/file', content, { project_id: id, dry: 1 })) as Output<'reward.upload'>['data']
      return data.check.first.filter(({ kind }) => kind === 'error')
    },
  },
}
/** TABLE  columns whose cells name something else, or are judged with other columns: refused in words of their own. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'locations latitude': 'degrees, judged with the longitude',
  'locations longitude': 'degrees, judged with the latitude',
  'locations zip': 'files refuse what calls warn of',
  'venues latitude': 'degrees, judged with the longitude',
  'venues longitude': 'degrees, judged with the latitude',
  'venues dma': 'a market area',
  'venues code': 'a file’s own id',
  'rewards reward': 'one of the project’s rewards',
  'rewards provider': 'its name is taken too',
  'rewards ip': 'an address of a device',
}

const all = Object.entries(KINDS).flatMap(([kind, { columns }]) =>
  Object.entries(columns).map(([name, field]): [string, string, Field] => [kind, name, field]),
)

test.each(all.filter(([kind, name]) => !OTHERWISE[`${kind} ${name}`]))(
  'a cell of %s in the column %s is read as by its kind',
  async (kind, name, field) => {
    const { line, errors, headings = {} } = KINDS[kind]!
    const names = Object.keys({ ...line(0), [name]: '' })
    const headingOf = (one: string) => headings[one] ?? one
    const wrong: string[] = []
    for (let at = 0; at < TEXTS.length; at += AT_ONCE) {
      // Lines that fit, by which the column is recognized.
      const fitting = Array.from({ length: AT_ONCE }, (_, nth) => line(nth)[name] ?? '')
      const lines = [...TEXTS.slice(at, at + AT_ONCE), ...fitting]
      const cells = lines.map((text, nth) => names.map((one) => quoted(one === name ? text : (line(nth)[one] ?? ''))))
      const found = await errors([names.map(headingOf), ...cells].map((row) => row.join(',')).join('\r\n'))
      for (const [nth, text] of lines.entries()) {
        const fault = found.find((one) => one.line === nth + 2 && one.column === headingOf(name))
        const read = readField(field, text)
        const expected = 'fault' in read ? `${sentenceOf(field.label, read.fault)} (${fieldCode(field, text)})` : undefined
        const seen = fault && `${fault.message} (${fault.code})`
        if (seen !== expected) wrong.push(`${JSON.stringify(text).slice(0, 50)}: ${seen} instead of ${expected}`)
      }
    }
    expect(wrong, wrong.join('\n')).toEqual([])
  },
)

test('the table of exceptions names columns', () => {
  const titles = all.map(([kind, name]) => `${kind} ${name}`)
  for (const title of Object.keys(OTHERWISE)) expect(titles).toContain(title)
})
