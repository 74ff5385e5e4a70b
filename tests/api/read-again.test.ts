import { beforeAll, expect, test } from 'vitest'
import type { ExportName } from '../../contract/exports.ts'
import type { FileFormat } from '../../contract/importWords.ts'
import { csvLine } from '../../server/core/csv.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { upload } from './uploading.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const FORMATS = ['csv', 'xlsx'] as const
let serial = 0

/** The content of the file that was written last. */
async function lastWritten(format: FileFormat): Promise<Buffer> {
  const files = app.db.selectFrom('files').select(['storage_key', 'original_name']).where('kind', '=', 'export')
  const { storage_key, original_name } = await files.orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(original_name).toMatch(new RegExp(`\\.${format}$`))
  const parts: Buffer[] = []
  for await (const part of await app.services.files.read(storage_key)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
async function exported(source: ExportName, filter: Record<string, unknown>, format: FileFormat): Promise<Buffer> {
  const { body } = await admin().call('export.start', { source, filter, format })
  const job = await app.services.jobs.settled(body.data.id, 30_000)
  expect([job.status, job.error]).toEqual(['done', ''])
  return lastWritten(format)
}
async function stored(content: Buffer | string, format: FileFormat, more: object = {}) {
  const storage_key = `uploads/test-again-${++serial}.${format}`
  await app.services.files.put(storage_key, content, 'text/csv')
  const original_name = `again ${serial}.${format}`
  return app.make.file({ storage_key, original_name, uploaded_by: app.admin.id, size: Buffer.byteLength(content), ...more })
}

/** Texts that a file could change. */
const HARD = [
  'Plain',
  'Comma, "quote"',
  '@Home Diner',
  '+1 Fitness',
  '-Dash- Cafe',
  '=1+1',
  "'Tis fine",
  "'=typed",
  '00123',
  '2026-05-01',
  '1E5',
  'Ünïcode 東京',
  'Semi;colon | bar',
  '_x0041_ store',
  'TRUE',
  '12,50',
]

interface Case {
  what: string
  /** The formats that its import takes, if not all: people to reward come as CSV only (projects-area 5). */
  formats?: readonly FileFormat[]
  /** Writes some records to a file, and returns them with the content. */
  write(format: FileFormat): Promise<{ records: unknown; content: Buffer; into: number }>
  /** Reads the file as a person would, and returns the records. */
  read(content: Buffer, format: FileFormat, into: number): Promise<unknown>
}

const placesOf = async (group_id: number) =>
  (
    await app.db
      .selectFrom('location_group_places as m')
      .innerJoin('places as p', 'p.id', 'm.place_id')
      .select(['p.name', 'p.address', 'p.city', 'p.state', 'p.zip', 'p.latitude', 'p.longitude', 'p.position', 'p.dma'])
      .where('m.group_id', '=', group_id)
      .where('p.deleted_at', 'is', null)
      .execute()
  ).sort((one, other) => (one.name < other.name ? -1 : 1))
async function imported(content: Buffer | string, format: FileFormat) {
  const file = await stored(content, format, { kind: 'location' })
  const answer = await admin().call('import.process', {
    ...{ client_id: app.client.id, name: `Again ${++serial}`, file_id: file.id, again: true },
  })
  expect(answer.status, answer.text).toBe(200)
  const job = await app.services.jobs.settled(answer.body.data.job_id!, 30_000)
  expect([job.status, job.error]).toEqual(['done', ''])
  return (await admin().call('import.get', { id: answer.body.data.import_id! })).body.data
}
const entriesOf = async (project_id: number) =>
  (
    await app.db
      .selectFrom('entries')
      .select(['email', 'ip', 'amount_cents', 'provider_id', 'reason'])
      .where('project_id', '=', project_id)
      .execute()
  ).sort((one, other) => (one.email < other.email ? -1 : 1))
async function uploaded(content: Buffer | string, project_id: number) {
  const files = [[`people ${++serial}.csv`, Buffer.from(content)]] as [string, Buffer][]
  const answer = await upload(admin(), files, { project_id, confirm_repeats: 1 }, '/v3/rewards/redeem/file')
  expect(answer.status, answer.text).toBe(200)
  const { import_id, job_id } = answer.body.data as unknown as { import_id: number; job_id: number }
  const job = await app.services.jobs.settled(job_id, 30_000)
  expect([job.status, job.error]).toEqual(['done', ''])
  return import_id
}
const questionsOf = async (id: number) =>
  (await admin().call('question.list', { id })).body.data.map(({ name, answer_type, question_type, options, vendor_key }) => ({
    ...{ name, answer_type, question_type, options, vendor_key },
  }))

/** TABLE  every export that has an import: what it writes is read as the same records. */
const CASES: readonly Case[] = [
  {
    what: 'locations',
    async write(format) {
      const { id: into } = await app.make.group({ client_id: app.client.id, name: `Written ${++serial}` })
      for (const [at, name] of HARD.entries()) {
        const where = { address: `${serial}${at} ${name} St`, city: 'Boston', state: 'MA', zip: '02108' }
        const exact = at % 2 ? { latitude: Number((42.3601 + at / 10_000).toFixed(4)), longitude: -71.0589 } : {}
        const { status, text } = await admin().call('location.create', { name, ...where, ...exact, group_ids: [into] })
        expect(status, text).toBe(200)
      }
      const content = await exported('locations', { group_id: into }, format)
      const records = await placesOf(into)
      // Without them, they are created and not only linked.
      await app.db.deleteFrom('location_group_places').where('group_id', '=', into).execute()
      await app.db.updateTable('places').set({ deleted_at: new Date().toISOString() }).execute()
      return { records, content, into }
    },
    async read(content, format) {
      const result = await imported(content, format)
      expect(result).toMatchObject({ created: HARD.length, failed: 0, repeated: 0 })
      return placesOf(result.group_id!)
    },
  },
  {
    what: 'the errors of a location file, once corrected',
    async write(format) {
      const rows = HARD.map((name, at) => [name, `${++serial}9${at} ${name} Ave`, 'Boston', 'MA', 'bad', name])
      const csv = [['Name', 'Address', 'City', 'State', 'ZIP', 'Same', 'Same'], ...rows.map((row) => [...row, 'x'])]
      const { id, failed } = await imported(csv.map((cells) => csvLine(cells)).join(''), 'csv')
      expect(failed).toBe(HARD.length)
      expect((await admin().call('import.errors', { id, format })).status).toBe(200)
      const records = rows.map(([name, address]) => ({ name, address })).sort((one, other) => (one.name! < other.name! ? -1 : 1))
      return { records, content: await lastWritten(format), into: 0 }
    },
    async read(content, format) {
      const { id, failed } = await imported(content, format)
      expect(failed).toBe(HARD.length)
      const rows = async () => (await admin().call('import.rows', { id, kind: 'error' })).body.data
      for (const { id: row_id } of await rows())
        expect((await admin().call('import.correct', { id, row_id, value: '02108' })).status).toBe(200)
      const { group_id } = (await admin().call('import.get', { id })).body.data
      return (await placesOf(group_id!)).map(({ name, address }) => ({ name, address }))
    },
  },
  {
    what: 'rewards of a project',
    formats: ['csv'],
    async write(format) {
      const project_id = (await app.make.project({ client_id: app.client.id })).id
      for (const [at, reason] of HARD.entries())
        await app.make.entry({
          ...{ project_id, email: `again.${at}@example.test`, ip: `192.0.2.${at}`, amount_cents: 500 + at * 5 },
          ...{ provider_id: 1, reward_id: null, reason },
        })
      const content = await exported('entries', { project_id }, format)
      return { records: await entriesOf(project_id), content, into: (await app.make.project({ client_id: app.client.id })).id }
    },
    async read(content, _format, into) {
      await uploaded(content, into)
      return entriesOf(into)
    },
  },
  {
    what: 'the errors of a reward file',
    formats: ['csv'],
    async write(format) {
      const project_id = (await app.make.project({ client_id: app.client.id })).id
      const rows = HARD.map((note, at) => [`again.${at}@example.test`, 'much', note])
      const id = await uploaded([['Email', 'Amount', 'Note'], ...rows].map((cells) => csvLine(cells)).join(''), project_id)
      expect((await admin().call('reward.importErrors', { id, format })).status).toBe(200)
      return { records: rows, content: await lastWritten(format), into: project_id }
    },
    async read(content, _format, into) {
      const id = await uploaded(content, into)
      const rows = await app.db.selectFrom('import_rows').select('raw').where('import_id', '=', id).orderBy('line').execute()
      return rows.map(({ raw }) => (JSON.parse(raw) as string[]).slice(0, 3))
    },
  },
  {
    what: 'the questions of a survey, as its data map',
    async write(format) {
      const project_id = (await app.make.project({ client_id: app.client.id })).id
      const into = (await app.make.survey({ project_id })).id
      for (const [at, name] of HARD.entries()) {
        const options = at % 3 ? HARD.filter((_, nth) => nth !== at).slice(0, 6 + at) : []
        const answer_type = at % 3 === 0 ? 'open' : at % 3 === 1 ? 'single' : 'multiple'
        const { status, text } = await admin().call('question.create', {
          survey_id: into,
          name,
          answer_type,
          options,
          order: at + 1,
        } as never)
        expect(status, text).toBe(200)
      }
      return { records: await questionsOf(into), content: await exported('questions', { id: into }, format), into }
    },
    async read(content, format) {
      const project_id = (await app.make.project({ client_id: app.client.id })).id
      const file = await stored(content, format, { project_id })
      const { id } = await app.make.survey({ project_id, source_file_id: file.id })
      const { body } = await admin().call('survey.comparison', { id })
      const applied = await admin().call('survey.applyComparison', { id, digest: body.data.digest })
      expect(applied.status, applied.text).toBe(200)
      return questionsOf(id)
    },
  },
]
test.each(CASES.flatMap((row) => (row.formats ?? FORMATS).map((format) => [row.what, format, row] as const)))(
  '%s written as %s are read as the same records',
  async (_what, format, { write, read }) => {
    const { records, content, into } = await write(format)
    expect(await read(content, format, into)).toEqual(records)
  },
)
