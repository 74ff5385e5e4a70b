import type { ZodType } from 'zod'
import { notADate } from '../../../../contract/dates.ts'
import { wrongNotBlank } from '../../../../contract/issueWords.ts'

export type FieldErrors<V> = Partial<Record<keyof V & string, string>>

/** An API call's validation rules, for its form. */
export interface FormRules<V> {
  /** Loads the schema, and with it zod, when a form opens: neither is in the first load. A form of fields has none. */
  schema?(): Promise<ZodType>
  /** Converts values to the call's input; by default they are the input. */
  input?(values: V): Record<string, unknown>
  /** Maps an API field name to the form's field, where they differ. */
  fieldOf?(name: string): string
  /** Rewrites a message whose path says more than its field, such as a row of a list. */
  words?(path: string, message: string): string
  /** Validates what the schema can't: rules across records, or of this form alone. */
  also?(values: V): FieldErrors<V>
}

/** Returns the value at an issue's path. */
const typedAt = (input: unknown, path: readonly PropertyKey[]): string =>
  String(path.reduce((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], input) ?? '')

/** True if a rule's message is about an invalid date; for optional dates zod says "Invalid input". */
const isOfDate = (message: string, name: string): boolean =>
  /is not a date/.test(message) || (/^Invalid input/.test(message) && /_(dt|date)$/.test(name))

/**
 * Replaces an API field name in a rule's message with the field's label.
 * For an invalid date, explains what is wrong with it.
 */
export function messageWith(label: string, message: string, name: string, typed = ''): string {
  if (typed && isOfDate(message, name)) return notADate(typed, label)
  if (/^Invalid input/.test(message)) return `${label} is required`
  if (/^(is|has|must|needs)\b/.test(message)) return `${label} ${message}`
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message
}

/** Loads a form's schema, after configuring zod not to compile code from strings. */
export async function schemaOf(rules: Pick<FormRules<never>, 'schema'>): Promise<ZodType | undefined> {
  if (rules.schema) await import('./noEval.ts')
  return rules.schema?.()
}

/** Validates values; returns the call's input, or a message for each wrong field. */
export async function readByRules<V extends object>(
  rules: FormRules<V>,
  labels: Readonly<Record<keyof V & string, string>>,
  values: V,
): Promise<{ input: Record<string, unknown>; errors: FieldErrors<V> }> {
  const schema = await schemaOf(rules)
  const input = rules.input?.(values) ?? values
  const read = schema?.safeParse(input)
  const errors: FieldErrors<V> = {}
  for (const issue of read?.error?.issues ?? []) {
    const path = issue.path.map(String).join('.')
    const name = issue.path.length ? String(issue.path.at(-1)) : path
    const field = fieldAt(rules, path) as keyof V & string
    const message = messageWith(
      labels[name as keyof V & string] ?? labels[field] ?? name,
      wrongNotBlank(issue, input) ?? issue.message,
      name,
      typedAt(input, issue.path),
    )
    errors[field] ??= rules.words?.(path, message) ?? message
  }
  for (const [field, message] of Object.entries(rules.also?.(values) ?? {}) as [keyof V & string, string][])
    errors[field] ??= message
  return { input: (schema ? (read?.data ?? {}) : input) as Record<string, unknown>, errors }
}

/** Maps an API path to the form's field; `rows.1.name` maps to `rows`. */
export const fieldAt = <V>(rules: FormRules<V>, path: string): string => {
  const own = rules.fieldOf?.(path)
  if (own !== undefined && own !== path) return own
  const [first = ''] = path.split('.')
  return rules.fieldOf?.(first) ?? first
}

/** Compares values as they are stored. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the fields whose values differ. */
export const changedIn = <V extends object>(base: V, mine: V): (keyof V & string)[] =>
  (Object.keys(base) as (keyof V & string)[]).filter((field) => !same(plain(base[field]), plain(mine[field])))

const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** Returns the fields changed on both sides, to different values. */
export const conflictsIn = <V extends object>(base: V, mine: V, theirs: V): (keyof V & string)[] =>
  changedIn(base, mine).filter((field) => !same(base[field], theirs[field]) && !same(plain(mine[field]), theirs[field]))

/** Converts the record in a 409 response to form values. */
export function valuesOf<V extends object>(record: Readonly<Record<string, unknown>>, base: V): V {
  const fields = Object.entries(base).map(([field, was]) => {
    if (!Object.hasOwn(record, field)) return [field, was]
    const value = record[field]
    if (Array.isArray(was)) return [field, typeof value === 'string' ? JSON.parse(value || '[]') : (value ?? [])]
    return [field, typeof was === 'string' ? (value === null || value === undefined ? '' : String(value)) : value]
  })
  return Object.fromEntries(fields) as V
}
