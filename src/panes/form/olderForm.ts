import { type Fields, textsOf } from '../../../contract/fieldKinds.ts'
import { fromOlder, olderNames } from '../../../contract/olderFields.ts'
import { olderCallFields } from '../../../contract/requestFields.ts'
import { targetFields } from '../../../contract/targetFields.ts'
import { type Counted, type Draft, emptyDraft, progressOf, sentOf } from './requestDraft.ts'

const NAMES = Object.entries(olderCallFields as Fields).map(([field, one]) => [field, olderNames(field, one)[0]!] as const)
const FIELDS = new Map(NAMES.map(([field, name]) => [name, field]))

/** Maps a name of the older call to the form's field; unknown names are returned unchanged. */
export const fieldOfCampaign = (name: string): string => FIELDS.get(name) ?? (name === 'files' ? 'file_ids' : name)

/** Returns an empty older form: a survey by market area, for adults. */
export const emptyOlder = (client_id: string): Draft => ({ ...emptyDraft(client_id), location_based: 'no' })

/** Builds the older call's input, under its names. */
export function toCampaign(draft: Draft): Record<string, unknown> {
  const sent = sentOf(olderCallFields, draft)
  const named = NAMES.flatMap(([field, name]) => (Object.hasOwn(sent, field) ? [[name, sent[field]]] : []))
  return {
    ...Object.fromEntries(named),
    status: 'requirements',
    campaign_type: draft.activity_type === 'survey' ? 'Survey' : 'Content',
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
  targeted_location: string | readonly { id: number }[]
}

/** Returns what a new request copies from an earlier one: audience, markets and goal. */
export function copiedAnswers({ goal, targeted_location: markets, ...earlier }: Earlier): Partial<Draft> {
  const targeted_location = typeof markets === 'string' ? markets : markets.map(({ id }) => id)
  const copied = textsOf(targetFields, fromOlder(targetFields, { ...earlier, targeted_location }))
  return { ...(goal > 0 ? { goal: String(goal) } : {}), ...copied, location_based: copied.location_based || 'no' }
}
