import { useEffect } from 'react'
import { count, shortDate } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { addDays } from '../../../contract/pacing.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { DateInput } from '../../ui/DateInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Select } from '../../ui/Select.tsx'
import { TabSkeleton } from '../../ui/Skeletons.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { CategoryPicker } from '../shared/CategoryPicker.tsx'
import { type EditRow, EditRows } from '../shared/EditRows.tsx'
import { Figures } from '../shared/Figures.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { momentDay } from '../shared/momentDay.ts'
import { RecordFrame } from '../shared/RecordFrame.tsx'
import { RecordHistory } from '../shared/RecordHistory.tsx'
import { BrandServices } from './BrandServices.tsx'
import { BrandUsers } from './BrandUsers.tsx'
import { type Brand, brandSubject, idIn, STATUS_SELECT } from './visitation.tsx'

/** Edits a brand with its categories, services and users; id 0 creates one (screens-visitation.md, Brand editor). */
export default function BrandEditorPane({ params, tab }: PaneProps) {
  const id = Number(params.id)
  return id === 0 ? <NewBrand /> : <BrandEditor key={id} id={id} tab={tab} />
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

type Change = { name?: string; start_dt?: string; end_dt?: string; status?: 'active' | 'inactive' }
const saved = async (row: Brand, change: Change) =>
  (await api.write('brand.edit', { id: row.id, ...change, lock_version: row.lock_version })).data

const rowsOf = (brand: Brand): EditRow<Brand>[] => [
  {
    id: 'name',
    label: 'Name',
    shown: <bdi>{brand.name}</bdi>,
    edit: {
      value: (row) => row.name,
      save(row, name) {
        if (!name.trim()) throw new Error(MESSAGES.brandName)
        return saved(row, { name: name.trim() })
      },
    },
  },
  {
    id: 'status',
    label: 'Status',
    shown: brand.status === 'active' ? 'Active' : 'Inactive',
    edit: {
      kind: 'select',
      options: STATUS_SELECT,
      value: (row) => row.status,
      save: (row, status) => saved(row, { status: status as Brand['status'] }),
    },
  },
  {
    id: 'start',
    label: 'Start',
    shown: shortDate(brand.start_dt),
    edit: {
      kind: 'date',
      value: (row) => row.start_dt,
      save(row, start_dt) {
        if (row.end_dt && start_dt > row.end_dt) throw new Error(MESSAGES.startBeforeEnd)
        return saved(row, { start_dt })
      },
    },
  },
  {
    id: 'end',
    label: 'End',
    shown: brand.end_dt ? shortDate(brand.end_dt) : '',
    edit: {
      kind: 'date',
      value: (row) => row.end_dt ?? '',
      save(row, end_dt) {
        if (end_dt && end_dt < row.start_dt) throw new Error(MESSAGES.startBeforeEnd)
        return saved(row, { end_dt })
      },
    },
  },
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

const EMPTY = { name: '', start_dt: '', end_dt: '' }

function NewBrand() {
  const { setDirty, go } = usePane()
  const keys = useKeys()
  const { bind, errors, busy, serverError, form, reset, dirty } = useSmallForm({
    initial: EMPTY,
    check: ({ name, start_dt, end_dt }): Partial<typeof EMPTY> => ({
      ...(name.trim() ? {} : { name: MESSAGES.brandName }),
      ...(start_dt && end_dt && end_dt < start_dt ? { end_dt: MESSAGES.startBeforeEnd } : {}),
    }),
    async send({ name, start_dt, end_dt }, attempt, waits) {
      const dates = { ...(start_dt ? { start_dt } : {}), ...(end_dt ? { end_dt } : {}) }
      const { data } = await api.write('brand.create', { name: name.trim(), ...dates }, { attempt })
      reset(EMPTY)
      setDirty(false)
      const leads = () => go(href('brandEditor', { id: data.id }))
      void toast(`Brand “${data.name}” added`, { tone: 'good', ...(waits() ? {} : { action: { label: 'Open', run: leads } }) })
      if (waits()) leads()
    },
  })
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  return (
    <div className="@container max-w-xl px-4 pt-3 pb-8">
      <h1 className="text-title">New brand</h1>
      <form {...form} data-fill-in="" aria-label="New brand" className="mt-4 flex flex-col gap-4">
        <Field
          label="Brand name"
          required
          error={errors.name ?? null}
          hint="Services, categories and users follow in its editor."
        >
          <TextInput {...bind('name')} autoComplete="off" maxLength={120} />
        </Field>
        <div className="grid gap-4 @md:grid-cols-2">
          <Field label="Start" error={errors.start_dt ?? null} hint="Defaults to today">
            <DateInput {...bind('start_dt')} />
          </Field>
          <Field label="End" error={errors.end_dt ?? null} hint="Leave empty for an open end">
            <DateInput {...bind('end_dt')} />
          </Field>
        </div>
        {serverError && <AnswerError title="The brand couldn’t be added" error={serverError} className="px-0 py-0" />}
        <Button type="submit" variant="primary" busy={busy} kbd={keys('form.send') ?? undefined} className="self-start">
          Add brand
        </Button>
      </form>
    </div>
  )
}
