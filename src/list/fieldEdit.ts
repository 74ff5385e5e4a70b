import type { Output } from '../../contract/calls.ts'
import { type Field, type Fields, faultOf, textOf, textsOf, wireOf, YES_OR_NO } from '../../contract/fieldKinds.ts'
import { api } from '../data/apiClient.ts'
import { type FieldNoun, writeFields } from '../data/writeFields.ts'

interface LockedRow {
  id: number
  lock_version: number
}

/** How a field's kind is edited in place. */
function controlOf(field: Field): { kind?: 'lines' | 'select' | 'date'; options?: readonly { value: string; label: string }[] } {
  if (field.kind === 'day') return { kind: 'date' }
  if (field.kind === 'text' && field.lines) return { kind: 'lines' }
  if (field.kind === 'flag') return { kind: 'select', options: YES_OR_NO }
  if (field.kind !== 'choice') return {}
  return { kind: 'select', options: field.options.map(({ value, label }) => ({ value: String(value), label })) }
}

/** Says what is wrong with a value in a row, by itself or beside the row's others; null if nothing is. */
function faultIn(fields: Fields, row: object, name: string, typed: string): string | null {
  const values = { ...textsOf(fields, row), [name]: typed }
  const concerned = Object.entries(fields).filter(([other, { against }]) => other === name || (against && values[other]))
  return concerned.map(([other, field]) => faultOf(field, values[other] ?? '', values)).find(Boolean) ?? null
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
      ...controlOf(field),
      value: (row: object): string => String(textOf(field, name, row as Readonly<Record<string, unknown>>)),
      async save(row: Row, typed: string): Promise<unknown> {
        const fault = faultIn(fields, row, name, typed)
        if (fault) throw new Error(fault)
        const input = { id: row.id, ...wireOf(field, name, { [name]: typed }), lock_version: row.lock_version }
        const saved = await writeFields(api, `${noun}.edit`, input)
        after?.(saved, row, name)
        return saved.data
      },
    }
  }
