import { defaultEnd } from '../../../contract/pacing.ts'
import { ADULT_AGES } from '../../../contract/vocabulary.ts'
import { newAttempt } from '../../data/api.ts'
import { browserStore } from '../../data/browserStore.ts'
import { readDate } from '../../ui/DateInput.tsx'

/** A file that is on the server already. */
export interface KeptFile {
  id: number
  name: string
  bytes: number
}

/** The request form as it is filled in: texts as they are typed, choices as they are ticked. */
export interface Draft {
  client_id: string
  parent_id: string
  name: string
  goal: string
  start_dt: string
  end_dt: string
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

/** An empty form: a survey among adults (decisions.md 9: the default is 18+). */
export const emptyDraft = (client_id: string): Draft => ({
  client_id,
  parent_id: '',
  name: '',
  goal: '',
  start_dt: '',
  end_dt: '',
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

/** The end that a start leads to; empty where it is no date yet. */
export const endOf = (start: string): string => (readDate(start) ? defaultEnd(readDate(start)!) : '')

/** The photo and video types need an action; the others are forced to nothing (projects-area 9). */
export const needsAction = (type: string): boolean => type === 'photo' || type === 'video'

/** What is sent: blanks left out, so that the rules say "required", and what belongs to another type dropped. */
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

/** The seven fields that the form's progress counts (decisions.md 8): which of them are filled. */
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

/** The draft that this browser keeps for a person, if it can be read. */
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

/** The one sending of the draft that is kept: the same after a reload, so that a request which had left already is not made twice. */
export function draftAttempt(person: number): string {
  const kept = browserStore.text(attemptAs(person)) ?? newAttempt()
  browserStore.setText(attemptAs(person), kept)
  return kept
}

/** Keeps a draft, or forgets it with null. */
export function keepDraft(person: number, draft: Draft | null): void {
  browserStore.set(keptAs(person), draft)
  if (!draft) browserStore.setText(attemptAs(person), null)
}
