import { forcesNothing } from '../../../contract/activityRules.ts'
import { count, longDate } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, labelOf, SOCIAL_TYPES } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { type EditRow, EditRows, type RowEdit } from '../shared/EditRows.tsx'
import { type LinkedProject, linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import type { Activity, ActivityTabProps } from './activitySubject.ts'

type Field =
  | 'name'
  | 'about'
  | 'activity_type'
  | 'action_type'
  | 'social_type'
  | 'social_text'
  | 'social_link'
  | 'url'
  | 'start_dt'
  | 'end_dt'

/** Saves one field with the version the user saw. */
const field = (
  name: Field,
  more: Omit<RowEdit<Activity>, 'value' | 'save'> & { check?: (text: string, row: Activity) => string | null } = {},
): RowEdit<Activity> => ({
  ...more,
  value: (row) => row[name] ?? '',
  async save(row, typed) {
    const text = typed.trim()
    const wrong = more.check?.(text, row)
    if (wrong) throw new Error(wrong)
    const { data, warnings } = await api.write('activity.edit', { id: row.id, [name]: text, lock_version: row.lock_version })
    if (warnings?.length) void toast(warnings.join(' '))
    return data
  },
})
const needed = (message: string) => (text: string) => (text ? null : message)
const inOrder = (start: string | null, end: string | null) => (start && end && start > end ? MESSAGES.startBeforeEnd : null)
const plural = (many: number, one: string, more = `${one}s`) => `${count(many)} ${many === 1 ? one : more}`

function rowsOf(activity: Activity, project: LinkedProject | undefined): EditRow<Activity>[] {
  const { id } = activity
  const social = activity.activity_type === 'social'
  const tab = (name: 'survey' | 'target' | 'market' | 'locations') => href('activity', { id }, { tab: name })
  return [
    {
      id: 'name',
      label: 'Name',
      shown: <bdi>{activity.name}</bdi>,
      edit: field('name', { check: needed(MESSAGES.activityName) }),
    },
    {
      id: 'about',
      label: 'Description',
      shown: activity.about && (
        <span dir="auto" className="whitespace-pre-wrap">
          {activity.about}
        </span>
      ),
      edit: field('about', { kind: 'lines', check: needed(MESSAGES.activityAbout) }),
    },
    {
      id: 'activity_type',
      label: 'Type',
      shown: labelOf(ACTIVITY_TYPES, activity.activity_type, activity.activity_type),
      ...(activity.allowed_actions.includes('activity.convert')
        ? { edit: field('activity_type', { kind: 'select', options: ACTIVITY_TYPES }) }
        : {}),
    },
    {
      id: 'action_type',
      label: 'Action type',
      shown: labelOf(ACTION_TYPES, activity.action_type, activity.action_type),
      ...(forcesNothing(activity.activity_type)
        ? {}
        : { edit: field('action_type', { kind: 'select', options: ACTION_TYPES, check: needed(MESSAGES.actionType) }) }),
    },
    ...(social
      ? ([
          {
            id: 'social_type',
            label: 'Social type',
            shown: activity.social_type && labelOf(SOCIAL_TYPES, activity.social_type, activity.social_type),
            edit: field('social_type', { kind: 'select', options: [{ value: '', label: 'None' }, ...SOCIAL_TYPES] }),
          },
          { id: 'social_text', label: 'Social text', shown: activity.social_text, edit: field('social_text', { kind: 'lines' }) },
          {
            id: 'social_link',
            label: 'Social link',
            shown: activity.social_link && <WebLink url={activity.social_link} className="break-all" />,
            edit: field('social_link'),
          },
        ] satisfies EditRow<Activity>[])
      : []),
    {
      id: 'url',
      label: 'URL',
      shown: activity.url && (
        <>
          <WebLink url={activity.url} className="break-all" />
          {project && activity.activity_type === 'survey' && (
            <OtherLinks links={linksApart(project, activity.url, { activity: id })} />
          )}
        </>
      ),
      edit: field('url'),
    },
    {
      id: 'start_dt',
      label: 'Start',
      shown: activity.start_dt && longDate(activity.start_dt),
      edit: field('start_dt', { kind: 'date', check: (start, row) => inOrder(start, row.end_dt) }),
    },
    {
      id: 'end_dt',
      label: 'End',
      shown: activity.end_dt && longDate(activity.end_dt),
      edit: field('end_dt', { kind: 'date', check: (end, row) => inOrder(row.start_dt, end) }),
    },
    {
      id: 'survey',
      label: 'Survey',
      shown: activity.survey_id ? `${activity.survey_name} · ${codeOf('survey', activity.survey_id)}` : 'None',
      to: tab('survey'),
    },
    {
      id: 'groups',
      label: 'Location groups',
      shown: activity.location_groups.length
        ? `${activity.location_groups.map(({ name }) => name).join(', ')} · ${plural(activity.places, 'location')}`
        : 'None',
      to: tab('locations'),
    },
    { id: 'audience', label: 'Audience', shown: activity.audience, to: tab('target') },
    { id: 'market', label: 'Market', shown: activity.market ?? 'No market chosen', to: tab('market') },
    {
      id: 'assets',
      label: 'Assets',
      shown: activity.assets.length ? (
        <ul className="flex flex-col gap-0.5">
          {activity.assets.map((asset) => (
            <li key={asset.id}>
              <a href={asset.url} className="rounded-sm hover:text-accent-ink hover:underline">
                <bdi>{asset.original_name}</bdi>
              </a>{' '}
              <span className="text-meta text-muted">{asset.asset_type}</span>
            </li>
          ))}
        </ul>
      ) : (
        'None'
      ),
    },
    {
      id: 'users',
      label: 'Users who acted',
      shown: count(activity.activity_type === 'survey' ? activity.responses : activity.content_count),
      to: href('activityUsers', { activity_id: id }),
    },
    { id: 'created', label: 'Created', shown: <Time at={activity.created_at} /> },
    {
      id: 'changed',
      label: 'Last change',
      shown: (
        <>
          <Time at={activity.updated_at} />
          {activity.changed_by && (
            <>
              {' '}
              by <bdi>{activity.changed_by}</bdi>
            </>
          )}
        </>
      ),
    },
  ]
}

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={moment(at, 'full')}>
    {moment(at)}
  </time>
)

/** Shows what an activity asks participants to do, edited in place row by row. */
export function DetailsTab({ activity, subject }: ActivityTabProps) {
  const project = useCall('activity.project', { activity_id: activity.id }).data?.data
  const warnings = project ? outsideWarnings(activity, project) : []
  return (
    <section aria-label="Details" className="max-w-4xl pt-2 pb-8">
      {warnings.map((warning) => (
        <p
          key={warning}
          role="status"
          className="mx-4 mb-2 flex items-baseline gap-2 rounded-md bg-amber-wash px-3 py-1.5 text-amber-ink"
        >
          <Mark shape="triangle" />
          {warning}
        </p>
      ))}
      <EditRows label="Details" record={activity} rows={rowsOf(activity, project)} />
      <div className="flex flex-wrap gap-1.5 border-t border-line px-4 pt-3">
        <CommandButton id="activity.convert" subjects={[subject]} />
        <CommandButton id="activity.addAsset" subjects={[subject]} />
        <CommandButton id="activity.openUsers" subjects={[subject]} />
        <CommandButton id="activity.duplicate" subjects={[subject]} />
        <CommandButton id="activity.remove" subjects={[subject]} variant="danger" />
      </div>
    </section>
  )
}
