import { useCallback } from 'react'
import { count } from '../../../../contract/format.ts'
import { vipFields } from '../../../../contract/vipFields.ts'
import { subjectAs } from '../../../commands/subject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { editsOf } from '../../../list/fieldEdit.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { columnsOf, Moment, Name, type RowOf } from '../../../list/nounColumns.tsx'
import { useNounList } from '../../../list/useNounList.ts'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { type Generation, vipHref } from './vipHref.ts'

type Vip = RowOf<'vip'>
const faint = <span className="text-faint">–</span>
const dayOr = (at: string | null) => (at ? <Moment at={at} /> : faint)
const vipSubject = subjectAs<Vip>('vip')
const BULK: readonly CommandId[] = ['vip.remove']

/** Links to an experience's awards. */
const awardsOf = (generation: Generation, row: Vip) =>
  vipHref(generation, row.project_id, 'vipRewardedList', { experience: row.id })

const columnsFor = (generation: Generation) =>
  columnsOf('vip', {
    name: {
      min: 200,
      flex: 3,
      priority: 9,
      render: ({ name }) => <Name>{name}</Name>,
      edit: editsOf('vip', vipFields)('name'),
    },
    awarded: {
      width: 100,
      priority: 8,
      narrow: 'aside',
      render: (row) =>
        row.awarded ? (
          <PaneLink to={awardsOf(generation, row)} className="hover:underline" onClick={(event) => event.stopPropagation()}>
            {count(row.awarded)}
            <span className="hidden in-data-narrow:inline"> awarded</span>
          </PaneLink>
        ) : (
          <span className="text-faint">0</span>
        ),
    },
    last_award_at: { width: 132, priority: 6, narrow: 'meta', render: (row) => dayOr(row.last_award_at) },
    created_at: { width: 132, priority: 5, narrow: 'hidden', render: (row) => dayOr(row.created_at) },
    id: { width: 80, priority: 2, narrow: 'hidden' },
  })
const COLUMNS = { project: columnsFor('project'), campaign: columnsFor('campaign') }

/** Lists a project's non-monetary rewards (screens-people-places-rewards.md, VIP experiences). */
export function VipTab({ project }: { project: { id: number; generation: Generation } }) {
  const list = useNounList('vip', { where: () => ({ id: project.id }) })
  const hrefOf = useCallback((row: Vip) => awardsOf(project.generation, row), [project.generation])
  return (
    <ListScreen<Vip>
      {...list}
      title="VIP experiences"
      embedded
      columns={COLUMNS[project.generation]}
      subjectOf={vipSubject}
      hrefOf={hrefOf}
      actions={['vip.create', 'vip.award', 'list.export']}
      bulk={BULK}
      empty={{ sentence: 'This project has no VIP experience yet.', command: 'vip.create' }}
    />
  )
}
