import { useCallback, useMemo } from 'react'
import { clientFields } from '../../../contract/clientFields.ts'
import { count } from '../../../contract/format.ts'
import { wordOf } from '../../../contract/nounOf.ts'
import type { NounId } from '../../../contract/nouns.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { clientSubject } from '../shared/clientSubject.ts'
import type { Client } from './peopleSubjects.ts'
import { SameName, useSameNames } from './SameName.tsx'

const columnsWith = (sameNames: (id: number) => readonly number[]) =>
  columnsOf('client', {
    name: {
      min: 180,
      flex: 3,
      priority: 9,
      render: (row) => <Name aside={<SameName others={sameNames(row.id)} inRow />}>{row.name}</Name>,
      edit: editsOf('client', clientFields)('name'),
    },
    id: { width: 72, priority: 1, narrow: 'meta' },
    projects_count: {
      min: 96,
      flex: 1,
      priority: 8,
      narrow: 'meta',
      render: (row) => <Figure value={row.projects_count} of="project" />,
    },
    campaigns_count: {
      min: 128,
      flex: 1,
      priority: 5,
      narrow: 'hidden',
      render: (row) => <Figure value={row.campaigns_count} of="campaign" />,
    },
    teams_count: {
      min: 88,
      flex: 1,
      priority: 6,
      narrow: 'meta',
      render: (row) => <Figure value={row.teams_count} of="team" />,
    },
    users_count: {
      min: 88,
      flex: 1,
      priority: 7,
      narrow: 'meta',
      render: (row) => <Figure value={row.users_count} of="user" />,
    },
    created_at: { min: 116, flex: 1, priority: 3, narrow: 'hidden' },
  })

/** A figure under its column's heading; shows its own label where rows take two lines. */
function Figure({ value, of }: { value: number; of: NounId }) {
  return (
    <span className={value ? '' : 'text-faint'}>
      {count(value)}
      <span className="hidden @max-[560px]:inline"> {wordOf(of, value !== 1)}</span>
    </span>
  )
}

/** Lists every client with its counts of projects, teams and users (people-area 2). */
export default function ClientsPane() {
  const list = useNounList('client')
  const sameNames = useSameNames('client')
  const columns = useMemo(() => columnsWith(sameNames), [sameNames])
  const hrefOf = useCallback((row: Client) => href('client', { id: row.id }), [])
  return (
    <div className="@container h-full">
      <ListScreen<Client>
        {...list}
        title="Clients"
        columns={columns}
        subjectOf={clientSubject}
        hrefOf={hrefOf}
        actions={['list.export', 'client.create']}
        empty={{ sentence: 'No clients yet. Projects, teams and users belong to a client.', command: 'client.create' }}
      />
    </div>
  )
}
