import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { SELECTABLE } from '../../contract/view.ts'
import { engine } from '../support/engine.ts'
import { fieldsOf, inputFor } from '../torture/input/generate.ts'
import { randomOf } from '../torture/random.ts'
import { requestOf } from './calling.ts'
import { otherWorld, SECRET } from './other-world.ts'
import { type Answer, type Fieldwork, fieldwork, type Person } from './support.ts'
import { testAll } from './wrong.ts'

const rows = Object.entries(calls) as [CallId, Call][]
const NOBODYS = 1_999_999_999

let app: Fieldwork
let theirs: Awaited<ReturnType<typeof otherWorld>>
beforeAll(async () => {
  app = await fieldwork()
  theirs = await otherWorld(app)
})
const client = () => app.as('client')

describe('a client user and another client’s records', () => {
  /** An error without its varying parts: the request's id, and the requested id. */
  const reveals = ({ status, text }: Answer, id: number) =>
    `${status} ${text.replace(/"request_id":"[^"]*"/, '').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')}`
  /** Fields that identify a record, derived from the table, so that new ones are tested too. */
  const idFields = (row: Call) =>
    [...Object.keys(fieldsOf(row.input)), ...[...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)].filter((name) =>
      /(^|_)ids?$|Id$|^client$|^parent|^[bs]id$|^service$/.test(name),
    )
  /** How many inputs to try for each call; their other fields are read before the database is used. */
  const INPUTS = engine === 'sqlite' ? 2 : 1
  /** Inputs valid except for the record, which must be the only reason to refuse. */
  const rightInputs = (row: Call, named: object) => {
    const found: Record<string, unknown>[] = []
    for (let seed = 1; seed < 400 && found.length < INPUTS; seed++) {
      const input = { ...inputFor(row.input, randomOf(seed)), ...named }
      if (row.input.safeParse(input).success) found.push(input)
    }
    return found.length ? found : [inputFor(row.input, randomOf(1))]
  }
  const open = rows.filter(([id, row]) => ruleOf(id).who === 'client' && row.as !== 'stream' && row.as !== 'multipart')
  const holders = open.flatMap(([id, row]) => [...new Set(idFields(row))].map((field) => [id, field] as const))

  testAll('their id gets the same response as a missing one, in any field', holders, async ([id, field]) => {
    const row = calls[id] as Call
    const many = /ids$/.test(field)
    const wrong: string[] = []
    for (const base of rightInputs(row, { [field]: many ? [NOBODYS] : NOBODYS })) {
      const ask = async (value: number) => {
        const { method, url, body } = requestOf(id, {
          ...base,
          [field]: many ? [value] : value,
        })
        return client().raw(method, url, body)
      }
      const nobodys = reveals(await ask(NOBODYS), NOBODYS)
      for (const [noun, value] of Object.entries(theirs.ids)) {
        const answer = await ask(value)
        if (answer.text.includes(SECRET)) wrong.push(`${noun}: tells ${answer.text.slice(0, 200)}`)
        if (reveals(answer, value) !== nobodys)
          wrong.push(`${noun} ${value}: ${reveals(answer, value).slice(0, 200)} is not ${nobodys.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('lists, searches and the palette’s index reveal nothing', async () => {
    for (const [id] of open.filter(([, call]) => call.method === 'GET' && !call.path.includes('{'))) {
      for (const input of [
        {},
        { search: SECRET },
        { search: String(theirs.ids.project) },
        { since: 0 },
        { client: theirs.ids.client },
        { per_page: 500, status: 'all', generation: 'any' },
      ]) {
        const { method, url, body } = requestOf(id, input)
        expect((await client().raw(method, url, body)).text, `${id} ${JSON.stringify(input)}`).not.toContain(SECRET)
      }
    }
  })

  test('their ids select nothing in any list', async () => {
    const ids = Object.values(theirs.ids)
    for (const list of SELECTABLE) {
      for (const filter of [
        {},
        { project_id: theirs.ids.project },
        { client_id: theirs.ids.client, client: theirs.ids.client },
      ]) {
        for (const wanted of [{ ids: ids.join() }, {}]) {
          const input = { list, filter: JSON.stringify(filter), ...wanted }
          const answer = await client().call('list.selection', input as never)
          expect(answer.text, JSON.stringify(input)).not.toContain(SECRET)
          expect([200, 403, 404, 422]).toContain(answer.status)
          const selected = answer.status === 200 ? answer.body.rows.map(([id]) => id) : []
          expect(selected.filter((id) => ids.includes(id))).toEqual([])
        }
      }
    }
  })

  test('their saved view is shared only with their colleagues', async () => {
    const colleague = await app.signIn(await app.make.user({ clients: [theirs.ids.client] }))
    const names = async (who: Person) =>
      (await who.call('view.list')).body.data.filter((view) => !view.mine).map((view) => view.name)
    expect(await names(colleague)).toEqual([`${SECRET} colleagues`])
    expect(await names(client())).toEqual([])
    for (const id of [theirs.ids.view, theirs.ids.sharedView]) {
      expect((await client().call('view.edit', { id, name: 'Mine' })).status).toBe(404)
      expect((await client().call('view.remove', { id })).status).toBe(404)
    }
    // Being able to see it doesn't permit changing it.
    expect((await colleague.call('view.edit', { id: theirs.ids.sharedView, name: 'Mine' })).status).toBe(403)
    expect((await colleague.call('view.edit', { id: theirs.ids.view, name: 'Mine' })).status).toBe(404)
  })

  test('what a caller may not set stays unset, however it is sent', async () => {
    const more = {
      role: 'admin',
      role_id: 2,
      id: theirs.ids.user,
      user_id: theirs.ids.user,
      email: 'zanzibar@mail.test',
      clients: [theirs.ids.client],
      client_id: theirs.ids.client,
      deleted_at: null,
      password_hash: 'x',
      status: 'invited',
      must_change_password: 1,
    }
    for (const body of [
      { ...more, first_name: 'Cleo', last_name: 'Client', phone: '2125550100' },
      { user: more },
      { account: more, first_name: 'Cleo' },
    ]) {
      await client().raw('PUT', `/v3/portal/account?id=${theirs.ids.user}&role=admin`, body)
    }
    const me = await app.db.selectFrom('users').selectAll().where('id', '=', app.member.id).executeTakeFirstOrThrow()
    expect(me).toMatchObject({ role: 'client', email: 'client@fieldwork.test', status: 'active', must_change_password: 0 })
    const other = await app.db.selectFrom('users').selectAll().where('id', '=', theirs.ids.user).executeTakeFirstOrThrow()
    expect(other).toMatchObject({ first_name: SECRET, role: 'client' })
    expect((await client().call('client.get', { id: theirs.ids.client })).status).toBe(404)
  })
})
