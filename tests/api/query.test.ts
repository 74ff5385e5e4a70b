import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'
import { testAll } from './wrong.ts'

let app: Fieldwork
let ids: Record<string, number>
beforeAll(async () => {
  app = await fieldwork()
  const { project, survey } = await fresh(app)
  const group = await app.make.group({ client_id: app.client.id })
  ids = {
    ...{ id: project.id, surveyId: survey.id, project_id: project.id },
    ...{ client_id: app.client.id, location_group_id: group.id },
  }
})
const reads = (Object.entries(calls) as [CallId, Call][]).filter(
  ([, row]) => row.method === 'GET' && !row.unsafe && row.as !== 'stream',
)
const fieldsOf = (row: Call) => (row.input as unknown as { shape?: Record<string, unknown> }).shape ?? {}
const inPath = (row: Call) => [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
/** The URL of a read with its path filled in, and a query. */
const addressOf = (id: CallId, row: Call, query: string) => {
  const needed = Object.fromEntries(inPath(row).map((name) => [name, ids[name] ?? 1]))
  return `${requestOf(id, needed).url}?${query}`
}

/** A status that a read filters by, in capitals: the last in its schema. */
const schemaOf = (row: Call) => z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' })
const statusOf = (row: Call) => {
  const { enum: among } = (schemaOf(row).properties?.status ?? {}) as z.core.JSONSchema.JSONSchema
  return String(among?.at(-1) ?? 'all').toUpperCase()
}

describe('every read of the calls table', () => {
  testAll('treats a blank value as omitted', reads, async ([id, row]) => {
    const names = Object.keys(fieldsOf(row)).filter((name) => !inPath(row).includes(name))
    const ask = async (query: string) => app.as('admin').raw('GET', addressOf(id, row, query))
    const [without, blank] = [await ask(''), await ask(names.map((name) => `${name}=`).join('&'))]
    expect([blank.status, blank.body.fields], blank.text).toEqual([without.status, without.body.fields])
  })

  testAll('names unknown query parameters', reads, async ([id, row]) => {
    const answer = await app.as('admin').raw('GET', addressOf(id, row, 'pgae=2&pgae[]=3&naïve%0d%0a=1'))
    expect(answer.headers['fieldwork-ignored']).toBe('pgae, pgae%5B%5D, na%C3%AFve%0D%0A')
    const known = Object.keys(fieldsOf(row)).filter((name) => !inPath(row).includes(name))
    const asked = await app.as('admin').raw('GET', addressOf(id, row, known.map((name) => `${name}=`).join('&')))
    expect(asked.headers['fieldwork-ignored']).toBeUndefined()
  })

  const sorted = reads.filter(([, row]) => 'order' in fieldsOf(row) || 'status' in fieldsOf(row))
  testAll('reads order and status in any case', sorted, async ([id, row]) => {
    const query = ['order', 'status']
      .filter((name) => name in fieldsOf(row))
      .map((name) => `${name}=${name === 'order' ? 'DESC' : statusOf(row)}`)
    for (const name of schemaOf(row).required ?? [])
      if (ids[name] && !inPath(row).includes(name)) query.push(`${name}=${ids[name]}`)
    const answer = await app.as('admin').raw('GET', addressOf(id, row, query.join('&')))
    expect([answer.status, answer.body.fields], answer.text).not.toEqual([422, expect.anything()])
  })

  const paged = reads.filter(([, row]) => 'page' in fieldsOf(row))
  testAll('explains an invalid page', paged, async ([id, row]) => {
    const wrong = async (page: string) => (await app.as('admin').raw('GET', addressOf(id, row, `page=${page}`))).body.fields?.page
    expect(await wrong('abc')).toBe('page must be a number')
    expect(await wrong('0')).toBe('page must be 1 or more')
    expect(await wrong('1.5')).toBe('page must be a whole number')
  })
})

test('a non-numeric id in the path is reported as such', async () => {
  const answer = await app.as('admin').raw('GET', '/v3/portal/clients/abc')
  expect([answer.status, answer.body.fields]).toEqual([422, { id: 'id must be a number, such as 114' }])
})

test('no refusal shows the validator’s own words', async () => {
  const sentences: string[] = []
  for (const [id, row] of Object.entries(calls) as [CallId, Call][]) {
    if (ruleOf(id).who === 'public' || row.as === 'stream') continue
    const wrong = Object.fromEntries(Object.keys(fieldsOf(row)).map((name) => [name, { a: [] }]))
    const { method, url } = requestOf(id, Object.fromEntries(inPath(row).map((name) => [name, 'x'])))
    const somebody = id.includes('ession') ? await app.signIn(await app.make.user({ role: 'admin' })) : app.as('admin')
    const answer = method === 'GET' ? await somebody.raw(method, url) : await somebody.raw(method, url, wrong)
    sentences.push(...Object.values(answer.body.fields ?? {}))
  }
  expect(sentences.length).toBeGreaterThan(100)
  expect(sentences.filter((text) => /expected|received|Invalid input|too small|too big|zod/i.test(text))).toEqual([])
})
