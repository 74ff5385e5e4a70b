import { expect, test } from 'vitest'
import { lists } from '../../contract/listRows.ts'
import type { ListNoun } from '../../contract/lists.ts'
import { openApiDocument } from './openapi-document.ts'

// What is always one of a few texts is an enumeration in /openapi.json, in responses as in inputs, with its meanings.
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  'x-enum-descriptions'?: string[]
  [part: string]: unknown
}
interface Operation {
  operationId: string
  parameters: { name?: string; schema?: Schema }[]
  requestBody?: object
  responses: object
}
const document = await openApiDocument<{
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Schema>>
}>()
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const PARTS = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']

/** Each property below a node, with the schemas that its value may have: of a list its items, of a union its parts. */
function* properties(node: unknown, place: string): Generator<[name: string, place: string, schemas: Schema[]]> {
  if (!node || typeof node !== 'object') return
  for (const [name, value] of Object.entries(node)) {
    if (name === 'properties')
      for (const [field, schema] of Object.entries(value as Record<string, Schema>))
        yield [field, `${place}.${field}`, alternatives(schema)]
    yield* name === 'properties'
      ? Object.entries(value as object).flatMap(([field, schema]) => [...properties(schema, `${place}.${field}`)])
      : properties(value, place)
  }
}
/** The schemas of a value without its lists and unions. */
function alternatives(schema: Schema): Schema[] {
  const within = PARTS.flatMap((part) => schema[part] ?? []) as Schema[]
  return [schema, ...within.filter((one) => typeof one === 'object').flatMap(alternatives)]
}
const texts = (schemas: readonly Schema[]) => schemas.filter(({ type }) => [type].flat().includes('string'))
const hasValues = (schema: Schema) => schema.enum !== undefined
const isListed = (schema: Schema) => schema.enum !== undefined || schema.const !== undefined

/** The properties of bodies by call, and of the named schemas that they refer to, each schema once. */
function propertiesOf(bodies: readonly (readonly [call: string, body: unknown])[]) {
  const names = new Set<string>()
  const found = bodies.flatMap(([call, body]) => [...properties(body, call)])
  for (let text = JSON.stringify(bodies); text; ) {
    const next = [...text.matchAll(/#\/components\/(\w+)\/([\w.-]+)/g)].filter(([path]) => !names.has(path))
    const parts = [...new Map(next.map(([path, part, name]) => [path, [part!, name!] as const]))]
    for (const [path] of parts) names.add(path)
    const schemas = parts.map(([, [part, name]]) => [name, document.components[part]![name]] as const)
    found.push(...schemas.flatMap(([name, schema]) => [...properties(schema, name)]))
    text = schemas.length ? JSON.stringify(schemas) : ''
  }
  return found
}
const answered = propertiesOf(operations.map(({ operationId, responses }) => [operationId, responses] as const))
const sent = propertiesOf(operations.map(({ operationId, requestBody }) => [operationId, requestBody ?? {}] as const))
/** Names whose input, in some call, is one of a list of texts. */
const listedInputs = new Set([
  ...operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ name, schema }) => (name && schema && texts(alternatives(schema)).some(hasValues) ? [name] : [])),
  ),
  ...sent.flatMap(([name, , schemas]) => (texts(schemas).some(hasValues) ? [name] : [])),
])

/** TABLE  texts of responses that share a name with an enumerated input, and what they are instead of one of a list. */
const FREE: readonly (readonly [where: RegExp, reason: string])[] = [
  [/\.(gender|ethnicity|marital_status)$/, 'in an audience a comma-separated list of codes'],
  [/^(Award|Notification|undo\.deletion\.data|project\.quote\.data\.documents)\.by$/, 'the name of a person'],
  [/^Crosstab\.by$/, 'a demographic, or the ID of a question'],
  [/(Content|content|comments\.data)\.activity$/, 'the name of an activity; as an input, whether there is one'],
  [/\.file_type$/, 'the extension of a file; as an input, photos or videos'],
  [/(HistoryLine|history(\.list)?\.data)\.action$/, 'the call that made a change; as an input, what a participant did'],
  [
    /^(ImportCheck\.(errors|doubts)|CheckedCell|RewardImportRow|import\.rows\.data)\.column$/,
    'a heading in a file; as an input, what sorts a list',
  ],
  [/^Doubles\.noun$/, 'the words for a noun'],
  [/^Job\.kind$/, 'the server’s own name for the work, which its title says in words'],
  [/^(Location|LocationOlder|location\.find\.data\.parts)\.state$/, 'the state of an address, in any spelling'],
  [/^survey\.comparison\.data\.source$/, 'the name of a file or of a survey system'],
]

test('a text that an input takes from a list is an enumeration in responses, too', () => {
  expect(listedInputs.size).toBeGreaterThan(40)
  const places = answered.flatMap(([name, place, schemas]) =>
    listedInputs.has(name) && texts(schemas).some((one) => !isListed(one)) ? [place] : [],
  )
  expect([...new Set(places)].filter((place) => !FREE.some(([where]) => where.test(place))).sort()).toEqual([])
  const unused = FREE.filter(([where]) => !places.some((place) => where.test(place)))
  expect(unused.map(([where]) => where)).toEqual([])
})

/** The labels of a property's values, if its name is a column whose values have labels. */
function* labelsOf(name: string): Generator<Readonly<Record<string, string>>> {
  for (const noun of Object.keys(lists) as ListNoun[]) {
    const words = (lists[noun].columns as Record<string, { words?: Record<string, string> }>)[name]?.words
    if (words) yield words
  }
}

test('an enumeration has the meanings of its values where a list has labels for them', () => {
  const bare = answered.filter(([name, , schemas]) =>
    texts(schemas).some(
      ({ enum: values, 'x-enum-descriptions': meanings }) =>
        values && !meanings && [...labelsOf(name)].some((labels) => values.every((value) => String(value) in labels)),
    ),
  )
  expect(bare.map(([, place]) => place)).toEqual([])
})

test('an enumeration has as many meanings as values', () => {
  const uneven = answered.filter(([, , schemas]) =>
    schemas.some(({ enum: values, 'x-enum-descriptions': meanings }) => meanings && meanings.length !== values?.length),
  )
  expect(uneven.map(([, place]) => place)).toEqual([])
})
