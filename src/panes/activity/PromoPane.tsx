import type { Output } from '../../../contract/calls.ts'
import { readDate } from '../../../contract/dates.ts'
import { promoFields } from '../../../contract/occasionFields.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import { PICTURES } from '../../../contract/vocabulary.ts'
import { displayToday } from '../../ui/displayZone.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { OccasionAside, OccasionPane, PictureControl, useOccasionForm } from './Occasion.tsx'

type Promo = Output<'promo.get'>['data']
/** Edits a promotion, the older representation of an activity (screens-projects.md, Update Promo). */
export default function PromoPane({ params }: PaneProps) {
  return <OccasionPane occasion="promo" id={Number(params.id)} form={PromoForm} />
}

function PromoForm({ record }: { record: Promo }) {
  const form = useOccasionForm('promo', promoFields, record)
  const today = displayToday()
  const runs = runsFor(form.values.start_date, form.values.end_date, today)
  return (
    <FieldForm
      form={form}
      fields={promoFields}
      title={`Promotion: ${record.name}`}
      aside={<OccasionAside record={record} />}
      controls={{
        file_id: ({ value }) => <PictureControl form={form} types={PICTURES} stored={record.file} files={value} />,
      }}
      sections={[
        {
          ...{ id: 'face', title: 'Promotion', ...(runs ? { hint: runs } : {}) },
          fields: ['name', 'start_date', 'end_date', 'location', 'address', 'information'],
        },
        { id: 'picture', title: 'Picture', fields: ['file_id'] },
      ]}
    />
  )
}

const inDays = (days: number) => (days === 1 ? 'tomorrow' : `in ${days} days`)

/** Returns "Runs 14 days, ends in 3 days"; empty without both dates. */
export function runsFor(start: string, end: string, today: string): string {
  const [from, to] = [readDate(start), readDate(end)]
  if (!from || !to || from > to) return ''
  const days = daysBetween(from, to) + 1
  const runs = `${days === 1 ? '1 day' : `${days} days`}`
  const left = daysBetween(today, to)
  if (left < 0) return `Ran ${runs}, ended ${left === -1 ? 'yesterday' : `${-left} days ago`}`
  if (from > today) return `Runs ${runs}, starts ${inDays(daysBetween(today, from))}`
  return `Runs ${runs}, ends ${left === 0 ? 'today' : inDays(left)}`
}
