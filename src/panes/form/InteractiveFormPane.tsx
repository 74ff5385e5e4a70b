import { type ReactNode, useRef, useState } from 'react'
import { UPLOADS } from '../../../contract/vocabulary.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { DigitsContext } from '../../ui/Digit.tsx'
import { Field as Labelled } from '../../ui/Field.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { FormFaults, FormHead } from '../shared/form/FormShell.tsx'
import { acceptOf } from '../shared/form/useUploads.ts'
import { questionKeys, toQuestion } from './interactiveFormKeys.ts'
import { progressOfQuestions } from './olderForm.ts'
import { asksCompany, hasNoClient, NoClient, olderKind, useLinkedAnswers } from './olderRequest.tsx'
import type { Field } from './requestDraft.ts'
import { FormActions, FormProgress, KeptDraft } from './requestParts.tsx'
import {
  AgeField,
  Declared,
  ExpectedFields,
  GenderField,
  LocationBasedField,
  MarketsField,
  NarrowerFields,
  UrlField,
} from './requestSections.tsx'
import { type RequestFormState, useRequestForm } from './useRequestForm.ts'

/** The seven questions that progress counts, then the optional ones. */
const QUESTIONS = [
  'name',
  'goal',
  'start_dt',
  'end_dt',
  'age',
  'gender',
  'targeted_locations',
] as const satisfies readonly Field[]
const MORE = [
  'activity_type',
  'url',
  'file_ids',
  'hhi',
  'ethnicity',
  'marital_status',
  'children',
  'loi_minutes',
  'incidence',
  'location_based',
  'parent_id',
  'company',
  'requirements',
] as const satisfies readonly Field[]

const KIND = olderKind(['client_id', ...QUESTIONS, ...MORE], {
  missing: (draft, empty) =>
    progressOfQuestions(draft, empty)
      .filter((one) => !one.done)
      .map((one) => one.field),
})

/** The older form's drop zones, each with its own file types and error messages. */
const ZONES = [
  { id: 'csv', label: 'List (CSV)', types: ['csv'] },
  { id: 'survey', label: 'Survey documents', types: UPLOADS.document.filter((type) => type !== 'csv') },
  { id: 'content', label: 'Images, audio and video', types: [...UPLOADS.media] },
] as const satisfies readonly { id: string; label: string; types: readonly string[] }[]

/** The older request form, one question at a time: seven required, the optional ones under "More". */
export default function InteractiveFormPane() {
  return hasNoClient() ? <NoClient /> : <Questions />
}

function Questions() {
  const form = useRequestForm(KIND)
  const { control, draft, clients, faults, empty } = form
  useLinkedAnswers(form)
  const dmas = useCall('dma.list', {})
  const progress = progressOfQuestions(draft, empty)
  const [opened, setOpened] = useState(false)
  const more = opened || faults.some(({ field }) => (MORE as readonly string[]).includes(field))
  const isDone = (field: Field) => progress.find((one) => one.field === field)?.done ?? false
  const answers: Record<(typeof QUESTIONS)[number], ReactNode> = {
    name: <Declared control={control} name="name" wide />,
    goal: (
      <div className="max-w-60">
        <Declared control={control} name="goal" />
      </div>
    ),
    start_dt: (
      <div className="max-w-60">
        <Declared control={control} name="start_dt" onValue={form.onStart} />
      </div>
    ),
    end_dt: (
      <div className="max-w-60">
        <Declared control={control} name="end_dt" ends="older" />
      </div>
    ),
    age: <AgeField control={control} older />,
    gender: <GenderField control={control} />,
    targeted_locations: <MarketsField control={control} dmas={dmas} />,
  }
  return (
    <form
      ref={form.page}
      noValidate
      data-fill-in=""
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={questionKeys}
      className="@container relative flex min-h-full flex-col"
    >
      <FormHead
        title="Survey Project Request"
        aside={<FormProgress progress={progress} spoken={form.changed} />}
        actions={
          <>
            <PaneLink
              to={href('clientRequest')}
              onClick={form.stay}
              className="flex items-center px-1 text-meta text-accent-ink underline underline-offset-2"
            >
              All on one page
            </PaneLink>
            <FormActions form={form} />
          </>
        }
      />
      <div className="mx-auto flex w-full max-w-[720px] flex-col gap-4 px-4 pt-5 pb-24">
        <div className="-mt-5">
          <KeptDraft form={form} />
          <FormFaults
            faults={faults}
            serverError={form.serverError}
            warnings={form.late}
            onField={(field) => form.focus(field as Field)}
          />
        </div>
        {form.choosesClient && (
          <Card form={form} done={draft.client_id !== ''}>
            <Declared control={control} name="client_id" options={clients} onValue={() => form.setValue('parent_id', '')} />
          </Card>
        )}
        <DigitsContext value={true}>
          {QUESTIONS.map((field, at) => (
            <Card key={field} form={form} at={at + 1} field={field} done={isDone(field)}>
              {answers[field]}
            </Card>
          ))}
        </DigitsContext>
        <details
          open={more}
          onToggle={(event) => setOpened(event.currentTarget.open)}
          className="rounded-lg border border-line bg-surface px-4 py-3"
        >
          <summary className="cursor-pointer font-medium">
            More <span className="font-normal text-muted">· survey, files, a narrower audience, what you expect</span>
          </summary>
          <div className="mt-4 grid gap-4 @lg:grid-cols-2">
            <MoreFields form={form} />
          </div>
        </details>
      </div>
    </form>
  )
}

