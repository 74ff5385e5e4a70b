import { useMemo } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import {
  type Fields,
  faultsOf,
  type InputOf,
  inputOf,
  labelsOf,
  newFaults,
  type Texts,
  textsOf,
  type ValuesOf,
  wordsOf,
} from '../../../../contract/fieldKinds.ts'
import { wordOf } from '../../../../contract/nounOf.ts'
import { api } from '../../../data/apiClient.ts'
import { type EditNoun, type FieldCall, type FieldNoun, writeFields } from '../../../data/writeFields.ts'
import type { FormRules } from './formRules.ts'
import { type RecordFormOptions, useRecordForm, type Written } from './useRecordForm.ts'

type Saved<N extends EditNoun> = Output<`${N}.edit`> | (N extends FieldNoun ? Output<`${N}.create`> : never)
interface Options<N extends EditNoun, F extends Fields>
  extends Pick<RecordFormOptions<ValuesOf<F> & Texts>, 'review' | 'another' | 'also' | 'rows'> {
  /** The loaded record; without it the form creates one. */
  record?: { id: number; lock_version: number }
  /** What a new record belongs to; each has a draft of its own. */
  of?: number | undefined
  /** A new record's values, where they aren't the usual ones. */
  initial?: Partial<ValuesOf<F>>
  /** What a new record has besides its fields. */
  more?: object
  /** Converts its fields to those of the call, where they differ; an edit sends the changed ones of the `whole`. */
  sends?: (input: InputOf<F>, changed: readonly string[], whole: InputOf<F>) => object
  /** A value in words, where its kind has none, as for another record's name. */
  shown?: (name: string, value: unknown) => string | undefined
  /** Another call that creates a record. */
  call?: FieldCall & `${N}.${string}`
  /** The storage key, where the call names several forms. */
  form?: string
  /** What opens after saving, and other words for the result. */
  saved: (saved: Saved<N>) => Pick<Written, 'leads'> & Partial<Written>
}

/** The form of a noun's fields: it creates a record by `{noun}.create`, or edits one by `{noun}.edit`. */
export function useFieldForm<N extends EditNoun, F extends Fields>(noun: N, fields: F, options: Options<N, F>) {
  type V = ValuesOf<F> & Texts
  const { record, of, initial, more, saved, sends = (input) => input, shown, form, call: creates, ...rest } = options
  const files = Object.keys(fields).find((name) => fields[name]!.kind === 'file' || fields[name]!.kind === 'files')
  const first = useMemo(() => ({ ...textsOf(fields, record), ...initial }) as V, [fields, record, initial])
  const rules = useMemo<FormRules<V>>(
    () => ({
      input: (values) => inputOf(fields, values),
      also: (values) => (record ? newFaults(fields, first, values, record) : faultsOf(fields, values)),
      // A call with a form of its own names the file itself.
      fieldOf: (name) => (name === 'file' && files ? files : name),
    }),
    [fields, record, first, files],
  )
  const call = (record ? `${noun}.edit` : (creates ?? `${noun}.create`)) as FieldCall
  return useRecordForm<V>({
    ...rest,
    shown: (name, value) => shown?.(name, value) ?? wordsOf(fields[name]!, value),
    form: form ?? call,
    files: files as keyof V & string,
    record: record?.id ?? of,
    initial: first,
    lock: record?.lock_version,
    labels: labelsOf(fields),
    rules,
    noun: wordOf(noun),
    theirs: (theirs) => textsOf(fields, { ...record, ...theirs }) as V,
    async save({ values, changed, lock, attempt }) {
      const whole = inputOf(fields, values)
      const input = record
        ? { id: record.id, ...sends(inputOf(fields, values, changed), changed, whole), lock_version: lock }
        : { ...more, ...sends(whole, changed, whole) }
      const made = (await writeFields(api, call, input, { attempt })) as Saved<N>
      const { name } = { name: '', ...made.data }
      return { title: made.message, name, lock: made.data.lock_version, ...saved(made) }
    },
  })
}
