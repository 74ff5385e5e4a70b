import { beforeAll, describe, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { upload } from './uploading.ts'

// What `updated_since` finds: records that a call has changed, and nothing that was changed before.
let app: Fieldwork
let project_id: number
const LONG_AGO = '2020-05-01T00:00:00.000Z'
const old = { created_at: LONG_AGO, updated_at: LONG_AGO }
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await fieldwork()
  project_id = (await app.make.project({ client_id: app.client.id, name: 'Settled', ...old })).id
})

interface Case {
  id: CallId
  input?: () => Record<string, unknown>
  make(name: string): Promise<{ id: number }>
  change: readonly [CallId, (id: number) => Record<string, unknown>]
}
const named = (call: CallId, more: Record<string, unknown> = {}): Case['change'] => [
  call,
  (id) => ({ id, name: `New ${id}`, ...more }),
]
const inProject = () => ({ id: project_id })

/** TABLE  a list, and a call that changes one of its records. */
const CASES: readonly Case[] = [
  { id: 'client.list', make: (name) => app.make.client({ name, ...old }), change: named('client.edit') },
  { id: 'partner.list', make: (name) => app.make.partner({ name, ...old }), change: named('partner.edit') },
  { id: 'team.list', make: (name) => app.make.team({ client_id: app.client.id, name, ...old }), change: named('team.edit') },
  { id: 'brand.list', make: (name) => app.make.brand({ name, ...old }), change: named('brand.edit') },
  {
    id: 'user.list',
    make: (name) => app.make.user({ first_name: name, email: `${name}@since.test`, clients: [app.client.id], ...old }),
    change: ['user.edit', (id) => ({ id, first_name: 'New' })],
  },
  {
    id: 'project.list',
    make: (name) => app.make.project({ client_id: app.client.id, status: 'requirements', name, ...old }),
    change: ['project.edit', (id) => ({ id, name: `New ${id}` })],
  },
  { id: 'location.list', make: (name) => app.make.place({ name, ...old }), change: named('location.edit') },
  { id: 'group.list', make: (name) => app.make.group({ client_id: app.client.id, name, ...old }), change: named('group.edit') },
  {
    id: 'activity.list',
    make: (name) => app.make.activity({ project_id, name, ...old }),
    change: named('activity.edit'),
  },
  { id: 'survey.list', make: (name) => app.make.survey({ project_id, name, ...old }), change: named('survey.edit') },
  { id: 'vip.list', input: inProject, make: (name) => app.make.vip({ project_id, name, ...old }), change: named('vip.edit') },
  {
    id: 'notification.list',
    make: (name) => app.make.notification({ name, message: name, ...old }),
    change: named('notification.edit'),
  },
  {
    id: 'note.list',
    input: inProject,
    make: (note) => app.make.note({ project_id, author_id: app.admin.id, note, ...old }),
    change: ['note.edit', (note_id) => ({ note_id, note: 'New' })],
  },
  {
    id: 'entry.list',
    input: inProject,
    make: (name) => app.make.entry({ project_id, email: `${name}@since.test`, ...old }),
    change: ['entry.reject', (id) => ({ ids: [id], reason: 'twice' })],
  },
  {
    id: 'receiver.list',
    make: (name) => app.make.entry({ project_id, email: `${name}@receiver.test`, ...old }),
    change: ['entry.reject', (id) => ({ ids: [id], reason: 'twice' })],
  },
]
/** TABLE  the field of a deletion that names the record, where it isn't `id`. */
const ID_FIELD: Partial<Record<CallId, string>> = { 'note.list': 'note_id' }
const removalOf = (id: CallId) => id.replace('.list', '.remove') as CallId
const restoreOf = (id: CallId) => id.replace('.list', '.restore') as CallId
const idsIn = (body: { data: unknown }): number[] => (body.data as { id: number }[]).map(({ id }) => id)

