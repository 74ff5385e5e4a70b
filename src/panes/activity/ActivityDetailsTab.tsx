import { activityFields } from '../../../contract/activityFields.ts'
import { count } from '../../../contract/format.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { activityEdit } from '../shared/activityColumns.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { type EditRow, EditRows, fieldRows } from '../shared/EditRows.tsx'
import { type LinkedProject, linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import type { Activity, ActivityTabProps } from './activitySubject.ts'

const plural = (many: number, one: string, more = `${one}s`) => `${count(many)} ${many === 1 ? one : more}`

function rowsOf(activity: Activity, project: LinkedProject | undefined): EditRow<Activity>[] {
  const { id } = activity
  const tab = (name: 'survey' | 'target' | 'market' | 'locations') => href('activity', { id }, { tab: name })
  return [
    ...fieldRows(activityFields, activity, activityEdit, {
      activity_type: { fixed: !activity.allowed_actions.includes('activity.convert') },
      ...(activity.social_link ? { social_link: { shown: <WebLink url={activity.social_link} className="break-all" /> } } : {}),
      ...(activity.url
        ? {
            url: {
              shown: (
                <>
                  <WebLink url={activity.url} className="break-all" />
                  {project && activity.activity_type === 'survey' && (
                    <OtherLinks links={linksApart(project, activity.url, { activity: id })} />
                  )}
                </>
              ),
            },
          }
        : {}),
    }),
    {
      id: 'survey',
      label: 'Survey',
      shown: activity.survey_id ? `${activity.survey_name} · ${codeOf('survey', activity.survey_id)}` : 'None',
      to: tab('survey'),
    },
    {
      id: 'groups',
      label: locationFields.group_ids.label,
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
