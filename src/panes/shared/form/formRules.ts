import type { ZodType } from 'zod'
import { notADate } from '../../../ui/dates.ts'

export type FieldErrors<V> = Partial<Record<keyof V & string, string>>

/** A call's rules as a form reads them. */
export interface FormRules<V> {
  /** Loads the schema, and with it zod, when a form opens: neither is in the first load. */
  schema(): Promise<ZodType>
  /** The call's input for what was filled in; the values as they are by default. */
  input?(values: V): Record<string, unknown>
  /** The form's field for the call's name, where they differ. */
  fieldOf?(name: string): string
  /** A message in other words, where its path says more than its field: the row of a list. */
  words?(path: string, message: string): string
  /** What the schema doesn't say: rules of other records, or of a form alone. */
  also?(values: V): FieldErrors<V>
}

/** What was filled in at an issue's path. */
export const typedAt = (input: unknown, path: readonly PropertyKey[]): string =>
  String(path.reduce((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], input) ?? '')

/** True for a rule's message that text isn't a date; of a date that may be blank it says "Invalid input". */
export const isOfDate = (message: string, name: string): boolean =>
  /is not a date/.test(message) || (/^Invalid input/.test(message) && /_(dt|date)$/.test(name))

/**
 * Replaces the call's name for a field in a rule's message with the field's label.
 * Of a date it says what isn't one.
 */
export function messageWith(label: string, message: string, name: string, typed = ''): string {
  if (typed && isOfDate(message, name)) return notADate(typed, label)
  if (/^Invalid input/.test(message)) return `${label} is required`
  if (/^(is|has|must|needs)\b/.test(message)) return `${label} ${message}`
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message
}

/** Loads a form's schema, after zod was told not to build functions from text. */
export async function schemaOf(rules: Pick<FormRules<never>, 'schema'>): Promise<ZodType> {
  await import('./noEval.ts')
  return rules.schema()
}

/** Reads values by their rules: the call's input, or a message for each wrong field. */
export async function readByRules<V extends object>(
  rules: FormRules<V>,
  labels: Readonly<Record<keyof V & string, string>>,
  values: V,
): Promise<{ input: Record<string, unknown>; errors: FieldErrors<V> }> {
  const schema = await schemaOf(rules)
  const input = rules.input?.(values) ?? values
  const read = schema.safeParse(input)
  const errors: FieldErrors<V> = {}
  for (const issue of read.error?.issues ?? []) {
    const path = issue.path.map(String).join('.')
    const name = issue.path.length ? String(issue.path.at(-1)) : path
    const field = fieldAt(rules, path) as keyof V & string
    const message = messageWith(
      labels[name as keyof V & string] ?? labels[field] ?? name,
      issue.message,
      name,
      typedAt(input, issue.path),
    )
    errors[field] ??= rules.words?.(path, message) ?? message
  }
  for (const [field, message] of Object.entries(rules.also?.(values) ?? {}) as [keyof V & string, string][])
    errors[field] ??= message
  return { input: (read.data ?? {}) as Record<string, unknown>, errors }
}

/** The form's field for a name of the call; a path into a list belongs to the list: `rows.1.name` is `rows`. */
export const fieldAt = <V>(rules: FormRules<V>, path: string): string => {
  const own = rules.fieldOf?.(path)
  if (own !== undefined && own !== path) return own
  const [first = ''] = path.split('.')
  return rules.fieldOf?.(first) ?? first
}

/** Equal as they are stored. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The fields of which two sets of values differ. */
export const changedIn = <V extends object>(base: V, mine: V): (keyof V & string)[] =>
  (Object.keys(base) as (keyof V & string)[]).filter((field) => !same(plain(base[field]), plain(mine[field])))

const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** The fields that both changed, to different values. */
export const clashesIn = <V extends object>(base: V, mine: V, theirs: V): (keyof V & string)[] =>
  changedIn(base, mine).filter((field) => !same(base[field], theirs[field]) && !same(plain(mine[field]), theirs[field]))

/** The values of a record in a conflict's answer, in the shape of a form's. */
export function valuesOf<V extends object>(record: Readonly<Record<string, unknown>>, base: V): V {
  const fields = Object.entries(base).map(([field, was]) => {
    if (!Object.hasOwn(record, field)) return [field, was]
    const value = record[field]
    if (Array.isArray(was)) return [field, typeof value === 'string' ? JSON.parse(value || '[]') : (value ?? [])]
    return [field, typeof was === 'string' ? (value === null || value === undefined ? '' : String(value)) : value]
  })
  return Object.fromEntries(fields) as V
}
