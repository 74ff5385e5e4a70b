import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { UPLOADS } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { writeFields } from '../../data/writeFields.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import { FormShell } from '../shared/form/FormShell.tsx'
import { acceptOf, LOCATION_LISTS } from '../shared/form/useUploads.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { emptyOlder } from './olderForm.ts'
import { asksCompany, hasNoClient, NoClient, olderKind, useLinkedAnswers } from './olderRequest.tsx'
import { type Field, surveyDrafts } from './requestDraft.ts'
import { FormActions, goToSection, KeptDraft } from './requestParts.tsx'
import { surveyActivityRules } from './requestRules.ts'
import { AudienceSection, Declared, LocationBasedField, MarketsField, UrlField } from './requestSections.tsx'
import { type RequestKind, useRequestForm } from './useRequestForm.ts'

type Campaign = Output<'campaign.get'>['data']

const SECTIONS = [
  { id: 'project', title: 'Survey', fields: ['client_id', 'company', 'name', 'goal', 'description', 'start_dt', 'end_dt'] },
  { id: 'audience', title: 'Audience', fields: DEMOGRAPHICS },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'files', title: 'Survey and files', fields: ['url', 'file_ids'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]
const FIELDS = SECTIONS.flatMap((section) => section.fields as readonly Field[])

const REQUEST = olderKind(FIELDS, {
  drafts: surveyDrafts(),
  title: 'Survey Request Created',
  body: '',
  leads: (id) => recordHref('campaign', id, 'specifications'),
})

/** Adds a survey activity to a campaign; its URL becomes the campaign's too, in the same transaction. */
const activityKind = (campaign: Campaign): RequestKind => ({
  drafts: surveyDrafts(campaign.id),
  rules: surveyActivityRules(campaign.id),
  empty: () => ({ ...emptyOlder(String(campaign.client_id)), name: `${campaign.name} survey`.slice(0, 200) }),
  fields: FIELDS,
  ends: 'older',
  async send(request, attempt) {
    const input = { id: campaign.id, ...(request.url ? { survey_url: request.url } : {}), survey_activity: request }
    await writeFields(api, 'campaign.edit', input, { attempt })
    return { id: campaign.id, message: 'Activity Created' }
  },
  leads: (id) => recordHref('campaign', id, 'specifications'),
  body: '',
  button: 'Add survey',
  failureDialog: true,
})

/** The older form for requesting a survey; with `?add_id`, an administrator adds a survey activity to a campaign. */
export default function CreateSurveyPane() {
  const { query } = usePane()
  const mayAdd = useMay('campaign.edit')
  const id = /^[1-9]\d{0,9}$/.test(query.add_id ?? '') ? Number(query.add_id) : null
  const { data, error } = useCall('campaign.get', id && mayAdd ? { id } : null, { fresh: true })
  if (query.add_id && !mayAdd) return <RequestSurvey notice="Only administrators can add a survey to a project." />
  if (query.add_id && (id === null || error))
    return <RequestSurvey notice={`Campaign ${query.add_id} doesn’t exist. This form requests a new survey instead.`} />
  if (id === null) return <RequestSurvey />
  return data ? <ForCampaign key={id} campaign={data.data} /> : <FormSkeleton />
}

const RequestSurvey = ({ notice }: { notice?: string }) =>
  hasNoClient() ? <NoClient /> : <SurveyForm kind={REQUEST} notice={notice} />

function ForCampaign({ campaign }: { campaign: Campaign }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one kind per campaign, even if its other fields change
  const kind = useMemo(() => activityKind(campaign), [campaign.id])
  return <SurveyForm kind={kind} campaign={campaign} />
}

/** Drop zones, each with its own file types. */
const ZONES = [
  { id: 'survey', label: 'Survey as a file', types: UPLOADS.document.filter((type) => type !== 'csv') as readonly string[] },
  { id: 'locations', label: 'Locations (CSV)', types: LOCATION_LISTS },
  { id: 'content', label: 'Creative files', types: UPLOADS.media as readonly string[] },
]

function SurveyForm({ kind, notice, campaign }: { kind: RequestKind; notice?: string; campaign?: Campaign }) {
  const form = useRequestForm(kind)
  const { control, draft, faults, uploads } = form
  useLinkedAnswers(form)
  const dmas = useCall('dma.list', {})
  const bodies: Record<(typeof SECTIONS)[number]['id'], React.ReactNode> = {
    project: (
      <>
        {!campaign && form.choosesClient && (
          <Declared control={control} name="client_id" options={form.clients} onValue={() => form.setValue('parent_id', '')} />
        )}
        {!campaign && asksCompany(form.me) && <Declared control={control} name="company" />}
        <Declared control={control} name="name" wide />
        {!campaign && (
          <>
            <Declared control={control} name="goal" />
            <div className="@max-lg:hidden" />
          </>
        )}
        <Declared control={control} name="start_dt" onValue={form.onStart} />
        <Declared control={control} name="end_dt" ends="older" />
        <Declared control={control} name="description" wide />
      </>
    ),
    audience: <AudienceSection control={control} older />,
    market: (
      <>
        <LocationBasedField control={control} />
        <MarketsField control={control} dmas={dmas} />
      </>
    ),
    files: (
      <>
        <UrlField control={control} draft={draft} />
        {ZONES.map(({ id, label, types }) => (
          <FormField key={id} control={control} name="file_ids" label={label} group wide={id === 'survey'}>
            {() => (
              <FileDrop
                files={uploads.filesOf(types)}
                onAdd={(files) => uploads.add(files, types)}
                onRemove={uploads.remove}
                onRetry={uploads.retry}
                accept={acceptOf(types)}
                hint="Each under 10 MB."
              />
            )}
          </FormField>
        ))}
      </>
    ),
  }
  const done: Record<(typeof SECTIONS)[number]['id'], boolean> = {
    project: Boolean(draft.name.trim() && draft.start_dt && (campaign || (draft.client_id && draft.goal))),
    audience: draft.age.length > 0 && draft.gender.length > 0,
    market: draft.targeted_locations.length > 0,
    files: Boolean(draft.url || draft.file_ids.length),
  }
  return (
    <FormShell
      ref={form.page}
      title="Create Survey"
      aside={
        <p className="mt-0.5 text-meta text-muted">
          {campaign ? `A survey activity for ${campaign.name} (${codeOf('project', campaign.id)}).` : 'Request a survey project.'}
        </p>
      }
      actions={<FormActions form={form} />}
      sections={SECTIONS.map((section) => ({
        id: section.id,
        title: section.title,
        done: done[section.id],
        wrong: faults.filter((fault) => (section.fields as readonly string[]).includes(fault.field)).length,
        children: bodies[section.id],
      }))}
      onSection={(id) => goToSection(form, id)}
      faults={faults}
      serverError={form.serverError}
      warnings={form.late}
    >
      {notice && (
        <p role="status" className="mt-5 flex items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
          <Mark shape="triangle" />
          {notice}
        </p>
      )}
      <KeptDraft form={form} />
    </FormShell>
  )
}
