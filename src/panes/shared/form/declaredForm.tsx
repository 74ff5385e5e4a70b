import { type ComponentProps, type ReactNode, useEffect, useMemo } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import type { Field, Fields } from '../../../../contract/fieldKinds.ts'
import { codeOf, wordOf } from '../../../../contract/nounOf.ts'
import type { SubjectKind } from '../../../../contract/nouns.ts'
import { type Subject, subjectAs } from '../../../commands/subject.ts'
import { useCall } from '../../../data/useCall.ts'
import type { EditNoun, FieldNoun } from '../../../data/writeFields.ts'
import { href } from '../../../routing/routes.ts'
import { FormSkeleton } from '../../../ui/Skeletons.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { whenDrawn } from '../../../workspace/focusLater.ts'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../../workspace/pane.tsx'
import type { PaneProps } from '../../../workspace/paneOf.tsx'
import { type ProjectRow, projectSubject, recordHref } from '../projectSubject.ts'
import { RecordError } from '../RecordError.tsx'
import { isGone } from '../RecordGone.tsx'
import { StatusPill } from '../StatusPill.tsx'
import { FieldForm } from './FieldForm.tsx'
import { useFieldForm } from './useFieldForm.ts'

/** The reads of the records that a form edits or adds to; the build drops calls that no code names in full. */
const READS = {
  activity: 'activity.get',
  brand: 'brand.get',
  client: 'client.get',
  event: 'event.get',
  post: 'post.get',
  project: 'project.get',
  promo: 'promo.get',
  survey: 'survey.get',
} as const
type ReadNoun = keyof typeof READS
/** Where all records of a kind are. */
const HOMES = {
  activity: ['activities', 'all activities'],
  brand: ['brands', 'all brands'],
  client: ['clients', 'all clients'],
  event: ['activities', 'all activities'],
  post: ['activities', 'all activities'],
  project: ['allProjects', 'all projects'],
  promo: ['activities', 'all activities'],
  survey: ['surveys', 'all surveys'],
} as const satisfies Record<ReadNoun, readonly [string, string]>
type RecordOf<R extends ReadNoun> = Output<(typeof READS)[R]>['data']

type FormOptions<N extends EditNoun, F extends Fields> = Parameters<typeof useFieldForm<N, F>>[2]
type Drawn<F extends Fields> = Omit<ComponentProps<typeof FieldForm<F>>, 'form' | 'fields'>
export type FormOf<N extends EditNoun, F extends Fields> = ReturnType<typeof useFieldForm<N, F>>

/** What a noun's form has besides the fields that it draws. */
interface Special<N extends EditNoun, F extends Fields> extends Partial<Drawn<F>> {
  /** Its fields, where they depend on the record. */
  fields?: { readonly [K in keyof F]: Field }
  form?: Partial<FormOptions<N, F>>
  /** Links in the line below its title. */
  links?: Readonly<Record<string, string>>
  /** What depends on its values. */
  useDrawn?: (form: FormOf<N, F>) => Partial<Drawn<F>> & Pick<Special<N, F>, 'fields'>
}
/** A noun's form as a route declares it. */
interface NounForm<N extends EditNoun, F extends Fields, R> {
  noun: N
  fields: F
  /** Calls hooks; gets the record that is edited, or that a new one belongs to. */
  useSpecial?: (record: R) => Special<N, F>
}
export type EditForm<N extends EditNoun & ReadNoun, F extends Fields> = NounForm<N, F, RecordOf<N>>
/** A form of new records, which belong to one of the kind `of`, if any. */
export interface NewForm<N extends FieldNoun, F extends Fields, O extends ReadNoun | null>
  extends NounForm<N, F, O extends ReadNoun ? RecordOf<O> : null> {
  of: O
  useSpecial: (owner: O extends ReadNoun ? RecordOf<O> : null) => Special<N, F> & { form: Pick<FormOptions<N, F>, 'saved'> }
}

/** The pane of a form that edits a noun's record. */
export const editPane = <N extends EditNoun & ReadNoun, F extends Fields>(form: EditForm<N, F>) => ({
  default: ({ params }: PaneProps) => (
    <OfRecord noun={form.noun} id={Number(params.id)}>
      {(record) => <Edit key={record.id} declared={form} record={record} />}
    </OfRecord>
  ),
})
/** The pane of a form that creates a noun's record. */
export const newPane = <N extends FieldNoun, F extends Fields, O extends ReadNoun | null>(form: NewForm<N, F, O>) => ({
  default: ({ params }: PaneProps) => {
    const { of, noun } = form
    // A form without an owner has no id.
    if (of === null) return <Add declared={form as NewForm<N, F, null>} owner={null} />
    return (
      <OfRecord noun={of as ReadNoun} id={Number(params.id)} adds={noun}>
        {(owner) => <Add key={owner.id} declared={form as NewForm<N, F, ReadNoun>} owner={owner} />}
      </OfRecord>
    )
  },
})

const titled = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
/** Kinds of subjects; an event, a promotion or a post is no subject, but its activity's older representation. */
const SUBJECTS: Partial<Record<ReadNoun, (record: never) => Subject>> = {
  project: (record: ProjectRow) => projectSubject(record),
  ...Object.fromEntries((['activity', 'brand', 'client', 'survey'] as const).map((noun) => [noun, subjectAs(noun)])),
}

