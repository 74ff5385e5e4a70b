import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

describe('the lists of users', () => {
  test('are for administrators: a stranger gets 401, a client user 403', async () => {
    for (const path of [
      '/v1/users?role=admin',
      '/v3/portal/users/all?role=admin',
      '/v3/portal/users/',
      '/v3/portal/users/all/dropdown/',
      '/v3/portal/users/client/1',
    ]) {
      expect((await app.as('stranger').raw('GET', path)).status, path).toBe(401)
      expect((await app.as('client').raw('GET', path)).status, path).toBe(403)
    }
  })

  test('accept a role in each spelling, and refuse others by name', async () => {
    const roles = async (path: string) =>
      (await admin().raw('GET', path)).body as unknown as {
        data: { role: string }[] & { users: { role: string; role_id: number }[] }
        fields: Record<string, string>
      }
    expect((await roles('/v3/portal/users/all?role=2')).data.every((user) => user.role === 'admin')).toBe(true)
    expect((await roles('/v3/portal/users/all?role=client')).data.every((user) => user.role === 'client')).toBe(true)
    expect((await roles('/v1/users?role=2')).data.users.every((user) => user.role === 'client' && user.role_id === 2)).toBe(true)
    expect((await roles('/v1/users?role=3')).fields.role).toContain('role is not a role')
    expect((await roles('/v3/portal/users?role=1')).fields.role).toContain('role is not a role')
  })

  test('find words in name, email and company, ignoring case', async () => {
    const user = await app.make.user({ first_name: 'Marguerite', last_name: 'Dubois', clients: [app.client.id] })
    for (const search of ['marguerite dub', user.email.toUpperCase(), 'dubois ACME']) {
      expect(
        (await admin().call('user.list', { search })).body.data.map((row) => row.id),
        search,
      ).toEqual([user.id])
    }
    expect((await admin().call('user.list', { search: 'mar%ite' })).body.count).toBe(0)
  })

  test('find a user by their ID, to which the palette leads', async () => {
    const user = await app.make.user()
    const found = (await admin().call('user.list', { search: String(user.id) })).body.data.map((row) => row.id)
    expect(found).toContain(user.id)
  })

  test('find a user by each of their clients, and sort by the one shown', async () => {
    // Zebra comes first by id, the other by name; the row shows Zebra.
    const zebra = await app.make.client({ name: 'Zebra Foods' })
    const aardvark = await app.make.client({ name: 'Aardvark Drinks' })
    const middle = await app.make.client({ name: 'Middle Goods' })
    const both = await app.make.user({ first_name: 'Sorted', last_name: 'Both', clients: [zebra.id, aardvark.id] })
    const one = await app.make.user({ first_name: 'Sorted', last_name: 'One', clients: [middle.id] })
    const found = async (search: string, more: object = {}) =>
      (await admin().call('user.list', { search, ...more })).body.data.map((row) => row.id)
    expect(await found('Zebra')).toEqual([both.id])
    expect(await found('aardvark sorted')).toEqual([both.id])
    const shown = (await admin().call('user.list', { search: 'Sorted', column: 'company_name' })).body.data
    expect(shown.map((row) => row.company_name)).toEqual(['Middle Goods', 'Zebra Foods'])
    const selected = await admin().call('list.selection', { list: 'users', filter: '{"search":"Aardvark"}' })
    expect(selected.body.rows.map(([id]) => id)).toEqual([both.id])
    expect(await found('Sorted', { column: 'company_name', order: 'desc' })).toEqual([both.id, one.id])
  })

  test('put users without a client last in both directions; a self-named company is no client', async () => {
    const { id: client } = await app.make.client({ name: 'Quartz Drinks' })
    const placed = await app.make.user({ first_name: 'Clientele', clients: [client] })
    const gone = await app.make.client({ name: 'Gone Goods' })
    const left = await app.make.user({ first_name: 'Clientele', clients: [gone.id], company: 'Gone Goods' })
    await admin().call('client.remove', { id: gone.id })
    for (const order of ['asc', 'desc'] as const) {
      const { data } = (await admin().call('user.list', { search: 'Clientele', column: 'company_name', order })).body
      expect(data.map((row) => row.id)).toEqual([placed.id, left.id])
      expect(data.map((row) => row.clients.map(({ name }) => name))).toEqual([['Quartz Drinks'], []])
    }
  })

  test('show a user’s clients in the palette, following renames and deletions', async () => {
    const client = await app.make.client({ name: 'Palette Foods' })
    const other = await app.make.client({ name: 'Palette Drinks' })
    const user = await app.make.user({ first_name: 'Found', clients: [client.id, other.id], company: 'Their own words' })
    const addressPrefix = async (since?: number) => {
      const { put, cursor } = (await admin().call('palette.index', since === undefined ? {} : { since })).body
      return { line: put.find(([kind, id]) => kind === 'user' && id === user.id)?.[3], cursor }
    }
    const first = await addressPrefix()
    expect(first.line).toBe(`Palette Foods and 1 more · ${user.email}`)
    await admin().call('client.edit', { id: client.id, name: 'Palette Kitchens' })
    const renamed = await addressPrefix(first.cursor)
    expect(renamed.line).toBe(`Palette Kitchens and 1 more · ${user.email}`)
    await admin().call('client.remove', { id: client.id })
    const one = await addressPrefix(renamed.cursor)
    expect(one.line).toBe(`Palette Drinks · ${user.email}`)
    await admin().call('client.remove', { id: other.id })
    expect((await addressPrefix(one.cursor)).line).toBe(`client user · ${user.email}`)
  })

  test('put users without a name last in both directions', async () => {
    const client = await app.make.client()
    const named = await app.make.user({ first_name: 'Aaliyah', clients: [client.id] })
    const nameless = await app.make.user({ first_name: '', last_name: '', status: 'invited', clients: [client.id] })
    for (const order of ['asc', 'desc'] as const) {
      const { data } = (await admin().call('user.listOfClient', { client_id: client.id, column: 'first_name', order })).body
      expect(data.map((row) => row.id)).toEqual([named.id, nameless.id])
    }
  })

  test('of v1 return v1 role ids, the own account too', async () => {
    expect((await admin().call('session.meFull')).body.data.role_id).toBe(1)
    expect((await app.as('client').call('session.meFull')).body.data.role_id).toBe(2)
    expect((await app.as('client').call('session.validate')).body.data.role_id).toBe(3)
  })

  test('have ten per page, a hundred for a client, sorted by a column', async () => {
    const client = await app.make.client()
    for (let at = 0; at < 12; at++)
      await app.make.user({ first_name: 'Paged', last_name: String.fromCharCode(65 + at), clients: [client.id] })
    const first = (await admin().call('user.list', { search: 'Paged', column: 'last_name', order: 'desc' })).body
    expect([first.count, first.page, first.data.length, first.data[0]?.last_name]).toEqual([12, 1, 10, 'L'])
    const second = (await admin().call('user.list', { search: 'Paged', column: 'last_name', order: 'desc', page: 2 })).body
    expect(second.data.map((user) => user.last_name)).toEqual(['B', 'A'])
    expect((await admin().call('user.listOfClient', { client_id: client.id })).body.data).toHaveLength(12)
    expect((await admin().call('client.users', { id: client.id })).body.data).toHaveLength(12)
  })

  test('say who may be deleted, and why others may not', async () => {
    const { data } = (await admin().call('user.get', { id: app.admin.id })).body
    expect(data.allowed_actions).toContain('user.edit')
    expect(data.refused_actions['user.remove']).toBe('you cannot delete yourself')
  })
})

