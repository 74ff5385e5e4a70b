import { count, shortDate } from '../../../contract/format.ts'
import { addDays } from '../../../contract/pacing.ts'
import { brandFields, newBrandFields } from '../../../contract/visitationFields.ts'
import { useCall } from '../../data/useCall.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Field } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Select } from '../../ui/Select.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { CategoryPicker } from '../shared/CategoryPicker.tsx'
import { type EditRow, EditRows } from '../shared/EditRows.tsx'
import { Figures } from '../shared/Figures.tsx'
import { newPane } from '../shared/form/declaredForm.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { RecordFrame } from '../shared/RecordFrame.tsx'
import { RecordHistory } from '../shared/RecordHistory.tsx'
import { BrandServices } from './BrandServices.tsx'
import { BrandUsers } from './BrandUsers.tsx'
import { type Brand, brandSubject, idIn } from './visitation.tsx'

/** Edits a brand with its categories, services and users; id 0 creates one (screens-visitation.md, Brand editor). */
export default function BrandEditorPane(props: PaneProps) {
  const { params, tab } = props
  const id = Number(params.id)
  return id === 0 ? <NewBrand {...props} /> : <BrandEditor key={id} id={id} tab={tab} />
}

function BrandEditor({ id, tab }: { id: number; tab: string | null }) {
  const answer = useCall('brand.get', { id }, { fresh: true })
  const brand = answer.data?.data
  return (
    <RecordFrame
      noun="brand"
      id={id}
      answer={answer}
      subjectOf={brandSubject}
      title="Brand"
      home={href('brands')}
      homeTitle="all brands"
      aside={
        brand && (
          <>
            <Pill tone={brand.status === 'active' ? 'green' : 'grey'}>{brand.status === 'active' ? 'Active' : 'Inactive'}</Pill>
            <PaneLink
              to={href('brand', { id, filter: 'none' })}
              className="rounded-sm text-accent-ink underline underline-offset-2"
            >
              Brand info
            </PaneLink>
          </>
        )
      }
      actions={(subject) => <CommandButton id="brand.newService" subjects={[subject]} variant="primary" />}
      counts={{ categories: brand?.categories.length, services: brand?.services_count, users: brand?.users_count ?? undefined }}
    >
      {(shown) =>
        !shown ? (
          <TabSkeleton tab={tab} />
        ) : tab === 'categories' ? (
          <Categories brand={shown} />
        ) : tab === 'services' ? (
          <BrandServices brand={shown} />
        ) : tab === 'users' ? (
          <BrandUsers brand={shown} />
        ) : (
          <Details brand={shown} />
        )
      }
    </RecordFrame>
  )
}

const edit = editsOf('brand', brandFields)

const rowsOf = (brand: Brand): EditRow<Brand>[] => [
  { id: 'name', label: brandFields.name.label, shown: <bdi>{brand.name}</bdi>, edit: edit('name') },
  {
    id: 'status',
    label: brandFields.status.label,
    shown: brand.status === 'active' ? 'Active' : 'Inactive',
    edit: edit('status'),
  },
  { id: 'start', label: brandFields.start_dt.label, shown: shortDate(brand.start_dt), edit: edit('start_dt') },
  { id: 'end', label: brandFields.end_dt.label, shown: brand.end_dt ? shortDate(brand.end_dt) : '', edit: edit('end_dt') },
  {
    id: 'categories',
    label: 'Categories',
    shown: brand.categories.map(({ name }) => name).join(', '),
    to: href('brandEditor', { id: brand.id }, { tab: 'categories' }),
  },
  {
    id: 'services',
    label: 'Services',
    shown: count(brand.services_count),
    to: href('brandEditor', { id: brand.id }, { tab: 'services' }),
  },
  {
    id: 'users',
    label: 'Users',
    shown: count(brand.users_count ?? 0),
    to: href('brandEditor', { id: brand.id }, { tab: 'users' }),
  },
]

function Details({ brand }: { brand: Brand }) {
  const today = useToday()
  // The API limits a period to ten years.
  const start = today && [brand.start_dt, addDays(today, -3650)].toSorted().at(-1)
  const counts = useCall(
    'visit.counts',
    today && start && start <= today ? { bid: brand.id, date: 'custom', start, end: today } : null,
  ).data?.data
  const last = brand.children
    .flatMap(({ last_visit_at }) => last_visit_at ?? [])
    .toSorted()
    .at(-1)
  return (
    <>
      <div className="px-4 py-4">
        <Figures
          label="Totals"
          figures={[
            ['Venues', brand.venues_count],
            ['Visits', counts?.total ?? '–'],
            ['First visit', counts?.start_date ? shortDate(counts.start_date) : '–'],
            ['Last visit', momentDay(last)],
          ]}
        />
      </div>
      <EditRows label="Brand" record={brand} rows={rowsOf(brand)} />
      <BrandHistory brand={brand} />
    </>
  )
}

/** The history of the brand or of one of its services. */
function BrandHistory({ brand }: { brand: Brand }) {
  const { query, setQuery } = usePane()
  const service = brand.children.find(({ id }) => id === idIn(query.history))
  const ofBrand = useCall('brand.history', service ? null : { id: brand.id })
  const ofService = useCall('service.history', service ? { id: service.id } : null)
  return (
    <div className="pb-8">
      {brand.children.length > 0 && (
        <div className="mt-6 max-w-xs px-4">
          <Field label="History of">
            <Select
              value={service ? String(service.id) : 'brand'}
              onChange={(value) => setQuery({ history: value === 'brand' ? undefined : value })}
              options={[
                { value: 'brand', label: brand.name },
                ...brand.children.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          </Field>
        </div>
      )}
      <RecordHistory answer={service ? ofService : ofBrand} />
    </div>
  )
}

function Categories({ brand }: { brand: Brand }) {
  const answer = useCall('category.ofBrand', { brand_id: brand.id })
  return <CategoryPicker answer={answer} of={{ brand_id: brand.id }} />
}

const NewBrand = newPane({
  noun: 'brand',
  fields: newBrandFields,
  of: null,
  useSpecial: () => ({
    form: { saved: ({ data }) => ({ leads: href('brandEditor', { id: data.id }) }) },
    send: 'Add brand',
    sections: [
      { id: 'brand', title: 'Brand', fields: ['name'] },
      { id: 'dates', title: 'Dates', fields: ['start_dt', 'end_dt'] },
    ],
  }),
}).default
