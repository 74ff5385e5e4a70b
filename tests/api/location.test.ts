import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
let serial = 0
/** A street that no other test uses. */
const street = () => `${++serial} Test Corner Road`
const place = async (given: object = {}) =>
  (await admin().call('location.create', { name: `Store ${++serial}`, address: street(), ...given })).body.data
const group = (given: object = {}) => app.make.group({ client_id: app.client.id, ...given })
const idsIn = async (group_id: number) =>
  (await admin().call('location.list', { group_id, per_page: 500, column: 'id' })).body.data.map(({ id }) => id)
const take = async (headers: Record<string, unknown>) => {
  const { status, text } = await admin().call('undo.take', { id: Number(headers['x-undo']) })
  expect(status, text).toBe(200)
}

describe('a location', () => {
  test('needs a name and an address in all four writes, with the specification’s exact messages', async () => {
    const { id } = await place()
    const writes = [
      ['POST', '/v3/portal/locations', {}],
      ['PUT', '/v3/portal/locations', { id }],
      ['POST', '/v1/locations.json', {}],
      ['PUT', `/v1/locations/${id}.json`, {}],
    ] as const
    for (const [method, path, more] of writes) {
      const blank = await admin().raw(method, path, { ...more, name: ' ', address: '' })
      expect([blank.status, blank.body.fields], `${method} ${path}`).toEqual([
        422,
        { name: MESSAGES.locationName, address: MESSAGES.locationAddress },
      ])
    }
    expect(MESSAGES.locationName).toBe('Location Name cannot be blank')
    expect(MESSAGES.locationAddress).toBe('Location Address cannot be blank')
  })

  test('is parsed from one line, unless its parts are given', async () => {
    const one = await place({ address: '120 Main Street, Boston, MA 02108' })
    expect(one).toMatchObject({ address: '120 Main Street', city: 'Boston', state: 'MA', zip: '02108' })
    const two = await place({ address: '120 Main Street, Boston', city: 'Cambridge', state: 'Massachusetts' })
    expect(two).toMatchObject({ address: '120 Main Street, Boston', city: 'Cambridge', state: 'MA', zip: '' })
  })

  test('has both coordinates or none, within range', async () => {
    const half = await admin().call('location.create', { name: 'Half', address: street(), latitude: 42 })
    expect([half.status, half.body.fields]).toEqual([422, { longitude: MESSAGES.bothCoordinates }])
    const far = await admin().call('location.create', { name: 'Far', address: street(), latitude: 420, longitude: -71 })
    expect(far.body.fields).toEqual({ latitude: 'Latitude 420 is out of range' })
    const exact = await place({ latitude: '42.36', longitude: -71.06 })
    expect(exact).toMatchObject({ latitude: 42.36, longitude: -71.06, position: 'exact', dma: 506 })
  })

  test('keeps its own coordinates when its address changes, until they are cleared', async () => {
    const { id } = await place({ latitude: 42.36, longitude: -71.06 })
    const moved = (await admin().call('location.edit', { id, address: '9 Elm Street' })).body.data
    expect(moved).toMatchObject({ address: '9 Elm Street', position: 'exact', latitude: 42.36 })
    const without = (await admin().call('location.edit', { id, latitude: null, longitude: '' })).body.data
    expect(without.position).not.toBe('exact')
  })

  test('without coordinates is placed by its ZIP, else by its city, and again when its address changes', async () => {
    const made = await place({ address: '9 State Street, Boston, MA 02109' })
    expect(made).toMatchObject({ position: 'zip', dma: 506 })
    expect(Math.abs(made.latitude! - 42.36) + Math.abs(made.longitude! + 71.05)).toBeLessThan(0.05)
    const edit = async (fields: object) => (await admin().call('location.edit', { id: made.id, ...fields })).body.data
    expect(await edit({ zip: '60601', city: 'Chicago', state: 'IL' })).toMatchObject({ position: 'zip', dma: 602 })
    expect(await edit({ zip: '', city: 'Denver', state: 'CO' })).toMatchObject({ position: 'city', dma: 751 })
    expect(await edit({ city: 'Nowhere Springs' })).toMatchObject({ position: 'none', latitude: null, dma: null })
  })

  test('is saved with a warning about what looks wrong', async () => {
    const first = await place({ address: '77 Twice Avenue', zip: '60601' })
    const { body } = await admin().call('location.create', {
      ...{ name: 'Second', address: '77 TWICE AVE.', zip: '60601-0001', state: 'Ontario' },
    })
    expect(body.warnings).toEqual(['“Ontario” is not a state.', `“${first.name}” is at this address.`])
    expect(body.same).toEqual([{ id: first.id, name: first.name }])
    expect(body.data.repeats).toBe(1)
    const zip = await admin().call('location.create', { name: 'Short', address: street(), zip: '0210' })
    expect(zip.body.warnings).toEqual(['ZIP 0210 is not a ZIP code of 5 or 9 digits.'])
  })

  test('is the same record in both spellings', async () => {
    const { id } = await place({ city: 'Boston' })
    const older = await admin().raw('GET', `/v1/locations/${id}.json`)
    const { data } = older.body as never as { data: Record<string, unknown> }
    expect(data).toMatchObject({ id, city: 'Boston', group: '' })
    const back = await admin().raw('PUT', `/v1/locations/${id}.json`, data)
    expect([back.status, (back.body as never as { data: object }).data]).toEqual([200, data])
    const read = (await admin().call('location.get', { id })).body.data
    const same = await admin().call('location.edit', read as never)
    expect([same.status, same.body.data]).toEqual([200, read])
  })

  test('changed by somebody else since returns 409 with both versions', async () => {
    const { id, lock_version } = await place()
    await admin().call('location.edit', { id, name: 'Theirs', lock_version })
    const stale = await admin().call('location.edit', { id, name: 'Mine', lock_version })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ mine: { name: 'Mine' }, theirs: { name: 'Theirs' }, clashes: ['name'] })
  })
})

