import * as redocly from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { FIELDS } from '../../contract/fields.ts'
import { openApiDocument } from './openapi-document.ts'
import { checkRows } from './rows.ts'

interface Node {
  [name: string]: unknown
}
/** What is used of Redocly; its own types derive a configuration from JSON schemas, which takes tsc half a second. */
const { createConfig, lintFromString } = redocly as unknown as {
  createConfig(config: object): Promise<object>
  lintFromString(given: {
    source: string
    absoluteRef: string
    config: object
  }): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>
}
let document: Node
beforeAll(async () => {
  document = await openApiDocument()
})

/** Verbs that summaries begin with: a reader of the list of calls sees at once which ones read. */
const VERBS = [
  'Accepts Acknowledges Acts Adds Answers Applies Approves Asks Assigns Awards Cancels Changes Checks Clears Compares Copies Corrects Counts Creates',
  'Crosses Deletes Emails Enables Ends Exports Gives Imports Invites Launches Links Lists Logs Looks Makes Marks Merges Moves Packs Pauses',
  'Pays Previews Records Redoes Rejects Reminds Removes Renames Replaces Resends Restores Resumes Retries Returns Revokes Rotates Saves',
  'Searches Sends Sets Signs Snoozes Soft-deletes Starts Stops Stores Streams Undoes Unlinks Uploads Withdraws Writes',
].flatMap((line) => line.split(' '))

/** TABLE  rules of Redocly's recommended set that don't fit, with the reason. */
const OTHERWISE = {
  // The specification has /users/client/{client_id} beside /users/{id}/…; the router prefers the fixed parts.
  'no-ambiguous-paths': 'off',
  // The document isn't published.
  'info-license': 'off',
  'info-license-strict': 'off',
} as const

test('/openapi.json has no finding of Redocly’s recommended rules', { timeout: 60_000 }, async () => {
  const config = await createConfig({ extends: ['recommended'], rules: OTHERWISE })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([])
})

test('the values of a field with few are an enumeration', () => {
  checkRows(
    [
      ['Project', 'status', 'QuoteApproved'],
      ['Project', 'stored_status', 'approved'],
      ['Campaign', 'status', 'approved'],
      ['Project', 'pacing_state', 'no_dates'],
      ['ActivityRow', 'activity_type', 'video'],
      ['ContentFile', 'thumb_state', 'queued'],
    ],
    ([schema, field, value]) => {
      const { schemas } = document.components as { schemas: Record<string, { properties: Record<string, Node> }> }
      expect(schemas[schema]!.properties[field]!.enum).toContain(value)
    },
  )
})

/** Properties and parameters of requests, with their place. */
function* sent(at: unknown, place: string): Generator<[place: string, schema: Node]> {
  if (!at || typeof at !== 'object') return
  const { properties } = at as { properties?: Record<string, Node> }
  if (properties && !Array.isArray(properties))
    for (const [name, one] of Object.entries(properties)) yield [`${place}.${name}`, one]
  for (const [name, one] of Object.entries(at)) yield* sent(one, `${place}/${name}`)
}
test('a flag of a request has one type, and a day its format', () => {
  const found: [string, Node][] = []
  for (const methods of Object.values(document.paths as Record<string, Record<string, Node>>))
    for (const { operationId, parameters, requestBody } of Object.values(methods)) {
      found.push(...sent(requestBody, String(operationId)))
      for (const { name, schema } of parameters as { name: string; schema?: Node }[])
        if (schema) found.push([`${operationId}?${name}`, schema])
    }
  expect(found.length).toBeGreaterThan(1000)
  const several = found.filter(([, { type }]) => Array.isArray(type) && type.includes('boolean') && type.length > 2)
  expect(several.map(([place]) => place)).toEqual([])
  /** A decision's number, the ids of activities, and moments. */
  const others = [
    'quota.decisions?from',
    'target.copy/content/application/json/schema.to',
    'fieldSession.traffic?from',
    'fieldSession.traffic?to',
  ]
  const days = found.filter(([place]) => /(_dt|_date|[.?](from|to|start|end))$/.test(place) && !others.includes(place))
  expect(days.length).toBeGreaterThan(40)
  const formless = days.filter(([, schema]) => !JSON.stringify(schema).includes('"format":"date'))
  expect(formless.map(([place]) => place)).toEqual([])
})

