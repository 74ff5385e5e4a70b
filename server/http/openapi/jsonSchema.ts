import { z } from 'zod'
import { type NounRow, nouns } from '../../../contract/nouns.ts'
import { SCHEMAS } from '../../../contract/schemas.ts'

export type Schema = Record<string, unknown>

/** A zod schema as JSON Schema. */
export function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return io === 'input' ? withBooleans(rest) : rest
}

/** The types of a flag, which older clients also send as 1 or “yes”; the document has one way to send it. */
const FLAG = ['boolean', 'number', 'string']
const withBooleans = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'type' && Array.isArray(value) && FLAG.every((type) => value.includes(type))
      ? value.includes('null')
        ? ['boolean', 'null']
        : 'boolean'
      : value,
  ) as Schema

/** The records of nouns without a named shape: the result of a noun's read is named after it. */
function records(): [name: string, where: string][] {
  const named = Object.keys(SCHEMAS)
  const read = new Set<string>(Object.values(SCHEMAS).map((where) => where.split('>')[0]!))
  return Object.entries<NounRow>(nouns).flatMap(([noun, { reads }]) => {
    const name = `${noun[0]!.toUpperCase()}${noun.slice(1)}`
    return reads && !read.has(reads) && !named.includes(name) ? [[name, `${reads}>data`]] : []
  })
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Parts of a schema that contain schemas. */
const WITHIN = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'] as const

/** A record with a fixed set of names as an object, which more tools understand. */
function withProperties(schema: Schema): Schema {
  const { propertyNames, additionalProperties, ...rest } = schema
  // A tuple has its length in words that tools know, too.
  if (Array.isArray(schema.prefixItems) && !isObject(schema.items)) {
    const { length } = schema.prefixItems
    return { ...schema, items: {}, minItems: length, maxItems: length }
  }
  const names = (propertyNames as { enum?: string[] } | undefined)?.enum
  if (!names || !isObject(additionalProperties)) return { ...schema }
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, additionalProperties])),
    additionalProperties: false,
  }
}

/** True for a schema that can be named: an object with properties. */
const isShape = (schema: Schema): boolean => isObject(schema.properties) && Object.keys(schema.properties).length > 0

/** The schema inside a list or beside a null, which have no names of their own. */
function bare(schema: Schema, list: boolean): Schema | undefined {
  const among = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (isShape(schema)) return list ? undefined : schema
  if (list && isObject(schema.items)) return bare(schema.items, false)
  for (const one of among ?? []) {
    const found = bare(one, list)
    if (found) return found
  }
  return undefined
}

/** The shape at a path of an input or response, such as `data[].target`. */
function shapeAt(root: Schema, place: string): Schema | undefined {
  let at: Schema | undefined = root
  for (const step of place.split('.')) {
    const name = step.replace('[]', '')
    const next: unknown = (bare(at!, false)?.properties as Schema | undefined)?.[name]
    at = isObject(next) ? bare(next, step.endsWith('[]')) : undefined
    if (!at) return undefined
  }
  return at
}

/** Completes a property by its name; `place` is of its schema, as in contract/schemas.ts. */
type Word = (name: string, schema: Schema, answer: boolean, place: string, shape?: string) => Schema

/**
 * Names shapes (contract/schemas.ts): the first copy becomes a component, each copy a reference.
 * `word` completes every property by its name.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {}
  readonly #names = new Map<string, string>()
  readonly #places = new Map<string, string>()
  readonly #word: Word

  constructor(find: (call: string, io: '<' | '>') => Schema | undefined, word: Word) {
    this.#word = word
    const faults: string[] = []
    for (const [name, where] of [...Object.entries(SCHEMAS), ...records()]) {
      const [, call, io, place] = /^([\w.]+)([<>])(.+)$/.exec(where)!
      const shape = shapeAt(find(call!, io as '<' | '>') ?? {}, place!)
      const key = JSON.stringify(shape)
      const other = shape && this.#names.get(key)
      if (!shape || other) faults.push(`${name} is ${other ?? `not at ${where}`}`)
      else {
        this.#names.set(key, name)
        this.#places.set(name, where)
      }
    }
    if (faults.length) throw new Error(`contract/schemas.ts: ${faults.join(', ')}`)
  }

  /** A request or response of a call, whose outermost shape stays. */
  whole(schema: Schema, call: string, io: '<' | '>'): Schema {
    return this.#inside(schema, `${call}${io}`)
  }

  /** A schema with references in place of named shapes, at a place as in contract/schemas.ts. */
  refer(schema: Schema, place: string): Schema {
    const name = isShape(schema) ? this.#names.get(JSON.stringify(schema)) : undefined
    if (!name) return this.#inside(schema, place)
    this.schemas[name] ??= this.#inside(schema, this.#places.get(name)!, name)
    return { $ref: `#/components/schemas/${name}` }
  }

  #inside(schema: Schema, place: string, shape?: string): Schema {
    const result: Schema = withProperties(schema)
    // A shape of both belongs to the place that names it.
    const answer = place.includes('>')
    const under = /[<>]$/.test(place) ? place : `${place}.`
    if (isObject(result.properties))
      result.properties = Object.fromEntries(
        Object.entries(result.properties).map(([name, one]) => [
          name,
          this.#word(name, this.refer(one as Schema, under + name), answer, place, shape),
        ]),
      )
    for (const part of WITHIN) {
      const value = result[part]
      const at = part === 'items' ? `${place}[]` : place
      if (Array.isArray(value)) result[part] = value.map((one) => this.refer(one as Schema, at))
      else if (isObject(value)) result[part] = this.refer(value, at)
    }
    return result
  }
}
