import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

describe('the lists of users', () => {
  test('are an administrator’s: a stranger gets 401, a client user 403', async () => {
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

  test('read a role in each spelling, and refuse another by name', async () => {
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

  test('find words of the name, the e-mail and the company, whatever their case', async () => {
    const user = await app.make.user({ first_name: 'Marguerite', last_name: 'Dubois', clients: [app.client.id] })
    for (const search of ['marguerite dub', user.email.toUpperCase(), 'dubois ACME']) {
      expect(
        (await admin().call('user.list', { search })).body.data.map((row) => row.id),
        search,
      ).toEqual([user.id])
    }
    expect((await admin().call('user.list', { search: 'mar%ite' })).body.count).toBe(0)
  })

  test('come ten to a page, of a client a hundred, sorted by a column', async () => {
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

  test('name who may be deleted, and why the others not', async () => {
    const { data } = (await admin().call('user.get', { id: app.admin.id })).body
    expect(data.allowed_actions).toContain('user.edit')
    expect(data.refused_actions['user.remove']).toBe('you cannot delete yourself')
  })
})

describe('editing a user', () => {
  test('changes what is sent, and keeps before and after', async () => {
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

  test('refuses blanks and short phones to the letter, in both spellings', async () => {
    const user = await app.make.user()
    const bad = { first_name: ' ', last_name: '', phone: '12345' }
    const wanted = { first_name: MESSAGES.firstName, last_name: MESSAGES.lastName, phone: MESSAGES.phoneLength }
    expect((await admin().call('user.edit', { id: user.id, ...bad })).body.fields).toEqual(wanted)
    expect((await admin().raw('PUT', `/v1/users/${user.id}.json`, { user: bad })).body.fields).toEqual(wanted)
    expect((await admin().call('user.edit', { id: user.id, phone: '' })).body.fields).toEqual({ phone: MESSAGES.phoneBlank })
  })

  test('answers 409 with both versions when somebody else was quicker, and shows no secret', async () => {
    const user = await app.make.user({ password_hash: 'the hash' })
    await admin().call('user.edit', { id: user.id, first_name: 'Quick', lock_version: 1 })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Slow', lock_version: 1 })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'stale', mine: { first_name: 'Slow' }, theirs: { first_name: 'Quick' } })
    expect(answer.text).not.toContain('the hash')
  })

  test('keeps addresses apart', async () => {
    const [one, other] = [await app.make.user(), await app.make.user()]
    const answer = await admin().call('user.edit', { id: one.id, email: other.email.toUpperCase() })
    expect([answer.status, answer.body.code]).toEqual([422, 'taken'])
  })

  test('changes no role of one’s own', async () => {
    expect((await admin().call('user.edit', { id: app.admin.id, role: 'client' })).status).toBe(409)
  })

  test('is refused to a client user, and a user who is not there is 404', async () => {
    expect((await app.as('client').call('user.edit', { id: app.member.id, first_name: 'X' })).status).toBe(403)
    expect((await admin().call('user.edit', { id: 999_999, first_name: 'X' })).status).toBe(404)
  })

  test('sets one’s own company', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    expect((await person.call('user.setCompany', { company: 'Own Company' })).body.data.company_name).toBe('Own Company')
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