describe('updated_since', () => {
  test.each(CASES)('of $id finds what $change.0 changed, not what it left', async ({ id, input, make, change: [call, to] }) => {
    const [left, changed] = [await make('left'), await make('changed')]
    const since = new Date().toISOString()
    const found = async () =>
      idsIn((await admin().raw('GET', requestOf(id, { ...input?.(), per_page: 500, updated_since: since }).url)).body as never)
    expect(await found()).not.toContain(changed.id)
    const done = await admin().call(call, to(changed.id))
    expect(done.status, done.text).toBe(200)
    const ids = await found()
    expect(ids).toContain(changed.id)
    expect(ids).not.toContain(left.id)
  })

  test.each(CASES.filter(({ id }) => removalOf(id) in calls))(
    'of $id finds what an undo brought back',
    async ({ id, input, make }) => {
      const [left, back] = [await make('stays'), await make('comes back')]
      const removed = await admin().call(removalOf(id), { [ID_FIELD[id] ?? 'id']: back.id })
      expect(removed.status, removed.text).toBe(200)
      const url = (since: string) => requestOf(id, { ...input?.(), per_page: 500, updated_since: since }).url
      const found = async (since: string) => idsIn((await admin().raw('GET', url(since))).body as never)
      expect(await found(LONG_AGO)).not.toContain(back.id)
      const since = new Date().toISOString()
      expect((await admin().call('undo.take', { id: Number(removed.headers['x-undo']) })).status).toBe(200)
      const ids = await found(since)
      expect(ids).toContain(back.id)
      expect(ids).not.toContain(left.id)
    },
  )

  test.each(CASES.filter(({ id }) => restoreOf(id) in calls))(
    'of $id finds what was restored from the history',
    async ({ id, input, make }) => {
      const back = await make('restored')
      expect((await admin().call(removalOf(id), { [ID_FIELD[id] ?? 'id']: back.id })).status).toBe(200)
      const since = new Date().toISOString()
      const restored = await admin().call(restoreOf(id), { id: back.id })
      expect(restored.status, restored.text).toBe(200)
      const { url } = requestOf(id, { ...input?.(), per_page: 500, updated_since: since })
      expect(idsIn((await admin().raw('GET', url)).body as never)).toContain(back.id)
    },
  )

  test('of files finds one that an undo brought back, also as a redo of its upload', async () => {
    const uploaded = await upload(admin(), [['logo.txt', Buffer.from('Words')]], { project_id, asset_type: 'Creative Assets' })
    const { id } = (uploaded.body.data as { id: number }[])[0]!
    const found = async (updated_since: string) =>
      idsIn((await admin().call('file.assets', { id: project_id, updated_since })).body as never)
    const again = async (call: 'undo.take' | 'undo.redo', step: unknown) => {
      expect((await admin().call(call, { id: Number(step) })).status).toBe(200)
    }
    const removed = await admin().call('file.remove', { id })
    let since = new Date().toISOString()
    await again('undo.take', removed.headers['x-undo'])
    expect(await found(since)).toEqual([id])
    await again('undo.take', uploaded.headers['x-undo'])
    expect(await found(LONG_AGO)).not.toContain(id)
    since = new Date().toISOString()
    await again('undo.redo', uploaded.headers['x-undo'])
    expect(await found(since)).toEqual([id])
  })

  test('of a team finds the user and the project that an undo brought back', async () => {
    const client_id = app.client.id
    const user = await app.make.user({ email: 'back@since.test', clients: [client_id], ...old })
    const project = await app.make.project({ client_id, name: 'Linked', ...old })
    const team = await app.make.team({ client_id, users: [user.id], projects: [project.id], name: 'Undone', ...old })
    for (const table of ['team_users', 'team_projects'] as const)
      await app.write((tx) => tx.updateTable(table).set({ added_at: LONG_AGO }).where('team_id', '=', team.id).execute())
    const found = async (call: 'team.users' | 'team.projects', updated_since: string) =>
      idsIn((await admin().call(call, { id: team.id, updated_since })).body as never)
    for (const [list, call, removed] of [
      ['team.users', 'team.removeUsers', { team_id: team.id, user_ids: [user.id] }],
      ['team.projects', 'team.removeProjects', { team_id: team.id, project_ids: [project.id] }],
    ] as const) {
      expect(await found(list, '2024-01-01'), list).toEqual([])
      const done = await admin().call(call, removed)
      expect(done.status, done.text).toBe(200)
      const since = new Date().toISOString()
      expect((await admin().call('undo.take', { id: Number(done.headers['x-undo']) })).status).toBe(200)
      expect(await found(list, since), list).toHaveLength(1)
      // When they were first added is still what people read.
      const rows = (await admin().call(list, { id: team.id })).body.data as readonly Record<string, unknown>[]
      expect(rows[0]!.added_at ?? rows[0]!.linked_at).toBe(LONG_AGO)
    }
  })

  test('is the same moment in any zone, and includes it', async () => {
    const { id } = await app.make.client({ name: 'Exact', ...old, updated_at: '2021-03-04T05:06:07.000Z' })
    const finds = async (updated_since: string) =>
      idsIn((await admin().call('client.list', { search: 'Exact', updated_since })).body).includes(id)
    for (const same of ['2021-03-04T05:06:07Z', '2021-03-04T07:06:07+02:00', '2021-03-04T07:06:07 02:00', '2021-03-04'])
      expect(await finds(same), same).toBe(true)
    for (const later of ['2021-03-04T05:06:07.001Z', '2021-03-04T05:06:07-00:01', '2021-03-05'])
      expect(await finds(later), later).toBe(false)
  })

  test('shows nobody more than they see', async () => {
    const other = await app.make.client({ name: 'Another client' })
    const theirs = await app.make.project({ client_id: other.id, name: 'Theirs' })
    const mine = await app.make.project({ client_id: app.client.id, name: 'Mine' })
    const { body } = await app.as('client').call('project.list', { updated_since: '2021-01-01', per_page: 500 })
    expect(idsIn(body)).toContain(mine.id)
    expect(idsIn(body)).not.toContain(theirs.id)
    expect((await app.as('client').call('note.list', { id: theirs.id, updated_since: '2021-01-01' })).status).not.toBe(200)
  })

  test('finds a family by a change of a child', async () => {
    const parent = await app.make.project({ client_id: app.client.id, name: 'Family', ...old })
    const child = await app.make.project({ client_id: app.client.id, name: 'Part', parent_id: parent.id, ...old })
    const found = async () => idsIn((await admin().call('project.list', { search: 'Family', updated_since: '2024-01-01' })).body)
    expect(await found()).toEqual([])
    expect((await admin().call('project.edit', { id: child.id, name: 'Part 2' })).status).toBe(200)
    expect(await found()).toEqual([parent.id])
  })

  test('works for exports of a list', async () => {
    await app.make.client({ name: 'Exported long ago', ...old })
    await app.make.client({ name: 'Exported now' })
    const { rows } = await exported(app, admin(), 'clients', { search: 'Exported', updated_since: '2024-01-01' })
    expect(rows()).toBe(1)
  })
})
