import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { FormShell } from '../shared/form/FormShell.tsx'
import { progressOfOlder } from './olderForm.ts'
import { asksCompany, hasNoClient, NoClient, olderKind, useLinkedAnswers } from './olderRequest.tsx'
import { RequestSummary } from './RequestSummary.tsx'
import type { Field } from './requestDraft.ts'
import { FormActions, FormProgress, goToSection, KeptDraft } from './requestParts.tsx'
import {
  AudienceSection,
  Declared,
  ExpectedFields,
  FilesSection,
  LocationBasedField,
  MarketsField,
  UrlField,
} from './requestSections.tsx'
import { useRequestForm } from './useRequestForm.ts'

const SECTIONS = [
  { id: 'project', title: 'Project', fields: ['client_id', 'company', 'name', 'goal', 'requirements', 'parent_id'] },
  { id: 'dates', title: 'Dates', fields: ['start_dt', 'end_dt'] },
  { id: 'audience', title: 'Audience', fields: DEMOGRAPHICS },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'survey', title: 'Survey and files', fields: ['url', 'file_ids', 'loi_minutes', 'incidence'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]

const KIND = olderKind(SECTIONS.flatMap((section) => section.fields as readonly Field[]))

/** The older request form: five sections, with a sentence that sums them up. */
export default function ClientRequestPane() {
  return hasNoClient() ? <NoClient /> : <RequestForm />
}

function RequestForm() {
  const form = useRequestForm(KIND)
  const { control, draft, clients, faults, me } = form
  useLinkedAnswers(form)
  const dmas = useCall('dma.list', {})
  const progress = progressOfOlder(draft)
  const isDone = (field: Field) => progress.find((one) => one.field === field)!.done
  const bodies: Record<(typeof SECTIONS)[number]['id'], React.ReactNode> = {
    project: (
      <>
        {form.choosesClient && (
          <Declared control={control} name="client_id" options={clients} onValue={() => form.setValue('parent_id', '')} />
        )}
        {asksCompany(me) && <Declared control={control} name="company" />}
        <Declared control={control} name="name" wide />
        <Declared control={control} name="goal" />
        <Declared control={control} name="parent_id" options={form.parents} />
        <Declared control={control} name="requirements" wide />
      </>
    ),
    dates: (
      <>
        <Declared control={control} name="start_dt" onValue={form.onStart} />
        <Declared control={control} name="end_dt" ends="older" />
      </>
    ),
    audience: <AudienceSection control={control} older />,
    market: (
      <>
        <LocationBasedField control={control} />
        <MarketsField control={control} dmas={dmas} />
      </>
    ),
    survey: (
      <>
        <UrlField control={control} draft={draft} />
        <FilesSection control={control} uploads={form.uploads} />
        <ExpectedFields control={control} />
      </>
    ),
  }
  const done: Record<(typeof SECTIONS)[number]['id'], boolean> = {
    project: Boolean(draft.client_id) && isDone('name') && isDone('goal'),
    dates: isDone('start_dt') && isDone('end_dt'),
    audience: isDone('age') && isDone('gender'),
    market: isDone('targeted_locations'),
    survey: Boolean(draft.url || draft.file_ids.length),
  }
  const client = clients.find(({ value }) => value === draft.client_id)?.label
  return (
    <FormShell
      ref={form.page}
      title="Request a survey"
      aside={<FormProgress progress={progress} spoken={form.changed} />}
      actions={
        <>
          <CommandButton id="campaign.startFrom" variant="ghost" plain>
            Earlier request…
          </CommandButton>
          <FormActions form={form} />
        </>
      }
      sections={SECTIONS.map((section) => ({
        id: section.id,
        title: section.title,
        done: done[section.id],
        wrong: faults.filter((fault) => (section.fields as readonly string[]).includes(fault.field)).length,
        children: bodies[section.id],
      }))}
      beside={
        <>
          <RequestSummary draft={draft} client={client} dmas={dmas} />
          <PaneLink
            to={href('interactiveForm')}
            onClick={form.stay}
            className="text-meta text-accent-ink underline underline-offset-2"
          >
            Question by question
          </PaneLink>
        </>
      }
      onSection={(id) => goToSection(form, id)}
      faults={faults}
      serverError={form.serverError}
      warnings={form.late}
    >
      <KeptDraft form={form} />
    </FormShell>
  )
}
