import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { demoWorld, idsFor } from './demo-world.ts'
import { type ApiDocument, comparedWith, type Operation, operationsOf } from './documented.ts'
import type { Answer, Person } from './support.ts'
import { everywhere, testAll } from './wrong.ts'

// Every response is validated against /openapi.json as a third party would: no undocumented field may pass.
type World = Awaited<ReturnType<typeof demoWorld>>
let world: World
let operations: Map<CallId, Operation>
let untrue: (id: CallId, answer: Answer) => string[]
let document: ApiDocument

beforeAll(async () => {
  world = await demoWorld()
  document = (await world.app.as('stranger').raw('GET', '/openapi.json')).body as never
  operations = operationsOf(document)
  untrue = comparedWith(document)
}, 120_000)

const reads = (Object.entries(calls) as [CallId, Call][]).filter(([, row]) => row.method === 'GET' && !row.unsafe)

const inPath = (row: Call) => [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
interface Field {
  type?: string
  enum?: unknown[]
  default?: unknown
  anyOf?: Field[]
}
const schemaOf = (row: Call) =>
  z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Field>
    required?: string[]
  }

/** TABLE  values for fields that name no record of a single table. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  questions: ['1,2'],
  dmas: ['501,803'],
  status: [],
}

/** The inputs for a read: each record it can name, then each word of each of its fields. */
function inputsOf(id: CallId): Record<string, unknown>[] {
  const given = world.given[id]
  if (given) return given
  const row = calls[id] as Call
  const { properties = {}, required = [] } = schemaOf(row)
  const needed = [...new Set([...inPath(row), ...required])]
  const [first, ...others] = needed
  const valuesOf = (name: string) => {
    const ids = idsFor(world.ids, row, name)
    return ids.length ? ids : (VALUES[name] ?? properties[name]?.enum ?? [])
  }
  const rest = Object.fromEntries(others.map((name) => [name, valuesOf(name)[0]]))
  const plain = first ? valuesOf(first).map((value) => ({ ...rest, [first]: value })) : [{}]
  const more: Record<string, unknown>[] = []
  for (const [name, field] of Object.entries(properties)) {
    if (needed.includes(name) || name === 'column' || name === 'order') continue
    const ids = idsFor(world.ids, row, name)
    const words = ids.length
      ? ids.slice(0, 2)
      : (VALUES[name] ?? field.enum ?? (field.anyOf?.some((one) => one.type === 'boolean') ? ['1'] : []))
    for (const word of words) if (word !== '') more.push({ ...plain.at(-1), [name]: word })
  }
  return [...plain, ...more]
}

/** TABLE  reads that never return 200 on the demo data, with the reason. */
const UNANSWERED: Partial<Record<CallId, string>> = {
  'survey.comparison': 'no survey of the demo has a data map',
  'token.current': 'nobody asks by a token here; token.test.ts does',
}

/** How many inputs each caller tries for a read. */
const MOST = { admin: 12, client: 4, other: 1 } as const

const ask = (who: Person, id: CallId, input: Record<string, unknown>) => {
  const { method, url } = requestOf(id, input)
  return who.raw(method, url)
}

describe('every read’s response', () => {
  const answered = reads.filter(([id]) => id !== 'live.stream')
  testAll('matches the API document', answered, async ([id, row]) => {
    const faults: string[] = []
    const statuses = new Set<number>()
    for (const who of ['admin', 'client', 'other'] as const) {
      const refused = who !== 'admin' && ruleOf(id).who === 'admin'
      if (refused && !everywhere) continue
      for (const input of inputsOf(id).slice(0, refused ? 1 : MOST[who])) {
        const answer = await ask(world.people[who], id, input)
        if (who === 'admin') statuses.add(answer.status)
        faults.push(...untrue(id, answer))
      }
    }
    if (everywhere) {
      const needed = [...inPath(row), ...(schemaOf(row).required ?? [])]
      const missing = Object.fromEntries(needed.map((name) => [name, 1_999_999_999]))
      faults.push(...untrue(id, await ask(world.people.admin, id, missing)))
      faults.push(...untrue(id, await ask(world.app.as('stranger'), id, missing)))
    }
    expect([...new Set(faults)]).toEqual([])
    if (!UNANSWERED[id]) expect([...statuses], 'nothing in the demo answers it').toContain(200)
  })
})

