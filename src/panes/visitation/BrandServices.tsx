import { useMemo } from 'react'
import { compareText } from '../../../contract/foldText.ts'
import { count, counted, shortDate } from '../../../contract/format.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { type ShortColumn, ShortList } from '../../list/ShortList.tsx'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type Brand, editService, Figure, idIn, type Service, serviceSubject } from './visitation.tsx'

const BULK: readonly CommandId[] = [
  'service.setActive',
  'service.users',
  'service.takeUsers',
  'service.editField',
  'service.remove',
]
const textOf = (row: Service) => `${row.name} ${row.category} ${row.s3_bucket}`
const Muted = ({ children }: { children: string }) =>
  children ? <span className="text-muted">{children}</span> : <span className="text-faint">–</span>

const columnsWith = (categories: readonly { id: number; name: string }[]): readonly ShortColumn<Service>[] => [
  {
    id: 'name',
    header: 'Service',
    min: 160,
    flex: 3,
    priority: 10,
    by: (row) => row.name,
    render: (row) => <bdi className="truncate font-medium">{row.name}</bdi>,
    edit: editService('name'),
  },
  {
    id: 'category',
    header: 'Category',
    min: 130,
    flex: 2,
    priority: 7,
    narrow: 'meta',
    by: (row) => row.category,
    render: (row) => <Muted>{row.category}</Muted>,
    edit: {
      ...editService('category_id'),
      kind: 'select',
      options: categories.map(({ id, name }) => ({ value: String(id), label: name })),
    },
  },
  {
    id: 's3_bucket',
    header: 'Bucket',
    min: 110,
    flex: 3,
    priority: 2,
    narrow: 'hidden',
    by: (row) => row.s3_bucket || null,
    render: (row) => <Muted>{row.s3_bucket}</Muted>,
    edit: editService('s3_bucket'),
  },
  {
    id: 'venues_count',
    header: 'Venues',
    width: 80,
    align: 'right',
    priority: 8,
    narrow: 'meta',
    by: (row) => row.venues_count,
    render: (row) => <Figure value={row.venues_count} noun="venue" />,
  },
  {
    id: 'ordered',
    header: 'Ordered',
    width: 96,
    align: 'right',
    priority: 6,
    narrow: 'hidden',
    by: (row) => row.ordered,
    render: (row) => <Figure value={row.ordered} />,
    edit: editService('ordered'),
  },
  {
    id: 'start_dt',
    header: 'Start',
    width: 112,
    priority: 4,
    narrow: 'hidden',
    by: (row) => row.start_dt,
    render: (row) => <Muted>{shortDate(row.start_dt)}</Muted>,
    edit: editService('start_dt'),
  },
  {
    id: 'end_dt',
    header: 'End',
    width: 112,
    priority: 3,
    narrow: 'hidden',
    by: (row) => row.end_dt,
    render: (row) => <Muted>{row.end_dt ? shortDate(row.end_dt) : ''}</Muted>,
    edit: editService('end_dt'),
  },
  {
    id: 'status',
    header: 'Status',
    width: 104,
    priority: 9,
    narrow: 'aside',
    by: (row) => row.status,
    render: (row) => (
      <Pill tone={row.status === 'active' ? 'green' : 'grey'}>{row.status === 'active' ? 'Active' : 'Inactive'}</Pill>
    ),
    edit: editService('status'),
  },
  {
    id: 'users_count',
    header: 'Users',
    width: 72,
    align: 'right',
    priority: 5,
    narrow: 'meta',
    by: (row) => row.users_count ?? 0,
    render: (row) => <Figure value={row.users_count ?? 0} noun="user" />,
  },
]

/** The progress of the job that adds a service's venues. */
function VenueProgress({ service: { name, venues_count: there, venues_coming: coming } }: { service: Service }) {
  const progress = `${count(there)} of ${counted(there + coming, 'venue')} added`
  return (
    <p className="flex flex-wrap items-center gap-x-3 px-4 pb-2 text-meta text-muted">
      <span>
        <bdi className="font-medium text-ink">{name}</bdi>: {progress}
      </span>
      <Progress value={there / (there + coming)} label={`Venues of ${name}`} showValue className="w-48" />
      <PaneLink to={href('jobs')} className="underline underline-offset-2">
        Jobs
      </PaneLink>
    </p>
  )
}

/** Lists a brand's services, edited in place. */
export function BrandServices({ brand }: { brand: Brand }) {
  const { go, query } = usePane()
  const categories = useCall('category.list', {}).data?.data
  const columns = useMemo(() => columnsWith(categories ?? []), [categories])
  const rows = useMemo(() => brand.children.toSorted((a, b) => compareText(a.name, b.name)), [brand.children])
  return (
    <section aria-label="Services" className="pt-1 pb-6">
      {rows.map((row) => row.venues_coming > 0 && <VenueProgress key={row.id} service={row} />)}
      <ShortList<Service>
        title="Services"
        nouns={['service', 'services']}
        rows={rows}
        columns={columns}
        subjectOf={serviceSubject}
        textOf={textOf}
        bulk={BULK}
        begin={idIn(query.at) ?? null}
        onOpen={(row) => go(href('brand', { id: row.brand_id, filter: 'none' }, { query: { service: row.id } }))}
        empty={<EmptyState action={<CommandButton id="brand.newService" variant="primary" />}>No service yet.</EmptyState>}
      />
    </section>
  )
}
