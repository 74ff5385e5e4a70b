import type { z } from 'zod'
import type { Call, CallSchema } from '../../contract/call.ts'
import { nearest } from '../../contract/nearest.ts'
import type { Caller } from './context.ts'
import { codeAll, HttpError } from './errors.ts'
import { namesOf } from './input.ts'

/*
 * What happens to names that a write doesn't know (decisions.md 14): a session's are listed in `ignored`.
 * A token's are refused, since nobody reads a program's `ignored`, and so are a key's with strict=1.
 * A call that makes a credential refuses them for everybody: a misspelled limit would be no limit.
 */

/** Whether a caller's unknown names are refused; `near`: those that are nearly one of the call's limits. */
export function refusesUnknown(row: Call, caller: Caller, strict: unknown): 'all' | 'near' | null {
  if ((row.credential && !row.credential.extras) || caller.token || (caller.apiKey && strict === true)) return 'all'
  return row.credential ? 'near' : null
}

/** The fields that a call takes, as a sentence. */
const acceptedText = (known: readonly string[]): string =>
  known.length ? ` It takes ${known.slice(0, LISTED).join(', ')}${known.length > LISTED ? ' …' : ''}.` : ''
const LISTED = 20

/** Throws a 422 with the right name for each unknown one; `names` may be paths, such as `people.0.role`. */
export function refuseUnknown(row: Call, names: readonly string[], how: 'all' | 'near', known = namesOf(row.input)): void {
  const limits = row.credential?.limits ?? []
  const { aliases = {} } = row
  const fields: Record<string, string> = {}
  for (const name of names) {
    const word = name.split('.').at(-1)!
    const like = nearest(word, how === 'all' ? [...limits, ...known, ...Object.keys(aliases)] : limits)
    const near = like && (aliases[like] ?? like)
    if (how === 'all' || near)
      fields[name] = `${name} is not a field of this call.${near ? ` Did you mean ${near}?` : acceptedText(known)}`
  }
  const [first, ...more] = Object.values(fields)
  if (!first) return
  throw new HttpError(422, 'invalid', more.length ? `${first} (and ${more.length} more)` : first, {
    fields,
    field_codes: codeAll(fields, 'unknown_field'),
  })
}

interface Def {
  type: string
  shape?: Readonly<Record<string, z.core.$ZodType>>
  catchall?: unknown
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}
const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as unknown as Def
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths of the names within an input's objects and lists that their schema would drop. */
export function unknownWithin(schema: CallSchema | z.core.$ZodType, value: unknown, path = ''): string[] {
  const { type, shape, catchall, element, innerType, in: before, out, options } = defOf(schema)
  if (innerType) return unknownWithin(innerType, value, path)
  if (before && out) return unknownWithin(defOf(before).type === 'transform' ? out : before, value, path)
  if (options) {
    const each = options.filter((one) => fits(one, value)).map((one) => unknownWithin(one, value, path))
    return each.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (element && Array.isArray(value))
    return value.slice(0, MOST_ELEMENTS).flatMap((one, at) => unknownWithin(element, one, `${path}${at}.`))
  if (type !== 'object' || !shape || catchall || !isObject(value)) return []
  return Object.keys(value).flatMap((name) =>
    Object.hasOwn(shape, name)
      ? unknownWithin(shape[name]!, value[name], `${path}${name}.`)
      : path
        ? [`${path}${name.slice(0, 100)}`]
        : [],
  )
}
/** Elements of a list that are looked at; long lists are batches, read row by row. */
const MOST_ELEMENTS = 200

/** True if a schema of a union could be for a value: for a list, an object, or neither. */
function fits(schema: z.core.$ZodType, value: unknown): boolean {
  const { type, innerType, in: before, out } = defOf(schema)
  if (innerType) return fits(innerType, value)
  if (before && out) return fits(defOf(before).type === 'transform' ? out : before, value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value !== 'object'
}