// Spectral's own package reports its install to its makers, so its recommended OpenAPI rules are checked here.
describe('Spectral’s rules for OpenAPI', () => {
  const operations = () =>
    Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, path, operation })),
    )
  /** Every node of the document with its path. */
  function* nodes(at: unknown, place = ''): Generator<[string, Node]> {
    if (!at || typeof at !== 'object') return
    if (!Array.isArray(at)) yield [place, at as Node]
    for (const [name, value] of Object.entries(at)) yield* nodes(value, `${place}/${name}`)
  }

  test('servers, contact, description and tags with a description', () => {
    expect(document.servers).not.toEqual([])
    expect(document.info).toMatchObject({ contact: { name: expect.any(String) }, description: expect.any(String) })
    const tags = document.tags as { name: string; description: string }[]
    expect(tags.map(({ name }) => name)).toEqual([...new Set(tags.map(({ name }) => name))])
    for (const { name, description } of tags) expect(description, name).toMatch(/\.$/)
    for (const { at, operation } of operations())
      for (const tag of operation.tags as string[])
        expect(
          tags.map(({ name }) => name),
          at,
        ).toContain(tag)
  })

  test('every operation has an id, a description, a success, and its path’s parameters', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids).toEqual([...new Set(ids)])
    for (const { at, path, operation } of operations()) {
      expect(operation.description, at).toBeTruthy()
      expect(Object.keys(operation.responses as Node), at).toContain('200')
      const inPath = (operation.parameters as { in?: string; name: string }[]).filter((one) => one.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`).sort(), at).toEqual((path.match(/\{\w+\}/g) ?? []).sort())
      const names = (operation.parameters as { in?: string; name?: string; $ref?: string }[]).map(
        (one) => `${one.in} ${one.name ?? one.$ref}`,
      )
      expect(names, at).toEqual([...new Set(names)])
    }
  })

  test('every array names its items, every enumeration holds each value once and of its type', () => {
    for (const [place, node] of nodes(document)) {
      if (node.type === 'array') expect(node, place).toHaveProperty('items')
      if (!Array.isArray(node.enum) || place.endsWith('/properties')) continue
      expect(node.enum, place).toEqual([...new Set(node.enum)])
    }
  })

  test('every reference leads somewhere, and every component is used', () => {
    const text = JSON.stringify(document)
    const used = new Set(text.match(/"#\/components\/[^"]+"/g))
    for (const reference of used) {
      const steps = reference.slice(3, -1).split('/')
      expect(
        steps.reduce<unknown>((at, step) => (at as Node)?.[step], document),
        reference,
      ).toBeDefined()
    }
    for (const part of ['schemas', 'responses', 'parameters', 'headers'] as const)
      for (const name of Object.keys((document.components as Record<string, Node>)[part]!))
        expect([...used], name).toContain(`"#/components/${part}/${name}"`)
  })
})

test('no schema of three or more properties occurs twice without a name', () => {
  const seen = new Map<string, string[]>()
  const look = (at: unknown, place: string, outermost: boolean): void => {
    if (!at || typeof at !== 'object') return
    const node = at as Node
    if (Array.isArray(node)) {
      for (const [index, one] of node.entries()) look(one, `${place}/${index}`, false)
      return
    }
    const properties = node.properties as Node | undefined
    if (!outermost && node.type === 'object' && properties && Object.keys(properties).length > 2) {
      const key = JSON.stringify(node)
      seen.set(key, [...(seen.get(key) ?? []), place])
    }
    for (const [name, value] of Object.entries(node)) look(value, `${place}/${name}`, name === 'schema')
  }
  look(document.paths, '', false)
  look((document.components as Node).schemas, '#', false)
  expect([...seen.values()].filter((places) => places.length > 1)).toEqual([])
})

test('every summary is a sentence that begins with what the call does', () => {
  const does = new RegExp(`^(${VERBS.join('|')}),? `)
  const found = Object.values(document.paths as Record<string, Record<string, Node>>)
    .flatMap((path) => Object.values(path))
    .flatMap(({ summary }) => (typeof summary === 'string' ? [summary] : []))
  expect(found.length).toBeGreaterThan(300)
  expect(found.filter((summary) => !does.test(summary))).toEqual([])
})

test('a field’s description is a sentence with a full stop, without a bare id or outdated words of the product', () => {
  const old = /(?<![-_`\w])(ids?|anew|mails|comma list)(?![-_`\w])/
  const found = Object.entries(FIELDS).filter(([, { about }]) => !/^\S.*\.$/.test(about) || old.test(about))
  expect(found.map(([name, { about }]) => `${name}: ${about}`)).toEqual([])
})
