import { useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { type Cells, columnsOf, Moment, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { showPhone } from '../../ui/PhoneInput.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { type Member, memberSubject, type TeamDetail } from './teamSubject.ts'

const faint = <span className="text-faint">–</span>
const NAME: Cells<Member> = { min: 140, flex: 1, priority: 12, render: (row) => <Name>{row.name}</Name> }

/** Team names, each linked. */
export function TeamLinks({ teams }: { teams: readonly { id: number; name: string }[] }) {
  if (!teams.length) return faint
  return (
    <span className="text-muted" title={teams.map(({ name }) => name).join(', ')}>
      {teams.slice(0, 2).map((team, at) => (
        <span key={team.id}>
          {at > 0 && ', '}
          <PaneLink
            to={href('team', { id: team.id })}
            tabIndex={-1}
            className="hover:text-ink hover:underline"
            onClick={(event) => event.stopPropagation()}
          >
            <bdi>{team.name}</bdi>
          </PaneLink>
        </span>
      ))}
      {teams.length > 2 && ` and ${teams.length - 2} more`}
    </span>
  )
}

const status: Cells<Member> = {
  width: 100,
  priority: 9,
  narrow: 'aside',
  render: (row) => (row.status === 'active' ? <Pill tone="green">Active</Pill> : <Pill tone="grey">Invited</Pill>),
}
const columns = columnsOf('member', {
  name: NAME,
  email: { whole: true, min: 180, flex: 3, priority: 11, narrow: 'meta' },
  phone: {
    width: 124,
    priority: 5,
    narrow: 'hidden',
    render: (row) => (row.phone ? <span className="text-muted tabular-nums">{showPhone(row.phone)}</span> : faint),
  },
  clients: {
    min: 110,
    flex: 1,
    priority: 4,
    narrow: 'hidden',
    render: (row) => {
      const [first, ...more] = row.clients
      if (!first) return faint
      return (
        <span className="text-muted" title={row.clients.map(({ name }) => name).join(', ')}>
          <bdi>{first.name}</bdi>
          {more.length > 0 && ` and ${more.length} more`}
        </span>
      )
    },
  },
  other_teams: {
    min: 120,
    flex: 1.2,
    priority: 7,
    narrow: 'hidden',
    render: (row) => <TeamLinks teams={row.other_teams} />,
  },
  only_here: {
    width: 116,
    priority: 10,
    narrow: 'hidden',
    header: 'Only through it',
    align: 'right',
    render: (row) => <span className={row.only_here ? '' : 'text-faint'}>{count(row.only_here)}</span>,
  },
  status,
  last_seen_at: {
    width: 132,
    priority: 6,
    narrow: 'hidden',
    render: (row) => <Moment at={row.last_seen_at} none="never" />,
  },
  added_at: { width: 108, priority: 3, narrow: 'hidden' },
})

const STATUSES = [
  { value: '', label: 'any' },
  { value: 'active', label: 'active' },
  { value: 'invited', label: 'invited' },
] as const
const BULK: readonly CommandId[] = ['team.removeUsers']
/** Links to a user in the list of client users. */
export const hrefOfMember = (row: Member): string => href('usersInfo', {}, { tab: 'clientUsers', query: { search: row.email } })

/** Lists a team's users: added and removed here, never deleted. */
export function TeamUsers({ team }: { team: TeamDetail }) {
  const list = useNounList('member', {
    filters: { status: '' },
    where: ({ status }) => ({ id: team.id, status: STATUSES.find(({ value }) => value === status)?.value ?? '' }),
  })
  const subjectOf = useMemo(() => memberSubject(team), [team])
  return (
    <ListScreen<Member>
      {...list}
      noun="users"
      title="Users"
      embedded
      columns={columns}
      subjectOf={subjectOf}
      hrefOf={hrefOfMember}
      opens="beside"
      filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
      actions={['list.export', 'team.addUsers']}
      bulk={BULK}
      primary="team.removeUsers"
      empty={{
        sentence: 'Nobody is on this team, so nobody sees its projects but administrators.',
        command: 'team.addUsers',
      }}
    />
  )
}
