import type { ReactNode } from 'react'
import { dollars } from '../../../../contract/format.ts'
import { addressRepeats, emailRepeats, isFlagged } from '../../../commands/entryTotals.ts'
import { type Cells, columnsOf, type Looks } from '../../../list/nounColumns.tsx'
import { href } from '../../../routing/routes.ts'
import type { Column } from '../../../ui/grid/columns.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { type Entry, noteOf } from './entrySubject.ts'

/** A flagged value, marked by shape, colour and text; links to the entries that share it. */
export function Flag({ to, title, times, children }: { to?: string; title: string; times?: number; children: ReactNode }) {
  const look = 'inline-flex max-w-full items-center gap-1.5 rounded-full bg-red-wash px-2 font-medium text-red-ink'
  const inside = (
    <>
      <Mark shape="triangle" />
      <span className="truncate">{children}</span>
      {times && <span className="-ml-0.5 shrink-0">×{times}</span>}
      <span className="sr-only"> ({title})</span>
    </>
  )
  if (!to)
    return (
      <span className={look} title={title}>
        {inside}
      </span>
    )
  return (
    <PaneLink
      to={to}
      tabIndex={-1}
      title={title}
      className={`${look} hover:underline`}
      onClick={(event) => event.stopPropagation()}
    >
      {inside}
    </PaneLink>
  )
}

/** Lists an entry's flags: "amount, email". */
export const flagWords = (entry: Entry): string =>
  [entry.amount_flag && 'amount', emailRepeats(entry) && 'email', addressRepeats(entry) && 'IP'].filter(Boolean).join(', ')

/** Links to entries with the same email or IP address by entry ID: links must not contain personal data. */
export const clusterOf = (entry: Pick<Entry, 'id' | 'project_id'>) =>
  href('project', { id: entry.project_id }, { tab: 'rewardCenter', query: { status: 'all', like: entry.id } })

export const ENTRY_LOOKS: Looks<Entry['status']> = {
  pending: ['grey'],
  processing: ['blue'],
  sent: ['green', 'tick'],
  rejected: ['red'],
}

/** Returns the end of a name, where a family's projects differ; it stays visible when the start is truncated. */
const endOf = (name: string) => /\s\S.{0,9}$/u.exec(name)?.[0] ?? ''

/** A reward's project within its family, linked to that project's Reward Center. */
const project: Cells<Entry> = {
  min: 200,
  flex: 3,
  priority: 8,
  narrow: 'meta',
  render: ({ project_id, project_name }) => {
    const end = endOf(project_name)
    return (
      <PaneLink
        to={href('project', { id: project_id }, { tab: 'rewardCenter' })}
        tabIndex={-1}
        title={project_name}
        className="inline-flex max-w-full align-bottom hover:underline"
        onClick={(event) => event.stopPropagation()}
      >
        <span className="truncate">{project_name.slice(0, project_name.length - end.length)}</span>
        <span className="shrink-0 whitespace-pre">{end}</span>
      </PaneLink>
    )
  },
}

/** The Reward Center's columns (people-area 3, decisions.md 5); project, status and date depend on what is listed. */
export const entryColumns = (shown: Entry['status'] | 'all', family: boolean): readonly Column<Entry>[] =>
  columnsOf('entry', {
    email: {
      whole: true,
      min: 176,
      flex: 3,
      priority: 9,
      render: (row) =>
        emailRepeats(row) ? (
          <Flag to={clusterOf(row)} times={row.email_counter} title={`this email occurs ${row.email_counter} times`}>
            {row.email}
          </Flag>
        ) : (
          row.email
        ),
    },
    amount: {
      width: 104,
      priority: 8,
      narrow: 'aside',
      render: (row) =>
        row.amount_flag ? (
          <Flag title={`not one of ${row.allowed_amounts.join(', ')}`}>{dollars(row.amount_cents)}</Flag>
        ) : (
          dollars(row.amount_cents)
        ),
    },
    ...(family ? { project } : {}),
    ...(shown === 'all' ? { status: { width: 112, priority: 5, narrow: 'aside', looks: ENTRY_LOOKS } } : {}),
    provider: { width: 136, priority: 1, narrow: 'hidden' },
    ip: {
      width: 184,
      priority: 6,
      narrow: 'meta',
      render: (row) =>
        addressRepeats(row) ? (
          <Flag to={clusterOf(row)} times={row.ipaddress_counter} title={`this address occurs ${row.ipaddress_counter} times`}>
            <span className="font-mono text-meta">{row.ip}</span>
          </Flag>
        ) : (
          <span className="font-mono text-meta">{row.ip || '–'}</span>
        ),
    },
    ...(shown === 'sent'
      ? { sent_at: { width: 132, priority: 4, narrow: 'meta' } }
      : { created_at: { width: 132, priority: 3, narrow: 'hidden' } }),
    flags: {
      width: 104,
      priority: 2,
      narrow: 'hidden',
      render: (row) => {
        const words = flagWords(row)
        return words ? <span className="text-red-ink">{words}</span> : <span className="text-faint">–</span>
      },
    },
    note: {
      min: 200,
      flex: 2,
      priority: 7,
      narrow: 'meta',
      render: (row) => {
        const note = noteOf(row)
        return (
          <span title={note} className={isFlagged(row) ? 'text-ink' : 'text-muted'}>
            <span className="@max-[560px]:hidden">{note}</span>
            <span className="hidden @max-[560px]:inline">{noteOf(row, 'short')}</span>
          </span>
        )
      },
    },
  })
