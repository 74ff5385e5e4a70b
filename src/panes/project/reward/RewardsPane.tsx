import { useCallback, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { PAGE } from '../../../../contract/pages.ts'
import { useCall } from '../../../data/useCall.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { useNounList } from '../../../list/useNounList.ts'
import { recordHref } from '../../shared/projectSubject.ts'
import {
  filterOf,
  NO_FILTER,
  REWARD_BULK,
  REWARD_FILTERS,
  type Reward,
  RewardTotals,
  rewardColumns,
  rewardSubject,
} from './rewardColumns.tsx'

const FILTERS = { ...NO_FILTER, client: '' }
const hrefOf = (row: Reward) => recordHref(row.generation, row.project_id, 'catalogue', { at: row.id })

/** Lists all projects' rewards and their cost (screens-people-places-rewards.md, Rewards). */
export default function RewardsPane() {
  const clients = useCall('client.dropdown', {}).data?.data ?? []
  const list = useNounList('reward', {
    filters: FILTERS,
    where: ({ client, ...rest }) => ({ ...filterOf(rest), ...(Number(client) > 0 ? { client_id: Number(client) } : {}) }),
    pageSize: PAGE.rewards,
  })
  const [totals, setTotals] = useState<Output<'reward.list'>['totals']>()
  const onAnswer = useCallback((answer: Output<'reward.list'>) => setTotals(answer.totals), [])
  return (
    <div className="@container h-full">
      <ListScreen<Reward>
        {...list}
        title="Rewards"
        noun="rewards"
        columns={rewardColumns}
        subjectOf={rewardSubject}
        hrefOf={hrefOf}
        filters={[
          ...REWARD_FILTERS,
          {
            name: 'client',
            label: 'Client',
            options: [{ value: '', label: 'all' }, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))],
          },
        ]}
        onAnswer={onAnswer as (answer: never) => void}
        actions={['list.export', 'reward.create']}
        bulk={REWARD_BULK}
        primary="reward.copyTo"
        empty={{ sentence: 'No rewards yet. Each project has its own.', command: 'reward.create' }}
      >
        <RewardTotals totals={totals} />
      </ListScreen>
    </div>
  )
}
