import type { Insertable } from 'kysely'
import type { Fields, InputOf, Plain, WireOf } from '../../contract/fieldKinds.ts'
import type { Schema } from '../db/schema.ts'

/** A table's columns that hold fields. */
type ColumnsOf<F extends Fields> = {
  [K in keyof Plain<F> as F[K] extends { column: infer C extends string } ? C : K]: WireOf<F[K]>
}
/** Names the fields whose column a table lacks, or holds another type in. */
type Fitting<T extends keyof Schema, F extends Fields> = {
  [C in keyof ColumnsOf<F>]: C extends keyof Insertable<Schema[T]>
    ? ColumnsOf<F>[C] extends Insertable<Schema[T]>[C]
      ? never
      : C
    : C
}[keyof ColumnsOf<F>] extends infer Wrong
  ? [Wrong] extends [never]
    ? unknown
    : { columns_that_the_table_lacks: Wrong }
  : never

/** Renames a call's fields to the table's columns that hold them; missing ones stay missing. */
export const columnsIn = <
  T extends keyof Schema,
  const F extends Fields,
  I extends { readonly [K in keyof InputOf<F>]?: unknown },
>(
  _table: T,
  fields: F & Fitting<T, F>,
  input: I,
) =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      Object.hasOwn(fields, name) && value !== undefined ? [[(fields as Fields)[name]!.column ?? name, value]] : [],
    ),
  ) as I extends InputOf<F> ? ColumnsOf<F> : Partial<ColumnsOf<F>>
