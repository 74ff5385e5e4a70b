import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { namesOf } from '../../server/core/input.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { requestOf } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const rowOf = (id: CallId) => calls[id] as Call
const example = (id: CallId) => (WRITE_EXAMPLES[id] as Maker)(app)
const ignoredOf = (answer: { body: unknown }) => (answer.body as { ignored?: string[] }).ignored

/** What a read of a write's record is called, and the input that names the same record. */
function readOf(id: CallId, input: Record<string, unknown>) {
  const reads = rowOf(id).reads!
  const { call, by = {} } = typeof reads === 'string' ? { call: reads } : reads
  const read = call as CallId
  const names = namesOf(rowOf(read).input)
  return {
    read,
    input: Object.fromEntries(
      names.flatMap((name) => {
        const value = input[by[name] ?? name] ?? input[name]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}
async function recordOf(id: CallId, { input, as }: Awaited<ReturnType<Maker>>): Promise<Record<string, unknown>> {
  const { read, input: wanted } = readOf(id, input)
  const { method, url } = requestOf(read, wanted)
  const { data } = (await as.raw(method, url)).body as unknown as { data: Record<string, unknown> | Record<string, unknown>[] }
  return Array.isArray(data) ? data.find((one) => one.id === input.id)! : data
}

/** Everything that is kept, but for when somebody was last seen. */
async function everything(): Promise<Record<string, string>> {
  const names =
    app.house.database.engine === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  const tables = (await names.execute(app.db)).rows
    .map((table) => table.name)
    .filter((name) => !/^(sessions|meta|throttles?)$/.test(name))
  const kept: Record<string, string> = {}
  for (const table of tables.sort()) {
    // Mails and jobs go on by themselves: how many there are is what a write decides.
    if (/^(mails|jobs|events)$/.test(table)) {
      const others = table === 'events' ? sql`noun not in ('outbox', 'job')` : sql`1 = 1`
      const { rows } = await sql`select id from ${sql.table(table)} where ${others} order by id`.execute(app.db)
      kept[table] = JSON.stringify(rows)
      continue
    }
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(app.db)
    kept[table] = rows
      .map((one) => JSON.stringify(one))
      .sort()
      .join('\n')
  }
  return kept
}

/** Writes that change a record by its fields. */
const EDITS = WRITES.filter((id) => rowOf(id).reads && rowOf(id).method === 'PUT' && id !== 'project.setCost')

test.each(WRITES)('%s is taken as its example has it', async (id) => {
  expect(WRITE_EXAMPLES[id], 'an example in tests/support/writeExamples.ts').toBeDefined()
  const answer = await sendExample(id, await example(id))
  expect(answer.status, answer.text).toBe(200)
  expect(ignoredOf(answer)).toBeUndefined()
})

describe('a name that nobody knows', () => {
  // A sign-out ends the session whatever is sent: its body is not read.
  test.each(WRITES.filter((id) => id !== 'session.signOut'))('is in the answer’s ignored: %s', async (id) => {
    const answer = await sendExample(id, await example(id), { colour_of_the_sky: 'blue' })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)).toEqual(['colour_of_the_sky'])
  })

  test.each(WRITES.filter((id) => rowOf(id).wraps))('is found within the object that wraps the body: %s', async (id) => {
    const { input, as } = await example(id)
    const { method, url, body } = requestOf(id, input)
    const answer = await as.raw(method, url, { [rowOf(id).wraps!]: { ...(body as object), colour_of_the_sky: 'blue' }, out: 1 })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)!.sort()).toEqual(['colour_of_the_sky', 'out'])
  })

  test('stands in the description of every write’s answer', async () => {
    const document = (await app.as('stranger').raw('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { operationId: CallId; responses: { 200: { content: object } } }>>
    }
    const said = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .filter((one) => JSON.stringify(one.responses[200].content).includes('"ignored"'))
    expect(said.map((one) => one.operationId).sort()).toEqual(WRITES.filter((id) => rowOf(id).as !== 'stream').sort())
  })
})

describe('an edit', () => {
  test.each(EDITS)('of a record that was read, sent back as it is, changes nothing: %s', async (id) => {
    const made = await example(id)
    const record = await recordOf(id, made)
    const before = await everything()
    const { method, url, body } = requestOf(id, { ...made.input })
    const address = Object.fromEntries(Object.entries(body as object).filter(([name]) => /(^|_)id$/.test(name)))
    const answer = await made.as.raw(method, url, { ...record, ...address })
    expect(answer.status, answer.text).toBe(200)
    expect(ignoredOf(answer)).toBeUndefined()
    expect(await everything()).toEqual(before)
  })

  test.each(EDITS)('that says nothing it understands is refused: %s', async (id) => {
    const { input, as } = await example(id)
    const fields = Object.keys(input).filter((name) => !/(^|_)id$/.test(name))
    const said = Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
    const { method, url, body } = requestOf(id, said)
    const before = await everything()
    const answer = await as.raw(method, url, { ...(body as object), colour_of_the_sky: 'blue' })
    expect(answer.status, answer.text).toBe(422)
    expect(await everything()).toEqual(before)
  })

  const READ_ONLY: [CallId, string, unknown][] = [
    ['project.edit', 'completed', 4711],
    ['project.edit', 'cost_cents', 99_999],
    ['project.edit', 'client_name', 'Somebody else'],
    ['project.edit', 'created_at', '2020-01-01T00:00:00.000Z'],
    ['campaign.edit', 'cost', 99],
    ['campaign.edit', 'completed', 4711],
    ['campaign.editProject', 'company_name', 'Somebody else'],
    ['project.approve', 'name', 'Another project'],
    ['project.reject', 'description', 'Something else'],
    ['project.assign', 'name', 'Another project'],
    ['user.edit', 'last_seen_at', '2020-01-01T00:00:00.000Z'],
    ['user.editOlder', 'age', 7],
    ['account.edit', 'email', 'other@mail.test'],
    ['organization.edit', 'public_url', 'http://elsewhere.test'],
    ['client.edit', 'projects_count', 4711],
    ['client.editLocationGroup', 'locations_count', 4711],
    ['partner.edit', 'proffers_count', 4711],
    ['note.edit', 'author', 'Somebody Else'],
    ['view.edit', 'owner_name', 'Somebody Else'],
    ['view.edit', 'screen', 'clients'],
  ]
  test.each(READ_ONLY)('%s refuses another %s by name, and writes nothing else either', async (id, name, value) => {
    const made = await example(id)
    const before = await everything()
    const answer = await sendExample(id, made, { [name]: value })
    expect([answer.status, Object.keys(answer.body.fields ?? {})], answer.text).toEqual([422, [name]])
    expect(await everything()).toEqual(before)
  })

  test('by who saw an older version hears that first', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const record = (await app.as('admin').call('project.get', { id })).body.data
    await app.as('admin').call('project.edit', { id, name: 'Somebody was quicker' })
    const answer = await app.as('admin').raw('PUT', '/v3/portal/projects', { ...record, name: 'Mine' })
    expect([answer.status, answer.body.code]).toEqual([409, 'stale'])
  })

  test('takes what a record says in any spelling of it', async () => {
    const { id, start_dt } = await app.make.project({ client_id: app.client.id, cost_cents: 150_000 })
    const [year, month, day] = start_dt!.split('-')
    const answer = await app.as('admin').raw('PUT', '/v3/portal/projects', {
      id,
      start_dt: `${month}/${day}/${year}`,
      cost_cents: '150000',
      quote_valid_until: '',
      start_dateP: start_dt,
    })
    expect(answer.status, answer.text).toBe(200)
  })

  test('of a record that today’s rules would refuse takes it as it is, and changes what else is said', async () => {
    const user = await app.make.user({ status: 'invited', first_name: '', last_name: '', phone: '' })
    const record = (await app.as('admin').call('user.get', { id: user.id })).body.data
    const answer = await app.as('admin').call('user.edit', { ...record, first_name: 'Nora' })
    expect([answer.status, answer.body.data?.first_name], answer.text).toEqual([200, 'Nora'])
    const bare = await app.make.project({
      client_id: app.client.id,
      start_dt: null,
      end_dt: null,
      ordered: 0,
      status: 'requirements',
    })
    const project = (await app.as('admin').call('project.get', { id: bare.id })).body.data
    const edited = await app.as('admin').raw('PUT', '/v3/portal/projects', { ...project, name: 'Named' })
    expect([edited.status, (edited.body as { data?: { name: string } }).data?.name], edited.text).toEqual([200, 'Named'])
  })
})

test('a read that a write names is a call that only reads, and finds the record by what the write takes', () => {
  for (const id of WRITES.filter((one) => rowOf(one).reads)) {
    const reads = rowOf(id).reads!
    const { call, by = {} } = typeof reads === 'string' ? { call: reads } : reads
    expect(Object.keys(calls), id).toContain(call)
    expect(rowOf(call as CallId).method, id).toBe('GET')
    expect(namesOf(rowOf(id).input), id).toEqual(expect.arrayContaining(Object.values(by)))
  }
})
