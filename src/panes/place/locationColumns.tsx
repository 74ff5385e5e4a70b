import { locationFields } from '../../../contract/locationFields.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { columnsOf, Day, Name } from '../../list/nounColumns.tsx'
import { href } from '../../routing/routes.ts'
import { toast } from '../../runner/toast.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Pill } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { coordinatesOf, type Location, POSITION_LOOKS } from './locationSubject.ts'

/** Edits a location's field in place; the server's warnings show as a notice. */
export const placeField = editsOf('location', locationFields, ({ warnings }) => {
  if (warnings?.length) void toast(warnings.join(' '))
})

const faint = <span className="text-faint">–</span>
const muted = (text: string) => (text ? <span className="truncate text-muted">{text}</span> : faint)

/** A location's groups: the first by name, "+2" for the others. */
function Groups({ groups }: { groups: Location['groups'] }) {
  const [first, ...others] = groups
  if (!first) return faint
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <PaneLink
        to={href('group', { id: first.id }, { tab: 'locations' })}
        className="truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
      >
        <bdi>{first.name}</bdi>
      </PaneLink>
      {others.length > 0 && (
        <span className="shrink-0 text-meta text-faint" title={others.map(({ name }) => name).join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}

/** Shows how exact a location's position is. */
export function PositionPill({ position }: Pick<Location, 'position'>) {
  const [word, tone, shape] = POSITION_LOOKS[position]
  return (
    <Pill tone={tone} shape={shape}>
      {word}
    </Pill>
  )
}

/** The columns of a location list; with `group`, of that group's members. */
export function locationColumns(group?: number): readonly Column<Location>[] {
  const columns = columnsOf('location', {
    name: {
      min: 208,
      flex: 2,
      priority: 15,
      edit: placeField('name'),
      render: (row) => (
        <Name aside={row.repeats > 0 ? <span className="text-meta whitespace-nowrap text-amber-ink">repeated</span> : null}>
          {row.name}
        </Name>
      ),
    },
    address: {
      min: 140,
      flex: 2,
      priority: 14,
      narrow: 'meta',
      edit: placeField('address'),
      render: (row) => muted(row.address),
    },
    city: { min: 96, flex: 1, priority: 12, narrow: 'meta', edit: placeField('city'), render: (row) => muted(row.city) },
    state: { width: 60, priority: 11, narrow: 'meta', edit: placeField('state'), render: (row) => muted(row.state) },
    zip: {
      width: 72,
      priority: 10,
      narrow: 'hidden',
      edit: placeField('zip'),
      render: (row) => (row.zip ? <span className="font-mono text-meta text-muted">{row.zip}</span> : faint),
    },
    group: {
      min: 120,
      flex: 1.4,
      priority: 9,
      narrow: 'hidden',
      render: (row) => <Groups groups={row.groups.filter(({ id }) => id !== group)} />,
    },
    position: { width: 156, priority: 13, narrow: 'aside', render: (row) => <PositionPill position={row.position} /> },
    latitude: {
      width: 156,
      priority: 4,
      narrow: 'hidden',
      align: 'left',
      render: (row) =>
        coordinatesOf(row) ? <span className="font-mono text-meta text-muted">{coordinatesOf(row)}</span> : faint,
    },
    ...(group === undefined
      ? {}
      : {
          added_at: {
            width: 108,
            priority: 6,
            narrow: 'hidden' as const,
            render: (row: Location) => (row.added_at ? <Day at={row.added_at} /> : faint),
          },
          line: { width: 64, priority: 5, narrow: 'hidden' as const, render: (row: Location) => row.line ?? faint },
        }),
    created_at: { width: 108, priority: 3, narrow: 'hidden' },
    id: {
      width: 84,
      priority: 2,
      narrow: 'hidden',
      render: (row) => <span className="font-mono text-meta text-muted">P-{row.id}</span>,
    },
  })
  const headers: Readonly<Record<string, string>> = {
    latitude: 'Coordinates',
    ...(group === undefined ? {} : { group: 'Other groups' }),
  }
  return columns.map((column) => (headers[column.id] ? { ...column, header: headers[column.id]! } : column))
}
