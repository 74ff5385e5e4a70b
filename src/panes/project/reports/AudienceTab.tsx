import { useCallback } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count } from '../../../../contract/format.ts'
import type { Subject } from '../../../commands/subject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { useCall } from '../../../data/useCall.ts'
import { Moment } from '../../../list/nounColumns.tsx'
import { type ShortColumn, ShortList } from '../../../list/ShortList.tsx'
import { href } from '../../../routing/routes.ts'
import { Mark, Pill } from '../../../ui/Pill.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'

type Options = Output<'audience.get'>['data']
/** A channel's on/off row, with the fields its commands need. */
type Row = Options['rows'][number] & Pick<Options, 'project_id' | 'in_field' | 'lock_version'>

/** Combines the project's ID with the channel's index, so that row IDs are unique across projects. */
const idOf = ({ project_id, field }: Row) => project_id * 4 + ['facebook_active', 'fulcrum_active', 'active'].indexOf(field)

const COLUMNS: readonly ShortColumn<Row>[] = [
  {
    id: 'name',
    header: 'Channel',
    min: 150,
    flex: 2,
    priority: 9,
    render: ({ name }) => <span className="truncate font-medium">{name}</span>,
  },
  {
    id: 'active',
    header: 'Status',
    width: 112,
    priority: 9,
    narrow: 'aside',
    render: ({ active }) =>
      active === 1 ? (
        <Pill tone="green">Enabled</Pill>
      ) : (
        <Pill tone="grey" shape="ring">
          Disabled
        </Pill>
      ),
  },
  {
    id: 'changed_at',
    header: 'Since',
    width: 152,
    priority: 7,
    narrow: 'meta',
    render: ({ changed_at }) => <Moment at={changed_at} />,
  },
  {
    id: 'changed_by',
    header: 'By',
    min: 110,
    flex: 1,
    priority: 5,
    narrow: 'hidden',
    render: ({ changed_by_name }) => <span className="truncate text-muted">{changed_by_name || '–'}</span>,
  },
  {
    id: 'offers',
    header: 'Running offers',
    width: 124,
    align: 'right',
    priority: 6,
    narrow: 'hidden',
    render: ({ running_offers }) => count(running_offers),
  },
  {
    id: 'landing',
    header: 'Landing page',
    width: 128,
    priority: 6,
    narrow: 'meta',
    render: ({ landing_ready }) =>
      landing_ready ? (
        <span className="flex items-center gap-1.5 text-green-ink">
          <Mark shape="tick" /> Ready
        </span>
      ) : (
        <span className="flex items-center gap-1.5 text-muted">
          <Mark shape="ring" /> Not ready
        </span>
      ),
  },
]

const subjectOf = (row: Row): Subject => ({ kind: 'audience', id: idOf(row), name: row.name, record: { ...row } })

/** The channels a project recruits through; Space toggles one (screens-projects.md, Audience). */
export function AudienceTab({ project }: { project: { id: number } }) {
  const { go } = usePane()
  const answer = useCall('audience.get', { projectId: project.id })
  const options = answer.data?.data
  const rows: readonly Row[] =
    options?.rows.map((row) => ({
      ...row,
      project_id: options.project_id,
      in_field: options.in_field,
      lock_version: options.lock_version,
    })) ?? []
  const lacking = rows.filter(({ field, active, landing_ready }) => field !== 'active' && active === 1 && !landing_ready)
  const landing = href('project', { id: project.id }, { tab: 'landingPage' })
  const open = useCallback(() => go(landing), [go, landing])
  return (
    <section aria-label="Audience" className="pb-6">
      <AnswerState answer={answer} what="The audience" rows={3} />
      {options && (
        <>
          {lacking.length > 0 && (
            <p
              role="status"
              className="mx-4 mt-3 flex flex-wrap items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink"
            >
              <Mark shape="triangle" />
              {lacking.map(({ name }) => name).join(' and ')} {lacking.length === 1 ? 'recruits' : 'recruit'} without a complete
              landing page.
              <PaneLink className="text-accent-ink underline underline-offset-2" to={landing}>
                Open landing page
              </PaneLink>
            </p>
          )}
          <ShortList<Row>
            title="Audience"
            nouns={['channel', 'channels']}
            rows={rows}
            columns={COLUMNS}
            subjectOf={subjectOf}
            onOpen={open}
            menu={['audience.enable', 'audience.disable']}
            empty={<EmptyState>No channels.</EmptyState>}
          />
          <p className="px-4 pt-2 text-meta text-muted">
            <span className="narrow:hidden">Space enables or disables a channel. </span>Offers are listed under{' '}
            <PaneLink
              className="text-accent-ink underline underline-offset-2"
              to={href('project', { id: project.id }, { tab: 'offers' })}
            >
              Offers
            </PaneLink>
            .
          </p>
        </>
      )}
    </section>
  )
}
