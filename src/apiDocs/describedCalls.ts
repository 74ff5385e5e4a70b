import type { ApiDocument, ApiOperation, Content, Parameter, Response, Schema } from '../data/apiDocument.ts'

/** A call with its address, ready to be shown. */
export interface DescribedCall {
  id: string
  /** In capitals. */
  method: string
  path: string
  summary: string
  /** What the description says beyond the summary. */
  more: string
  parameters: readonly Parameter[]
  bodies: Content
  bodyRequired: boolean
  responses: readonly (readonly [status: string, response: Response])[]
  /** Scopes of which a token needs one, none if any token will do; null if no token opens the call. */
  scopes: readonly string[] | null
  /** True if a caller without a session or token is let in. */
  open: boolean
  changesData: boolean
  takesDry: boolean
}

/** Calls or messages of one subject. */
export interface CallGroup {
  name: string
  description: string
  calls: readonly DescribedCall[]
}

/** The group of the messages that webhooks send. */
export const MESSAGES = 'messages'

const componentOf = <T>(table: Readonly<Record<string, T>>, ref: string): T | undefined => table[ref.split('/').at(-1)!]
const isReference = (value: object): value is { $ref: string } => '$ref' in value

function described(document: ApiDocument, method: string, path: string, operation: ApiOperation): DescribedCall {
  const { parameters, responses } = document.components
  const resolved = operation.parameters.map((one) => (isReference(one) ? componentOf(parameters, one.$ref) : one))
  const named = resolved.filter((one) => one !== undefined)
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    more: operation.description.replace(operation.summary, '').replace(/^\.?\s*/, ''),
    parameters: named,
    bodies: operation.requestBody?.content ?? {},
    bodyRequired: operation.requestBody?.required ?? false,
    responses: Object.entries(operation.responses).flatMap(([status, one]) => {
      const response = isReference(one) ? componentOf(responses, one.$ref) : one
      return response ? [[status, response] as const] : []
    }),
    scopes: operation['x-token-scopes'] ?? null,
    open: operation.security.length === 0,
    changesData: operation['x-changes-data'] ?? false,
    takesDry: named.some(({ name, in: where }) => name === 'dry' && where === 'query'),
  }
}

/** Every group of calls in the document's order, then the messages of webhooks. */
export function groupsOf(document: ApiDocument): CallGroup[] {
  const flat = (paths: ApiDocument['paths']) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ operation, call: described(document, method, path, operation) })),
    )
  const byTag = Map.groupBy(flat(document.paths), ({ operation }) => operation.tags[0]!)
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    calls: (byTag.get(name) ?? []).map(({ call }) => call),
  }))
  const messages = flat(document.webhooks).map(({ call }) => ({ ...call, method: 'POST', path: call.id.replace(/^hear\./, '') }))
  const about = 'What a webhook sends to its address, signed. Each message has the record as the webhook’s owner sees it.'
  return [...groups, { name: MESSAGES, description: about, calls: messages }].filter(({ calls }) => calls.length > 0)
}

/** Follows a reference to a named schema. */
export function resolvedSchema(document: ApiDocument, schema: Schema): { name: string | null; schema: Schema } {
  if (!schema.$ref) return { name: null, schema }
  const name = schema.$ref.split('/').at(-1)!
  return { name, schema: document.components.schemas[name] ?? {} }
}

/** The parts of a union that say something: neither null nor an empty text, which stand for "none". */
const partsOf = (schema: Schema): readonly Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? []).filter((part) => part.type !== 'null' && part.const !== '')

const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat().filter((type) => type !== 'null')

/** True if a field may be null. */
const mayBeNull = (schema: Schema): boolean =>
  [schema.type ?? []].flat().includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some((part) => part.type === 'null')