describe('editing a user', () => {
  test('changes only the fields sent, and records before and after', async () => {
    const user = await app.make.user({ birth_date: '1990-05-05' })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Nadia', phone: '(646) 555-0199', lock_version: 1 })
    expect(answer.body.data).toMatchObject({
      first_name: 'Nadia',
      last_name: user.last_name,
      phone: '6465550199',
      birth_date: '1990-05-05',
      lock_version: 2,
    })
    const line = await app.db
      .selectFrom('history')
      .selectAll()
      .where('subject', '=', 'user')
      .where('subject_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect([JSON.parse(line.before), JSON.parse(line.after)]).toEqual([
      { first_name: 'Pat', phone: '2125550100' },
      { first_name: 'Nadia', phone: '6465550199' },
    ])
  })

  test('refuses blanks and short phones in the specification’s words, in both spellings', async () => {
    const user = await app.make.user()
    const bad = { first_name: ' ', last_name: '', phone: '12345' }
    const wanted = { first_name: MESSAGES.firstName, last_name: MESSAGES.lastName, phone: MESSAGES.phoneLength }
    expect((await admin().call('user.edit', { id: user.id, ...bad })).body.fields).toEqual(wanted)
    expect((await admin().raw('PUT', `/v1/users/${user.id}.json`, { user: bad })).body.fields).toEqual(wanted)
    expect((await admin().call('user.edit', { id: user.id, phone: '' })).body.fields).toEqual({ phone: MESSAGES.phoneBlank })
  })

  test('returns 409 with both versions after a concurrent edit, and shows no secret', async () => {
    const user = await app.make.user({ password_hash: 'the hash' })
    await admin().call('user.edit', { id: user.id, first_name: 'Quick', lock_version: 1 })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Slow', lock_version: 1 })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'stale', mine: { first_name: 'Slow' }, theirs: { first_name: 'Quick' } })
    expect(answer.text).not.toContain('the hash')
  })

  test('accepts every field the specification names, in both spellings', async () => {
    const [first, second] = [await app.make.client(), await app.make.client()]
    for (const [at, spelling] of (['user.edit', 'user.editOlder'] as const).entries()) {
      const user = await app.make.user({ clients: [first.id] })
      const admin_id = spelling === 'user.edit' ? 2 : 1
      const edit = async (fields: object) => (await admin().call(spelling, { id: user.id, ...fields })).body.data
      expect(await edit({ name: 'Ana Maria Lopez' })).toMatchObject({ first_name: 'Ana Maria', last_name: 'Lopez' })
      expect(await edit({ first_name: 'Anna' })).toMatchObject({ name: 'Anna Lopez' })
      expect(await edit({ name: ' Anna\u200b\u200b   Lo\u202epez ' })).toMatchObject({ name: 'Anna Lopez' })
      expect(await edit({ email: `Fresh${at}@Mail.test` })).toMatchObject({
        email: user.email,
        pending_email: `fresh${at}@mail.test`,
      })
      expect(await edit({ birth_date: '1990-05-05' })).toMatchObject({ birth_date: '1990-05-05' })
      expect(await edit({ company: 'Own Company' })).toMatchObject({ company: 'Own Company', company_name: first.name })
      expect(await edit({ company_id: second.id })).toMatchObject({ company_id: second.id, company_name: second.name })
      expect(await edit({ company_id: '' })).toMatchObject({ company_id: null, clients: [], company_name: 'Own Company' })
      expect(await edit({ company_id: String(first.id) })).toMatchObject({ clients: [{ id: first.id }] })
      expect(await edit({ role_id: admin_id })).toMatchObject({ role: 'admin', role_id: admin_id, clients: [] })
      expect(await edit({ role: 'client' })).toMatchObject({ role: 'client', role_id: admin_id + 1 })
    }
  })

  test('refuses invalid fields by name', async () => {
    const user = await app.make.user({ clients: [app.client.id] })
    const faults = async (fields: object, id: 'user.edit' | 'user.editOlder' = 'user.edit') => {
      const answer = await admin().call(id, { id: user.id, ...fields })
      return [answer.status, answer.body.fields]
    }
    expect(await faults({ name: ' ' })).toEqual([422, { name: MESSAGES.userName }])
    expect(await faults({ name: 'Single' })).toEqual([422, { name: MESSAGES.lastName }])
    expect(await faults({ name: 'New Name', first_name: 'Other' })).toEqual([
      422,
      { name: 'name must match first_name and last_name' },
    ])
    for (const [role_id, spelling] of [
      [9, 'user.edit'],
      [1, 'user.edit'],
      [9, 'user.editOlder'],
      [3, 'user.editOlder'],
    ] as const)
      expect([await faults({ role_id }, spelling)].flat()[0], `${spelling} ${role_id}`).toBe(422)
    const past = 'The birth date must be in the past.'
    const range = 'The birth date must make them 13 to 120 years old.'
    expect(await faults({ birth_date: '2090-01-01' })).toEqual([422, { birth_date: past }])
    expect(await faults({ birth_date: `${new Date().getFullYear() - 5}-01-01` })).toEqual([422, { birth_date: range }])
    expect(await faults({ birth_date: '1901-01-01' })).toEqual([422, { birth_date: range }])
    expect(await faults({ birth_date: '1850-01-01' })).toEqual([
      422,
      { birth_date: 'birth_date must be a date from 1900 to 2199' },
    ])
    for (const birth_date of ['1990-02-31', '12 May 1990'])
      expect(await faults({ birth_date }), birth_date).toEqual([422, { birth_date: 'birth_date is not a date (YYYY-MM-DD)' }])
    expect(await faults({ company_id: 999_999 })).toEqual([422, { company_id: 'There is no client 999999.' }])
    expect(await faults({ role: 'admin', company_id: (await app.make.client()).id })).toEqual([
      422,
      { company_id: 'An administrator can’t belong to a client.' },
    ])
    expect((await faults({ company_name: 'Foo' }))[0]).toBe(422)
    expect((await faults({ status: 'invited' }))[0]).toBe(422)
    expect((await admin().call('user.get', { id: user.id })).body.data).toMatchObject({ lock_version: 1, role: 'client' })
  })

  test('changes nothing when sent back as read', async () => {
    const user = await app.make.user({ first_name: 'Ana', last_name: 'Maria Lopez', clients: [app.client.id], company: 'Acme' })
    const { data } = (await admin().call('user.get', { id: user.id })).body
    const answer = await admin().call('user.edit', { ...data })
    expect([answer.status, answer.body.data]).toEqual([200, data])
    const invited = await app.make.user({ first_name: '', last_name: '', phone: '', status: 'invited' })
    const read = (await admin().call('user.get', { id: invited.id })).body.data
    expect((await admin().call('user.edit', { ...read })).body.data).toEqual(read)
  })

  test('clears the name of an invited user, and nobody else’s', async () => {
    const invited = await app.make.user({ first_name: '', last_name: '', phone: '', status: 'invited' })
    await admin().call('user.edit', { id: invited.id, first_name: 'Ines', last_name: 'Iris', phone: '2125550100' })
    const back = await admin().call('user.edit', { id: invited.id, first_name: '', last_name: '', phone: '' })
    expect(back.body.data).toMatchObject({ first_name: '', last_name: '', phone: '', name: invited.email })
  })

  test('promotion removes clients and teams, and the response’s data restores them', async () => {
    const other = await app.make.client()
    const user = await app.make.user({ clients: [app.client.id, other.id] })
    const team = await app.make.team({ client_id: other.id, users: [user.id] })
    const { body } = await admin().call('user.edit', { id: user.id, role: 'admin' })
    expect(body.data).toMatchObject({ role: 'admin', clients: [], company_id: null })
    const on = () => app.db.selectFrom('team_users').select('team_id').where('user_id', '=', user.id).execute()
    expect(await on()).toEqual([])
    const { data } = (await admin().call('client.users', { id: other.id })).body
    expect(data.map((row) => row.id)).not.toContain(user.id)
    const back = await admin().call('user.edit', { id: user.id, role: 'client', rejoin: body.left_at })
    expect(back.body.data.clients.map((one) => one.id)).toEqual([app.client.id, other.id])
    expect(await on()).toEqual([{ team_id: team.id }])
  })

  test('a role restored without that data restores no client', async () => {
    const user = await app.make.user({ clients: [app.client.id] })
    await admin().call('user.edit', { id: user.id, role: 'admin' })
    expect((await admin().call('user.edit', { id: user.id, role: 'client' })).body.data.clients).toEqual([])
  })

  test('a stale one shows the record as read, not the database row', async () => {
    const user = await app.make.user({ password_hash: 'the hash', clients: [app.client.id], preferences: '{"theme":"dark"}' })
    await admin().call('user.edit', { id: user.id, first_name: 'Quick', lock_version: 1 })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Slow', email: 'slow@mail.test', lock_version: 1 })
    const { theirs, mine, clashes } = answer.body as unknown as Record<string, Record<string, unknown>>
    const read = (await admin().call('user.get', { id: user.id })).body.data
    expect(theirs).toEqual(read)
    expect(Object.keys(mine ?? {}).filter((name) => !(name in read))).toEqual([])
    expect([...(clashes as unknown as string[])].sort()).toEqual(['email', 'first_name'])
    expect(answer.text).not.toMatch(/hash|preferences|password/)
  })

  test('keeps addresses unique', async () => {
    const [one, other] = [await app.make.user(), await app.make.user()]
    const answer = await admin().call('user.edit', { id: one.id, email: other.email.toUpperCase() })
    expect([answer.status, answer.body.code]).toEqual([422, 'taken'])
  })

  test('never changes the caller’s own role', async () => {
    expect((await admin().call('user.edit', { id: app.admin.id, role: 'client' })).status).toBe(409)
  })

  test('is refused to client users, and a missing user is a 404', async () => {
    expect((await app.as('client').call('user.edit', { id: app.member.id, first_name: 'X' })).status).toBe(403)
    expect((await admin().call('user.edit', { id: 999_999, first_name: 'X' })).status).toBe(404)
  })

  test('sets the caller’s own company', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    expect((await person.call('user.setCompany', { company: 'Own Company' })).body.data.company_name).toBe('Own Company')
    const placed = await app.make.user({ clients: [app.client.id] })
    await (await app.signIn(placed)).call('user.setCompany', { company: 'Acme' })
    expect((await admin().call('user.get', { id: placed.id })).body.data).toMatchObject({
      company: 'Acme',
      company_name: app.client.name,
    })
  })

  test('accepts the caller’s own company under either name, and refuses two that disagree', async () => {
    const placed = await app.make.user({ clients: [app.client.id], company: 'Acme' })
    const person = await app.signIn(placed)
    const set = (input: Record<string, string | undefined>) => person.call('user.setCompany', input)
    const { company, company_name } = (await person.call('session.meFull')).body.data
    expect((await set({ company, company_name })).body.data).toMatchObject({ company: 'Acme', lock_version: 1 })
    expect((await set({ company, company_name: 'Acme West' })).body.data.company).toBe('Acme West')
    const both = await set({ company: 'Acme East', company_name: 'Acme South' })
    expect([both.status, both.body.fields]).toEqual([
      422,
      { company_name: 'company_name and company are one field and must match' },
    ])
    for (const blank of [undefined, '', ' ']) expect((await set({ company: blank, company_name: blank })).status).toBe(422)
    expect((await person.call('session.meFull')).body.data.company).toBe('Acme West')
  })
})

describe('deleting a user', () => {
  test('is soft, ends their sessions and frees their address', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    expect((await admin().raw('DELETE', `/v3/portal/users/?id=${user.id}`)).status).toBe(200)
    expect((await person.call('session.validate')).status).toBe(401)
    expect((await admin().call('user.get', { id: user.id })).status).toBe(404)
    expect((await admin().call('user.invite', { email: user.email, role_id: 'client', client_id: app.client.id })).status).toBe(
      200,
    )
  })

  test('never oneself', async () => {
    const answer = await admin().call('user.remove', { id: app.admin.id })
    expect([answer.status, answer.body.message]).toEqual([409, 'You cannot delete yourself.'])
  })

  test('never the last administrator: of two who delete each other, one stays', async () => {
    const fresh = await fieldwork()
    const second = await fresh.make.user({ role: 'admin' })
    const other = await fresh.signIn(second)
    const answers = await Promise.all([
      fresh.as('admin').call('user.remove', { id: second.id }),
      other.call('user.removeOlder', { id: fresh.admin.id }),
    ])
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1)
    const left = await fresh.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('deleted_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
  })
})