/** Loads the record that a form edits or `adds` to, makes it the pane's subject, and says why there is no form. */
function OfRecord<R extends ReadNoun>({
  noun,
  id,
  adds,
  children,
}: {
  noun: R
  id: number
  adds?: FieldNoun
  children: (record: RecordOf<R>) => ReactNode
}) {
  const { data, error, loading, retry } = useCall(READS[noun] as 'survey.get', { id }, { fresh: true })
  const record = data?.data as RecordOf<R> | undefined
  const subject = useMemo(
    () => (record && !isGone(error) ? (SUBJECTS[noun]?.(record as never) ?? null) : null),
    [noun, record, error],
  )
  usePaneSubject(subject)
  if (error && !record) {
    const [home, homeTitle] = HOMES[noun]
    const what = titled(wordOf(SUBJECTS[noun] ? noun : 'activity'))
    return <RecordError error={error} retry={retry} what={`${what} ${id}`} home={href(home)} homeTitle={homeTitle} />
  }
  // A new record starts from what its owner is now.
  if (!record || (adds && loading)) return <FormSkeleton />
  const { refused_actions, name } = { refused_actions: {}, ...record } as {
    refused_actions: Record<string, string>
    name: string
  }
  const refused = adds && refused_actions[`${adds}.create`]
  if (refused)
    return (
      <EmptyState
        action={
          <PaneLink to={ownerHref(noun, record)} className="text-accent-ink underline underline-offset-2">
            {name}
          </PaneLink>
        }
      >
        No {wordOf(adds)} can be added: {refused}.
      </EmptyState>
    )
  return children(record)
}

/** Where a record is shown. */
function ownerHref(noun: ReadNoun, record: { id: number }): string {
  const { id } = record
  switch (noun) {
    case 'project':
      return recordHref((record as ProjectRow).generation, id)
    case 'client':
      return href('client', { id })
    case 'brand':
      return href('brandEditor', { id })
    case 'survey':
      return href('survey', { id }, { tab: 'details' })
    default:
      return href('activity', { id }, { tab: 'details' })
  }
}

function Edit<N extends EditNoun & ReadNoun, F extends Fields>({
  declared,
  record,
}: {
  declared: EditForm<N, F>
  record: RecordOf<N>
}) {
  const { noun } = declared
  const special = declared.useSpecial?.(record) ?? {}
  const fields = (special.fields ?? declared.fields) as F
  const at = ownerHref(noun, record)
  const form = useFieldForm(noun, fields, { ...special.form, record, saved: () => ({ leads: at }) })
  const of = record as RecordOf<'survey'>
  return (
    <DrawnForm
      noun={noun}
      fields={fields}
      form={form}
      special={special}
      title={`Edit ${of.name}`}
      aside={
        <Line links={{ [of.project_name]: recordHref('project', of.project_id), Details: at, ...special.links }}>
          <span className="font-mono">{codeOf(noun as SubjectKind, record.id)}</span>
        </Line>
      }
    />
  )
}

function Add<N extends FieldNoun, F extends Fields, O extends ReadNoun | null>({
  declared,
  owner,
}: {
  declared: NewForm<N, F, O>
  owner: O extends ReadNoun ? RecordOf<O> : null
}) {
  const { noun, of } = declared
  const special = declared.useSpecial(owner)
  const fields = (special.fields ?? declared.fields) as F
  const form = useFieldForm(noun, fields, {
    ...(owner ? { of: owner.id, more: { [`${of}_id`]: owner.id } } : {}),
    ...special.form,
  })
  const project = of === 'project' ? (owner as unknown as RecordOf<'project'>) : null
  return (
    <DrawnForm
      noun={noun}
      fields={fields}
      form={form}
      special={special}
      title={`New ${wordOf(noun)}`}
      send={`Create ${wordOf(noun)}`}
      aside={
        project && (
          <Line links={special.links}>
            <span className="font-mono">{codeOf('project', project.id)}</span>
            <StatusPill stored={project.stored_status} shown={project.status_shown} />
          </Line>
        )
      }
    />
  )
}

/** The line below a form's title. */
const Line = ({ links = {}, children }: { links?: Readonly<Record<string, string>> | undefined; children: ReactNode }) => (
  <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
    {children}
    {Object.entries(links).map(([title, to]) => (
      <PaneLink key={title} to={to} className="text-accent-ink hover:underline">
        {title}
      </PaneLink>
    ))}
  </p>
)

/** A form of one section with all its fields, unless its noun says otherwise; a link may name the field to start at. */
function DrawnForm<N extends EditNoun, F extends Fields>({
  noun,
  fields,
  form,
  special: { fields: _, form: __, links: ___, useDrawn, ...special },
  ...usual
}: Pick<Drawn<F>, 'title' | 'aside' | 'send'> & {
  noun: N
  fields: F
  form: FormOf<N, F>
  special: Special<N, F>
}) {
  const { focus } = form
  const wanted = usePane().query.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link sets the first field only once
  useEffect(() => {
    if (wanted && Object.hasOwn(fields, wanted)) whenDrawn(() => focus(wanted))
  }, [wanted])
  return (
    <FieldForm
      sections={[{ id: noun, title: titled(wordOf(noun)), fields: Object.keys(fields) }]}
      {...usual}
      {...special}
      fields={fields}
      {...(useDrawn?.(form) as Partial<Drawn<F>> | undefined)}
      form={form}
    />
  )
}
