import { type ComponentProps, useEffect, useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import type { Field, Fields } from '../../../contract/fieldKinds.ts'
import { codeOf, wordOf } from '../../../contract/nounOf.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { whenDrawn } from '../../workspace/focusLater.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone } from '../shared/RecordGone.tsx'

/** Nouns whose form a route can name: `form: 'survey'`. */
export type FormNoun = 'activity' | 'survey'
type RecordOf<N extends FormNoun> = Output<`${N}.get`>['data']
type Options<N extends FormNoun, F extends Fields> = Parameters<typeof useFieldForm<N, F>>[2]
type Drawn<F extends Fields> = ComponentProps<typeof FieldForm<F>>

/** What a noun's form has besides the fields that it draws, by its record. */
interface Special<N extends FormNoun, F extends Fields> extends Partial<Pick<Drawn<F>, 'options' | 'controls'>> {
  /** Its fields, where they depend on the record. */
  fields?: { readonly [K in keyof F]: Field }
  form?: Pick<Options<N, F>, 'initial' | 'sends' | 'review' | 'shown'>
  sections?: Drawn<F>['sections']
  /** Draws what is beside its fields, and says what is unusual in its values. */
  beside?: (form: ReturnType<typeof useFieldForm<N, F>>) => Pick<Drawn<F>, 'children' | 'warnings'>
}
/** A noun's form as a route declares it. */
export interface NounForm<N extends FormNoun, F extends Fields> {
  noun: N
  fields: F
  /** Where the record is shown, and all of its kind are. */
  at: (id: number) => string
  all: string
  /** Calls hooks. */
  useSpecial?: (record: RecordOf<N>) => Special<N, F>
}

/** The pane of a noun's form. */
export const paneOfForm = <N extends FormNoun, F extends Fields>(form: NounForm<N, F>) => ({
  default: (props: PaneProps) => <DeclaredForm form={form} {...props} />,
})

/** A noun's form: it loads the record, and saves what was changed. */
function DeclaredForm<N extends FormNoun, F extends Fields>({ form, params }: PaneProps & { form: NounForm<N, F> }) {
  const { noun, all } = form
  const id = Number(params.id)
  const { data, error, retry } = useCall(`${noun}.get` as `${N}.get`, { id }, { fresh: true })
  const record = data?.data as RecordOf<N> | undefined
  const subject = useMemo(() => (record && !isGone(error) ? subjectAs<RecordOf<N>>(noun)(record) : null), [noun, record, error])
  usePaneSubject(subject)
  if (error && !record) {
    const [what, home] = [`${titled(wordOf(noun))} ${id}`, `all ${wordOf(noun, true)}`]
    return <RecordError error={error} retry={retry} what={what} home={all} homeTitle={home} />
  }
  return record ? <EditForm key={record.id} form={form} record={record} /> : <FormSkeleton />
}

const titled = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function EditForm<N extends FormNoun, F extends Fields>({
  form: declared,
  record,
}: {
  form: NounForm<N, F>
  record: RecordOf<N>
}) {
  const { noun, at, useSpecial } = declared
  const special = useSpecial?.(record) ?? {}
  const { form: options, sections, beside, ...drawn } = special
  const fields = (special.fields ?? declared.fields) as F
  const form = useFieldForm(noun, fields, { ...options, record, saved: () => ({ leads: at(record.id) }) })
  const { focus } = form
  const wanted = usePane().query.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link sets the first field only once
  useEffect(() => {
    if (wanted && Object.hasOwn(fields, wanted)) whenDrawn(() => focus(wanted))
  }, [wanted])
  return (
    <FieldForm
      {...drawn}
      {...beside?.(form)}
      form={form}
      fields={fields}
      sections={sections ?? [{ id: noun, title: titled(wordOf(noun)), fields: Object.keys(fields) }]}
      title={`Edit ${record.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf(noun, record.id)}</span>
          <PaneLink to={recordHref('project', record.project_id)} className="text-accent-ink hover:underline">
            {record.project_name}
          </PaneLink>
          <PaneLink to={at(record.id)} className="text-accent-ink hover:underline">
            Details
          </PaneLink>
        </p>
      }
    />
  )
}
