import { useMemo } from 'react'
import { activityFields, filesField } from '../../../contract/activityFields.ts'
import type { Output } from '../../../contract/calls.ts'
import { faultsOf, inputOf, labelsOf, textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { ACTIVITY_TYPES } from '../../../contract/vocabulary.ts'
import type { Subject } from '../../commands/subject.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'

type Activity = Output<'activity.ofCampaign'>['data']['activities'][number]
type Campaign = Output<'campaign.get'>['data']
const FIELDS = {
  about: activityFields.about,
  survey_link: { ...activityFields.url, label: surveyFields.survey_link.label, hint: 'Or upload the survey as a file.' },
  file_ids: filesField,
}
type Values = ValuesOf<typeof FIELDS>
const RULES: FormRules<Values> = { input: (values) => inputOf(FIELDS, values), also: (values) => faultsOf(FIELDS, values) }

/** Edits the survey activity of the campaign in `?add_id`. */
export default function EditSurveyActivityPane() {
  const { query, setQuery } = usePane()
  const id = /^[1-9]\d{0,9}$/.test(query.add_id ?? '') ? Number(query.add_id) : null
  const campaign = useCall('campaign.get', id ? { id } : null, { fresh: true })
  const activities = useCall('activity.ofCampaign', id ? { id } : null, { fresh: true })
  if (id === null) return <WhichCampaign />
  const error = campaign.error ?? activities.error
  if (error && !(campaign.data && activities.data)) {
    const retry = () => {
      campaign.retry()
      activities.retry()
    }
    return (
      <RecordError error={error} retry={retry} what="Campaign" home={href('surveyProjects')} homeTitle="the survey projects" />
    )
  }
  if (!campaign.data || !activities.data) return <FormSkeleton />
  const all = activities.data.data.activities
  const surveys = all.filter(({ activity_type }) => activity_type === 'survey')
  const chosen = surveys.find((one) => String(one.id) === query.activity) ?? surveys[0]
  const others = all.filter((one) => one.id !== chosen?.id)
  if (!chosen)
    return (
      <div className="px-4 py-6">
        <EmptyState
          action={
            <PaneLink to={href('surveyForm', {}, { query: { add_id: id } })} className="text-accent-ink underline">
              Create one
            </PaneLink>
          }
        >
          This campaign has no survey activity.
        </EmptyState>
        <Others activities={others} />
      </div>
    )
  return (
    <EditActivity
      key={chosen.id}
      campaign={campaign.data.data}
      activity={chosen}
      surveys={surveys}
      others={others}
      onChoose={(activity) => setQuery({ activity })}
    />
  )
}

/** Asks for a campaign when the link doesn't name one. */
function WhichCampaign() {
  const { setQuery } = usePane()
  const { data } = useCall('campaign.list', { sort: 'all', brief: true })
  return (
    <div className="max-w-xl px-4 py-3.5">
      <h1 className="mb-4 text-head">Edit survey activity</h1>
      <Field label="Which campaign?">
        <Select
          autoFocus
          value=""
          placeholder="Choose a campaign"
          onChange={(add_id) => setQuery({ add_id }, { push: true })}
          options={(data?.data.campaigns ?? []).map(({ id, name }) => ({
            value: String(id),
            label: `${codeOf('project', id)} ${name}`,
          }))}
        />
      </Field>
    </div>
  )
}

function EditActivity({
  campaign,
  activity,
  surveys,
  others,
  onChoose,
}: {
  campaign: Campaign
  activity: Activity
  surveys: readonly Activity[]
  others: readonly Activity[]
  onChoose: (id: string) => void
}) {
  const initial = useMemo<Values>(() => textsOf(FIELDS, activity), [activity])
  const contents = campaign.campaign_contents_attributes
  const specifications = recordHref('campaign', campaign.id, 'specifications')
  const form = useRecordForm<Values>({
    form: 'activity.editOlder',
    record: activity.id,
    initial,
    lock: activity.lock_version,
    labels: labelsOf(FIELDS),
    rules: RULES,
    noun: 'activity',
    files: 'file_ids',
    also: ({ survey_link, file_ids }) =>
      survey_link.trim() || file_ids.length || contents.length ? {} : { survey_link: MESSAGES.surveyFileOrUrl },
    async save({ patch, values, lock }) {
      const { file_ids: _, ...fields } = patch
      // The campaign's URL follows the survey's only if they were equal.
      const one = patch.survey_link !== undefined && campaign.survey_url === activity.survey_link
      const { data } = await api.write('activity.editOlder', {
        id: activity.id,
        ...fields,
        ...(one ? { survey_url: values.survey_link.trim() } : {}),
        file_ids: values.file_ids.map(({ id }) => id),
        lock_version: lock,
      })
      return { title: 'Activity Updated', name: activity.name, lock: data.lock_version, leads: specifications }
    },
  })
  return (
    <FieldForm
      form={form}
      fields={FIELDS}
      title={`Edit the survey of ${campaign.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('activity', activity.id)}</span>
          <span>{activity.name}</span>
          <PaneLink to={specifications} className="text-accent-ink hover:underline">
            Specifications
          </PaneLink>
        </p>
      }
      sections={[
        {
          id: 'survey',
          title: 'Survey activity',
          fields: ['about', 'survey_link'],
          start: surveys.length > 1 && (
            <div className="@lg:col-span-2">
              <Field label="Which survey activity">
                <Select
                  value={String(activity.id)}
                  onChange={onChoose}
                  options={surveys.map(({ id, name }) => ({ value: String(id), label: name }))}
                />
              </Field>
            </div>
          ),
        },
        {
          id: 'files',
          title: 'Files',
          ...(activity.files.length
            ? { hint: `${activity.files.length} already uploaded: ${activity.files.map(({ name }) => name).join(', ')}` }
            : {}),
          fields: ['file_ids'],
          done: contents.length > 0,
          end: <Contents campaign={campaign} />,
        },
        { id: 'others', title: 'Other activities', fields: [], done: true, body: <Others activities={others} /> },
      ]}
    />
  )
}

const nameIn = (url: string): string => decodeURIComponent(/[?&]name=([^&]+)/.exec(url)?.[1] ?? '')

/** Lists the campaign's content files, which can be opened or removed immediately. */
function Contents({ campaign }: { campaign: Campaign }) {
  const { data } = useCall('file.assets', { id: campaign.id, page: 1 })
  const names = new Map(data?.data.map(({ id, name }) => [id, name]))
  if (!campaign.campaign_contents_attributes.length) return <p className="text-muted @lg:col-span-2">No contents yet.</p>
  return (
    <ul className="divide-y divide-line @lg:col-span-2">
      {campaign.campaign_contents_attributes.map(({ id, url }) => {
        const name = names.get(id) ?? (nameIn(url) || `File ${id}`)
        const subject: Subject = { kind: 'file', id, name, record: { project_id: campaign.id } }
        return (
          <li key={id} className="flex min-h-8 items-center gap-3 py-1">
            <a href={url} data-command="file.download" className="min-w-0 truncate hover:underline">
              <bdi>{name}</bdi>
            </a>
            <span className="ml-auto">
              <CommandButton id="file.remove" subjects={[subject]} variant="ghost" plain>
                Remove
              </CommandButton>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Lists activities that this form doesn't edit, to open or delete. */
function Others({ activities }: { activities: readonly Activity[] }) {
  if (!activities.length) return <p className="text-muted">No other activities.</p>
  return (
    <ul className="divide-y divide-line @lg:col-span-2">
      {activities.map(({ id, name, activity_type }) => (
        <li key={id} className="flex min-h-9 items-center gap-3 py-1">
          <span className="min-w-0 truncate">{name}</span>
          <span className="text-meta text-muted">{ACTIVITY_TYPES.find(({ value }) => value === activity_type)?.label}</span>
          <PaneLink to={href('activity', { id }, { tab: 'details' })} className="ml-auto text-accent-ink hover:underline">
            Open
          </PaneLink>
          <CommandButton id="activity.remove" subjects={[{ kind: 'activity', id, name }]} variant="ghost" plain>
            Delete
          </CommandButton>
        </li>
      ))}
    </ul>
  )
}
