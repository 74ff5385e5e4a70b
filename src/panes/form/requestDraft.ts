import { readDate } from '../../../contract/dates.ts'
import { textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { defaultEnd } from '../../../contract/pacing.ts'
import { newProjectFields, requestFields } from '../../../contract/requestFields.ts'
import { ADULT_AGES } from '../../../contract/vocabulary.ts'
import { draftsOf } from '../shared/form/drafts.ts'
import { type AudienceValues, noAudience } from './audienceValues.ts'

/** A request form's values: text as typed, choices as selected. */
export interface Draft extends AudienceValues, ValuesOf<typeof requestFields> {
  /** The last end filled in by default; while the end still equals it, the end follows the start. */
  followed: string
  /** Default answers that the user has seen, for the form with one question at a time. */
  seen: string[]
}
export type Field = Exclude<keyof Draft, 'followed' | 'seen'>

/** An empty form, targeting adults: 18+ is the default (decisions.md 9). */
export const emptyDraft = (client_id: string): Draft => ({
  ...textsOf(requestFields),
  client_id,
  ...noAudience(),
  age: [...ADULT_AGES],
  followed: '',
  seen: [],
})

/** Returns a form's default end for a start; empty while the start isn't a date. */
export const endOf = (start: string, form: 'newer' | 'older'): string => {
  const day = readDate(start)
  return day ? defaultEnd(day, form) : ''
}

/** True if anything was filled in; questions only looked at don't count. */
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

/** True if a new project's activity, audience and market are unfolded, and so are sent too. */
export const hasActivity = ({ seen }: Draft): boolean => seen.includes('activity')

/** Builds the input of a project without activities: omits blanks, so rules say "cannot be blank". */
export function toProject(draft: Draft): Record<string, unknown> {
  const names = Object.keys(newProjectFields) as (keyof typeof newProjectFields)[]
  const { company: _, url: survey_url, ...own } = Object.fromEntries(names.map((name) => [name, draft[name]]))
  const amount = draft.partner_id === '600' ? draft.reward_amount_cents || '500' : ''
  return Object.fromEntries(
    Object.entries({ ...own, survey_url, reward_amount_cents: amount }).filter(([, value]) => value !== ''),
  )
}

/** A field that counts toward progress. */
export interface Counted {
  label: string
  field: Field
  done: boolean
}

/** Returns the seven fields that count toward progress, and whether each is filled in (decisions.md 8). */
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

/** Returns the fields a request needs; its end may stay empty. */
export const neededOf = (draft: Draft): readonly Counted[] => [
  { label: 'Client', field: 'client_id', done: draft.client_id !== '' },
  ...progressOf(draft).filter(({ field }) => field !== 'end_dt'),
  draft.activity_type === 'survey'
    ? { label: 'Survey URL or file', field: 'url', done: draft.url.trim() !== '' || draft.file_ids.length > 0 }
    : { label: 'Files', field: 'file_ids', done: draft.file_ids.length > 0 },
]

/** Drafts of the new project form. */
export const projectDrafts = draftsOf<Draft>('new-project')
/** Drafts of the older form for creating a survey, one per campaign. */
export const surveyDrafts = (campaign?: number) => draftsOf<Draft>(campaign ? `create-survey.${campaign}` : 'create-survey')
/** Drafts of the newer request form. */
export const newerDrafts = draftsOf<Draft>('request')
/** Drafts of both older request forms, so that switching between them loses nothing. */
export const olderDrafts = draftsOf<Draft>('older-request')
