import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { writeFields } from '../../data/writeFields.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { FormShell } from '../shared/form/FormShell.tsx'
import { useLinkedAnswers } from './olderRequest.tsx'
import { emptyDraft, type Field, hasActivity, projectDrafts } from './requestDraft.ts'
import { FormActions, goToSection, KeptDraft } from './requestParts.tsx'
import { projectRules } from './requestRules.ts'
import {
  ActivitySection,
  AudienceSection,
  Declared,
  FilesSection,
  MarketSection,
  ProjectSection,
  RewardSection,
} from './requestSections.tsx'
import { type RequestKind, useRequestForm } from './useRequestForm.ts'

const PROJECT = [
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
] as const
/** The fields of each section; `FOLDED` ones are only sent once unfolded. */
const SECTIONS = [
  { id: 'project', title: 'Project', fields: PROJECT },
  { id: 'reward', title: 'Survey and reward', fields: ['url', 'partner_id', 'reward_amount_cents'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]
const FOLDED = [
  { id: 'activity', title: 'Activity', fields: ['activity_type', 'action_type', 'social_type', 'social_link', 'social_text'] },
  { id: 'audience', title: 'Audience', fields: DEMOGRAPHICS },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'files', title: 'Files', fields: ['file_ids'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]

const KIND: RequestKind = {
  drafts: projectDrafts,
  rules: projectRules,
  empty: emptyDraft,
  fields: [...SECTIONS, ...FOLDED].flatMap((section) => section.fields as readonly Field[]),
  ends: 'newer',
  async send(input, attempt, draft) {
    const call = hasActivity(draft) ? 'request.create' : 'project.create'
    const { data, message } = await writeFields(api, call, input, { attempt })
    return { id: data.id, message }
  },
  leads: (id) => href('project', { id }, { tab: 'specifications' }),
  title: 'Project Created',
  body: '',
  button: 'Create project',
  failureDialog: true,
  notSent: 'The project wasn’t saved',
}

/** Creates a client's project: its own fields and, unfolded, the request form's activity. */
export default function NewProjectPane() {
  const form = useRequestForm(KIND)
  const { control, draft, faults } = form
  useLinkedAnswers(form)
  const whole = hasActivity(draft)
  const dmas = useCall('dma.list', whole && draft.location_based === 'no' ? {} : null)
  const setUnfolded = (open: boolean) => form.setValue('seen', open ? ['activity'] : [])
  const unfold = (
    <div className="@lg:col-span-2">
      <Button data-view="" onClick={() => setUnfolded(true)}>
        Add an activity with its audience and market
      </Button>
    </div>
  )
  const bodies: Record<string, React.ReactNode> = {
    project: (
      <ProjectSection
        control={control}
        clients={form.clients}
        parents={form.parents}
        onClient={() => form.setValue('parent_id', '')}
        onStart={form.onStart}
      />
    ),
    reward: (
      <>
        {!whole && <Declared control={control} name="url" wide hint={undefined} />}
        <RewardSection control={control} draft={draft} />
      </>
    ),
    activity: whole ? (
      <>
        <ActivitySection control={control} draft={draft} />
        <div className="@lg:col-span-2">
          <Button data-view="" variant="ghost" onClick={() => setUnfolded(false)}>
            Leave the activity out
          </Button>
        </div>
      </>
    ) : (
      unfold
    ),
    audience: <AudienceSection control={control} />,
    market: <MarketSection control={control} draft={draft} dmas={dmas} />,
    files: <FilesSection control={control} draft={draft} uploads={form.uploads} />,
  }
  const shown = [
    ...SECTIONS,
    ...(whole ? FOLDED : [{ id: 'activity', title: 'Activity, audience, market and files', fields: [] }]),
  ]
  const done: Record<string, boolean> = {
    project: [draft.client_id, draft.name.trim(), draft.goal, draft.start_dt].every(Boolean),
    reward: draft.partner_id !== '',
    activity: whole,
    audience: draft.age.length > 0 && draft.gender.length > 0,
    market: draft.location_based === 'yes' || draft.targeted_locations.length > 0,
    files: draft.file_ids.length > 0,
  }
  return (
    <FormShell
      ref={form.page}
      title="New project"
      aside={<p className="mt-0.5 text-meta text-muted">It starts as Pending.</p>}
      actions={<FormActions form={form} />}
      sections={shown.map((section) => ({
        id: section.id,
        title: section.title,
        ...(whole || section.id !== 'activity' ? {} : { hint: 'Optional. You can add them later.' }),
        done: done[section.id] ?? false,
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
