import type { Insertable } from 'kysely'
import { type Field, type Fields, type InputOf, inputOf, type Plain, textsOf, type WireOf } from '../../contract/fieldKinds.ts'
import type { RecordValue } from '../../contract/recordFields.ts'
import type { Schema } from '../db/schema.ts'

/** The column that holds a field. */
type ColumnOf<F extends Fields, K extends keyof F> = F[K] extends { column: infer C extends string } ? C : K
/** A table's columns that hold fields. */
type ColumnsOf<F extends Fields> = { [K in keyof Plain<F> as ColumnOf<F, K>]: WireOf<F[K]> }
/** Those of the fields that an input has; what may be undefined may be missing. */
type InputColumns<F extends Fields, I> = {
  [K in keyof I & keyof Plain<F> as undefined extends I[K] ? never : ColumnOf<F, K>]: WireOf<F[K]>
} & { [K in keyof I & keyof Plain<F> as undefined extends I[K] ? ColumnOf<F, K> : never]?: WireOf<F[K]> }
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

/** A field that a new record may lack: it isn't required, or not of every record. */
type MayLack<F extends Field> = F extends { required: string }
  ? F extends { when: unknown } | { mayLack: unknown }
    ? true
    : false
  : true
type Worded = 'text' | 'name' | 'email' | 'phone' | 'url' | 'zip' | 'several'
/** What its column has then; never if a row has to say it. */
type LeftEmpty<F extends Field> =
  MayLack<F> extends false
    ? never
    : F extends { usual: infer U }
      ? U
      : F extends { nullable: true }
        ? null
        : F extends { kind: Worded }
          ? ''
          : F extends { kind: 'choice'; fill: unknown }
            ? string
            : never
/** The columns of fields that a new record may lack. */
export type EmptyColumns<F extends Fields> = {
  [K in keyof Plain<F> as LeftEmpty<F[K]> extends never ? never : ColumnOf<F, K>]: LeftEmpty<F[K]>
}
/** What a new record's columns have without a value: what a form sends that was left as it opens. */
export function emptyColumns<const F extends Fields>(fields: F): EmptyColumns<F> {
  const lacking = Object.entries(fields).filter(([, { required, when, mayLack }]) => !required || when || mayLack)
  const input = inputOf(
    fields,
    textsOf(fields),
    lacking.map(([name]) => name),
  ) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    lacking.flatMap(([name, { kind, column = name }]) => {
      // Several choices are a comma list in a column.
      const value = kind === 'several' ? String(input[name]) : input[name]
      return value === undefined || Array.isArray(value) ? [] : [[column, value]]
    }),
  ) as EmptyColumns<F>
}

/** Names of a record's fields with their columns. */
const columnsOf = (fields: Fields) => Object.entries(fields).map(([name, { column = name }]) => [name, column] as const)
/** Reads a row's fields, under their names in calls. */
export function fieldReader<const F extends Fields>(fields: F) {
  const columns = columnsOf(fields)
  return (row: object) => {
    const read: Record<string, unknown> = {}
    for (const [name, column] of columns) read[name] = (row as Readonly<Record<string, unknown>>)[column]
    return read as { [K in keyof F]: RecordValue<F[K]> }
  }
}

/** The columns that a noun's searches look in. */
export const searchedColumns = (fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, { column = name, searched }]) => (searched ? [column] : []))

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
  ) as InputColumns<F, I>
