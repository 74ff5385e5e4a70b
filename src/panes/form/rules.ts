import type { FieldErrors, Resolver } from 'react-hook-form'
import { MESSAGES } from '../../../contract/messages.ts'
import { showDate } from '../../ui/DateInput.tsx'
import { type Draft, type Field, toInput } from './draft.ts'

/** The fields' labels, in the form and in its messages. */
export const LABELS: Readonly<Record<Field, string>> = {
  client_id: 'Client',
  parent_id: 'Parent project',
  name: 'Project name',
  goal: 'Goal',
  start_dt: 'Start date',
  end_dt: 'End date',
  loi_minutes: 'Length of interview',
  incidence: 'Incidence',
  description: 'Description',
  requirements: 'Requirements',
  activity_type: 'Activity type',
  action_type: 'Action type',
  social_type: 'Social type',
  social_text: 'Social text',
  social_link: 'Social link',
  url: 'Survey URL',
  age: 'Age',
  gender: 'Gender',
  hhi: 'Household income',
  ethnicity: 'Ethnicity',
  marital_status: 'Marital status',
  children: 'Children in the household',
  location_based: 'Location based',
  targeted_locations: 'Target markets',
  partner_id: 'Reward provider',
  reward_amount_cents: 'Reward amount',
  file_ids: 'Files',
}
const BLANK: Partial<Record<Field, string>> = {
  start_dt: MESSAGES.projectStart,
  age: MESSAGES.oneAge,
  gender: MESSAGES.oneGender,
}

/** Replaces the wire name in a rule's message with the field's label. */
export function sentenceOf(field: string, message: string): string {
  const label = LABELS[field as Field] ?? field
  if (/^Invalid input/.test(message)) return BLANK[field as Field] ?? `${label} is required`
  if (/^(is|has|must|needs)\b/.test(message)) return `${label} ${message}`
  return message.startsWith(field) ? label + message.slice(field.length) : message
}

let loading: Promise<typeof import('../../../contract/request.ts')> | null = null
/** Loads the rules when a form opens, which keeps zod out of the first load. */
export const loadRules = () => (loading ??= import('./noEval.ts').then(() => import('../../../contract/request.ts')))

/** Applies the server's rules to the request form, and the parent's start, which only its record holds. */
export const requestResolver =
  (parentStart: () => string | null): Resolver<Draft> =>
  async (draft) => {
    const { RequestInput } = await loadRules()
    const read = RequestInput.safeParse(toInput(draft))
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of read.error?.issues ?? []) {
      const field = String(issue.path[0] ?? '')
      errors[field] ??= { type: 'rule', message: sentenceOf(field, issue.message) }
    }
    const start = parentStart()
    if (start && draft.start_dt && draft.start_dt < start)
      errors.start_dt ??= { type: 'parent', message: MESSAGES.startBeforeParent(showDate(start)) }
    return Object.keys(errors).length ? { values: {}, errors: errors as FieldErrors<Draft> } : { values: draft, errors: {} }
  }
