import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { anotherConnection, type Fieldwork, fieldwork } from './support.ts'

/*
 * A write of what was reviewed names the versions that its review read (`fieldwork-reviewed`).
 * It also names those that its dry run would have changed (`fieldwork-foreseen`).
 * It is refused if one of them has changed since.
 */

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const approved = (client_id = app.client.id) => app.make.project({ client_id, status: 'approved', name: 'Autumn snacks' })
const statusOf = async (id: number) => (await admin().call('project.get', { id })).body.data.stored_status
const versionOf = async (id: number) => (await admin().call('project.get', { id })).body.data.lock_version
const entry = async (project_id: number) => app.make.entry({ project_id, status: 'pending' })
const statusOfEntry = async (id: number) =>
  (await app.db.selectFrom('entries').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

describe('a write that names what was reviewed', () => {
  test('is done while that is unchanged, whatever else has changed', async () => {
    const [one, other] = [await approved(), await approved()]
    const headers = { 'fieldwork-reviewed': `project/${one.id}=${await versionOf(one.id)}` }
    await admin().call('project.edit', { id: other.id, name: 'Winter snacks' })
    await admin().call('note.create', { project_id: one.id, note: 'Launch wave' })
    expect((await admin().call('project.goLive', { id: one.id }, headers)).status).toBe(200)
    expect(await statusOf(one.id)).toBe('active')
  })

  test('is refused after a change, and told both versions and the record as it is now', async () => {
    const { id } = await approved()
    const version = await versionOf(id)
    await admin().call('project.edit', { id, name: 'Winter snacks' })
    const answer = await admin().call('project.goLive', { id }, { 'fieldwork-reviewed': `project/${id}=${version}` })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'changed',
      message: 'This project has changed since it was reviewed, so nothing was done. Review it again.',
      changed: [{ noun: 'project', id, reviewed: version, lock_version: version + 1 }],
      theirs: { id, name: 'Winter snacks', lock_version: version + 1 },
    })
    expect(await statusOf(id)).toBe('approved')
  })

  test('is refused once another record that the review named is gone', async () => {
    const { id } = await approved()
    const partner = await app.make.partner({ name: 'Gone soon' })
    await admin().call('partner.remove', { id: partner.id })
    const headers = { 'fieldwork-reviewed': `project/${id}=${await versionOf(id)},partner/${partner.id}=1` }
    const answer = await admin().call('project.goLive', { id }, headers)
    expect(answer.body).toMatchObject({ code: 'changed', changed: [{ noun: 'partner', id: partner.id, lock_version: null }] })
    expect(await statusOf(id)).toBe('approved')
  })

  test('that is repeated with its key gets its first response, though it has changed the record itself', async () => {
    const { id } = await approved()
    const headers = { 'fieldwork-reviewed': `project/${id}=${await versionOf(id)}`, 'idempotency-key': `go-live-${id}` }
    const first = await admin().call('project.goLive', { id }, headers)
    const again = await admin().call('project.goLive', { id }, headers)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  test('learns nothing about a record that its sender can’t see', async () => {
    const hidden = await approved((await app.make.client()).id)
    const answers = await Promise.all(
      [1, 2, 3].map((version) =>
        app.as('client').call('account.edit', { preferences: {} }, { 'fieldwork-reviewed': `project/${hidden.id}=${version}` }),
      ),
    )
    const [first, ...others] = answers.map(({ status, body }) => [status, (body as unknown as { changed: object[] }).changed])
    expect(first).toEqual([409, [{ noun: 'project', id: hidden.id, reviewed: 1, lock_version: null }]])
    expect(others.map(([status]) => status)).toEqual([409, 409])
  })

  test.each(['project', 'project/x=1', 'secret/1=1', Array(21).fill('project/1=1').join()])(
    'with a broken header is a 422 that names it: %s',
    async (header) => {
      const { id } = await approved()
      const answer = await admin().call('project.goLive', { id }, { 'fieldwork-reviewed': header })
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['fieldwork-reviewed']])
      expect(await statusOf(id)).toBe('approved')
    },
  )
})

