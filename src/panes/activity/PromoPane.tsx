import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { readDate } from '../../../contract/dates.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import { displayToday } from '../../ui/displayZone.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { DATED_LABELS, type DatedDraft, DatedForm, datedDraft, OccasionPane, useOccasionForm } from './Occasion.tsx'

type Promo = Output<'promo.get'>['data']
type PromoDraft = DatedDraft & { information: string }
const LABELS = { ...DATED_LABELS, information: 'Information', files: 'Picture' } as const

/** Edits a promotion, the older representation of an activity (screens-projects.md, Update Promo). */
export default function PromoPane({ params }: PaneProps) {
  return <OccasionPane occasion="promo" id={Number(params.id)} form={PromoForm} />
}

function PromoForm({ record }: { record: Promo }) {
  const draft = useMemo(() => ({ ...datedDraft(record), information: record.information }), [record])
  const form = useOccasionForm<PromoDraft>({
    occasion: 'promo',
    record,
    draft,
    labels: LABELS,
    noun: 'promotion',
    schema: async () => (await import('../../../contract/occasion.ts')).PromoInput,
  })
  const today = displayToday()
  const runs = runsFor(form.values.start_date, form.values.end_date, today)
  return (
    <DatedForm
      form={form}
      record={record}
      title="Promotion"
      {...(runs ? { hint: runs } : {})}
      about={{ field: 'information', label: LABELS.information }}
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
