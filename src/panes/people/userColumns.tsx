import { shortDate } from '../../../contract/format.ts'
import { userFields } from '../../../contract/userFields.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { type Cells, columnsOf, Moment } from '../../list/nounColumns.tsx'
import { href } from '../../routing/routes.ts'
import { showPhone } from '../../ui/PhoneInput.tsx'
import { Badge, Pill } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { User } from './peopleSubjects.ts'

const faint = (text: string) => <span className="text-faint">{text}</span>

const edit = editsOf('user', userFields)

/** A user's email, with a mark for a new one that waits to be confirmed or approved. */
const Email = ({ email, pending_email, pending_email_needs_approval: approves }: User) =>
  pending_email ? (
    <span
      className="flex min-w-0 items-baseline gap-2"
      title={`${pending_email} waits to be ${approves ? 'approved' : 'confirmed'}`}
    >
      <span className="truncate">{email}</span>
      <span className="shrink-0">
        <Badge tone="amber">{approves ? 'new one to approve' : 'new one sent'}</Badge>
      </span>
    </span>
  ) : (
    email
  )

/** The default sort of user lists. */
export const BY_FIRST = { column: 'first_name', direction: 'asc' } as const

/** The columns of every user list (people-area 2); names and phone are edited in place. */
export const userColumns = (with_: { role?: boolean; clients?: boolean }) =>
  columnsOf('user', {
    first_name: {
      min: 104,
      flex: 1,
      priority: 9,
      render: (row) => (
        <span className="font-medium">
          {row.first_name ? <bdi>{row.first_name}</bdi> : row.last_name ? '' : faint('no name yet')}
          <span className="hidden @max-[560px]:inline"> {row.last_name}</span>
        </span>
      ),
      edit: edit('first_name'),
    },
    last_name: {
      min: 104,
      flex: 1,
      priority: 8,
      narrow: 'hidden',
      render: (row) => <span className="font-medium">{row.last_name}</span>,
      edit: edit('last_name'),
    },
    email: { whole: true, min: 170, flex: 3.2, priority: 7, narrow: 'meta', render: Email, edit: edit('email') },
    phone: {
      width: 132,
      priority: 5,
      narrow: 'hidden',
      render: (row) => (row.phone ? <span className="text-muted tabular-nums">{showPhone(row.phone)}</span> : faint('–')),
      edit: edit('phone'),
    },
    birth_date: {
      width: 128,
      priority: 1,
      narrow: 'hidden',
      render: (row) =>
        row.birth_date ? (
          <span className="text-muted tabular-nums">
            {shortDate(row.birth_date)} <span className="text-faint">({row.age})</span>
          </span>
        ) : (
          faint('–')
        ),
      edit: edit('birth_date'),
    },
    ...(with_.role ? { role: { width: 116, priority: 3 } } : {}),
    ...(with_.clients ? { company_name: clients } : {}),
    ...(with_.role || with_.clients !== false ? { teams } : {}),
    status: {
      width: 104,
      priority: 6,
      narrow: 'aside',
      render: (row) => (row.status === 'active' ? <Pill tone="green">Active</Pill> : <Pill tone="grey">Invited</Pill>),
    },
    last_seen_at: {
      width: 132,
      priority: 2,
      narrow: 'hidden',
      render: (row) => <Moment at={row.last_seen_at} none="never" />,
    },
    ...(with_.clients ? { company: { min: 100, flex: 1, priority: 0.5, narrow: 'hidden' as const } } : {}),
    created_at: { width: 104, priority: 0, narrow: 'hidden' },
    id: { width: 64, priority: -1, narrow: 'hidden' },
  })

const teams: Cells<User> = {
  min: 110,
  flex: 1.4,
  priority: 3.5,
  narrow: 'hidden',
  render: (row) => {
    const [first, ...more] = row.teams
    if (!first) return faint('–')
    return (
      <span className="text-muted" title={row.teams.map((team) => team.name).join(', ')}>
        <PaneLink
          to={href('team', { id: first.id })}
          tabIndex={-1}
          className="hover:text-ink hover:underline"
          onClick={(event) => event.stopPropagation()}
        >
          <bdi>{first.name}</bdi>
        </PaneLink>
        {more.length > 0 && ` and ${more.length} more`}
      </span>
    )
  },
}

const clients: Cells<User> = {
  min: 120,
  flex: 2,
  priority: 4,
  narrow: 'meta',
  render: (row) => {
    const [first, ...more] = row.clients
    if (!first) return faint('–')
    return (
      <span className="text-muted" title={row.clients.map((client) => client.name).join(', ')}>
        <PaneLink
          to={href('client', { id: first.id })}
          tabIndex={-1}
          className="hover:text-ink hover:underline"
          onClick={(event) => event.stopPropagation()}
        >
          {first.name}
        </PaneLink>
        {more.length > 0 && ` and ${more.length} more`}
      </span>
    )
  },
}
