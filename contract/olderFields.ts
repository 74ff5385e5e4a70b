import type { Field, Fields } from './fieldKinds.ts'
import type { RecordValue } from './recordFields.ts'

/** The names of a field in calls of the older spelling (decisions.md 1). */
export const olderNames = (name: string, { older = [name] }: Field): readonly string[] => older

type Older<F extends Fields> = {
  [K in keyof F & string as F[K] extends { older: readonly (infer O extends string)[] } ? O : K]: F[K]
}
/** Fields under their names in the older spelling, each of which is a field there. */
export const olderFields = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => olderNames(name, field).map((older) => [older, field])),
  ) as unknown as Older<F>

type FirstNamed<F extends Fields> = {
  [K in keyof F]: F[K] extends { older: readonly [infer O extends string, ...string[]] }
    ? Omit<F[K], 'older'> & { older: readonly [O] }
    : F[K]
}
/** Fields with the first of their older names alone, for a call that takes no others. */
export const firstNamed = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, older: olderNames(name, field).slice(0, 1) }]),
  ) as unknown as FirstNamed<F>

type FirstName<F extends Fields, K extends keyof F> = F[K] extends { older: readonly [infer O extends string, ...string[]] }
  ? O
  : K
/** What a call or record of the older spelling has of each field, under the first of its names. */
export const fromOlder = <F extends Fields, S extends object>(fields: F, sent: S) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const [older] = olderNames(name, field)
      return older && Object.hasOwn(sent, older) ? [[name, (sent as Record<string, unknown>)[older]]] : []
    }),
  ) as { [K in keyof F as FirstName<F, K> extends keyof S ? K : never]: S[FirstName<F, K> & keyof S] }

/** MM/DD/YYYY, as dates of the older spelling are; empty without one (decisions.md 9). */
export const usDate = (civil: string | null): string =>
  civil ? `${civil.slice(5, 7)}/${civil.slice(8, 10)}/${civil.slice(0, 4)}` : ''

/** What a record of the older spelling has of a field. */
type OlderValue<F extends Field> = F extends { kind: 'day' } ? string : RecordValue<F>
/** A record's fields in the older spelling. */
export type OlderRecord<F extends Fields> = {
  [K in keyof Older<F>]: Older<F>[K] extends infer O extends Field ? OlderValue<O> : never
}
/** Spells a record's fields as the older calls do. */
export function toOlder<F extends Fields>(fields: F, record: { readonly [K in keyof F]: RecordValue<F[K]> }) {
  const spelled: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields))
    for (const older of olderNames(name, field))
      spelled[older] = field.kind === 'day' ? usDate(record[name] as string | null) : record[name]
  return spelled as OlderRecord<F>
}
