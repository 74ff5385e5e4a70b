import { useMemo, useState } from 'react'
import { counted } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { api } from '../../data/apiClient.ts'
import { everyClientUser } from '../../data/clientUsers.ts'
import { useCall, useRead } from '../../data/useCall.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RecordPicker } from '../shared/RecordPicker.tsx'
import { Venues } from './Venues.tsx'
import type { Venue } from './venueFile.ts'
import { type Brand, brandSubject } from './visitation.tsx'

interface Values {
  brand_id: number
  service_name: string
  category: string
  s3_bucket: string
  start_date: string
  end_date: string
  ordered: string
  user_ids: number[]
  venues: Venue[]
}
const LABELS: Readonly<Record<keyof Values, string>> = {
  service_name: 'Service name',
  category: 'Category',
  s3_bucket: 'S3 bucket',
  start_date: 'Start',
  end_date: 'End',
  ordered: 'Ordered',
  user_ids: 'Users',
  venues: 'Venues',
  brand_id: 'Brand',
}
const RULES: FormRules<Values> = {
  schema: async () => (await import('../../../contract/service.ts')).serviceCalls['service.create'].input,
  input: ({ category, end_date, ordered, ...values }) => ({
    ...values,
    ...(category ? { category: Number(category) } : {}),
    ...(end_date ? { end_date } : {}),
    ordered: ordered.trim() || 0,
  }),
  words: (path, message) =>
    path === 'start_date' ? MESSAGES.serviceStart : path === 'category' ? MESSAGES.serviceCategory : message,
  also: ({ start_date, end_date }) => (end_date && end_date < start_date ? { end_date: MESSAGES.startBeforeEnd } : {}),
}

/** Adds a service to a brand (screens-visitation.md, New service). */
export default function NewServicePane({ params }: PaneProps) {
  const id = Number(params.id)
  const { data, error, retry } = useCall('brand.get', { id }, { fresh: true })
  const brand = data?.data
  const today = useToday()
  usePaneSubject(useMemo(() => (brand ? brandSubject(brand) : null), [brand]))
  if (error && !brand)
    return <RecordError error={error} retry={retry} what={`Brand ${id}`} home={href('brands')} homeTitle="all brands" />
  if (!brand || !today) return <FormSkeleton />
  return <NewService key={brand.id} brand={brand} today={today} />
}

function NewService({ brand, today }: { brand: Brand; today: string }) {
  const [initial] = useState<Values>(() => ({
    brand_id: brand.id,
    service_name: '',
    category: brand.categories.length === 1 ? String(brand.categories[0]!.id) : '',
    s3_bucket: '',
    start_date: today,
    end_date: '',
    ordered: '',
    user_ids: [],
    venues: [],
  }))
  const categories = useCall('category.list', {}).data?.data
  const dmas = useCall('dma.list', {}).data?.dmas
  const areas = useMemo(() => dmas && new Set(dmas.map(({ dma_code }) => dma_code)), [dmas])
  const users = useRead(['user.list', { role: 'client', all: true }], () => everyClientUser(api))
  const people = useMemo(
    () =>
      users.data?.map((user) => ({
        id: user.id,
        name: user.name || user.email,
        detail: user.company_name,
        note: user.email,
      })),
    [users.data],
  )
  const options = useMemo(() => {
    const own = new Set(brand.categories.map((one) => one.id))
    const all = (categories ?? []).map((one) => ({
      value: String(one.id),
      label: own.has(one.id) ? `${one.name} · ${brand.name}’s` : one.name,
      own: own.has(one.id),
    }))
    return all.toSorted((a, b) => Number(b.own) - Number(a.own))
  }, [categories, brand])
  const form = useRecordForm<Values>({
    form: 'service.new',
    record: brand.id,
    initial,
    labels: LABELS,
    rules: RULES,
    noun: 'service',
    another: ({ category, start_date, end_date }) => ({ ...initial, category, start_date, end_date }),
    async save({ input, attempt }) {
      const { data, job_id } = await api.write('service.create', input as never, { attempt })
      if (job_id) workspace.follow(job_id, `The venues of ${data.name} were added`)
      return {
        title: 'Service created',
        name: job_id ? `${data.name}. Its ${counted(data.venues_coming, 'venue')} are being added.` : data.name,
        leads: href('brandEditor', { id: brand.id }, { tab: 'services', query: { at: data.id } }),
      }
    },
  })
  const { control } = form
  return (
    <RecordForm
      form={form}
      title="New service"
      aside={
        <p className="mt-0.5 text-meta text-muted">
          Brand{' '}
          <PaneLink to={href('brandEditor', { id: brand.id }, { tab: 'services' })} className="underline">
            <bdi>{brand.name}</bdi>
          </PaneLink>
        </p>
      }
      send="Create service"
      another="Add another"
      sections={[
        {
          id: 'service',
          title: 'Service',
          fields: ['service_name', 'category', 's3_bucket'],
          children: (
            <>
              <FormField control={control} name="service_name" label={LABELS.service_name} required>
                {(bound) => <TextInput {...bound} autoComplete="off" maxLength={120} />}
              </FormField>
              <FormField control={control} name="category" label={LABELS.category} required>
                {(bound) => <Select {...bound} placeholder="Choose a category" options={options} />}
              </FormField>
              <FormField
                control={control}
                name="s3_bucket"
                label={LABELS.s3_bucket}
                hint="Where its visit files come from; kept as a note, not fetched"
                wide
              >
                {(bound) => <TextInput {...bound} autoComplete="off" placeholder="s3://bucket/path" className="font-mono" />}
              </FormField>
            </>
          ),
        },
        {
          id: 'term',
          title: 'Dates',
          fields: ['start_date', 'end_date', 'ordered'],
          children: (
            <>
              <FormField control={control} name="start_date" label={LABELS.start_date} required>
                {(bound) => <DateInput {...bound} />}
              </FormField>
              <FormField control={control} name="end_date" label={LABELS.end_date} hint="Leave empty for an open end">
                {(bound) => <DateInput {...bound} />}
              </FormField>
              <FormField
                control={control}
                name="ordered"
                label={LABELS.ordered}
                hint="Visits expected between these dates; 0 for none"
              >
                {(bound) => <TextInput {...bound} autoComplete="off" inputMode="numeric" />}
              </FormField>
            </>
          ),
        },
        {
          id: 'venues',
          title: 'Venues',
          fields: ['venues'],
          hint: 'Optional, up to 50,000 from a file. Venues are also added with their first visits.',
          children: (
            <FormField control={control} name="venues" label={LABELS.venues} group wide>
              {(bound) => <Venues value={bound.value} onChange={bound.onChange} areas={areas} />}
            </FormField>
          ),
        },
        {
          id: 'users',
          title: 'Users',
          fields: ['user_ids'],
          hint: 'Client users who see the service immediately.',
          children: (
            <FormField control={control} name="user_ids" label={LABELS.user_ids} group wide>
              {(bound) => (
                <RecordPicker
                  options={people}
                  error={users.error}
                  retry={users.retry}
                  what="The users"
                  words={['user', 'users']}
                  value={bound.value}
                  onChange={bound.onChange}
                  none="There are no client users yet."
                />
              )}
            </FormField>
          ),
        },
      ]}
    />
  )
}
