import { activityFields } from '../../../contract/activityFields.ts'
import type { Fields } from '../../../contract/fieldKinds.ts'
import { fileFields } from '../../../contract/fileFields.ts'
import { count, dollars, shortDate } from '../../../contract/format.ts'
import { noteFields } from '../../../contract/noteFields.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { SPELLING, STATUSES, type Status } from '../../../contract/status.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { targetFields } from '../../../contract/targetFields.ts'
import {
  AGES,
  agesOf,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  PROVIDERS,
  type Term,
} from '../../../contract/vocabulary.ts'
import { dayOf } from '../../ui/displayZone.ts'

/** Stored values that nobody fills in as a field. */
const NAMES: Readonly<Record<string, string>> = {
  cost_cents: 'cost',
  quote_valid_until: 'quote valid until',
  quote_round: 'quote round',
  went_live_at: 'went live',
  requested_by: 'requested by',
  cost_notification: 'cost emails sent',
  partner_shares: 'partners',
  po_number: 'PO number',
  partner_requirements: 'requirements for partners',
  partner_shows_survey: 'survey link for partners',
  partner_files: 'files for partners',
  partner_message: 'message to partners',
  partner_why: 'reason of the round',
  partner_entry_url: 'entry link',
}
/** Fields of the records whose changes a project's history has. */
const TABLES: Readonly<Record<string, Fields>> = {
  project: projectFields,
  activity: activityFields,
  target: targetFields,
  survey: surveyFields,
  file: fileFields,
  note: noteFields,
  reward: rewardFields,
}
/** Labels within a sentence, by the column that holds the field. */
const LABELS = Object.fromEntries(
  Object.entries(TABLES).map(([subject, fields]) => [
    subject,
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [one.column ?? name, withinSentence(one.label)])),
  ]),
)
/** A label without its capital, unless all of its first word is in capitals: "survey URL", "ZIP". */
function withinSentence(label: string): string {
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label[0]!.toLowerCase() + label.slice(1)
}
const own = (of: Readonly<Record<string, string>> | undefined, name: string) =>
  of && Object.hasOwn(of, name) ? of[name] : undefined
/** Returns the display name of a stored field of a noun: a project's `end_dt` is "end date". */
export const fieldName = (subject: string, field: string): string =>
  own(LABELS[subject], field) ?? own(NAMES, field) ?? field.replace(/_/g, ' ')

/** The list fields of an audience, with their terms; null for market areas, which are too many to name. */
const LISTS: Readonly<Record<string, readonly Term[] | null>> = {
  age: AGES,
  gender: GENDERS,
  hhi: INCOMES,
  ethnicity: ETHNICITIES,
  marital_status: MARITAL,
  children: CHILDREN,
  targeted_locations: null,
}
/** Describes a list's change as "added 65+; removed 18 to 24"; null for other fields. */
export function listChange(field: string, before: unknown, after: unknown, generation: string): string | null {
  if (!Object.hasOwn(LISTS, field) || typeof after !== 'string') return null
  const terms = field === 'age' ? agesOf(generation) : LISTS[field]
  const [was, is] = [String(before ?? ''), after].map((list) => list.split(',').filter(Boolean)) as [string[], string[]]
  const phrase = (verb: string, values: readonly string[]) => {
    if (!values.length) return []
    if (!terms) return [`${verb} ${values.length === 1 ? '1 area' : `${count(values.length)} areas`}`]
    return [`${verb} ${values.map((value) => labelOf(terms, value, value)).join(', ')}`]
  }
  const words = [
    ...phrase(
      'added',
      is.filter((value) => !was.includes(value)),
    ),
    ...phrase(
      'removed',
      was.filter((value) => !is.includes(value)),
    ),
  ]
  return words.join('; ') || 'nothing'
}

/** Formats a stored value for display. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (field === 'status') return statusWords(value)
  if (/cents$/.test(field)) return dollars(Number(value))
  if (/_dt$|valid_until$|_at$/.test(field)) return shortDate(dayOf(String(value)))
  if (field === 'provider_id') return labelOf(PROVIDERS, value, String(value))
  if (typeof value === 'number') return /(^|_)id$|_by$/.test(field) ? String(value) : count(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length ? value.join(', ') : 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const WAITS: Partial<Record<Status, string>> = {
  requirements: 'requirements',
  pricing: 'pricing',
  submit_approval: 'awaiting approval',
}
/** Formats a status, and tells apart the three that are all shown as Pending (decisions.md 2). */
function statusWords(value: unknown): string {
  const status = STATUSES.find((one) => one === value)
  if (!status) return String(value)
  const { shown } = SPELLING[status]
  return WAITS[status] ? `${shown} (${WAITS[status]})` : shown
}