describe('a location’s group, older spelling,', () => {
  test('lists its groups by name; the same list changes nothing, an id or exact name sets the only one, blank clears them', async () => {
    const [east, west] = [await group({ name: `East ${++serial}` }), await group({ name: `West ${++serial}` })]
    const { id } = await place({ group_ids: [east.id, west.id] })
    const both = `${east.name}, ${west.name}`
    const put = async (value: unknown) => {
      const { body } = await admin().raw('PUT', `/v1/locations/${id}.json`, { group: value })
      return (body as never as { data: { group: string } }).data?.group ?? (body.fields as { group: string }).group
    }
    expect([await put(both), await put(west.name), await put(east.id), await put('')]).toEqual([both, west.name, east.name, ''])
    expect(await put('Nowhere')).toBe('There is no location group called “Nowhere”.')
    await group({ client_id: (await app.make.client()).id, name: east.name })
    expect(await put(east.name)).toBe(`Several location groups are called “${east.name}”: send an ID.`)
  })

  test('filters the list, and can be set at creation', async () => {
    const { id, name } = await group({ name: `Older ${++serial}` })
    const made = await admin().raw('POST', '/v1/locations.json', { name: 'Grouped', address: street(), group: name })
    expect((made.body as never as { data: object }).data).toMatchObject({ name: 'Grouped', group: name })
    for (const asked of [String(id), name]) {
      const { body } = await admin().raw('GET', `/v1/locations/locations_list.json?page=1&group=${encodeURIComponent(asked)}`)
      expect((body as never as { data: object }).data).toMatchObject({ count: 1, locations: [{ name: 'Grouped', group: name }] })
    }
  })
})

describe('the list of locations', () => {
  test('searches name, address, city and ZIP', async () => {
    const found = await place({ name: 'Quokka Depot', address: '5 Wombat Way', city: 'Perthville', zip: '98765' })
    for (const search of ['quokka', 'wombat way', 'perthville', '98765', 'depot perth'])
      expect(
        (await admin().call('location.list', { search })).body.data.map(({ id }) => id),
        search,
      ).toEqual([found.id])
  })

  test('is filtered by group, client, state, position and repeats', async () => {
    const client = await app.make.client()
    const held = await app.make.group({ client_id: client.id })
    const [exact, none] = [
      await place({ state: 'VT', latitude: 44, longitude: -72, group_ids: [held.id] }),
      await place({ state: 'VT', group_ids: [held.id] }),
    ]
    const ids = async (filter: object) =>
      (await admin().call('location.list', { column: 'id', ...filter } as never)).body.data.map(({ id }) => id)
    expect(await ids({ group_id: held.id })).toEqual([exact.id, none.id])
    expect(await ids({ client_id: client.id })).toEqual([exact.id, none.id])
    expect(await ids({ state: 'Vermont' })).toEqual([exact.id, none.id])
    expect(await ids({ group_id: held.id, position: 'exact' })).toEqual([exact.id])
    const twin = await place({ address: exact.address, zip: exact.zip })
    expect(await ids({ client_id: client.id, repeated: 'yes' })).toEqual([exact.id])
    expect(twin.repeats).toBe(1)
  })

  test('returns points for a map, without locations that have no position', async () => {
    const held = await group()
    const exact = await place({ latitude: 44, longitude: -72, group_ids: [held.id] })
    await place({ group_ids: [held.id] })
    const { body } = await admin().call('location.points', { group_ids: String(held.id) })
    expect(body).toMatchObject({ data: [[exact.id, 44, -72, 1]], squares: [], count: 2 })
  })

  test('matches pasted lines by ID, address and name, and parses new ones', async () => {
    const held = await group()
    const one = await place({ name: 'Pasted Depot', address: '31 Pasted Lane, Troy, NY 12180', group_ids: [held.id] })
    const lines = [`P-${one.id}`, '31 PASTED LN, Troy NY 12180', 'pasted depot', '8 Unknown St, Troy, NY 12180']
    const { data } = (await admin().call('location.find', { lines, group_id: held.id })).body
    expect(data.map(({ found, locations }) => [found, locations[0]?.id, locations[0]?.in_group])).toEqual([
      ['one', one.id, true],
      ['one', one.id, true],
      ['one', one.id, true],
      ['none', undefined, undefined],
    ])
    expect(data[3]!.parts).toEqual({ street: '8 Unknown St', city: 'Troy', state: 'NY', zip: '12180' })
  })
})

