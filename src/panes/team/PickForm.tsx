import type { ReactNode } from 'react'
import type { Answer } from '../../data/useCall.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm, type Written } from '../shared/form/useRecordForm.ts'
import { RecordPicker } from '../shared/RecordPicker.tsx'
import type { PickOption } from '../shared/recordPicking.ts'
import { EffectPanel } from './EffectPanel.tsx'
import { idsIn } from './idsIn.ts'
import { type Tried, useEffectOf } from './useEffectOf.ts'

interface Values {
  ids: number[]
}
const RULES: FormRules<Values> = { schema: async () => (await import('../../../contract/formSchemas.ts')).AnyValues }

/** A form that adds records to another one: a picker with a preview of the effect. */
export function PickForm({
  name,
  record,
  title,
  about,
  label,
  words,
  read,
  options,
  preselected,
  emptyError,
  send,
  noun,
  client,
  none,
  placeholder,
  extra,
  dryRun,
  save,
}: {
  /** The form's storage key. */
  name: string
  record: number
  title: ReactNode
  /** Links to the record and to where the user came from. */
  about: readonly { to: string; name: string }[]
  /** The picker's label: "Users". */
  label: string
  words: readonly [one: string, many: string]
  read: Pick<Answer<unknown>, 'error' | 'retry'>
  options: readonly PickOption[] | undefined
  /** IDs in the link, preselected. */
  preselected: string | undefined
  /** The error for an empty selection: "Choose at least one user". */
  emptyError: string
  send: string
  /** Names what wasn't saved in an error dialog. */
  noun: string
  client: string
  none: ReactNode
  /** Shown beside the form while nothing is selected. */
  placeholder: string
  /** Shown below the picker. */
  extra?: ReactNode
  dryRun(ids: readonly number[], signal: AbortSignal): Promise<Tried>
  save(ids: readonly number[], attempt: string): Promise<Written>
}) {
  const form = useRecordForm<Values>({
    form: name,
    record,
    initial: { ids: idsIn(preselected) },
    labels: { ids: label },
    rules: RULES,
    also: ({ ids }) => (ids.length ? {} : { ids: emptyError }),
    noun,
    save: ({ values, attempt }) => save(values.ids, attempt),
  })
  const { ids } = form.values
  const foreseen = useEffectOf(ids.length ? ids.join() : '', (signal) => dryRun(ids, signal))
  return (
    <RecordForm
      form={form}
      title={title}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          {about.map((one) => (
            <PaneLink key={one.to} to={one.to} className="max-w-full truncate rounded-sm text-accent-ink hover:underline">
              <bdi>{one.name}</bdi>
            </PaneLink>
          ))}
        </p>
      }
      send={send}
      beside={
        <EffectPanel foreseen={foreseen} client={client}>
          {placeholder}
        </EffectPanel>
      }
      sections={[
        {
          id: 'choose',
          title: label,
          fields: ['ids'],
          children: (
            <>
              <FormField control={form.control} name="ids" label={label} required group wide>
                {({ value, onChange }) => (
                  <RecordPicker
                    options={options}
                    error={read.error}
                    retry={read.retry}
                    what={`The ${words[1]}`}
                    words={words}
                    value={value}
                    onChange={onChange}
                    none={none}
                  />
                )}
              </FormField>
              {extra && <div className="@lg:col-span-2">{extra}</div>}
            </>
          ),
        },
      ]}
    />
  )
}
