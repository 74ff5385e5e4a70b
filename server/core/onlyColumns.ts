import type { Schema } from '../db/schema.ts'

/** Refuses names that a table has no column for. */
export type ColumnsAlone<R, T extends keyof Schema> = R extends R
  ? { readonly [K in Exclude<keyof R, keyof Schema[T]>]: never }
  : never

/** A row to write: what a spread brings along must be a column of the table, or it doesn't compile. */
export const onlyColumns = <T extends keyof Schema, const R extends object>(_table: T, row: R & ColumnsAlone<R, T>): R => row
