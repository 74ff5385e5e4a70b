import { useCallback } from 'react'
import { count, dollars } from '../../../../contract/format.ts'
import { PAGE } from '../../../../contract/pages.ts'
import { type Subject, subjectAs } from '../../../commands/subject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { useCall } from '../../../data/useCall.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { columnsOf, Moment, Name, type RowOf } from '../../../list/nounColumns.tsx'
import { useNounList } from '../../../list/useNounList.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { type Generation, vipHref } from './vipHref.ts'

type Award = RowOf<'award'>
type Vip = RowOf<'vip'>
interface Props {
  project: { id: number; generation: Generation }
}
const faint = <span className="text-faint">–</span>
const awardSubject = subjectAs<Award>('award', ({ email }) => email)
const liveSubject = subjectAs<Vip>('vip')
/** A deleted experience stays here for its awards; only its restore acts on it. */
const vipSubject = (row: Vip): Subject => ({ ...liveSubject(row), ...(row.removed ? { deleted: true as const } : {}) })
const BULK: readonly CommandId[] = ['vip.withdraw']
const deleted = <Pill tone="grey">Deleted</Pill>

/** The two views of the awards; each has a path that opens it. */
const BY = [
  { by: 'experience', label: 'By experience' },
  { by: 'award', label: 'All awards' },
] as const
type By = (typeof BY)[number]['by']

function ByChoice({ by }: { by: By }) {
  const { setQuery } = usePane()
  return (
    <fieldset className="flex gap-1.5">
      <legend className="sr-only">Show</legend>
      {BY.map((one) => (
        <label
          key={one.by}
          className="flex h-6 narrow:h-8 items-center rounded-md border border-edge px-2 text-meta whitespace-nowrap text-muted hover:text-ink has-checked:border-accent has-checked:bg-accent-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="by"
            checked={by === one.by}
            onChange={() => setQuery({ by: one.by, experience: null, search: null, sort: null, page: null })}
            className="sr-only"
          />
          {one.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Lists who got which VIP experience: by experience, or award by award (screens-people-places-rewards.md). */
function VipAwards({ project, usual }: Props & { usual: By }) {
  const { query } = usePane()
  const by = BY.find((one) => one.by === query.by)?.by ?? (query.experience ? 'award' : usual)
  return by === 'experience' ? <ByExperience project={project} /> : <AllAwards project={project} />
}

const sumColumns = columnsOf('vip', {
  name: { min: 200, flex: 3, priority: 9, render: (row) => <Name aside={row.removed ? deleted : null}>{row.name}</Name> },
  awarded: {
    width: 110,
    priority: 8,
    narrow: 'aside',
    render: (row) => (
      <>
        {count(row.awarded)}
        <span className="hidden in-data-narrow:inline"> awarded</span>
      </>
    ),
  },
  first_award_at: { width: 140, priority: 5, narrow: 'meta', render: (row) => <Moment at={row.first_award_at} /> },
  last_award_at: { width: 140, priority: 6, narrow: 'meta', render: (row) => <Moment at={row.last_award_at} /> },
  id: { width: 80, priority: 2, narrow: 'hidden' },
})

function ByExperience({ project }: Props) {
  const list = useNounList('vip', {
    where: () => ({ id: project.id, awarded: true }),
    pageSize: PAGE.rewards,
    chunk: PAGE.rewards,
  })
  const hrefOf = useCallback(
    (row: Vip) => vipHref(project.generation, project.id, 'vipRewardedList', { experience: row.id }),
    [project],
  )
  return (
    <ListScreen<Vip>
      {...list}
      title="VIP experiences rewarded"
      embedded
      selectionKind="experience"
      columns={sumColumns}
      subjectOf={vipSubject}
      hrefOf={hrefOf}
      lead={<ByChoice by="experience" />}
      actions={['vip.award', 'list.export']}
      empty={{ sentence: 'Nobody has been given a VIP experience yet.', command: 'vip.award' }}
    />
  )
}

const columnsFor = (generation: Generation) =>
  columnsOf('award', {
    email: {
      whole: true,
      min: 200,
      flex: 2,
      priority: 9,
      render: (row) => <span className="truncate font-medium">{row.email}</span>,
    },
    experience: {
      min: 160,
      flex: 2,
      priority: 8,
      narrow: 'meta',
      render: (row) => (
        <span className="flex min-w-0 items-baseline gap-2">
          {row.experience_gone ? (
            <span className="truncate text-muted">{row.experience}</span>
          ) : (
            <PaneLink
              to={vipHref(generation, row.project_id, 'vip', { search: row.experience_id })}
              className="truncate hover:underline"
              onClick={(event) => event.stopPropagation()}
            >
              <bdi>{row.experience}</bdi>
            </PaneLink>
          )}
          {row.experience_gone && deleted}
        </span>
      ),
    },
    created_at: { width: 140, priority: 7, narrow: 'aside' },
    by: { width: 150, priority: 4, narrow: 'hidden' },
    paid_cents: {
      width: 124,
      priority: 6,
      narrow: 'hidden',
      render: (row) => (row.paid_cents ? <span className="text-muted tabular-nums">{dollars(row.paid_cents)}</span> : faint),
    },
    id: { width: 80, priority: 1, narrow: 'hidden' },
  })
const COLUMNS = { project: columnsFor('project'), campaign: columnsFor('campaign') }

function AllAwards({ project }: Props) {
  const experiences = useCall('vip.list', { id: project.id, awarded: true, per_page: 500 }).data?.data ?? []
  const list = useNounList('award', {
    filters: { experience: '' },
    where: ({ experience }) => ({
      id: project.id,
      ...(/^[1-9]\d{0,8}$/.test(experience) ? { experience_id: Number(experience) } : {}),
    }),
    pageSize: PAGE.rewards,
    chunk: PAGE.rewards,
  })
  return (
    <ListScreen<Award>
      {...list}
      title="VIP experiences rewarded"
      embedded
      selectionKind="award"
      columns={COLUMNS[project.generation]}
      subjectOf={awardSubject}
      lead={<ByChoice by="award" />}
      filters={[
        {
          name: 'experience',
          label: 'Experience',
          options: [{ value: '', label: 'all' }, ...experiences.map(({ id, name }) => ({ value: String(id), label: name }))],
        },
      ]}
      actions={['vip.award', 'list.export']}
      bulk={BULK}
      empty={{ sentence: 'Nobody has been given a VIP experience yet.', command: 'vip.award' }}
    />
  )
}

/** The view by experience. */
export const VipRewardedTab = ({ project }: Props) => <VipAwards project={project} usual="experience" />
/** The view award by award. */
export const VipAwardsTab = ({ project }: Props) => <VipAwards project={project} usual="award" />
