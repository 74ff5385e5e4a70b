import { dollars } from '../../../../contract/format.ts'
import { addressRepeats, emailRepeats } from '../../../commands/entryTotals.ts'
import { columnsOf, type RowOf } from '../../../list/nounColumns.tsx'
import { href } from '../../../routing/routes.ts'
import type { Column } from '../../../ui/grid/columns.ts'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { clusterOf, ENTRY_LOOKS, Flag, flagWords } from './entryColumns.tsx'
import { noteOf } from './entrySubject.ts'

/** A reward entry in the list of all projects. */
export type Receiver = RowOf<'receiver'>

const faint = <span className="text-faint">–</span>
const Lead = ({ to, children }: { to: string; children: string }) => (
  <PaneLink
    to={to}
    tabIndex={-1}
    className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
    onClick={(event) => event.stopPropagation()}
  >
    <bdi>{children}</bdi>
  </PaneLink>
)

/** The columns of reward receivers; for one project, without project and client. */
export const receiverColumns = (across: boolean): readonly Column<Receiver>[] =>
  columnsOf('receiver', {
    email: {
      whole: true,
      min: 176,
      flex: 3,
      priority: 20,
      linksItself: emailRepeats,
      render: (row) =>
        emailRepeats(row) ? (
          <Flag
            to={clusterOf(row)}
            times={row.email_counter}
            title={`this email occurs ${row.email_counter} times in its project`}
          >
            {row.email}
          </Flag>
        ) : (
          row.email
        ),
    },
    amount: {
      width: 104,
      priority: 19,
      narrow: 'aside',
      render: (row) =>
        row.amount_flag ? (
          <Flag title={`not one of ${row.allowed_amounts.join(', ')}`}>{dollars(row.amount_cents)}</Flag>
        ) : (
          dollars(row.amount_cents)
        ),
    },
    status: { width: 112, priority: 18, narrow: 'aside', looks: ENTRY_LOOKS },
    ...(across
      ? {
          project: {
            min: 150,
            flex: 2,
            priority: 17,
            narrow: 'meta' as const,
            render: (row: Receiver) => (
              <Lead to={href('project', { id: row.project_id }, { tab: 'rewardCenter' })}>{row.project_name}</Lead>
            ),
          },
          client: {
            min: 100,
            flex: 1,
            priority: 10,
            narrow: 'hidden' as const,
            render: (row: Receiver) => <Lead to={href('client', { id: row.client_id })}>{row.client_name}</Lead>,
          },
        }
      : {}),
    provider: { width: 124, priority: 6, narrow: 'hidden' },
    ip: {
      width: 164,
      priority: 15,
      narrow: 'meta',
      render: (row) =>
        addressRepeats(row) ? (
          <Flag
            to={clusterOf(row)}
            times={row.ipaddress_counter}
            title={`this address occurs ${row.ipaddress_counter} times in its project`}
          >
            <span className="font-mono text-meta">{row.ip}</span>
          </Flag>
        ) : (
          <span data-whole="" className="font-mono text-meta">
            {row.ip || '–'}
          </span>
        ),
    },
    flags: {
      width: 116,
      priority: 12,
      narrow: 'hidden',
      render: (row) => (flagWords(row) ? <span className="text-red-ink">{flagWords(row)}</span> : faint),
    },
    note: {
      min: 140,
      flex: 2,
      priority: 9,
      narrow: 'meta',
      render: (row) => {
        const reason = row.reason || (row.status === 'processing' ? noteOf(row) : '')
        return reason ? (
          <span className="truncate text-muted" title={reason}>
            {reason}
          </span>
        ) : (
          <span className="text-faint in-data-narrow:hidden">–</span>
        )
      },
    },
    second_chances: { width: 124, priority: 3, narrow: 'hidden', render: (row) => row.second_chances || faint },
    created_at: { width: 128, priority: 14, narrow: 'hidden' },
    sent_at: { width: 128, priority: 13, narrow: 'hidden' },
    reference: { width: 132, priority: 8, narrow: 'hidden' },
    id: {
      width: 84,
      priority: 4,
      narrow: 'hidden',
      render: ({ id }) => <span className="font-mono text-meta text-muted">{id}</span>,
    },
  })
