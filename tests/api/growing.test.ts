import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { KEEP_DAYS, type KeepName } from '../../server/core/retention.ts'
import { readSettings } from '../../server/core/settings.ts'
import { deleteExpired, ENDINGS, retentionKind } from '../../server/domain/retention.ts'
import { KINDS } from '../../server/jobRegistry.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const OLD = '2001-01-01T00:00:00.000Z'
const db = () => app.services.database.db

/** Adds a row of each name, ended long ago and not long ago, and rows that must stay. */
async function fill() {
  const user_id = app.admin.id
  const now = new Date().toISOString()
  const mail = { to_address: 'a@b.test', subject: 'x', body: 'x', html: '', error: '', about: 'growing', not_before: OLD }
  const none = { sent_at: null, secrets: null, secrets_until: null, redacted_at: null, user_id: null }
  const mails = [
    { ...mail, ...none, status: 'sent' as const, created_at: OLD },
    { ...mail, ...none, status: 'outbox' as const, created_at: OLD },
    { ...mail, ...none, status: 'sent' as const, created_at: now },
    // Whatever its age, somebody still waits for it.
    { ...mail, ...none, status: 'queued' as const, created_at: OLD, not_before: '2999-01-01T00:00:00.000Z' },
  ]
  await db().insertInto('mails').values(mails).execute()
  const job = { kind: 'export', title: 'x', input: '{}', result: '{}', error: '', created_by: user_id, started_at: OLD }
  const held = { not_before: OLD, worker: null, beat_at: null }
  const jobs = await db()
    .insertInto('jobs')
    .values([
      { ...job, ...held, status: 'done', created_at: OLD, ended_at: OLD },
      { ...job, ...held, status: 'failed', created_at: OLD, ended_at: now },
      { ...job, ...held, kind: 'notification', status: 'done', created_at: OLD, ended_at: OLD },
    ])
    .returning('id')
    .execute()
  const times = { created_at: OLD, updated_at: OLD }
  const texts = {
    name: 'n',
    message: 'm',
    message_action: 'map' as const,
    url: '',
    notification_type: 'all' as const,
    custom: '',
  }
  const [first, second] = await db()
    .insertInto('notifications')
    .values([
      { ...texts, ...times, sent_at: OLD, sent_by: user_id, job_id: jobs[2]!.id, deleted_at: null },
      { ...texts, ...times, sent_at: now, sent_by: user_id, job_id: null, deleted_at: null },
    ])
    .returning('id')
    .execute()
  await db()
    .insertInto('notices')
    .values([
      { notification_id: first!.id, user_id, read_at: null, created_at: OLD },
      { notification_id: second!.id, user_id, read_at: null, created_at: now },
    ])
    .execute()
  const file = await app.make.file({ project_id: null, storage_key: 'uploads/2001-01/list.csv', uploaded_by: user_id })
  const reference = { project_id: null, client_id: null, group_id: null, activity_id: null, job_id: null, errors_file_id: null }
  const one = { kind: 'location' as const, file_id: file.id, file_hash: 'x', mapping: '{}', created_by: user_id, ended_at: null }
  await db()
    .insertInto('imports')
    .values([
      { ...one, ...reference, ...times, status: 'checked' as const },
      { ...one, ...reference, ...times, status: 'done' as const },
    ])
    .execute()
  await db().updateTable('sessions').set({ expires_at: OLD }).where('user_id', '=', app.member.id).execute()
}
const counts = async () => {
  const rows: Record<string, number> = {}
  for (const table of ['mails', 'jobs', 'notices', 'imports', 'sessions'] as const) {
    const { n } = await db()
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    rows[table] = Number(n)
  }
  return rows
}

test('what is past its days is deleted, and nothing that somebody waits for or that a record names', async () => {
  await app.as('client').call('project.list')
  await fill()
  const before = await counts()
  const keepNothing = Object.fromEntries(Object.keys(KEEP_DAYS).map((name) => [name, 0])) as Record<KeepName, number>
  const keeping = { ...app.services, settings: { ...app.services.settings, keepDays: keepNothing } }
  expect(await deleteExpired(keeping)).toEqual({})
  expect(await counts()).toEqual(before)
  expect(await deleteExpired(app.services)).toEqual({ mails: 2, jobs: 1, notices: 1, imports: 1, sessions: 1 })
  expect(await counts()).toEqual({
    mails: before.mails! - 2,
    jobs: before.jobs! - 1,
    notices: before.notices! - 1,
    imports: before.imports! - 1,
    sessions: before.sessions! - 1,
  })
  expect(await deleteExpired(app.services)).toEqual({})
  expect(Object.values(KINDS)).toContain(retentionKind)
})

test('each name of the setting ends some table, and stands in the handbook with its usual days', () => {
  const handbook = readFileSync(resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  for (const [name, { usual }] of Object.entries(KEEP_DAYS)) {
    expect(Object.values(ENDINGS)).toContain(name)
    expect(handbook).toContain(`\`KEEP_DAYS=${name}=${usual}\``)
  }
})

test('the setting names what it takes', () => {
  expect(readSettings({ KEEP_DAYS: 'mails=30, jobs=0' }).keepDays).toMatchObject({ mails: 30, jobs: 0, notices: 400 })
  for (const [value, sentence] of [
    ['mail=30', /KEEP_DAYS has no "mail": is mails meant\? It has mails, jobs/],
    ['mails=-1', /KEEP_DAYS: mails must be a whole number of days from 0 \(all\) to 36500, not "-1"\./],
    ['mails', /mails must be a whole number/],
    ['mails=99999', /to 36500/],
  ] as const)
    expect(() => readSettings({ KEEP_DAYS: value })).toThrow(sentence)
})