describe('a dry run that is asked for it', () => {
  const foresee = { 'fieldwork-foreseen': '?' }

  test('lists the records that it would change with their versions, and a write that names them is compared', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const [one, other, third] = [await entry(project_id), await entry(project_id), await entry(project_id)]
    const input = { ids: [one.id, other.id], reason: 'Doubtful' } as never
    const dry = await admin().call('entry.reject', { ...(input as object), dry: 1 } as never, foresee)
    expect(dry.status, dry.text).toBe(200)
    const listed = String(dry.headers['fieldwork-foreseen']).split(',')
    expect(listed).toEqual(expect.arrayContaining([`entry/${one.id}=1`, `entry/${other.id}=1`]))
    expect(listed.join()).not.toContain(`entry/${third.id}=`)
    const headers = { 'fieldwork-foreseen': listed.filter((text) => text.startsWith('entry')).join() }
    // Rejected and pending again: the same status, but no longer what was reviewed.
    await admin().call('entry.reject', { ids: [other.id], reason: 'Twice' } as never)
    await admin().call('entry.secondChance', { ids: [other.id] } as never)
    const answer = await admin().call('entry.reject', input, headers)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'changed',
      changed: [{ noun: 'entry', id: other.id, reviewed: 1, lock_version: 3 }],
    })
    expect([await statusOfEntry(one.id), await statusOfEntry(other.id)]).toEqual(['pending', 'pending'])
    const next = await admin().call('entry.reject', { ...(input as object), dry: 1 } as never, foresee)
    const again = { 'fieldwork-foreseen': String(next.headers['fieldwork-foreseen']) }
    expect((await admin().call('entry.reject', input, again)).status).toBe(200)
    expect([await statusOfEntry(one.id), await statusOfEntry(other.id)]).toEqual(['rejected', 'rejected'])
  })

  test('does so for what can’t be undone, and the write is compared at the end of its transaction', async () => {
    const { id } = await approved()
    const dry = await admin().call('project.goLive', { id, dry: 1 } as never, foresee)
    expect(dry.headers['fieldwork-foreseen']).toContain(`project/${id}=1`)
    await admin().call('project.edit', { id, name: 'Winter snacks' })
    const headers = { 'fieldwork-foreseen': String(dry.headers['fieldwork-foreseen']) }
    expect((await admin().call('project.goLive', { id }, headers)).body).toMatchObject({ code: 'changed' })
    expect(await statusOf(id)).toBe('approved')
  })

  test('compares only records that the write changes, by kind and id', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const [one, other] = [await entry(project_id), await entry(project_id)]
    // Neither another kind with the same id nor another id of the same kind is what the write changes.
    const headers = { 'fieldwork-foreseen': `client/${one.id}=7,entry/${other.id}=7` }
    const answer = await admin().call('entry.reject', { ids: [one.id], reason: 'Doubtful' } as never, headers)
    expect(answer.status, answer.text).toBe(200)
  })

  test('is no match for a version that doesn’t exist yet, as after a restore of the database', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const one = await entry(project_id)
    const headers = { 'fieldwork-foreseen': `entry/${one.id}=9` }
    const answer = await admin().call('entry.reject', { ids: [one.id], reason: 'Doubtful' } as never, headers)
    expect(answer.body).toMatchObject({ code: 'changed', changed: [{ id: one.id, reviewed: 9, lock_version: 1 }] })
    expect(await statusOfEntry(one.id)).toBe('pending')
  })

  test('lets a write that is repeated with its key get its first response', async () => {
    const { id } = await approved()
    const dry = await admin().call('project.goLive', { id, dry: 1 } as never, foresee)
    const headers = {
      'fieldwork-foreseen': String(dry.headers['fieldwork-foreseen']),
      'idempotency-key': `foreseen-go-live-${id}`,
    }
    const first = await admin().call('project.goLive', { id }, headers)
    const again = await admin().call('project.goLive', { id }, headers)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  test('lists 300 records, and a star for the rest', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const numbers = Array.from({ length: 301 }, (_, n) => n)
    await app.make.entries(numbers.map((n) => ({ project_id, status: 'pending', email: `many-${n}@foreseen.test` })))
    const rows = await app.db.selectFrom('entries').select('id').where('project_id', '=', project_id).execute()
    const input = { ids: rows.map(({ id }) => id), reason: 'Doubtful', dry: 1 }
    const dry = await admin().call('entry.reject', input as never, foresee)
    expect(dry.status, dry.text).toBe(200)
    const listed = String(dry.headers['fieldwork-foreseen']).split(',')
    expect([listed.length, listed.at(-1)]).toEqual([301, '*'])
  })

  test.each(['project', 'project/x=1', '?', Array(301).fill('project/1=1').join()])(
    'makes a write with a broken list a 422 that names it: %s',
    async (header) => {
      const { id } = await approved()
      const answer = await admin().call('project.goLive', { id }, { 'fieldwork-foreseen': header })
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['fieldwork-foreseen']])
      expect(await statusOf(id)).toBe('approved')
    },
  )

  test('lists nothing unless it is asked', async () => {
    const { id } = await approved()
    const dry = await admin().call('project.goLive', { id, dry: 1 } as never)
    expect(dry.headers).not.toHaveProperty('fieldwork-foreseen')
  })
})

test.runIf(engine === 'postgres')('a change that is committed while the write waits for it is found', async () => {
  const { id } = await approved()
  const headers = { 'fieldwork-reviewed': `project/${id}=${await versionOf(id)}` }
  const other = anotherConnection(app)
  const waiting = async () =>
    (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(other.db))
      .rows.length
  const begun = await other.db.transaction().execute(async (tx) => {
    await tx.updateTable('projects').set({ name: 'Winter snacks', lock_version: 2 }).where('id', '=', id).execute()
    const going = admin().call('project.goLive', { id }, headers)
    await expect.poll(waiting).toBe(1)
    return { going }
  })
  expect((await begun.going).body).toMatchObject({ code: 'changed', theirs: { name: 'Winter snacks' } })
  expect(await statusOf(id)).toBe('approved')
})
