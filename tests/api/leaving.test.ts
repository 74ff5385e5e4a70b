import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import { readingAs } from '../../server/core/unitOfWork.ts'
import { exportOf } from '../../server/exports/exports.ts'
import { exported } from './exporting.ts'
import { listenTo } from './listening.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { person as respondent, send } from './surveyed.ts'

// Revoked access ends at once, everywhere (decisions.md 13, Leaving).
let app: Fieldwork
let base: string
beforeAll(async () => {
  app = await fieldwork()
  base = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
const admin = () => app.as('admin')

/** A client with a team of two of its three users, a project of that team, an open one, and a signed-in user. */
async function services() {
  const client = await app.make.client()
  const [user, colleague, third] = await Promise.all([1, 2, 3].map(() => app.make.user({ clients: [client.id] })))
  const open = await app.make.project({ client_id: client.id, status: 'completed' })
  const shut = await app.make.project({ client_id: client.id, status: 'completed' })
  const team = await app.make.team({ client_id: client.id, users: [user!.id, colleague!.id], projects: [shut.id] })
  return { client, user: user!, colleague: colleague!, third: third!, open, shut, team, person: await app.signIn(user!) }
}
const sees = async (person: Person) =>
  (await person.call('project.list', { generation: 'any', per_page: 100 })).body.data.map((row) => row.id)
const membershipsOf = async (user_id: number) => ({
  clients: (
    await app.db.selectFrom('user_clients').select('client_id').where('user_id', '=', user_id).orderBy('client_id').execute()
  ).map((row) => row.client_id),
  teams: (
    await app.db.selectFrom('team_users').select('team_id').where('user_id', '=', user_id).orderBy('team_id').execute()
  ).map((row) => row.team_id),
})

describe('a deleted client', () => {
  test('revokes everything from its users at once: lists, records, an open stream, an export, a saved link', async () => {
    const { client, person, open, shut, user } = await services()
    expect((await sees(person)).sort()).toEqual([open.id, shut.id].sort())
    const { job } = await exported(app, person, 'projects')
    const link = (await person.call('job.link', { id: job.id })).body.data.url
    expect((await app.as('stranger').raw('GET', link)).status).toBe(200)
    const { cursor } = (await person.call('palette.index')).body
    const ear = await listenTo(base, person)

    const answer = await admin().call('client.remove', { id: client.id })
    expect(answer.body).toMatchObject({ data: { users: 3, teams: 1 } })

    expect(await ear.until((event) => event.kind === 'scope')).toMatchObject({ noun: 'account', subject_id: user.id })
    await ear.stop()
    expect(await sees(person)).toEqual([])
    expect((await person.call('project.get', { id: open.id })).status).toBe(404)
    expect((await person.call('client.get', { id: client.id })).status).toBe(404)
    const index = (await person.call('palette.index', { since: cursor })).body
    expect([index.full, index.put]).toEqual([true, []])
    expect((await person.call('job.link', { id: job.id })).status).toBe(403)
    expect((await person.call('job.get', { id: job.id })).body.data.download).toBeNull()
    expect((await app.as('stranger').raw('GET', link)).status).toBe(404)
    expect(await membershipsOf(user.id)).toEqual({ clients: [], teams: [] })
  })

  test('is restored with its teams, memberships and links, but nothing that had ended before', async () => {
    const { client, person, open, shut, user, colleague, third, team } = await services()
    const gone = await app.make.team({ client_id: client.id, deleted_at: '2026-01-01T00:00:00.000Z' })
    await admin().call('client.removeUser', { client_id: client.id, user_id: third.id })
    const before = await Promise.all([user, colleague, third].map((one) => membershipsOf(one.id)))
    await admin().call('client.remove', { id: client.id })

    const back = await admin().call('client.restore', { id: client.id })
    expect(back.body.data).toMatchObject({ id: client.id, users_count: 2, teams_count: 1 })
    expect(await Promise.all([user, colleague, third].map((one) => membershipsOf(one.id)))).toEqual(before)
    expect((await sees(person)).sort()).toEqual([open.id, shut.id].sort())
    const teams = await app.db
      .selectFrom('teams')
      .select(['id', 'deleted_at'])
      .where('client_id', '=', client.id)
      .orderBy('id')
      .execute()
    expect(teams).toEqual([
      { id: team.id, deleted_at: null },
      { id: gone.id, deleted_at: '2026-01-01T00:00:00.000Z' },
    ])
    expect(await app.db.selectFrom('ended_memberships').select('user_id').where('client_id', '=', client.id).execute()).toEqual([
      { user_id: third.id },
    ])
  })

  test('can be restored once, and only by an administrator', async () => {
    const { client, person } = await services()
    expect((await admin().call('client.restore', { id: client.id })).status).toBe(404)
    await admin().call('client.remove', { id: client.id })
    expect((await person.call('client.restore', { id: client.id })).status).toBe(403)
    expect((await admin().call('client.restore', { id: client.id })).status).toBe(200)
    expect((await admin().call('client.restore', { id: client.id })).status).toBe(404)
  })

  test('returns nothing to users who became administrators or were deleted meanwhile', async () => {
    const { client, user, colleague, third } = await services()
    await admin().call('client.remove', { id: client.id })
    await app.write((tx) => tx.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute())
    await admin().call('user.remove', { id: colleague.id })
    await admin().call('client.restore', { id: client.id })
    expect(await membershipsOf(user.id)).toEqual({ clients: [], teams: [] })
    expect(await membershipsOf(colleague.id)).toEqual({ clients: [], teams: [] })
    expect(await membershipsOf(third.id)).toEqual({ clients: [client.id], teams: [] })
  })

  test('opens nothing, despite memberships left in the database', async () => {
    const { client, person, user, open, team } = await services()
    const requested = await app.make.project({ client_id: client.id, requested_by: user.id })
    await app.write((tx) =>
      tx.updateTable('clients').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', client.id).execute(),
    )
    expect(await sees(person)).toEqual([])
    for (const { id } of [open, requested]) expect((await person.call('project.get', { id })).status).toBe(404)
    await app.write((tx) => tx.updateTable('clients').set({ deleted_at: null }).where('id', '=', client.id).execute())
    await app.write((tx) =>
      tx.updateTable('teams').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', team.id).execute(),
    )
    expect((await sees(person)).sort()).toEqual([open.id, requested.id].sort())
  })

  test('is reported to users without a project of it', async () => {
    const client = await app.make.client()
    const user = await app.make.user({ clients: [client.id] })
    const ear = await listenTo(base, await app.signIn(user))
    await admin().call('client.remove', { id: client.id })
    expect(await ear.until((event) => event.kind === 'scope')).toMatchObject({ subject_id: user.id })
    await ear.stop()
  })
})

describe('a user removed from a client', () => {
  test('loses what they saw through it and its teams, and keeps what others give', async () => {
    const { client, person, user, team, colleague } = await services()
    const other = await app.make.client()
    const theirs = await app.make.project({ client_id: other.id })
    await admin().call('client.addUser', { client_id: other.id, user_id: user.id })
    const requested = await app.make.project({ client_id: client.id, requested_by: user.id })
    const ear = await listenTo(base, person)
    const answer = await admin().raw('DELETE', `/v3/portal/clients/user?client_id=${client.id}&user_id=${user.id}`)
    expect([answer.status, (answer.body as { data?: unknown }).data]).toEqual([
      200,
      { removed: true, ids: [user.id], team_ids: [team.id] },
    ])
    expect(await ear.until((event) => event.kind === 'scope')).not.toBeNull()
    await ear.stop()
    expect(await sees(person)).toEqual([theirs.id])
    expect((await person.call('project.get', { id: requested.id })).status).toBe(404)
    expect(await membershipsOf(colleague.id)).toEqual({ clients: [client.id], teams: [team.id] })
  })

  test('is restored with the same teams', async () => {
    const { client, person, user, open, shut } = await services()
    const before = await membershipsOf(user.id)
    const { data } = (await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })).body
    const back = await admin().call('client.addUser', { client_id: client.id, user_id: user.id, team_ids: data.team_ids })
    expect(back.body.data).toMatchObject({ added: true })
    expect(await membershipsOf(user.id)).toEqual(before)
    expect((await sees(person)).sort()).toEqual([open.id, shut.id].sort())
  })

  test('adds a line to the client’s history, like one who joins', async () => {
    const { client, user, team } = await services()
    await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })
    await admin().call('client.addUser', { client_id: client.id, user_id: user.id })
    const lines = await app.db
      .selectFrom('history')
      .select(['action', 'before', 'after'])
      .where('subject', '=', 'client')
      .where('subject_id', '=', client.id)
      .orderBy('id')
      .execute()
    const who = { user: `${user.first_name} ${user.last_name}`, user_id: user.id }
    expect(lines.map(({ action, before, after }) => [action, JSON.parse(before), JSON.parse(after)])).toEqual([
      ['client.removeUser', { ...who, teams: [team.id] }, {}],
      ['client.addUser', {}, who],
    ])
  })

  test('non-members, foreign teams and deleted clients are reported as such', async () => {
    const { client, user, team } = await services()
    const stranger = await app.make.user()
    const answer = await admin().call('client.removeUser', { client_id: client.id, user_id: stranger.id })
    expect([answer.status, answer.body.data]).toEqual([200, { removed: false, ids: [], team_ids: [] }])
    const other = await app.make.client()
    const wrong = await admin().call('client.addUser', { client_id: other.id, user_id: user.id, team_ids: [team.id] })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['team_ids']])
    expect((await membershipsOf(user.id)).clients).toEqual([client.id])
    await admin().call('client.remove', { id: client.id })
    expect((await admin().call('client.addUser', { client_id: client.id, user_id: user.id })).status).toBe(404)
    expect((await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })).status).toBe(404)
  })
})

