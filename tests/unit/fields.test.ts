import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FIELDS } from '../../contract/fields.ts'
import { openApiDocument } from './openapi-document.ts'

interface Node {
  [name: string]: unknown
}
interface Property extends Node {
  description?: string
}
const document = await openApiDocument<
  Node & { components: { schemas: Record<string, Node & { properties: Record<string, Property> }> } }
>()

/** Every property and parameter of the document, with its path. */
function* properties(at: unknown, place = ''): Generator<[name: string, place: string, property: Property]> {
  if (!at || typeof at !== 'object') return
  const node = at as Node
  if (typeof node.name === 'string' && typeof node.in === 'string') yield [node.name, place, node as Property]
  for (const [name, value] of Object.entries(node)) {
    if (name === 'properties' && value && typeof value === 'object')
      for (const [field, property] of Object.entries(value)) yield [field, `${place}/${field}`, property as Property]
    if (name !== 'example' && name !== 'securitySchemes') yield* properties(value, `${place}/${name}`)
  }
}

test('every field of every call is described', () => {
  const without = [...properties(document)].filter(([, , { description }]) => !description)
  expect(without.map(([, place]) => place)).toEqual([])
})

test('every field is described in the dictionary or in its own schema, and the dictionary has no unused field', () => {
  const ours = new Set([
    'message',
    'errors',
    'code',
    'request_id',
    'response',
    'fields',
    'retry_after',
    'theirs',
    'mine',
    'clashes',
    'allowed',
  ])
  const names = new Set([...properties(document)].map(([name]) => name))
  // A field of a single noun may be described where it is declared.
  const own = (name: string) => [...properties(document)].every(([field, , { description }]) => field !== name || description)
  const inHeaders = new Set(['Idempotency-Key', 'If-None-Match', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
  expect([...names].filter((name) => !FIELDS[name] && !ours.has(name) && !inHeaders.has(name) && !own(name))).toEqual([])
  expect(Object.keys(FIELDS).filter((name) => !names.has(name))).toEqual([])
  for (const [name, { about }] of Object.entries(FIELDS)) expect(about, name).toMatch(/\.$/)
})

test('ids are integers; dates, times and addresses have their format', () => {
  const { Project, User, Entry, TrendDay } = document.components.schemas
  expect(Project!.properties.id).toMatchObject({ type: 'integer', example: 4180 })
  expect(User!.properties.email).toMatchObject({ format: 'email' })
  expect(Entry!.properties.created_at).toMatchObject({ format: 'date-time', description: 'When it was created. In UTC.' })
  expect(TrendDay!.properties.date).toMatchObject({ type: 'string' })
  expect(Entry!.properties.amount_cents).toMatchObject({ type: 'integer', description: 'The amount. In cents of a dollar.' })
})

test('codes have their meaning', () => {
  const { Respondent, Target } = document.components.schemas
  expect(Respondent!.properties.age!.description).toContain('3 is 25 to 34')
  expect(Target!.properties.hhi!.description).toContain('0 is < $24,999')
  expect(Target!.properties.children!.description).toContain('4 is 4+')
})

test('an example matches its field’s type', () => {
  for (const [name, place, { type, example }] of properties(document)) {
    if (example === undefined || typeof type !== 'string') continue
    const is = Number.isInteger(example) ? ['integer', 'number'] : [typeof example]
    if (['string', 'integer', 'number', 'boolean'].includes(type)) expect(is, `${place} ${name}`).toContain(type)
  }
})

test('the workspace doesn’t load the dictionary', () => {
  const src = resolve(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const importing = files.filter((name) =>
    /contract\/(fields|schemas|callGroups)\.ts/.test(readFileSync(join(src, name), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(importing).toEqual([])
})