describe.runIf(everywhere)('the documented errors', () => {
  test('a stale write is a 409 with both versions', async () => {
    const { app, people } = world
    const { id, lock_version } = await app.make.client()
    await people.admin.call('client.edit', { id, name: 'Theirs', lock_version })
    const answer = await people.admin.call('client.edit', { id, name: 'Mine', lock_version })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'stale',
      theirs: { name: 'Theirs', lock_version: lock_version + 1 },
      mine: { name: 'Mine' },
    })
    expect(untrue('client.edit', answer)).toEqual([])
    expect(document.components.schemas.Conflict!.properties).toMatchObject({ theirs: {}, mine: {}, clashes: {} })
  })

  test('429, 503 and 507 name Retry-After, 401 WWW-Authenticate', () => {
    for (const name of ['TooMany', 'Unavailable', 'Full'])
      expect(document.components.responses[name]!.headers, name).toHaveProperty('Retry-After')
    expect(document.components.responses.Unauthorized!.headers).toHaveProperty('WWW-Authenticate')
  })

  const writes = (Object.entries(calls) as [CallId, Call][]).filter(([, row]) => row.method !== 'GET')
  testAll('are those of every write for strangers, client users and empty bodies', writes, async ([id, row]) => {
    const { method, url } = requestOf(id, {})
    const somebody = await world.app.signIn(await world.app.make.user({ role: 'admin' }))
    const answers = [await somebody.raw(method, url, {})]
    if (ruleOf(id).who !== 'public') answers.push(await world.app.as('stranger').raw(method, url, {}))
    if (ruleOf(id).who === 'admin') answers.push(await world.app.as('client').raw(method, url, {}))
    expect(answers.flatMap((answer) => untrue(id, answer))).toEqual([])
    expect(row.method).toBe(method)
  })
})

describe('the documented requests', () => {
  const operation = (id: CallId) =>
    operations.get(id)! as unknown as {
      security: object[]
      parameters: { name: string; in: string }[]
      requestBody?: { content: Record<string, { schema: { properties: Record<string, { format?: string; items?: object }> } }> }
    }

  test('every call names its authentication schemes', () => {
    expect(operation('project.get').security).toEqual([{ token: [], client: [], uid: [] }, { cookie: [] }, { bearer: [] }])
    expect(operation('runtime.ingest').security).toContainEqual({ apiKey: [] })
    expect(operation('invitation.get').security).toContainEqual({ partnerLink: [] })
    // A GET that changes data accepts no cookie.
    expect(operation('entry.clearByLink').security).toEqual([{ token: [], client: [], uid: [] }, { bearer: [] }])
    expect(operation('session.signIn').security).toEqual([])
    for (const { security } of operations.values() as unknown as { security: Record<string, unknown>[] }[])
      for (const scheme of security.flatMap(Object.keys)) expect(document.components.securitySchemes).toHaveProperty(scheme)
  })

  test('an upload declares its file parts', () => {
    const parts = operation('file.upload').requestBody!.content['multipart/form-data']!.schema.properties
    expect(parts.file).toMatchObject({ type: 'array', items: { type: 'string', format: 'binary' } })
    for (const [id, row] of Object.entries(calls) as [CallId, Call][]) {
      const form = operation(id).requestBody?.content['multipart/form-data']
      expect(Boolean(form), id).toBe(row.as === 'multipart')
      if (form) expect(JSON.stringify(form.schema.properties[row.files!.name]), id).toContain('"binary"')
    }
  })

  test('an intake accepts NDJSON with a respondent per line', () => {
    const { content } = operation('runtime.ingest').requestBody!
    expect(content['application/x-ndjson']!.schema).toEqual({ $ref: '#/components/schemas/Respondent' })
  })

  test('a batch may be the body itself, with what says how to read it in the query', () => {
    for (const id of ['runtime.ingest', 'visit.ingest', 'content.import'] as const) {
      const { anyOf } = operation(id).requestBody!.content['application/json']!.schema as never as { anyOf: { type: string }[] }
      expect(
        anyOf.map(({ type }) => type),
        id,
      ).toEqual(['array', 'object'])
    }
    const inQuery = operation('runtime.ingest').parameters.filter((one) => one.in === 'query')
    expect(inQuery.map(({ name }) => name)).toEqual(['strict', 'dry'])
  })

  test('a stream is documented as one', () => {
    const typesOf = (id: CallId) => Object.keys(operations.get(id)!.responses['200']!.content!)
    expect(typesOf('campaign.exportCsv')).toEqual(['text/csv'])
    expect(typesOf('entry.list')).toEqual(['application/json', 'text/csv'])
    expect(typesOf('live.stream')).toEqual(['text/event-stream'])
    expect(typesOf('file.download')).toEqual(['*/*'])
  })
})
