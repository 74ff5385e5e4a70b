import type { Field, Fields, WireOf } from './fieldKinds.ts'

/** What a record has of a field; it may lack a day that its form requires. */
export type RecordValue<F extends Field> = F extends { kind: 'day' } ? string | null : WireOf<F>

type Listed<F extends Fields> = { [K in keyof F as F[K] extends { detail: true } ? never : K]: F[K] }
type Detail<F extends Fields> = { [K in keyof F as F[K] extends { detail: true } ? K : never]: F[K] }
const those = (fields: Fields, detail: boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => Boolean(field.detail) === detail))
/** The fields that a noun's lists have. */
export const listedFields = <F extends Fields>(fields: F) => those(fields, false) as unknown as Listed<F>
/** Those that only the read of one record has. */
export const detailFields = <F extends Fields>(fields: F) => those(fields, true) as unknown as Detail<F>
