import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
let serial = 0
const place = async (given: object = {}) => {
  const address = `${++serial} Group Street`
  return (await admin().call('location.create', { name: `Shop ${serial}`, address, ...given })).body.data
}
const group = (given: object = {}) => app.make.group({ client_id: app.client.id, ...given })
/** A group with this many places. */
async function filled(count: number, given: object = {}) {
  const made = await group(given)
  const ids: number[] = []
  for (let nth = 0; nth < count; nth++) ids.push((await place({ group_ids: [made.id] })).id)
  return { ...made, ids }
}
const activity = async (project: object = {}) => {
  const { id } = await app.make.project({ client_id: app.client.id, status: 'approved', ...project })
  return app.make.activity({ project_id: id, name: `Photo check ${++serial}` })
}
const idsIn = async (id: number) => {
  const { body } = await admin().raw('GET', `/v3/portal/locationgroups/${id}/location?per_page=500&column=id`)
  return (body as never as { data: { locations: { id: number }[] } }).data.locations.map((row) => row.id)
}
const take = async (headers: Record<string, unknown>) => {
  const { status, text } = await admin().call('undo.take', { id: Number(headers['x-undo']) })
  expect(status, text).toBe(200)
}

describe('a location group', () => {
  test('needs a name, unique within its client, with the specification’s exact message in both calls', async () => {
    const { id, name } = await group({ name: `Flagship ${++serial}` })
    const blank = { name: MESSAGES.groupName }
    expect((await admin().call('group.edit', { id, name: ' ' })).body.fields).toEqual(blank)
    expect((await admin().call('client.editLocationGroup', { location_group_id: id, name: '' })).body.fields).toEqual(blank)
    expect((await admin().call('group.create', { client_id: app.client.id })).body.fields).toEqual(blank)
    const taken = await admin().call('group.create', { client_id: app.client.id, name: name.toUpperCase() })
    expect([taken.status, taken.body.fields]).toEqual([422, { name: 'A group of this client already has this name.' }])
  })

  test('is created with locations and an activity in one write, which undo reverts completely', async () => {
    const { id: activity_id } = await activity()
    const [one, two] = [await place(), await place()]
    const { body, headers } = await admin().call('group.create', {
      ...{ client_id: app.client.id, name: `Top Stores ${++serial}`, location_ids: [one.id, two.id], activity_id },
    })
    expect(body.message).toBe('Location Group created')
    expect(body.data).toMatchObject({ locations_count: 2, activities: [{ id: activity_id }], activities_count: 1 })
    await take(headers)
    expect((await admin().call('group.get', { id: body.data.id })).status).toBe(404)
    expect((await admin().call('activity.groups', { id: activity_id })).body.data).toEqual([])
  })

  test('stays with its client, under either name of its id; reading and writing back changes nothing', async () => {
    const { id } = await group()
    const read = (await admin().call('group.get', { id })).body.data
    const back = await admin().raw('PUT', '/v3/portal/locationgroups', read)
    expect([back.status, (back.body as never as { data: unknown }).data]).toEqual([200, read])
    const other = await app.make.client()
    const moved = await admin().call('group.edit', { location_group_id: id, name: 'Moved', client_id: other.id })
    expect(moved.body.fields).toEqual({ client_id: 'A group stays with its client.' })
    const renamed = await admin().call('group.edit', { location_group_id: id, location_name: `Renamed ${++serial}` })
    expect(renamed.body.data.location_name).toBe(`Renamed ${serial}`)
    const { data: lines } = (await admin().call('group.history', { id })).body
    expect(lines.map(({ words }) => words)).toEqual(['renamed it'])
    expect(lines[0]).toMatchObject({ before: { name: read.name }, after: { name: `Renamed ${serial}` } })
    const stale = await admin().call('group.edit', { id, name: 'Mine', lock_version: read.lock_version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
  })

  test('says how its locations’ positions are known, and which market areas they are near', async () => {
    const held = await group()
    await place({ latitude: 42.36, longitude: -71.06, group_ids: [held.id] })
    await place({ latitude: 42.4, longitude: -71.1, group_ids: [held.id] })
    await place({ latitude: 40.71, longitude: -74, group_ids: [held.id] })
    await place({ group_ids: [held.id] })
    const { data } = (await admin().call('group.get', { id: held.id })).body
    expect(data).toMatchObject({ locations_count: 4, positions: { exact: 3, zip: 0, city: 0, none: 1 }, unplaced_count: 1 })
    expect([data.markets_count, data.markets.map(({ dma_code, locations }) => [dma_code, locations])]).toEqual([
      2,
      [
        [506, 2],
        [501, 1],
      ],
    ])
  })

  test('is listed across clients, by search, client, use and position', async () => {
    const company = `Grouping Foods ${++serial}`
    const client = await app.make.client({ name: company })
    const [used, unused] = [
      await app.make.group({ client_id: client.id, name: 'Used' }),
      await app.make.group({ client_id: client.id, name: 'Unused' }),
    ]
    const { id: activity_id } = await activity({ client_id: client.id })
    await admin().call('activity.linkGroups', { activity_id, location_group_id: used.id })
    await place({ group_ids: [unused.id] })
    const names = async (filter: object) => (await admin().call('group.list', filter as never)).body.data.map(({ name }) => name)
    const of = { client_id: client.id }
    expect(await names({ search: company.toLowerCase() })).toEqual(['Unused', 'Used'])
    expect([await names({ ...of, used: 'yes' }), await names({ ...of, used: 'no' })]).toEqual([['Used'], ['Unused']])
    expect([await names({ ...of, position: 'missing' }), await names({ ...of, position: 'exact' })]).toEqual([['Unused'], []])
  })

  test('says what its activities lose when deleted, and undo restores its links', async () => {
    const held = await filled(2)
    const live = await activity({ status: 'active' })
    await admin().call('activity.linkGroups', { activity_id: live.id, location_group_id: held.id })
    const { body, headers } = await admin().raw('DELETE', `/v3/portal/locations/group?id=${held.id}`)
    expect((body as never as { data: unknown }).data).toEqual({ groups: 1, activities: 1, locations: 2, live: [live.name] })
    expect((await admin().call('activity.groups', { id: live.id })).body).toMatchObject({ data: [], locations: 0 })
    expect((await admin().call('location.get', { id: held.ids[0]! })).body.data.groups).toEqual([])
    await take(headers)
    expect((await admin().call('activity.groups', { id: live.id })).body).toMatchObject({ data: [{ id: held.id }], locations: 2 })
  })
})

describe('the locations of a group', () => {
  test('are returned as data.locations, and searchable', async () => {
    const held = await filled(3)
    const { body } = await admin().raw('GET', `/v3/portal/locationgroups/${held.id}/location?page=1`)
    expect(body).toMatchObject({ count: 3, page: 1 })
    expect((body as never as { data: { locations: object[] } }).data.locations).toHaveLength(3)
    const one = (await admin().call('location.get', { id: held.ids[1]! })).body.data
    const found = (await admin().call('group.searchLocations', { location_group_id: held.id, search: one.name })).body
    expect(found.data.map(({ id, added_at }) => [id, typeof added_at])).toEqual([[one.id, 'string']])
  })

  test('are added one or several at a time; those already in it count as unchanged', async () => {
    const held = await filled(1)
    const [one, two] = [await place(), await place()]
    const single = await admin().call('group.addLocations', { location_group_id: held.id, location_id: one.id })
    expect([single.body.message, single.body.data]).toMatchObject(['Location added', { changed: 1, unchanged: 0, locations: 2 }])
    const location_ids = [one.id, two.id, held.ids[0]!]
    const { body, headers } = await admin().call('group.addLocations', { location_group_id: held.id, location_ids })
    expect(body.data).toMatchObject({ changed: 1, unchanged: 2, locations: 3 })
    await take(headers)
    expect(await idsIn(held.id)).toEqual([held.ids[0], one.id])
    const none = await admin().call('group.addLocations', { location_group_id: held.id })
    expect([none.status, none.body.message]).toEqual([422, 'Choose a location'])
    expect((await admin().call('group.addLocations', { location_group_id: held.id, location_id: 999_999 })).status).toBe(404)
  })

  test('are removed, with what is targeted afterwards; a dry run changes nothing', async () => {
    const held = await filled(3)
    const { id: activity_id } = await activity()
    await admin().call('activity.linkGroups', { activity_id, location_group_id: held.id })
    const asked = { location_group_id: held.id, location_ids: held.ids.slice(1) }
    const effect = { changed: 2, unchanged: 0, activities: 1, locations: 1, live: [] }
    const dry = await admin().raw('DELETE', '/v3/portal/locationgroups/removelocation?dry=1', asked)
    expect((dry.body as never as { data: unknown }).data).toEqual(effect)
    expect(await idsIn(held.id)).toHaveLength(3)
    const { body, headers } = await admin().call('group.removeLocations', asked)
    expect(body.data).toEqual(effect)
    expect((await admin().call('location.get', { id: held.ids[1]! })).status).toBe(200)
    await take(headers)
    expect(await idsIn(held.id)).toEqual(held.ids)
  })

  test('move to another group, and back by undo', async () => {
    const [from, to] = [await filled(3), await filled(1)]
    await admin().call('group.addLocations', { location_group_id: to.id, location_id: from.ids[0]! })
    const { body, headers } = await admin().call('group.moveLocations', {
      ...{ location_group_id: from.id, to_id: to.id, location_ids: from.ids.slice(0, 2) },
    })
    expect(body.data).toMatchObject({ changed: 2, unchanged: 0, locations: 3 })
    expect([await idsIn(from.id), (await idsIn(to.id)).length]).toEqual([from.ids.slice(2), 3])
    await take(headers)
    expect([await idsIn(from.id), (await idsIn(to.id)).length]).toEqual([from.ids, 2])
  })

  test('of several groups are merged into one without repeats, with their activities', async () => {
    const [into, other] = [await filled(1), await filled(2)]
    const same = (await admin().call('location.get', { id: into.ids[0]! })).body.data
    await place({ address: same.address, group_ids: [other.id] })
    const { id: activity_id } = await activity()
    await admin().call('activity.linkGroups', { activity_id, location_group_id: other.id })
    const { body, headers } = await admin().call('group.merge', { ids: [other.id], into_id: into.id })
    expect(body.effect).toEqual({ merged: 1, added: 2, repeated: 1, activities: 1, live: [] })
    expect(body.data).toMatchObject({ locations_count: 3, activities: [{ id: activity_id }] })
    expect((await admin().call('group.get', { id: other.id })).status).toBe(404)
    await take(headers)
    expect([await idsIn(into.id), (await idsIn(other.id)).length]).toEqual([into.ids, 3])
    const foreign = await app.make.group({ client_id: (await app.make.client()).id, name: 'Foreign' })
    const refused = await admin().call('group.merge', { ids: [foreign.id], into_id: into.id })
    expect(refused.body.fields).toEqual({ ids: '“Foreign” belongs to another client.' })
  })

  test('are copied with their group, to its client or another', async () => {
    const held = await filled(2)
    const copy = (await admin().call('group.copy', { id: held.id })).body.data
    expect(copy).toMatchObject({ name: `${held.name} (copy)`, locations_count: 2, client_id: app.client.id })
    const client = await app.make.client()
    expect((await admin().call('group.copy', { id: held.id, client_id: client.id })).body.data.name).toBe(held.name)
  })

  test('are each added to several groups', async () => {
    const [one, two] = [await filled(1), await filled(0)]
    const other = await place()
    const { body } = await admin().call('location.addToGroups', {
      ...{ location_ids: [one.ids[0]!, other.id], group_ids: [one.id, two.id] },
    })
    expect(body.data).toEqual({ added: 3, unchanged: 1, activities: 0 })
  })
})

describe('an activity’s location groups', () => {
  test('are linked one or several at a time, with what they add', async () => {
    const { id } = await activity({ status: 'active' })
    const [one, two] = [await filled(2), await filled(1)]
    await admin().call('group.addLocations', { location_group_id: two.id, location_id: one.ids[0]! })
    const first = await admin().call('activity.linkGroups', { activity_id: id, location_group_id: one.id })
    expect([first.body.message, first.body.data]).toMatchObject([
      'Location Group added',
      { linked: 1, locations: 2, targeted: 0 },
    ])
    expect(first.body.data.live).toHaveLength(1)
    const location_group_ids = [one.id, two.id]
    const { body, headers } = await admin().call('activity.linkGroups', { activity_id: id, location_group_ids })
    expect(body.data).toMatchObject({ linked: 1, unchanged: 1, locations: 2, targeted: 1 })
    await take(headers)
    const left = (await admin().call('activity.groups', { id })).body
    expect(left).toMatchObject({ count: 1, locations: 2, data: [{ id: one.id, locations_count: 2 }] })
    const none = await admin().call('activity.linkGroups', { activity_id: id })
    expect([none.status, none.body.message]).toEqual([422, 'Choose a location group'])
  })

  test('must be of its client', async () => {
    const { id } = await activity()
    const foreign = await app.make.group({ client_id: (await app.make.client()).id, name: 'Top Stores' })
    const refused = await admin().call('activity.linkGroups', { activity_id: id, location_group_id: foreign.id })
    expect([refused.status, refused.body.message]).toEqual([422, '“Top Stores” belongs to another client.'])
  })

  test('that can be linked are the others of its client', async () => {
    const client = await app.make.client()
    const { id } = await activity({ client_id: client.id })
    const [one, two] = [
      await app.make.group({ client_id: client.id, name: 'One' }),
      await app.make.group({ client_id: client.id, name: 'Two' }),
    ]
    await admin().call('activity.linkGroups', { activity_id: id, location_group_id: one.id })
    const names = async (search = '') =>
      (await admin().call('activity.availableGroups', { id, search })).body.data.map((row) => row.id)
    expect([await names(), await names('one')]).toEqual([[two.id], []])
  })

  test('are unlinked, with what is lost', async () => {
    const { id } = await activity()
    const [one, two] = [await filled(2), await filled(1)]
    await admin().call('activity.linkGroups', { activity_id: id, location_group_ids: [one.id, two.id] })
    const path = `/v3/portal/activities/location/?activity_id=${id}&location_group_id=${one.id}`
    const { body, headers } = await admin().raw('DELETE', path)
    expect((body as never as { data: unknown }).data).toEqual({ unlinked: 1, unchanged: 0, lost: 2, locations: 1, live: [] })
    await take(headers)
    expect((await admin().call('activity.groups', { id })).body).toMatchObject({ count: 2, locations: 3 })
  })

  test('show a client user only names and counts, of activities they see', async () => {
    const { id } = await activity()
    const held = await filled(1)
    await admin().call('activity.linkGroups', { activity_id: id, location_group_id: held.id })
    const { status, body } = await app.as('client').call('activity.groups', { id })
    expect([status, body.data]).toEqual([
      200,
      [{ id: held.id, location_group_id: held.id, name: held.name, location_name: held.name, locations_count: 1 }],
    ])
    const other = await app.make.client()
    const hidden = await activity({ client_id: other.id })
    expect((await app.as('client').call('activity.groups', { id: hidden.id })).status).toBe(404)
    expect((await app.as('client').call('activity.availableGroups', { id })).status).toBe(403)
  })

  test('announce to a client user’s workspace the activity, and never the group', async () => {
    const { id } = await activity()
    const held = await filled(1)
    const since = await app.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirst()
    await admin().call('activity.linkGroups', { activity_id: id, location_group_id: held.id })
    await admin().call('group.removeLocations', { location_group_id: held.id, location_id: held.ids[0]! })
    const events = await app.db
      .selectFrom('events')
      .select(['noun', 'audience'])
      .where('id', '>', since?.id ?? 0)
      .execute()
    const nouns = new Set(events.filter(({ audience }) => audience !== 'admin').map(({ noun }) => noun))
    expect([...nouns]).toEqual(['activity'])
    expect(events.some(({ noun }) => noun === 'group')).toBe(true)
  })
})

test('a project doubled the locations of a group that two of its activities share', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  const { id } = await filled(2)
  for (let nth = 0; nth < 2; nth++) {
    const { id: activity_id } = await app.make.activity({ project_id: project.id })
    await app.write((tx) => tx.insertInto('activity_location_groups').values({ activity_id, group_id: id }).execute())
  }
  const { data } = (await admin().call('project.get', { id: project.id })).body
  expect(data.location_groups).toEqual([{ id, name: expect.any(String), locations: 2 }])
})