/** One question: number, field and navigation. A default answer counts once the field has had the focus. */
function Card({
  form,
  at,
  field,
  done,
  children,
}: {
  form: RequestFormState
  at?: number
  field?: Field
  done: boolean
  children: ReactNode
}) {
  const card = useRef<HTMLElement>(null)
  const { draft, fill } = form
  const look = () => {
    if (field && !draft.seen.includes(field)) fill({ seen: [...draft.seen, field] })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it tracks focus within its field
    <section
      ref={card}
      onFocus={look}
      className="group/card flex gap-3 rounded-lg border border-line bg-surface px-4 py-4 focus-within:border-accent focus-within:shadow-sm"
    >
      <span
        className={cx(
          'mt-0.5 flex w-5 shrink-0 flex-col items-center gap-1 text-meta tabular-nums',
          done ? 'text-green-ink' : 'text-faint',
        )}
      >
        {at ?? ''}
        <Mark shape={done ? 'tick' : 'ring'} />
      </span>
      <div className="min-w-0 flex-1">
        {children}
        <div className="mt-3 flex items-center gap-2 text-meta text-faint">
          <Button
            data-view=""
            onClick={(event) => toQuestion(event.currentTarget.form!, card.current!.querySelector('[data-field]'), 1)}
          >
            Next
          </Button>
          <span className="hidden items-center gap-1 group-focus-within/card:flex max-sm:!hidden">
            <Kbd keys="Enter" /> next, <Kbd keys="Shift+Enter" /> back
          </span>
        </div>
      </div>
    </section>
  )
}

/** Optional questions, and those only some users get. */
function MoreFields({ form }: { form: RequestFormState }) {
  const { control, draft, uploads, me, faults } = form
  const ofFiles = faults.find(({ field }) => field === 'file_ids')?.message ?? null
  return (
    <>
      <Declared control={control} name="activity_type" ends="older" />
      <UrlField control={control} draft={draft} />
      {ZONES.map(({ id, label, types }, at) => {
        const files = uploads.filesOf(types)
        const fault = files.find(({ error }) => error)?.error ?? (at === 0 && !uploads.faulty ? ofFiles : null)
        return (
          <div key={id} data-field="file_ids" className="min-w-0 @lg:col-span-2">
            <Labelled label={label} group error={fault}>
              <FileDrop
                files={files}
                onAdd={(added) => uploads.add(added, types)}
                onRemove={uploads.remove}
                onRetry={uploads.retry}
                accept={acceptOf(types)}
                hint={`${types.join(', ')}, each under 10 MB`}
              />
            </Labelled>
          </div>
        )
      })}
      <NarrowerFields control={control} older />
      <ExpectedFields control={control} />
      <LocationBasedField control={control} />
      <Declared control={control} name="parent_id" options={form.parents} />
      {asksCompany(me) && <Declared control={control} name="company" />}
      <Declared control={control} name="requirements" wide />
    </>
  )
}
