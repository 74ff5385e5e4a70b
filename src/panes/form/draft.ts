import { defaultEnd } from '../../../contract/pacing.ts'
import { ADULT_AGES } from '../../../contract/vocabulary.ts'
import { newAttempt } from '../../data/api.ts'
import { browserStore } from '../../data/browserStore.ts'
import { readDate } from '../../ui/DateInput.tsx'

/** A file already on the server. */
export interface KeptFile {
  id: number
  name: string
  bytes: number
}

/** The request form's values: text as typed, choices as selected. */
export interface Draft {
  client_id: string
  parent_id: string
  name: string
  goal: string
  start_dt: string
  end_dt: string
  loi_minutes: string
  incidence: string
  description: string
  requirements: string
  activity_type: string
  action_type: string
  social_type: string
  social_text: string
  social_link: string
  url: string
  age: number[]
  gender: string[]
  hhi: number[]
  ethnicity: string[]
  marital_status: string[]
  children: number[]
  location_based: string
  targeted_locations: string[]
  partner_id: string
  reward_amount_cents: string
  file_ids: KeptFile[]
}
export type Field = keyof Draft

/** An empty form, targeting adults: 18+ is the default (decisions.md 9). */
export const emptyDraft = (client_id: string): Draft => ({
  client_id,
  parent_id: '',
  name: '',
  goal: '',
  start_dt: '',
  end_dt: '',
  loi_minutes: '',
  incidence: '',
  description: '',
  requirements: '',
  activity_type: 'survey',
  action_type: '',
  social_type: '',
  social_text: '',
  social_link: '',
  url: '',
  age: [...ADULT_AGES],
  gender: [],
  hhi: [],
  ethnicity: [],
  marital_status: [],
  children: [],
  location_based: '',
  targeted_locations: [],
  partner_id: '',
  reward_amount_cents: '',
  file_ids: [],
})

/** Returns the default end for a start, or an empty string while the start isn't a date. */
export const endOf = (start: string): string => (readDate(start) ? defaultEnd(readDate(start)!) : '')

/** Photo and video activities need an action; others must have none (projects-area 9). */
export const needsAction = (type: string): boolean => type === 'photo' || type === 'video'

/** Builds the call's input: omits blanks, so rules say "required", and drops fields of other activity types. */
export function toInput(draft: Draft): Record<string, unknown> {
  const { file_ids, targeted_locations, ...rest } = draft
  const social = draft.activity_type === 'social'
  const input: Record<string, unknown> = {
    ...rest,
    action_type: needsAction(draft.activity_type) ? draft.action_type : 'nothing',
    ...(social ? {} : { social_type: '', social_text: '', social_link: '' }),
    targeted_locations: draft.location_based === 'no' ? targeted_locations : [],
    reward_amount_cents: draft.partner_id === '600' ? draft.reward_amount_cents : '',
    file_ids: file_ids.map((file) => file.id),
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''))
}

/** Returns the seven fields the form's progress counts, and whether each is filled (decisions.md 8). */
export function progressOf(draft: Draft): readonly { label: string; field: Field; done: boolean }[] {
  return [
    { label: 'name', field: 'name', done: draft.name.trim() !== '' },
    { label: 'goal', field: 'goal', done: Number(draft.goal) > 0 },
    { label: 'start', field: 'start_dt', done: readDate(draft.start_dt) !== null },
    { label: 'end', field: 'end_dt', done: readDate(draft.end_dt) !== null },
    { label: 'age', field: 'age', done: draft.age.length > 0 },
    { label: 'gender', field: 'gender', done: draft.gender.length > 0 },
    {
      label: 'location',
      field: 'location_based',
      done: draft.location_based === 'yes' || (draft.location_based === 'no' && draft.targeted_locations.length > 0),
    },
  ]
}

const keptAs = (person: number) => `fieldwork.request.${person}`

/** Returns the draft this browser keeps for a user, or null when there is none or it can't be read. */
export function readDraft(person: number, empty: Draft): Draft | null {
  const kept = browserStore.get(keptAs(person))
  if (!kept || typeof kept !== 'object') return null
  const fields = Object.entries(empty).map(([name, otherwise]) => {
    const value = (kept as Record<string, unknown>)[name]
    return [name, Array.isArray(value) === Array.isArray(otherwise) && typeof value === typeof otherwise ? value : otherwise]
  })
  return Object.fromEntries(fields) as Draft
}

const attemptAs = (person: number) => `${keptAs(person)}.attempt`

/** Returns the draft's attempt id; it survives a reload, so a request already sent isn't created twice. */
export function draftAttempt(person: number): string {
  const kept = browserStore.text(attemptAs(person)) ?? newAttempt()
  browserStore.setText(attemptAs(person), kept)
  return kept
}

/** Stores a draft, or deletes it when null. */
export function keepDraft(person: number, draft: Draft | null): void {
  browserStore.set(keptAs(person), draft)
  if (!draft) browserStore.setText(attemptAs(person), null)
}
