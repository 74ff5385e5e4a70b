import type { Output } from '../../contract/calls.ts'
import {
  type Field,
  type Fields,
  faultOf,
  newFaults,
  type Texts,
  textOf,
  textsOf,
  wireOf,
  YES_OR_NO,
} from '../../contract/fieldKinds.ts'
import { typedPhone } from '../../contract/foldText.ts'
import { api } from '../data/apiClient.ts'
import { type EditNoun, writeFields } from '../data/writeFields.ts'
import type { Column } from '../ui/grid/columns.ts'

interface LockedRow {
  id: number
  lock_version: number
}

/** How a field's kind is edited in place. */
function controlOf(field: Field): Pick<NonNullable<Column<never>['edit']>, 'kind' | 'options' | 'keeps'> {
  if (field.kind === 'phone') return { keeps: typedPhone }
  if (field.kind === 'day') return { kind: 'date' }
  if (field.kind === 'text' && field.lines) return { kind: 'lines' }
  if (field.kind === 'flag') return { kind: 'select', options: YES_OR_NO }
  if (field.kind !== 'choice') return {}
  const none = field.nullable ? [{ value: '', label: field.placeholder ?? 'None' }] : []
  const options = [...none, ...field.options.filter(({ value }) => value !== '' || !field.required)]
  return { kind: 'select', options: options.map(({ value, label }) => ({ value: String(value), label })) }
}

/** Says what is wrong with a value in a row, by itself or beside the row's others; null if nothing is. */
function faultIn(fields: Fields, row: object, name: string, values: Texts): string | null {
  const own = faultOf(fields[name]!, values[name] ?? '', values, row)
  if (own) return own
  const [fault] = Object.values(newFaults(beside(fields), textsOf(fields, row), values, row))
  return fault ?? null
}
/** Fields that are judged beside others. */
const beside = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { against, needed }]) => against || needed))

/** Edits a record's fields in place, by `{noun}.edit`; `after` shows the server's message. */
export const editsOf =
  <N extends EditNoun, F extends Fields, Row extends LockedRow = LockedRow>(
    noun: N,
    fields: F,
    after?: (saved: Output<`${N}.edit`>, row: Row, name: keyof F & string) => void,
  ) =>
  (name: keyof F & string) => {
    const field = fields[name]!
    return {
      ...controlOf(field),
      value: (row: object): string => String(textOf(field, name, row)),
      async save(row: Row, typed: string): Promise<unknown> {
        const values = { ...textsOf(fields, row), [name]: typed }
        const fault = faultIn(fields, row, name, values)
        if (fault) throw new Error(fault)
        const input = { id: row.id, ...wireOf(field, name, values), lock_version: row.lock_version }
        const saved = await writeFields(api, `${noun}.edit`, input)
        after?.(saved, row, name)
        return saved.data
      },
    }
  }