describe('an export that a client user made', () => {
  test('isn’t available once a project in it moved to another client', async () => {
    const { person, open } = await services()
    const list = await exported(app, person, 'projects')
    const responses = await exported(app, person, 'responses', { project_id: open.id })
    const links = [list, responses].map(({ job }) => job.download ?? '')
    const elsewhere = await app.make.client()
    await admin().call('project.edit', { id: open.id, client_id: elsewhere.id })
    // The list is their own job, whose rows they no longer all see; the project's responses aren't there for them.
    for (const [{ job }, status] of [
      [list, 403],
      [responses, 404],
    ] as const) {
      expect((await person.call('job.link', { id: job.id })).status).toBe(status)
      expect((await admin().call('job.link', { id: job.id })).status).toBe(200)
    }
    for (const link of links) expect((await app.as('stranger').raw('GET', link)).status).toBe(404)
  })

  test('stays available while they see all its content, whatever else they lose', async () => {
    const { client, person, open, shut, user, team } = await services()
    const { job } = await exported(app, person, 'responses', { project_id: open.id })
    await app.write((tx) => tx.deleteFrom('team_users').where('user_id', '=', user.id).where('team_id', '=', team.id).execute())
    expect((await person.call('project.get', { id: shut.id })).status).toBe(404)
    expect((await person.call('job.link', { id: job.id })).status).toBe(200)
    await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })
    expect((await person.call('job.link', { id: job.id })).status).toBe(404)
  })

  test('is available again once they see it again', async () => {
    const { client, person } = await services()
    const { job } = await exported(app, person, 'projects')
    await admin().call('client.remove', { id: client.id })
    await admin().call('client.restore', { id: client.id })
    expect((await person.call('job.link', { id: job.id })).status).toBe(200)
  })

  test('stops midway when access ends while it is written', async () => {
    const { client, person, open, user } = await services()
    const survey = await app.make.survey({ project_id: open.id })
    await send(app, survey.id, [respondent()])
    expect((await person.call('project.get', { id: open.id })).status).toBe(200)
    const row = await app.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    const caller = { ...ANONYMOUS, user: row, actor: { id: user.id, role: row.role, admin_id: null } }
    const listing = await exportOf('responses').open(readingAs(app.services, 'export.responses', caller), { project_id: open.id })
    await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })
    const reading = async () => {
      for await (const page of listing.pages()) if (page.length) throw new Error('a page was handed out')
    }
    await expect(reading()).rejects.toThrow('Your access has changed')
  })
})

