import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fieldOfCall } from '../../contract/describedFields.ts'
import type { Field, Fields, Texts } from '../../contract/fieldKinds.ts'
import { FIELDS } from '../../contract/fields.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { type BlankIn, inputWords, recordWords, takenWords } from '../../contract/fieldWords.ts'
import { olderFields } from '../../contract/olderFields.ts'
import { projectFields } from '../../contract/projectFields.ts'
import { withoutWords } from '../../scripts/field-words.ts'
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
  const written = Map.groupBy(properties(document), ([name]) => name)
  const isUsed = (name: string, about: string) =>
    (written.get(name) ?? []).some(([, , { description = '' }]) => description.startsWith(about))
  const sentences = Object.entries(FIELDS).flatMap(([name, { about, elsewhere = {} }]) =>
    [about, ...Object.values(elsewhere).map((word) => word.about)].map((text) => [name, text] as const),
  )
  expect(sentences.filter(([name, text]) => !isUsed(name, text))).toEqual([])
  for (const [name, text] of sentences) expect(text, name).toMatch(/\.$/)
})

test('a sentence is of one meaning, says its unit once, and nothing of blank values of a filter', () => {
  const described = [...properties(document)].map(([name, , { description = '' }]) => [name, description] as const)
  const both =
    /, or how many|; (?:as a filter|in a query|for (?:an? |the )?\w+,)|\bin (\w+)\b.*\. In \1\.$|^(\w+?)s? .*\. In \2s?\.$/
  expect(described.filter(([, text]) => both.test(text))).toEqual([])
  const reads = Object.values(paths).flatMap(({ get }) => (get?.parameters ?? []) as Property[])
  expect(reads.filter(({ description = '' }) => /blank/.test(description))).toEqual([])
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

test('a build leaves out sentences and examples of fields, and nothing else of them', () => {
  const code = "about: text('About', { about: 'It’s \\'it\\'.', max: 10_000, example: 4_180, hint: 'What.', about: true })"
  expect(withoutWords(code)).toBe("about: text('About', {  max: 10_000,  hint: 'What.',  })")
  const contract = resolve(import.meta.dirname, '../../contract')
  const left = readdirSync(contract).filter(
    (name) =>
      name.endsWith('Fields.ts') &&
      /\b(about|where|example): (['"`\d-]|(true|false)\b)/.test(withoutWords(readFileSync(join(contract, name), 'utf8'))),
  )
  expect(left).toEqual([])
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

/** TABLE  fields that calls have under another name or further inside. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'file.addAssets.file_id': 'within assets',
  'file.addAssets.asset_type': 'within assets',
  'location.coordinates': 'latitude and longitude',
  'project.createChild.rows': 'siblings',
  'request.company': 'written to one’s own account',
}
/** TABLE  fields that a call or record has in another form. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'service.create category': 'also a category’s name',
  'project.create status': 'a new project’s alone',
  'campaign.create status': 'a new project’s alone',
  'Reward amount': 'in dollars, beside its cents',
}
/** TABLE  what requires a value or makes it apply, where no single value does. */
const OWN_CASES: readonly string[] = [
  'if anything of the audience or market is sent',
  'for a survey without survey_id and file_ids',
  'for a survey without a file',
  'without a file',
]

/** A property as a call or record has a table's field. */
interface Found {
  readonly at: string
  readonly field: Field
  readonly property: Property
  /** The sentences that it may have. */
  readonly words: readonly string[]
}
const BLANKS: readonly BlankIn[] = ['refused', 'null', 'missing', 'taken']
const isNull = ({ type, anyOf = [] }: Node): boolean => [type].flat().includes('null') || (anyOf as Node[]).some(isNull)
const isListed = ({ enum: one, anyOf = [] }: Node): boolean => Boolean(one) || (anyOf as Node[]).some(isListed)

const paths = document.paths as Record<string, Record<string, Node & { operationId: string }>>
const inCalls = Object.values(paths)
  .flatMap((path) => Object.values(path))
  .flatMap(({ operationId: call, requestBody }) => {
    const content = (requestBody as { content: Node } | undefined)?.content ?? {}
    return Object.values(content).flatMap((one) =>
      Object.entries((one as { schema: Node }).schema.properties ?? {}).flatMap(([name, property]): Found[] => {
        const field = fieldOfCall(call, name)
        if (!field) return []
        // The call's own schema decides on a blank value: tests/api/blank-fields.test.ts.
        const words = [undefined, ...BLANKS].flatMap((blank) => [true, false].map((listed) => takenWords(field, listed, blank)))
        return [{ at: `${call} ${name}`, field, property, words }]
      }),
    )
  })
const inRecords = Object.entries(document.components.schemas).flatMap(([at, { properties: own = {} }]) => {
  const noun = at.replace(/^\w/, (letter) => letter.toLowerCase()).replace(/(Row|Detail|Older)$/, '')
  const fields: Fields = noun === 'campaign' ? olderFields(projectFields) : (fieldTables[noun] ?? {})
  return Object.entries(fields).flatMap(([name, field]): Found[] => {
    const property = own[name]
    if (!property) return []
    const words = recordWords(field, { nullable: isNull(property), listed: isListed(property), older: noun === 'campaign' })
    return [{ at: `${at} ${name}`, field, property, words: [words] }]
  })
})

test('every field of every table has its sentences in each call that takes it and each record that has it', () => {
  const found = [...inCalls, ...inRecords]
  expect(found.length).toBeGreaterThan(400)
  const wrong = found.filter(({ at, property, words }) => !OTHERWISE[at] && !words.includes(property.description ?? ''))
  expect(wrong.map(({ at, property, words }) => `${at}: ${property.description} instead of ${words[0]}`)).toEqual([])
  expect(Object.keys(OTHERWISE).filter((at) => !found.some((one) => one.at === at))).toEqual([])
  // A field that no call takes and no record has would be described nowhere.
  const seen = new Set(found.map(({ field }) => field))
  const nowhere = Object.entries(fieldTables).flatMap(([noun, fields]) =>
    Object.entries(fields).flatMap(([name, field]) =>
      seen.has(field) || ELSEWHERE[`${noun}.${name}`] ? [] : [`${noun}.${name}`],
    ),
  )
  expect(nowhere).toEqual([])
})

test('a list’s limit in its sentence is that of its schema', () => {
  const wrong = inCalls.flatMap(({ at, property: { description = '', maxItems } }) => {
    const [, most] = /A list of at most ([\d,]+)/.exec(description) ?? []
    return most && maxItems !== undefined && Number(most.replaceAll(',', '')) !== maxItems ? [`${at}: ${most}, ${maxItems}`] : []
  })
  expect(wrong).toEqual([])
})

test('a field that other values require, or that applies to some alone, says which, and truly', () => {
  const wrong = Object.entries(fieldTables).flatMap(([noun, fields]) =>
    Object.entries<Field>(fields).flatMap(([name, { when, needed, where }]) => {
      if (!when && !needed && !where) return []
      const decides = (values: Texts) => Boolean(needed ? needed(values) : when?.(values))
      return where && (OWN_CASES.includes(where) || isTrue(where, fields, decides)) ? [] : [`${noun}.${name} ${where}`]
    }),
  )
  expect(wrong).toEqual([])
})
/** Tries the values that a sentence names, and the field's other options. */
function isTrue(where: string, fields: Fields, decides: (values: Texts) => boolean): boolean {
  const [, unless, other = '', values = ''] = /^(if|unless) (\w+) is (.+)$/.exec(where) ?? []
  const named = values.split(' or ')
  if (unless) {
    const field = fields[other]
    if (field?.kind !== 'choice') return false
    const options = field.options.map(({ value }) => String(value)).filter(Boolean)
    return options.every((value) => decides({ [other]: value }) === (named.includes(value) === (unless === 'if')))
  }
  const [, how, names = ''] = /^(without|with) (.+)$/.exec(where) ?? []
  const each = names.split(' and ')
  if (!how || !each.every((name) => fields[name] ?? name === 'questions')) return false
  return each.every((name) => decides({ [name]: [1] }) === (how === 'with')) && decides({}) === (how === 'without')
}

test('a field’s sentences end with a full stop, and the dictionary doesn’t repeat what a table says', () => {
  const fields = Object.values(fieldTables).flatMap((table) => Object.values(table))
  expect(fields.filter((field) => !/^\S.*\.$/.test(inputWords(field))).map(({ label }) => label)).toEqual([])
  const hints = fields.flatMap(({ hint }) => (typeof hint === 'string' ? [hint] : []))
  expect(hints.filter((hint) => !hint.endsWith('.'))).toEqual([])
  // A function's words depend on a form's values.
  expect(fields.filter(({ about, hint }) => about === true && typeof hint !== 'string').map(({ label }) => label)).toEqual([])
  const sentences = new Set(fields.flatMap(({ about }) => (typeof about === 'string' ? [about] : [])))
  expect(Object.entries(FIELDS).flatMap(([name, { about }]) => (sentences.has(about) ? [`${name}: ${about}`] : []))).toEqual([])
})
