import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Db } from '../../server/db/connect.ts'
import { openMonitoring } from '../../server/http/metrics.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { engine } from '../support/engine.ts'
import { listenTo } from './listening.ts'
import { type Fieldwork, fieldwork } from './support.ts'

/** Tables that grow by themselves. */
const GROWING = [
  'account_tokens',
  'change_sets',
  'ended_memberships',
  'entries',
  'events',
  'files',
  'history',
  'import_rows',
  'jobs',
  'mails',
  'sessions',
  'user_activities',
  'webhook_deliveries',
]
const END_OF_32_BITS = 2 ** 31

const typesOf = async (db: Db): Promise<Record<string, string>> => {
  const { rows } = await sql<{ name: string; type: string }>`select c.relname as name,
      format_type(a.atttypid, null) || ' ' || format_type(s.seqtypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
    join pg_sequence s on s.seqrelid = pg_get_serial_sequence(c.relname, 'id')::regclass
    where c.relname in (${sql.join(GROWING)})`.execute(db)
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}
const advance = (db: Db, table: string, last: number) =>
  engine === 'postgres'
    ? sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}::bigint)`.execute(db)
    : sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)

describe('beyond two billion rows', () => {
  let app: Fieldwork
  let base: string
  beforeAll(async () => {
    app = await fieldwork()
    base = await app.app.listen({ port: 0, host: '127.0.0.1' })
    for (const table of GROWING) await advance(app.db, table, END_OF_32_BITS + 10)
    // A reader without any event would have to load everything again at such a gap.
    await app.as('admin').call('client.create', { name: 'The first beyond' })
  })
  const admin = () => app.as('admin')

  test('a change reaches the live stream, and a reader who comes back misses none', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const ear = await listenTo(base, admin())
    await admin().call('project.edit', { id: project.id, name: 'First' })
    const first = (await ear.until((event) => event.noun === 'project' && event.subject_id === project.id))!
    await ear.stop()
    expect(first.id).toBeGreaterThan(END_OF_32_BITS)
    const other = await app.make.project({ client_id: app.client.id })
    await admin().call('project.edit', { id: other.id, name: 'Second' })
    const later = await listenTo(base, admin(), first.id)
    expect((await later.until((event) => event.subject_id === other.id))!.id).toBeGreaterThan(first.id)
    expect(later.heard.some((event) => event.subject_id === project.id && event.id <= first.id)).toBe(false)
    await later.stop()
  })

  test('a rejected reward can be opened, found, paged to and undone, and its history shows both', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const entries = [await app.make.entry({ project_id: id }), await app.make.entry({ project_id: id })]
    const [older, newer] = entries.map((entry) => entry.id)
    expect(older).toBeGreaterThan(END_OF_32_BITS)
    const page = await admin().call('receiver.list', { project_id: [id], per_page: 1 })
    expect(page.body.data.map((row) => row.id)).toEqual([newer])
    const next = await admin().call('receiver.list', { project_id: [id], per_page: 1, after: page.body.next! })
    expect(next.body.data.map((row) => row.id)).toEqual([older])
    const link = /<([^>]*cursor=[^>]*)>; rel="next"/.exec(String(page.headers.link))![1]!
    const following = await admin().raw('GET', link.replace(/^https?:\/\/[^/]*/, ''))
    expect((following.body as unknown as { data: { id: number }[] }).data.map((row) => row.id)).toEqual([older])
    const found = await admin().call('receiver.list', { search: String(newer) })
    expect(found.body.data.map((row) => row.id)).toEqual([newer])
    const rejected = await admin().call('entry.reject', { ids: [newer!], reason: 'A slip' })
    expect(rejected.status).toBe(200)
    const undo = Number(rejected.headers['x-undo'])
    expect(undo).toBeGreaterThan(END_OF_32_BITS)
    expect((await admin().call('undo.take', { id: undo })).status).toBe(200)
    const lines = (await admin().call('project.history', { id })).body.data
    expect(lines.map((line) => line.action)).toEqual(['undo entry.reject', 'entry.reject'])
    expect(lines.every((line) => line.id > END_OF_32_BITS)).toBe(true)
  })

  test('an id that no table reaches is not found, also where ids have 32 bits', async () => {
    for (const id of [END_OF_32_BITS, Number.MAX_SAFE_INTEGER]) {
      expect((await admin().call('project.get', { id })).status).toBe(404)
      expect((await admin().call('note.create', { project_id: id, note: 'x' })).status).toBe(404)
      expect((await admin().call('client.list', { search: String(id) })).status).toBe(200)
    }
    expect((await admin().call('project.get', { id: 2 ** 53 })).status).toBe(422)
  })
})

describe.runIf(engine === 'postgres')('ids of 64 bits on PostgreSQL', () => {
  test('a new database has them where rows add up by themselves', async () => {
    const { db } = (await fieldwork()).services.database
    expect(await typesOf(db)).toEqual(Object.fromEntries(GROWING.map((name) => [name, 'bigint bigint'])))
  })

  test('the share of ids that is used is a figure for alerts', async () => {
    const { services } = await fieldwork({ METRICS_PORT: '1' })
    const { db } = services.database
    await sql`select setval(pg_get_serial_sequence('projects', 'id'), 1073741824)`.execute(db)
    await sql`select setval(pg_get_serial_sequence('history', 'id'), 4503599627370496)`.execute(db)
    const monitoring = openMonitoring(services)
    closeAfterFile(() => monitoring.close())
    const text = await (await fetch(await monitoring.listen(0, '127.0.0.1'))).text()
    const used = (table: string) =>
      Number(new RegExp(`^fieldwork_ids_used_ratio\\{table="${table}"\\} (.*)$`, 'm').exec(text)?.[1])
    expect(used('projects')).toBeCloseTo(0.5, 3)
    expect(used('history')).toBeCloseTo(0.5, 3)
    expect(used('webhooks')).toBe(0)
  })
})

vi.setConfig({ testTimeout: 30_000 })
