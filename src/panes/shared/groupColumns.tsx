import type { ReactNode } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import type { Output } from '../../../contract/calls.ts'
import { count, longDate } from '../../../contract/format.ts'
import { groupFields } from '../../../contract/groupFields.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { href } from '../../routing/routes.ts'
import { dayOf } from '../../ui/displayZone.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { Mark } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { momentDay } from './momentDay.ts'

type Row = Output<'group.list'>['data'][number]

/** A figure that is a problem above 0, marked by shape and colour. */
const flagged = (value: number, shape: 'ring' | 'cross', ink: string) =>
  value ? (
    <span className={`inline-flex items-center gap-1.5 ${ink}`}>
      <Mark shape={shape} />
      {count(value)}
    </span>
  ) : (
    <span className="text-faint">0</span>
  )
const figure = (value: number) => <span className={value ? '' : 'text-faint'}>{count(value)}</span>

/** The columns of location groups, with the client if the list spans several; `aside` renders beside a name. */
export function groupColumns({ client, aside }: { client: boolean; aside?: (row: Row) => ReactNode }): readonly Column<Row>[] {
  const columns = columnsOf('group', {
    name: {
      min: 150,
      flex: 2.2,
      priority: 15,
      render: (row) => <Name aside={aside?.(row)}>{row.name}</Name>,
      edit: editsOf('group', groupFields)('name'),
    },
    client_name: {
      min: 120,
      flex: 1.6,
      priority: 13,
      narrow: 'meta',
      render: (row) => (
        <PaneLink
          to={href('client', { id: row.client_id }, { tab: 'groups' })}
          className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
        >
          <bdi>{row.client_name}</bdi>
        </PaneLink>
      ),
    },
    locations_count: {
      width: 96,
      priority: 14,
      narrow: 'aside',
      render: (row) => (
        <>
          {figure(row.locations_count)}
          <span className="hidden in-data-narrow:inline"> {row.locations_count === 1 ? 'location' : 'locations'}</span>
        </>
      ),
    },
    approximate_count: {
      width: 108,
      priority: 11,
      narrow: 'hidden',
      render: (row) => flagged(row.approximate_count, 'ring', 'text-amber-ink'),
    },
    unplaced_count: {
      width: 104,
      priority: 12,
      narrow: 'hidden',
      render: (row) => flagged(row.unplaced_count, 'cross', 'text-red-ink'),
    },
    activities_count: { width: 92, priority: 10, narrow: 'hidden', render: (row) => figure(row.activities_count) },
    file_name: {
      min: 120,
      flex: 1.3,
      priority: 8,
      narrow: 'hidden',
      render: (row) =>
        row.file_name ? (
          <span className="truncate text-muted" title={row.file_at ? longDate(dayOf(row.file_at)) : undefined}>
            <bdi>{stripBidi(row.file_name)}</bdi>
            {row.file_at && <span className="text-faint"> · {momentDay(row.file_at)}</span>}
          </span>
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    created_at: { width: 108, priority: 5, narrow: 'hidden' },
    id: {
      width: 76,
      priority: 4,
      narrow: 'hidden',
      render: (row) => <span className="font-mono text-meta text-muted">{codeOf('group', row.id)}</span>,
    },
  })
  return client ? columns : columns.filter(({ id }) => id !== 'client_name')
}
