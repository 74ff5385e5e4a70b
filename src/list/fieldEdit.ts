import type { Output } from '../../contract/calls.ts'
import { type Fields, faultOf, textOf, wireOf } from '../../contract/fieldKinds.ts'
import { api } from '../data/apiClient.ts'
import { type FieldNoun, writeFields } from '../data/writeFields.ts'

interface LockedRow {
  id: number
  lock_version: number
}

/** Edits a record's fields in place, by `{noun}.edit`; `after` shows the server's message. */
export const editsOf =
  <N extends FieldNoun, F extends Fields, Row extends LockedRow = LockedRow>(
    noun: N,
    fields: F,
    after?: (saved: Output<`${N}.edit`>, row: Row, name: keyof F & string) => void,
  ) =>
  (name: keyof F & string) => {
    const field = fields[name]!
    return {
      value: (row: object): string => String(textOf(field, name, row as Readonly<Record<string, unknown>>)),
      async save(row: Row, typed: string): Promise<unknown> {
        const fault = faultOf(field, typed)
        if (fault) throw new Error(fault)
        const input = { id: row.id, ...wireOf(field, name, { [name]: typed }), lock_version: row.lock_version }
        const saved = await writeFields(api, `${noun}.edit`, input)
        after?.(saved, row, name)
        return saved.data
      },
    }
  }
