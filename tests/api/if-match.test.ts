import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { versionedOf } from '../../server/http/ifMatch.ts'
import { anotherConnection, type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const versionOf = async (id: number) => (await admin().call('client.get', { id })).body.data.lock_version
const edit = async (id: number, match: string) =>
  admin().call('client.edit', { id, name: `Named ${Math.random()}` }, { 'if-match': match })

describe('If-Match of a write', () => {
  test('is the version of its record, and a 412 with the record as it is now if it has changed', async () => {
    const { id } = await app.make.client({ name: 'Matched' })
    const version = await versionOf(id)
    expect((await edit(id, `"${version}"`)).status).toBe(200)
    const stale = await edit(id, `"${version}"`)
    expect(stale.status).toBe(412)
    const now = await versionOf(id)
    expect(stale.body).toMatchObject({
      code: 'changed',
      changed: [{ noun: 'client', id, reviewed: version, lock_version: now }],
      theirs: { id, lock_version: now },
    })
    expect(await versionOf(id)).toBe(now)
    // A list matches with one of them, and * with any version.
    for (const match of [`"1000", "${now}"`, '*']) expect((await edit(id, match)).status, match).toBe(200)
  })

  test('holds for a deletion, a dry run and an action, too', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'approved' })
    const { lock_version } = (await admin().call('project.get', { id })).body.data
    const stale = { 'if-match': `"${lock_version + 1}"` }
    expect((await admin().call('project.goLive', { id }, stale)).status).toBe(412)
    expect((await admin().raw('PUT', `/v3/portal/projects?dry=1`, { id, name: 'Dry' }, stale)).status).toBe(412)
    const client = await app.make.client({ name: 'Not deleted' })
    expect((await admin().call('client.remove', { id: client.id }, { 'if-match': '"999"' })).status).toBe(412)
    expect(await versionOf(client.id)).toBeGreaterThanOrEqual(0)
  })

  test('that changed meanwhile in another process is a 412, too', async () => {
    const { id } = await app.make.client({ name: 'Elsewhere' })
    const version = await versionOf(id)
    await anotherConnection(app)
      .db.updateTable('clients')
      .set({ lock_version: version + 1 })
      .where('id', '=', id)
      .execute()
    expect((await edit(id, `"${version}"`)).status).toBe(412)
  })

  test('is refused by name where it is an ETag, and where there is nothing to compare', async () => {
    const { id } = await app.make.client({ name: 'Tagged' })
    const { headers } = await admin().call('client.get', { id })
    for (const match of [String(headers.etag), 'nope', '"7", W/"x"', '']) {
      const answer = await edit(id, match)
      expect([answer.status, answer.body], match).toEqual([
        422,
        expect.objectContaining({ fields: { 'If-Match': expect.any(String) } }),
      ])
    }
    const made = await admin().call('client.create', { name: 'None yet' }, { 'if-match': '"1"' })
    expect([made.status, made.body]).toEqual([
      422,
      expect.objectContaining({ message: expect.stringContaining('no record with a lock_version') }),
    ])
    const read = await admin().call('client.get', { id }, { 'if-match': '"1"' })
    expect([read.status, read.body]).toEqual([
      422,
      expect.objectContaining({ message: expect.stringContaining('If-None-Match') }),
    ])
  })

  test('tells a stranger to the record nothing, and a token without its read that it can’t compare', async () => {
    const { id } = await app.make.client({ name: 'Hidden' })
    expect((await app.as('client').call('client.edit', { id, name: 'Mine' }, { 'if-match': '"999"' })).status).toBe(403)
    const { body } = await admin().call('token.create', { name: 'Writes', scopes: ['client.edit'] })
    const token = app.person({ authorization: `Bearer ${body.data.token}` })
    const answer = await token.call('client.edit', { id, name: 'Blind' }, { 'if-match': '"999"' })
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ code: 'scope' })])
  })

  test('compares the record that the address names, in every call that documents it', () => {
    const versioned = (Object.keys(calls) as CallId[]).filter((id) => (calls[id] as Call).method !== 'GET' && versionedOf(id))
    expect(versioned.length).toBeGreaterThan(60)
    expect(versioned).toEqual(
      expect.arrayContaining(['project.edit', 'client.remove', 'location.edit', 'activity.edit', 'user.edit']),
    )
    for (const id of versioned) expect((calls[id] as Call).path.match(/\{(\w+)\}/)?.[1] ?? 'id', id).toBe(versionedOf(id)!.field)
  })
})
