import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { civilToday, daysBetween } from '../../../contract/pacing.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { readDate } from '../../ui/DateInput.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { TextArea } from '../../ui/TextInput.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import {
  type DatedDraft,
  DatedFields,
  datedInput,
  FileField,
  fieldOfOccasion,
  filesOf,
  isoOf,
  OccasionAside,
} from './Occasion.tsx'

type Promo = Output<'promo.get'>['data']
interface PromoDraft extends DatedDraft {
  information: string
}
const LABELS = {
  name: 'Name',
  start_date: 'Start date',
  end_date: 'End date',
  location: 'Location',
  address: 'Address',
  information: 'Information',
  files: 'Picture',
} as const

/** Keeps a promotion right: the older face of an activity (screens-projects.md, Update Promo). */
export default function PromoPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { data, error, retry } = useCall('promo.get', { id }, { fresh: true })
  if (error && !data)
    return (
      <RecordTrouble error={error} retry={retry} what={`Activity ${id}`} home={href('activities')} homeTitle="all activities" />
    )
  return data ? <PromoForm promo={data.data} /> : <Skeleton rows={8} />
}

function PromoForm({ promo }: { promo: Promo }) {
  const { id } = promo
  const initial = useMemo<PromoDraft>(
    () => ({
      name: promo.name,
      start_date: isoOf(promo.start_date),
      end_date: isoOf(promo.end_date),
      location: promo.location,
      address: promo.address,
      information: promo.information,
      files: filesOf(promo.file),
    }),
    [promo],
  )
  const rules = useMemo<FormRules<PromoDraft>>(
    () => ({
      schema: async () => (await import('../../../contract/occasion.ts')).PromoInput,
      input: (values) => ({ ...datedInput(id, values), information: values.information }),
      fieldOf: fieldOfOccasion,
    }),
    [id],
  )
  const form = useRecordForm<PromoDraft>({
    form: 'promo.edit',
    record: id,
    initial,
    lock: promo.lock_version,
    labels: LABELS,
    rules,
    noun: 'promotion',
    files: 'files',
    async save({ patch, lock, attempt, values }) {
      const { data, message } = await api.write('promo.edit', { id, ...patch, lock_version: lock }, { attempt })
      const leads = href('activity', { id }, { tab: 'details' })
      return { title: message, name: values.name, leads, lock: data.lock_version }
    },
  })
  const runs = runsFor(form.values.start_date, form.values.end_date)
  return (
    <RecordForm
      form={form}
      title={`Promotion: ${promo.name}`}
      aside={<OccasionAside record={promo} />}
      sections={[
        {
          id: 'promo',
          title: 'Promotion',
          ...(runs ? { hint: runs } : {}),
          fields: ['name', 'start_date', 'end_date', 'location', 'address', 'information'],
          children: (
            <>
              <DatedFields form={form} />
              <FormField control={form.control} name="information" label="Information" wide>
                {(bound) => <TextArea {...bound} rows={4} maxLength={10_000} />}
              </FormField>
            </>
          ),
        },
        {
          id: 'picture',
          title: 'Picture',
          fields: ['files'],
          children: <FileField form={form} label="Picture" stored={promo.file} />,
        },
      ]}
    />
  )
}

/** "Runs 14 days, ends in 3"; empty without both dates. */
export function runsFor(start: string, end: string, today = civilToday('America/New_York')): string {
  const [from, to] = [readDate(start), readDate(end)]
  if (!from || !to || from > to) return ''
  const days = daysBetween(from, to) + 1
  const runs = `${days === 1 ? '1 day' : `${days} days`}`
  const left = daysBetween(today, to)
  if (left < 0) return `Ran ${runs}, ended ${left === -1 ? 'yesterday' : `${-left} days ago`}`
  if (from > today) return `Runs ${runs}, starts in ${daysBetween(today, from)}`
  return `Runs ${runs}, ends ${left === 0 ? 'today' : `in ${left}`}`
}
