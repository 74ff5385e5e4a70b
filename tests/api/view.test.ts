import { describe, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { type Answer, fieldwork, type Person } from './support.ts'

const it = await fieldwork()
const admin = it.as('admin')
const client = it.as('client')
const other = await it.make.client({ name: 'Kibble & Co' })
const colleague = await it.signIn(await it.make.user({ role: 'client', clients: [it.client.id] }))
const outsider = await it.signIn(await it.make.user({ role: 'client', clients: [other.id] }))
const secondAdmin = await it.signIn(await it.make.user({ role: 'admin' }))

const screen = 'allProjects'
const save = async (who: Person, name: string, more: object = {}) => {
  const answer = await who.call('view.create', { screen, name, query: 'status=active', ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const names = async (who: Person) => (await who.call('view.list', { screen })).body.data.map((view) => view.name)

describe('saved views', () => {
  test('are private until shared', async () => {
    const mine = await save(client, 'Mine alone')
    expect(mine).toMatchObject({ shared: 'own', mine: true, query: 'status=active', owner_name: 'Cleo Client' })
    expect(await names(client)).toContain('Mine alone')
    for (const who of [colleague, outsider, admin]) expect(await names(who)).not.toContain('Mine alone')
  })

  test('of a client user are visible to the same client’s users and administrators, not to other clients', async () => {
    await save(client, 'For our team', { shared: 'colleagues' })
    for (const who of [colleague, admin]) expect(await names(who)).toContain('For our team')
    expect(await names(outsider)).not.toContain('For our team')
  })

  test('of an administrator are visible to administrators, and to client users only when for everyone', async () => {
    await save(admin, 'Services only', { shared: 'colleagues' })
    await save(admin, 'For all', { shared: 'everyone' })
    expect(await names(secondAdmin)).toEqual(expect.arrayContaining(['Services only', 'For all']))
    expect(await names(client)).toContain('For all')
    expect(await names(client)).not.toContain('Services only')
  })

  test('are shared with everyone only by administrators', async () => {
    const answer = await client.call('view.create', { screen, name: 'Too wide', query: '', shared: 'everyone' })
    expect(answer.status).toBe(403)
  })

  test('have a unique name per user and screen, ignoring case, with the error at the field', async () => {
    await save(client, 'Late ones')
    const again = await client.call('view.create', { screen, name: 'LATE ones', query: '' })
    expect(again.status).toBe(422)
    expect(again.body.fields.name).toContain('already')
    await save(client, 'Late ones', { screen: 'surveyProjects' })
    await save(colleague, 'Late ones')
    const blank = await client.call('view.create', { screen, name: '  ', query: '' })
    expect(blank.body.fields.name).toBe('Please give the view a name')
    const long = await client.call('view.create', { screen, name: 'x'.repeat(61), query: '' })
    expect(long.status).toBe(422)
  })

  test('are changed by their owner or an administrator, and seen only by their audience', async () => {
    const view = await save(client, 'To be changed', { shared: 'colleagues' })
    expect((await colleague.call('view.edit', { id: view.id, name: 'Taken over' })).status).toBe(403)
    expect((await outsider.call('view.edit', { id: view.id, name: 'Probed' })).status).toBe(404)
    expect((await colleague.call('view.remove', { id: view.id })).status).toBe(403)
    const renamed = await admin.call('view.edit', { id: view.id, name: 'By the organization' })
    expect(renamed.body.data).toMatchObject({ name: 'By the organization', mine: false, query: 'status=active' })
    const moved = await client.call('view.edit', { id: view.id, query: 'status=pending&sort=-name' })
    expect(moved.body.data.query).toBe('status=pending&sort=-name')
    expect((await client.call('view.remove', { id: view.id })).status).toBe(200)
    expect(await names(client)).not.toContain('By the organization')
  })

  test('changed by somebody else meanwhile aren’t overwritten', async () => {
    const view = await save(client, 'Raced for', { shared: 'colleagues' })
    await admin.call('view.edit', { id: view.id, query: 'status=completed' })
    const late = await client.call('view.edit', { id: view.id, query: 'status=rejected', lock_version: view.lock_version })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ code: 'stale', clashes: ['query'] })
  })

  test('are found by name in the palette by those who see them', async () => {
    const view = await save(client, 'Palette me', { shared: 'colleagues' })
    const found = async (who: Person) =>
      (await who.call('palette.index')).body.put.filter(([kind, id]) => kind === 'view' && id === view.id)
    expect(await found(colleague)).toEqual([['view', view.id, 'Palette me', 'saved view · all projects']])
    expect(await found(outsider)).toEqual([])
  })

  test('of an administrators’ screen are hidden from client users: in lists, the palette, live events and by id', async () => {
    for (const [at, screenOf] of ['users', 'outbox', 'client.users', 'usersInfo.adminUsers'].entries()) {
      const before = await it.services.live.last()
      const view = await save(admin, `Secret ${at}`, { screen: screenOf, query: 'q=secret', shared: 'everyone' })
      await admin.call('view.edit', { id: view.id, query: 'q=more-secret' })
      expect((await client.call('view.list')).text).not.toContain('secret')
      expect((await client.call('palette.index')).text).not.toContain(`Secret ${at}`)
      expect((await client.call('palette.index', { since: before })).text).not.toContain(`Secret ${at}`)
      expect((await client.call('view.edit', { id: view.id, name: 'Probed' })).status).toBe(404)
      await admin.call('view.remove', { id: view.id })
      const viewEvents = (await it.services.live.since(before)).filter(
        (event) => event.noun === 'view' && event.audience === 'scope',
      )
      expect(viewEvents).toEqual([])
    }
  })

  test('of a screen one may not open can’t be saved, and are hidden after demotion', async () => {
    const was = await it.make.user({ role: 'admin' })
    const person = await it.signIn(was)
    await save(person, 'When I was one', { screen: 'users', query: 'q=secret' })
    await admin.call('user.edit', { id: was.id, role: 'client' })
    expect((await person.call('view.list')).text).not.toContain('secret')
    const answer = await client.call('view.create', { screen: 'users', name: 'Not mine', query: '' })
    expect(answer.status).toBe(403)
  })

  test('are announced to the open workspaces that see them', async () => {
    const before = await it.services.live.last()
    const view = await save(client, 'Heard of', { shared: 'colleagues' })
    const events = (await it.services.live.since(before)).filter((event) => event.noun === 'view' && event.subject_id === view.id)
    expect(events.map((event) => [event.audience, event.client_id])).toEqual(
      expect.arrayContaining([
        ['user', null],
        ['scope', it.client.id],
      ]),
    )
  })
})

type Piece = Output<'list.selection'>
/** Everything a filter matches, page by page. */
async function piecesOf(who: Person, list: 'projects' | 'entries' | 'users' | 'clients', filter: object): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (let after: number | null = 0; after !== null; ) {
    const answer: Answer<'list.selection'> = await who.call('list.selection', { list, filter: JSON.stringify(filter), after })
    expect(answer.status, answer.text).toBe(200)
    pieces.push(answer.body)
    after = answer.body.next
  }
  return pieces
}

describe('selecting all matches', () => {
  test('names every project of a filter with its allowed actions, as in the list', async () => {
    const projects = []
    for (let at = 0; at < 4; at++) projects.push(await it.make.project({ name: `Marked ${at}`, client_id: it.client.id }))
    await it.make.project({ name: 'Left alone', client_id: it.client.id })
    const [piece] = await piecesOf(admin, 'projects', { search: 'Marked' })
    expect(piece!.count).toBe(4)
    const rows = new Map(piece!.rows.map(([id, name, rule]) => [id, { name, allowed: piece!.rules[rule]![0] }]))
    const { data } = (await admin.call('project.listAll', { search: 'Marked', per_page: 50 })).body
    for (const row of data) expect(rows.get(row.id)).toEqual({ name: row.name, allowed: row.allowed_actions })
  })

  test('for some ids returns those that still match', async () => {
    const one = await it.make.project({ name: 'Kept by id', client_id: it.client.id })
    const two = await it.make.project({ name: 'Another', client_id: it.client.id })
    const answer = await admin.call('list.selection', {
      list: 'projects',
      filter: JSON.stringify({ search: 'Kept' }),
      ids: `${one.id},${two.id}`,
    })
    expect(answer.body.rows.map(([id]) => id)).toEqual([one.id])
    expect(answer.body.next).toBeNull()
  })

  test('comes in contiguous pieces: 8,000 of 12,000 rewards are two', async () => {
    const project = await it.make.project({ name: 'Many rewards', client_id: it.client.id })
    const entry = (at: number) => ({
      project_id: project.id,
      email: `person${at}@example.com`,
      email_key: `person${at}@example.com`,
      ip: `10.0.${at >> 8}.${at & 255}`,
      amount_cents: 500,
      provider_id: 1,
      status: at % 3 ? ('pending' as const) : ('sent' as const),
    })
    await it.make.entries(Array.from({ length: 12_000 }, (_, at) => entry(at)))
    const pieces = await piecesOf(admin, 'entries', { project_id: project.id, status: 'pending' })
    const ids = pieces.flatMap((piece) => piece.rows.map(([id]) => id))
    expect(pieces).toHaveLength(2)
    expect(new Set(ids).size).toBe(8000)
    expect(pieces[0]!.rules.length).toBeLessThan(5)
    expect(pieces[0]!.fields).toContain('amount_cents')
  })

  test('is scoped to the caller, and refuses invalid filters', async () => {
    await it.make.project({ name: 'Secret of others', client_id: other.id })
    const [piece] = await piecesOf(client, 'projects', { search: 'Secret' })
    expect(piece!.rows).toEqual([])
    expect((await client.call('list.selection', { list: 'users', filter: '{}' })).status).toBe(403)
    expect((await admin.call('list.selection', { list: 'projects', filter: '[1]' })).status).toBe(422)
    expect((await admin.call('list.selection', { list: 'entries', filter: '{}' })).status).toBe(422)
  })
})
