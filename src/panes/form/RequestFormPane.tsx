import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { writeFields } from '../../data/writeFields.ts'
import { href } from '../../routing/routes.ts'
import { FormShell } from '../shared/form/FormShell.tsx'
import { emptyDraft, type Field, neededOf, newerDrafts, progressOf } from './requestDraft.ts'
import { FormActions, FormProgress, goToSection, KeptDraft } from './requestParts.tsx'
import { newerRules } from './requestRules.ts'
import {
  ActivitySection,
  AudienceSection,
  FilesSection,
  MarketSection,
  ProjectSection,
  RewardSection,
} from './requestSections.tsx'
import { type RequestKind, useRequestForm } from './useRequestForm.ts'

/** The fields of each section, in form order. */
const SECTIONS = [
  {
    id: 'project',
    title: 'Project',
    fields: [
      'client_id',
      'parent_id',
      'name',
      'goal',
      'start_dt',
      'end_dt',
      'loi_minutes',
      'incidence',
      'description',
      'requirements',
    ],
  },
  {
    id: 'activity',
    title: 'Activity',
    fields: ['activity_type', 'action_type', 'social_type', 'social_link', 'social_text', 'url'],
  },
  { id: 'audience', title: 'Audience', fields: DEMOGRAPHICS },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'files', title: 'Files', fields: ['file_ids'] },
  { id: 'reward', title: 'Reward', fields: ['partner_id', 'reward_amount_cents'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]
const KIND: RequestKind = {
  drafts: newerDrafts,
  rules: newerRules,
  empty: emptyDraft,
  fields: SECTIONS.flatMap((section) => section.fields as readonly Field[]),
  ends: 'newer',
  async send(input, attempt) {
    const { data, message } = await writeFields(api, 'request.create', input, { attempt })
    return { id: data.id, message }
  },
  leads: (id) => href('project', { id }, { tab: 'specifications' }),
  body: 'It’s pending. We’ll ask channel partners and get back to you with a quote.',
}

/** The v3 request form for a survey project (projects-area 5, decisions.md 8 and 9). */
export default function RequestFormPane() {
  const form = useRequestForm(KIND)
  const { control, draft, faults } = form
  const dmas = useCall('dma.list', draft.location_based === 'no' ? {} : null)
  const progress = progressOf(draft)
  const shared = { control, draft }
  const bodies: Record<(typeof SECTIONS)[number]['id'], React.ReactNode> = {
    project: (
      <ProjectSection
        control={control}
        clients={form.clients}
        parents={form.parents}
        onClient={() => form.setValue('parent_id', '')}
        onStart={form.onStart}
      />
    ),
    activity: <ActivitySection {...shared} />,
    audience: <AudienceSection control={control} />,
    market: <MarketSection {...shared} dmas={dmas} />,
    files: <FilesSection control={control} draft={draft} uploads={form.uploads} />,
    reward: <RewardSection {...shared} />,
  }
  const done: Record<(typeof SECTIONS)[number]['id'], boolean> = {
    project: Boolean(draft.client_id) && progress.slice(0, 4).every((field) => field.done),
    activity: draft.activity_type === 'survey' ? Boolean(draft.url || draft.file_ids.length) : Boolean(draft.activity_type),
    audience: progress.slice(4, 6).every((field) => field.done),
    market: progress[6]!.done,
    files: draft.file_ids.length > 0,
    reward: draft.partner_id !== '',
  }
  return (
    <FormShell
      ref={form.page}
      title="Survey Project Request"
      aside={<FormProgress progress={progress} needed={neededOf(draft)} spoken={form.changed} />}
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
      <KeptDraft form={form} />
    </FormShell>
  )
}
