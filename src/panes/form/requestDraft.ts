import { readDate } from '../../../contract/dates.ts'
import { type Fields, inputOf, omit, type Texts, textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { defaultEnd } from '../../../contract/pacing.ts'
import { newProjectFields, requestFields } from '../../../contract/requestFields.ts'
import { ADULT_AGES } from '../../../contract/vocabulary.ts'
import { draftsOf } from '../shared/form/drafts.ts'

/** A request form's values: text as typed, choices as selected. */
export interface Draft extends ValuesOf<typeof requestFields> {
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
  age: ADULT_AGES.map(String),
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

/** The values of fields as calls take them; a blank one is left out, and the requester's company is saved by itself. */
export const sentOf = <F extends Fields>(fields: F, draft: Draft): Record<string, unknown> => {
  const sent = inputOf(omit(fields, 'company') as Fields, draft as unknown as Texts)
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '' && value !== null))
}

/** True if a new project's activity, audience and market are unfolded, and so are sent too. */
export const hasActivity = ({ seen }: Draft): boolean => seen.includes('activity')

/** Builds the input of a project without activities. */
export function toProject(draft: Draft): Record<string, unknown> {
  const { url: survey_url, ...own } = sentOf(newProjectFields, draft)
  return { ...own, ...(survey_url ? { survey_url } : {}) }
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