test('a link to a project’s file ends with its recipient’s access', async () => {
  const { client, person, open, user } = await services()
  const body = Buffer.from('%PDF-1.4 a paper of the project')
  const storage_key = `tests/${open.id}.pdf`
  await app.services.files.put(storage_key, Readable.from([body]), 'application/pdf')
  const { id } = await app.make.file({
    project_id: open.id,
    kind: 'document',
    storage_key,
    mime: 'application/pdf',
    size: body.length,
  })
  const url = (await person.call('file.link', { id })).body.data.url
  expect((await app.as('stranger').raw('GET', url)).status).toBe(200)
  await admin().call('client.removeUser', { client_id: client.id, user_id: user.id })
  expect((await app.as('stranger').raw('GET', url)).status).toBe(404)
})

describe('the palette’s index of a client user', () => {
  test('learns from a column, not from history text, that a project moved to another client is gone', async () => {
    const { person, open, client } = await services()
    const { cursor } = (await person.call('palette.index')).body
    const elsewhere = await app.make.client()
    await admin().call('project.edit', { id: open.id, client_id: elsewhere.id })
    await app.write((tx) => tx.deleteFrom('history').where('subject', '=', 'project').where('subject_id', '=', open.id).execute())
    const { full, drop } = (await person.call('palette.index', { since: cursor })).body
    expect(full).toBe(false)
    expect(drop).toContainEqual(['project', open.id])
    expect(await app.db.selectFrom('former_clients').selectAll().where('project_id', '=', open.id).execute()).toEqual([
      { project_id: open.id, client_id: client.id },
    ])
  })
})
