import { type Counted, type Draft, emptyDraft, type Field, progressOf } from './requestDraft.ts'

/** Names of the older call, by form field; other fields aren't sent. */
const NAMES = {
  client_id: 'client_id',
  parent_id: 'parent_id',
  name: 'campaign_name',
  goal: 'num_completed_actions',
  start_dt: 'start_date',
  end_dt: 'end_date',
  loi_minutes: 'loi_minutes',
  incidence: 'incidence',
  description: 'description',
  requirements: 'requirements',
  url: 'survey_url',
  age: 'age_range',
  gender: 'gender',
  hhi: 'hhi_range',
  ethnicity: 'ethnicity_range',
  marital_status: 'marital_status_range',
  children: 'presence_of_children_range',
  location_based: 'location_based_ind',
  targeted_locations: 'targeted_location',
} as const satisfies Partial<Record<Field, string>>
const FIELDS: Readonly<Record<string, Field>> = {
  ...(Object.fromEntries(Object.entries(NAMES).map(([field, name]) => [name, field])) as Record<string, Field>),
  campaign_type: 'activity_type',
  file_ids: 'file_ids',
  files: 'file_ids',
}

/** Maps a name of the older call to the form's field; unknown names are returned unchanged. */
export const fieldOfCampaign = (name: string): string => FIELDS[name] ?? name

/** Returns an empty older form: a survey by market area, for adults. */
export const emptyOlder = (client_id: string): Draft => ({ ...emptyDraft(client_id), location_based: 'no' })

/** Builds the older call's input: omits blanks, so rules say "required". */
export function toCampaign(draft: Draft): Record<string, unknown> {
  const named = Object.entries(NAMES).map(([field, name]): [string, unknown] => [name, draft[field as keyof typeof NAMES]])
  return {
    ...Object.fromEntries(named.filter(([, value]) => value !== '')),
    status: 'requirements',
    campaign_type: draft.activity_type === 'survey' ? 'Survey' : 'Content',
    file_ids: draft.file_ids.map((file) => file.id),
  }
}

/** Progress of the older forms, which always ask for market areas, even for interviews at locations. */
export const progressOfOlder = (draft: Draft): readonly Counted[] =>
  progressOf(draft).map((one) =>
    one.field === 'location_based'
      ? { label: 'Location', field: 'targeted_locations', done: draft.targeted_locations.length > 0 }
      : one,
  )

/** Progress of the form with one question at a time: a default counts once the user has seen it. */
export const progressOfQuestions = (draft: Draft, empty: Draft): readonly Counted[] =>
  progressOfOlder(draft).map((one) => {
    const untouched = one.field === 'end_dt' ? draft.end_dt === draft.followed : one.field === 'age' && same(draft.age, empty.age)
    return untouched && !draft.seen.includes(one.field) ? { ...one, done: false } : one
  })
const same = (a: readonly unknown[], b: readonly unknown[]) => JSON.stringify(a) === JSON.stringify(b)

/** An earlier request, in the API's names. */
export interface Earlier {
  goal: number
  campaign_type: string
  age_range: string
  gender: string
  hhi_range: string
  ethnicity_range: string
  marital_status_range: string
  presence_of_children_range: string
  location_based_ind: string
  targeted_location: string | readonly { id: number }[]
}

/** Returns what a new request copies from an earlier one: audience, markets and goal. */
export function copiedAnswers(earlier: Earlier): Partial<Draft> {
  const words = (list: string) => list.split(',').filter(Boolean)
  const numbers = (list: string) => words(list).map(Number)
  const { targeted_location: markets } = earlier
  return {
    ...(earlier.goal > 0 ? { goal: String(earlier.goal) } : {}),
    age: numbers(earlier.age_range),
    gender: words(earlier.gender),
    hhi: numbers(earlier.hhi_range),
    ethnicity: words(earlier.ethnicity_range),
    marital_status: words(earlier.marital_status_range),
    children: numbers(earlier.presence_of_children_range),
    location_based: earlier.location_based_ind === 'yes' ? 'yes' : 'no',
    targeted_locations: typeof markets === 'string' ? words(markets) : markets.map(({ id }) => String(id)),
  }
}
