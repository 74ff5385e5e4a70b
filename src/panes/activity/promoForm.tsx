import { readDate } from '../../../contract/dates.ts'
import { promoFields } from '../../../contract/occasionFields.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import { PICTURES } from '../../../contract/vocabulary.ts'
import { displayToday } from '../../ui/displayZone.ts'
import { type EditForm, editPane } from '../shared/form/declaredForm.tsx'
import { OccasionAside, PictureControl } from './Occasion.tsx'

/** A promotion, the older representation of an activity (screens-projects.md, Update Promo). */
const form: EditForm<'promo', typeof promoFields> = {
  noun: 'promo',
  fields: promoFields,
  useSpecial: (promo) => ({
    title: `Promotion: ${promo.name}`,
    aside: <OccasionAside record={promo} />,
    useDrawn(drawn) {
      const runs = runsFor(drawn.values.start_date, drawn.values.end_date, displayToday())
      return {
        controls: {
          file_id: ({ value }) => <PictureControl form={drawn} types={PICTURES} stored={promo.file} files={value} />,
        },
        sections: [
          {
            ...{ id: 'face', title: 'Promotion', ...(runs ? { hint: runs } : {}) },
            fields: ['name', 'start_date', 'end_date', 'location', 'address', 'information'],
          },
          { id: 'picture', title: 'Picture', fields: ['file_id'] },
        ],
      }
    },
  }),
}
export const pane = editPane(form)

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