describe('deleting locations', () => {
  test('removes them from their groups, reports the effects, and is undone with every link', async () => {
    const held = await group()
    const { id: activity_id } = await app.make.activity({ project_id: (await app.make.project({ client_id: app.client.id })).id })
    await admin().call('activity.linkGroups', { activity_id, location_group_id: held.id })
    const made = [await place({ group_ids: [held.id] }), await place({ group_ids: [held.id] }), await place()]
    const ids = made.map(({ id }) => id)
    const effect = { locations: 3, groups: 1, activities: 1 }
    const tried = await admin().raw('DELETE', '/v3/portal/locations?dry=1', { ids })
    expect([tried.status, (tried.body as never as { data: unknown }).data]).toEqual([200, effect])
    const { body, headers } = await admin().call('location.remove', { ids })
    expect([body.data, body.message]).toEqual([effect, '3 locations were deleted.'])
    expect(await idsIn(held.id)).toEqual([])
    expect((await admin().call('location.get', { id: ids[0]! })).status).toBe(404)
    await take(headers)
    expect(await idsIn(held.id)).toEqual(ids.slice(0, 2))
    expect((await admin().raw('DELETE', `/v1/locations/${ids[2]}.json`)).status).toBe(200)
    expect((await admin().raw('DELETE', `/v3/portal/locations/?id=${ids[1]}`)).status).toBe(200)
  })
})

describe('repeats', () => {
  test('are merged into the oldest, which gets all their groups, and undo restores everything', async () => {
    const [one, two] = [await group(), await group()]
    const address = street()
    const oldest = await place({ address, group_ids: [one.id] })
    const newer = await place({ address: address.toUpperCase(), group_ids: [one.id, two.id] })
    const apart = await place()
    const ids = [newer.id, apart.id, oldest.id]
    const { body, headers } = await admin().call('location.merge', { ids })
    expect(body.data).toEqual({ merged: 1, kept: 1, groups: 2, skipped: 1, kept_ids: [oldest.id] })
    expect([await idsIn(one.id), await idsIn(two.id)]).toEqual([[oldest.id], [oldest.id]])
    await take(headers)
    expect([await idsIn(one.id), await idsIn(two.id)]).toEqual([[oldest.id, newer.id], [newer.id]])
    const none = await admin().call('location.merge', { ids: [apart.id] })
    expect([none.status, none.body.message]).toEqual([422, 'None of these locations share an address.'])
  })

  test('can be merged by a filter, or into a named one', async () => {
    const held = await group()
    const address = street()
    const [one, two, other] = [
      await place({ address, group_ids: [held.id] }),
      await place({ address, group_ids: [held.id] }),
      await place({ group_ids: [held.id] }),
    ]
    expect((await admin().call('location.merge', { all: true, group_id: held.id })).body.data).toMatchObject({ merged: 1 })
    expect(await idsIn(held.id)).toEqual([one.id, other.id])
    expect((await admin().call('location.merge', { ids: [one.id], into_id: other.id })).body.data).toMatchObject({
      kept_ids: [other.id],
    })
    expect([await idsIn(held.id), two.id > one.id]).toEqual([[other.id], true])
  })
})

describe('a client user', () => {
  test('can make no call about locations, and finds none in the palette', async () => {
    const held = await group({ name: `Hidden Group ${++serial}` })
    const { id, name } = await place({ name: `Hidden Store ${++serial}`, group_ids: [held.id] })
    for (const [method, path] of [
      ['GET', '/v1/locations/locations_list.json'],
      ['GET', `/v1/locations/${id}.json`],
      ['GET', '/v3/portal/locations/all'],
      ['GET', '/v3/portal/locations/?search=Hidden'],
      ['GET', `/v3/portal/locations/${id}`],
      ['GET', '/v3/portal/locations/points'],
      ['GET', `/v3/portal/locationgroups/${held.id}`],
      ['GET', `/v3/portal/locationgroups/${held.id}/location`],
      ['GET', `/v3/portal/locations/perlocationgroup/search?location_group_id=${held.id}`],
      ['GET', '/v3/portal/locationgroups'],
      ['DELETE', `/v3/portal/locations/?id=${id}`],
      ['DELETE', `/v3/portal/locations/group?id=${held.id}`],
    ] as const)
      expect((await app.as('client').raw(method, path)).status, `${method} ${path}`).toBe(403)
    const exported = await app.as('client').call('export.start', { source: 'locations' } as never)
    expect(exported.status).toBe(403)
    const index = async (who: 'client' | 'admin') => (await app.as(who).raw('GET', '/v3/portal/palette/index')).text
    const [theirs, ours] = [await index('client'), await index('admin')]
    expect([theirs.includes(name), theirs.includes(held.name)]).toEqual([false, false])
    expect([ours.includes(name), ours.includes(held.name)]).toEqual([true, true])
  })
})
