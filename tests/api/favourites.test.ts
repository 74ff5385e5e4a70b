import { beforeAll, expect, test } from 'vitest'
import { MOST_FAVOURITES } from '../../contract/favourites.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

// Records and views pinned into the sidebar, per person.

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const pin = (person: Person, ...favourites: string[]) => person.call('account.edit', { preferences: { favourites } })
const read = async (person: Person) => (await person.call('account.favourites')).body
const project = async (more: object = {}) => (await app.make.project({ client_id: app.client.id, ...more })).id

test('are listed by name in their own order, of each kind, for their person alone', async () => {
  const admin = app.as('admin')
  const id = await project({ name: 'Snack Tracker' })
  const older = (await app.make.project({ client_id: app.client.id, generation: 'campaign', name: 'Older Wave' })).id
  const { id: partner } = await app.make.partner({ name: 'Panel Prime' })
  const view = (await admin.call('view.create', { screen: 'allProjects', name: 'Live', query: 'status=active' })).body.data.id
  const keys = [`view:${view}`, `project:${older}`, `partner:${partner}`, `project:${id}`]
  const { status, headers } = await pin(admin, ...keys)
  expect(status).toBe(200)
  const { data, missing } = await read(admin)
  expect(data.map(({ favourite, kind, name, screen, query }) => [favourite, kind, name, screen, query])).toEqual([
    [keys[0], 'view', 'Live', 'allProjects', 'status=active'],
    [keys[1], 'campaign', 'Older Wave', '', ''],
    [keys[2], 'partner', 'Panel Prime', '', ''],
    [keys[3], 'project', 'Snack Tracker', '', ''],
  ])
  expect(missing).toEqual([])
  expect((await read(app.as('client'))).data).toEqual([])
  // An undo restores what was pinned before.
  expect((await admin.call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
  expect((await read(admin)).data).toEqual([])
})

test('a deleted record, and one that a client user doesn’t see, is missing and not named', async () => {
  const client = app.as('client')
  const [own, gone] = [await project(), await project({ status: 'requirements' })]
  const other = await app.make.project({ client_id: (await app.make.client()).id, name: 'Secret' })
  const { id: partner } = await app.make.partner({ name: 'Hidden' })
  await pin(client, `project:${own}`, `project:${gone}`, `project:${other.id}`, `partner:${partner}`, 'project:999999')
  await app.as('admin').call('project.remove', { id: gone })
  const answer = await read(client)
  expect(answer.data.map(({ id }) => id)).toEqual([own])
  expect(answer.missing).toEqual([`project:${gone}`, `project:${other.id}`, `partner:${partner}`, 'project:999999'])
  expect(JSON.stringify(answer)).not.toMatch(/Secret|Hidden/)
})

test('refuses what is no record, the same twice, and more than its limit, and stores nothing of it', async () => {
  const admin = app.as('admin')
  await pin(admin)
  const many = Array.from({ length: MOST_FAVOURITES + 1 }, (_, at) => `project:${at + 1}`)
  const refused = async (...favourites: string[]) => {
    const { status, body } = await pin(admin, ...favourites)
    return [status, JSON.stringify(body)]
  }
  for (const wrong of ['nobody:1', 'project:0', 'project:x', 'notice:1', 'project:1; drop', ''])
    expect(await refused(wrong)).toEqual([422, expect.stringContaining('is not a record such as project:4180')])
  expect(await refused('project:1', 'project:1')).toEqual([422, expect.stringContaining('names a record twice')])
  expect(await refused(...many)).toEqual([422, expect.stringContaining(`can be at most ${MOST_FAVOURITES}`)])
  expect((await read(admin)).missing).toEqual([])
  expect((await pin(admin, ...many.slice(1))).status).toBe(200)
})

test('a live event tells the person’s other windows', async () => {
  const admin = app.as('admin')
  await pin(admin)
  const last = (await app.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ?? 0
  await pin(admin, `project:${await project()}`)
  const events = await app.db.selectFrom('events').selectAll().where('id', '>', last).where('noun', '=', 'account').execute()
  expect(events.map(({ user_id, audience }) => [user_id, audience])).toEqual([[app.admin.id, 'user']])
})
