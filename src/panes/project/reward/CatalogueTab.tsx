import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { PAGE } from '../../../../contract/pages.ts'
import { readPrefetched } from '../../../data/prefetch.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { rowSource } from '../../../list/rowSource.ts'
import { useNounList } from '../../../list/useNounList.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { CATALOGUE_SORT, prefetchOpenRows } from '../../../workspace/prefetchScreen.ts'
import { recordHref } from '../../shared/projectSubject.ts'
import type { Project } from '../ProjectHead.tsx'
import { EditReward } from './EditReward.tsx'
import {
  filterOf,
  NO_FILTER,
  type ProjectReward,
  projectRewardColumns,
  REWARD_BULK,
  REWARD_FILTERS,
  RewardTotals,
  rewardSubject,
} from './rewardColumns.tsx'

/** Requests the first rows while the project still loads, so the catalogue finds them there. Renders nothing. */
export function CataloguePrefetch() {
  const { match } = usePane()
  useLayoutEffect(() => (match ? prefetchOpenRows(match) : undefined), [match])
  return null
}

/** The reward catalogue of a project or family (screens-people-places-rewards.md, Rewards of the project). */
export function CatalogueTab({ project: { id: projectId, generation, children } }: { project: Project }) {
  const family = children.length > 0
  const { query, setQuery } = usePane()
  const editing = /^[1-9]\d{0,9}$/.test(query.edit ?? '') ? Number(query.edit) : null
  const close = useCallback(() => setQuery({ edit: null }), [setQuery])
  const hrefOf = useCallback(
    (row: ProjectReward) => recordHref(generation, projectId, 'catalogue', { ...query, edit: row.id }),
    [generation, projectId, query],
  )
  const list = useNounList('reward', {
    filters: NO_FILTER,
    sort: CATALOGUE_SORT,
    where: (filters) => ({ ...filterOf(filters), project_id: projectId }),
    pageSize: PAGE.rewards,
  })
  const { view } = list
  const rows = rowSource({
    call: 'reward.ofProject',
    chunk: PAGE.rewards,
    input: (page, per_page) => ({
      id: projectId,
      ...filterOf(view.filters),
      search: view.search,
      column: (view.sort?.column ?? '') as '',
      order: view.sort?.direction ?? ('asc' as const),
      page,
      per_page,
    }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
    read: readPrefetched,
  })
  const [totals, setTotals] = useState<Output<'reward.ofProject'>['totals']>()
  const onAnswer = useCallback((answer: Output<'reward.ofProject'>) => setTotals(answer.totals), [])
  const columns = useMemo(() => projectRewardColumns(family), [family])
  return (
    <div className="@container relative flex h-full min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ListScreen<ProjectReward>
          {...list}
          source={rows}
          title="Rewards of the project"
          noun="rewards"
          embedded
          columns={columns}
          subjectOf={rewardSubject}
          hrefOf={hrefOf}
          filters={REWARD_FILTERS}
          onAnswer={onAnswer as (answer: never) => void}
          actions={['reward.create', 'reward.copyFrom', 'list.export']}
          bulk={REWARD_BULK}
          primary="reward.copyTo"
          at={Number(query.at) || null}
          empty={{ sentence: 'This project has nothing to pay with yet.', command: 'reward.create' }}
        >
          <RewardTotals totals={totals} />
        </ListScreen>
      </div>
      {editing && <EditReward key={editing} id={editing} home={recordHref(generation, projectId, 'catalogue')} onClose={close} />}
    </div>
  )
}
