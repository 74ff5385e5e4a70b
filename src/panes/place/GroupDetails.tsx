import { pick } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { groupFields } from '../../../contract/groupFields.ts'
import { showShares } from '../../../contract/percentages.ts'
import { STATUS_WORDS, type Status } from '../../../contract/status.ts'
import type { Subject } from '../../commands/subject.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { type EditRow, EditRows, fieldRows } from '../shared/EditRows.tsx'
import { PlaceMap } from '../shared/PlaceMap.tsx'
import { RecordHistory } from '../shared/RecordHistory.tsx'
import { StatusPill } from '../shared/StatusPill.tsx'
import { type Group, POSITION_LOOKS, POSITIONS } from './locationSubject.ts'

const LINK = 'rounded-sm hover:text-accent-ink hover:underline'
const FILLS = { exact: 'bg-green', zip: 'bg-amber', city: 'bg-amber/55', none: 'bg-red' } as const

/** A bar of position quality; each part links to its locations. */
function Positions({ group: { id, positions, locations_count } }: { group: Group }) {
  if (!locations_count) return <span className="text-faint">–</span>
  const parts = POSITIONS.filter((position) => positions[position] > 0)
  const shares = showShares(parts.map((position) => positions[position]))
  return (
    <div className="max-w-xl">
      <div aria-hidden="true" className="mt-1 flex h-2 gap-px overflow-hidden rounded-sm">
        {parts.map((position) => (
          <span
            key={position}
            className={cx('min-w-1', FILLS[position])}
            style={{ flexGrow: positions[position], flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-meta">
        {parts.map((position, at) => {
          const [word, tone, shape] = POSITION_LOOKS[position]
          return (
            <li key={position}>
              <PaneLink
                to={href('group', { id }, { tab: 'locations', query: { position } })}
                className={cx('inline-flex min-h-6 items-center gap-1.5', LINK)}
              >
                <Mark
                  shape={shape}
                  className={{ green: 'text-green-ink', amber: 'text-amber-ink', red: 'text-red-ink' }[tone as 'red']}
                />
                <span className="tabular-nums">
                  {count(positions[position])} {word}
                </span>
                <span className="text-faint tabular-nums">{shares[at]}</span>
              </PaneLink>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Shows how many market areas a group covers, and the five with most locations. */
function Markets({ group: { markets, markets_count } }: { group: Group }) {
  if (!markets_count) return <span className="text-faint">–</span>
  return (
    <>
      {count(markets_count)}
      <span className="text-muted">
        {': '}
        {markets.map(({ dma_name, locations }) => `${dma_name} (${count(locations)})`).join(', ')}
        {markets_count > markets.length && ` and ${count(markets_count - markets.length)} more`}
      </span>
    </>
  )
}

/** Lists the activities that are fielded at a group's locations. */
function Activities({ group }: { group: Group }) {
  if (!group.activities.length) return <span className="text-faint">None</span>
  return (
    <ul className="flex flex-col gap-1">
      {group.activities.map((activity) => (
        <li key={activity.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
          <PaneLink to={href('activity', { id: activity.id }, { tab: 'locations' })} className={cx('font-medium', LINK)}>
            <bdi>{activity.name}</bdi>
          </PaneLink>
          <PaneLink
            to={href('project', { id: activity.project_id }, { tab: 'overview' })}
            className={cx('min-w-0 truncate text-muted', LINK)}
          >
            <bdi>{activity.project_name}</bdi>
          </PaneLink>
          <StatusPill stored={activity.status} shown={STATUS_WORDS[activity.status as Status] ?? activity.status} />
          <CommandButton
            id="activity.unlinkGroup"
            plain
            variant="ghost"
            className="ml-auto"
            subjects={[
              {
                kind: 'activityGroup',
                id: group.id,
                name: group.name,
                record: { activity_id: activity.id, activity_name: activity.name },
              },
            ]}
          >
            Unlink
          </CommandButton>
        </li>
      ))}
    </ul>
  )
}

function rowsOf(group: Group): EditRow<Group>[] {
  const file = group.import
  return [
    ...fieldRows(pick(groupFields, 'name'), group, editsOf('group', groupFields)),
    {
      id: 'client',
      label: 'Client',
      shown: <bdi>{group.client_name}</bdi>,
      to: href('client', { id: group.client_id }, { tab: 'groups' }),
    },
    {
      id: 'locations',
      label: 'Locations',
      shown: count(group.locations_count),
      to: href('group', { id: group.id }, { tab: 'locations' }),
    },
    { id: 'positions', label: 'Positions', shown: <Positions group={group} /> },
    { id: 'markets', label: 'Market areas', shown: <Markets group={group} /> },
    { id: 'activities', label: 'Used by', shown: <Activities group={group} /> },
    {
      id: 'file',
      label: 'From file',
      ...(file ? { to: href('locationFile', { id: file.id }) } : {}),
      shown: file && (
        <>
          <bdi>{file.file}</bdi>{' '}
          <span className="text-muted tabular-nums">
            {moment(file.at)} · {count(file.created)} new, {count(file.reused)} already known, {count(file.repeated)} repeated,{' '}
            {count(file.failed)} with errors
          </span>
        </>
      ),
    },
    { id: 'created', label: 'Created', shown: moment(group.created_at) },
    { id: 'changed', label: 'Last change', shown: moment(group.updated_at) },
  ]
}

/** Shows a location group's contents and uses, with all of its locations on a map. */
export function GroupDetails({ group, subject }: { group: Group; subject: Subject }) {
  const history = useCall('group.history', { id: group.id })
  return (
    <div className="pt-2 pb-8">
      <div className="max-w-5xl">
        <EditRows label="Details" record={group} rows={rowsOf(group)} />
        <div className="flex flex-wrap gap-1.5 border-y border-line px-4 py-3">
          <CommandButton id="group.addLocations" subjects={[subject]} />
          <CommandButton id="group.fromFile" />
          <CommandButton id="group.linkActivities" subjects={[subject]} />
          <CommandButton id="group.copy" subjects={[subject]} />
          <CommandButton id="group.export" subjects={[subject]} />
          <CommandButton id="group.remove" subjects={[subject]} variant="danger" />
        </div>
      </div>
      <PlaceMap
        label={`The locations of ${group.name}`}
        where={{ group_id: group.id }}
        height={420}
        empty={group.locations_count ? 'No location has a position yet' : 'Add locations or a file.'}
        className="max-w-5xl px-4 pt-4"
      />
      <RecordHistory answer={history} />
    </div>
  )
}
