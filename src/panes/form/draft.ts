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

/** A request form's values: text as typed, choices as selected. */
export interface Draft {
  client_id: string
  company: string
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
  /** The end that was last filled in by itself; as long as it is this one, the end follows the start. */
  followed: string
  /** Fields with a default that somebody has looked at, for the form that asks question by question. */
  seen: string[]
}
export type Field = Exclude<keyof Draft, 'followed' | 'seen'>

/** An empty form, targeting adults: 18+ is the default (decisions.md 9). */
export const emptyDraft = (client_id: string): Draft => ({
  client_id,
  company: '',
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
  followed: '',
  seen: [],
})

/** Returns a form's default end for a start, or an empty string while the start isn't a date. */
export const endOf = (start: string, form: 'newer' | 'older'): string => {
  const day = readDate(start)
  return day ? defaultEnd(day, form) : ''
}

/** Tells whether anything was filled in; what was only looked at doesn't count. */
export const differs = (draft: Draft, empty: Draft): boolean =>
  JSON.stringify({ ...draft, seen: [] }) !== JSON.stringify({ ...empty, seen: [] })

/** Photo and video activities need an action; others must have none (projects-area 9). */
export const needsAction = (type: string): boolean => type === 'photo' || type === 'video'

/** Builds the call's input: omits blanks, so rules say "required", and drops fields of other activity types. */
export function toInput(draft: Draft): Record<string, unknown> {
  const { file_ids, targeted_locations, company: _, followed: _followed, seen: _seen, ...rest } = draft
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

/** A field that the progress counts. */
export interface Counted {
  label: string
  field: Field
  done: boolean
}

/** Returns the seven fields that the progress counts, and whether each is filled (decisions.md 8). */
export function progressOf(draft: Draft): readonly Counted[] {
  return [
    { label: 'Name', field: 'name', done: draft.name.trim() !== '' },
    { label: 'Goal', field: 'goal', done: Number(draft.goal) > 0 },
    { label: 'Start', field: 'start_dt', done: readDate(draft.start_dt) !== null },
    { label: 'End', field: 'end_dt', done: readDate(draft.end_dt) !== null },
    { label: 'Age', field: 'age', done: draft.age.length > 0 },
    { label: 'Gender', field: 'gender', done: draft.gender.length > 0 },
    {
      label: 'Location',
      field: 'location_based',
      done: draft.location_based === 'yes' || (draft.location_based === 'no' && draft.targeted_locations.length > 0),
    },
  ]
}

/** A form's drafts in this browser, one for each user; they outlast a reload and a sign-out. */
export interface Drafts {
  /** Returns a user's draft, or null when there is none or it can't be read. */
  read(person: number, empty: Draft): Draft | null
  /** Stores a draft, or deletes it when null. */
  keep(person: number, draft: Draft | null): void
  /** Returns the draft's attempt id; it survives a reload, so a request already sent isn't created twice. */
  attempt(person: number): string
}

const draftsOf = (form: string): Drafts => {
  const keptAs = (person: number) => `fieldwork.${form}.${person}`
  const attemptAs = (person: number) => `${keptAs(person)}.attempt`
  /** Where the browser keeps nothing, a draft lasts until the page closes. */
  const unkept = new Map<number, Draft>()
  return {
    read(person, empty) {
      const kept = browserStore.get(keptAs(person)) ?? unkept.get(person)
      if (!kept || typeof kept !== 'object') return null
      const fields = Object.entries(empty).map(([name, otherwise]) => {
        const value = (kept as Record<string, unknown>)[name]
        return [name, Array.isArray(value) === Array.isArray(otherwise) && typeof value === typeof otherwise ? value : otherwise]
      })
      return Object.fromEntries(fields) as Draft
    },
    keep(person, draft) {
      browserStore.set(keptAs(person), draft)
      if (draft && browserStore.text(keptAs(person)) === null) unkept.set(person, draft)
      else unkept.delete(person)
      if (!draft) browserStore.setText(attemptAs(person), null)
    },
    attempt(person) {
      const kept = browserStore.text(attemptAs(person)) ?? newAttempt()
      browserStore.setText(attemptAs(person), kept)
      return kept
    },
  }
}

/** The newer form's drafts. */
export const newerDrafts = draftsOf('request')
/** The older forms' drafts: both show the same one, so that changing between them loses nothing. */
export const olderDrafts = draftsOf('older-request')