/** A schema's type in a few words: "list of Project", "date or null". */
export function typeWords(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const parts = partsOf(schema)
  if (parts.length) return [...new Set(parts.map(typeWords))].join(' or ') + (mayBeNull(schema) ? ' or null' : '')
  const words = typesOf(schema).map((type) => {
    if (type === 'array') {
      const of = schema.prefixItems ? schema.prefixItems.map(typeWords).join(', ') : schema.items ? typeWords(schema.items) : ''
      return of ? `list of ${of}` : 'list'
    }
    return type === 'string' && schema.format ? schema.format : type
  })
  return [...words, ...(mayBeNull(schema) ? ['null'] : [])].join(' or ') || 'any'
}

/** Numbers that only say which integers the server can store. */
const BOUNDLESS = new Set([2147483647, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** What a value must be, beyond its type: "1 to 500", "at most 200 characters". */
export function limitWords(schema: Schema): string {
  const parts = partsOf(schema)
  if (parts.length) return [...new Set(parts.map(limitWords))].filter(Boolean).join('; ')
  const least = schema.minimum
  const most = schema.maximum
  const words: string[] = []
  const low = least !== undefined && !BOUNDLESS.has(least)
  const high = most !== undefined && !BOUNDLESS.has(most)
  if (low && high) words.push(`${least} to ${most}`)
  else if (low) words.push(`${least} or more`)
  else if (high) words.push(`at most ${most}`)
  if (schema.maxLength !== undefined) words.push(`at most ${schema.maxLength} characters`)
  if (schema.maxItems !== undefined) words.push(`at most ${schema.maxItems}`)
  if (schema.default !== undefined && schema.default !== '') words.push(`default ${JSON.stringify(schema.default)}`)
  return words.join(', ')
}

/** The values of an enumeration, each with its meaning if it differs from the value. */
export function valuesOf(schema: Schema): { value: string; meaning: string | null }[] {
  const parts = partsOf(schema)
  if (parts.length) return parts.flatMap(valuesOf)
  if (schema.items && !schema.enum) return valuesOf(schema.items)
  const meanings = schema['x-enum-descriptions']
  return (schema.enum ?? []).map((value, at) => {
    const meaning = meanings?.[at] ?? null
    return { value: String(value), meaning: meaning?.toLowerCase() === String(value).toLowerCase() ? null : meaning }
  })
}

/** The fields inside a schema: its own, those of a list's records, or those of a named schema. */
export function fieldsOf(document: ApiDocument, schema: Schema): { name: string; schema: Schema; required: boolean }[] {
  const own = resolvedSchema(document, schema).schema
  const required = new Set(own.required ?? [])
  const fields = Object.entries(own.properties ?? {}).map(([name, one]) => ({ name, schema: one, required: required.has(name) }))
  if (fields.length) return fields
  if (own.items) return fieldsOf(document, own.items)
  return [...partsOf(own), ...(own.allOf ?? [])].flatMap((part) => fieldsOf(document, part))
}

/** How deep examples go, because schemas may contain themselves. */
const DEPTH = 4

/** An example of a value, made of the fields that are required; `all` adds the others. */
export function exampleOf(document: ApiDocument, schema: Schema, all = false, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example
  const own = resolvedSchema(document, schema).schema
  if (own.example !== undefined) return own.example
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  if (own.default !== undefined && !own.properties) return own.default
  const parts = partsOf(own)
  if (parts.length) return exampleOf(document, parts[0]!, all, depth)
  const [type] = typesOf(own)
  if (own.properties) {
    if (depth >= DEPTH) return {}
    const required = new Set(own.required ?? [])
    const shown = Object.entries(own.properties).filter(([name]) => all || required.has(name))
    return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(document, one, all, depth + 1)]))
  }
  if (type === 'array') return own.items && depth < DEPTH ? [exampleOf(document, own.items, all, depth + 1)] : []
  if (type === 'integer' || type === 'number') return own.minimum !== undefined && own.minimum > 0 ? own.minimum : 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return type === 'string' ? 'text' : null
}
