import { z } from 'zod'
import { activityFields, wholeFields } from './activityFields.ts'
import { Id } from './call.ts'
import { createShape, editShape, needing } from './fieldInput.ts'
import { isBlank } from './fieldKinds.ts'
import { acceptedWords, SOCIAL_TYPES, valueOfWord } from './vocabulary.ts'

export const isSocial = (value: string): boolean => SOCIAL_TYPES.some((type) => type.value === value)
/** The error of what isn't a social type. */
export const NOT_SOCIAL = `must be one of ${acceptedWords(SOCIAL_TYPES)}`
/** What an edit takes: also a social type that an older release stored, to be sent back unchanged. */
const SocialTypeBack = z
  .string(NOT_SOCIAL)
  .trim()
  .max(40, NOT_SOCIAL)
  .transform((typed) => (isBlank(typed) ? '' : (valueOfWord(SOCIAL_TYPES, typed) ?? typed)))
/** None, or a social type by its value or label. */
export const SocialTypeInput = SocialTypeBack.refine((typed) => typed === '' || isSocial(typed), {
  error: NOT_SOCIAL,
  params: { code: 'choice' },
})

/** The types of activities, in the order of the form. */
export const ActivityType = createShape(activityFields).activity_type

/** The fields that an edit takes: also what older releases stored, to be sent back. */
export const ActivityFields = {
  ...editShape(activityFields),
  social_type: SocialTypeBack.optional(),
}
/** The fields of a new activity. */
export const NewActivityFields = { ...createShape(activityFields), social_type: SocialTypeInput.default('') }

/** A new activity with its audience, market, survey and files, and its rules across fields. */
export const WholeInput = needing(
  z.object({ project_id: Id, ...createShape(wholeFields), social_type: SocialTypeInput.default('') }),
  wholeFields,
)
