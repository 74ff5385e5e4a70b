import type { Profile } from '../../../contract/quotaRules.ts'
import type { RESPONDENT_FIELDS } from '../../../contract/respondent.ts'
import { ETHNICITIES, GENDERS, MARITAL } from '../../../contract/vocabulary.ts'
import { type Against, type FieldError, type Respondent, readRespondent } from '../runtime/respondent.ts'

/** The fields of a profile, which are those of intake. */
const PROFILE_FIELDS = [
  'age',
  'gender',
  'hhi',
  'ethnicity',
  'marital_status',
  'children',
  'dma',
  'answers',
] as const satisfies readonly (keyof typeof RESPONDENT_FIELDS)[]

/** What is known of a respondent, by field; `answers.{id}` of the plan's questions. */
export function profileOf(who: Respondent, partner_id: number | null, questions: ReadonlySet<number>): Profile {
  const profile: Record<string, string> = {}
  if (who.age) profile.age = String(who.age)
  if (who.gender) profile.gender = GENDERS[who.gender - 1]!.value
  if (who.hhi < 7) profile.hhi = String(who.hhi)
  if (who.ethnicity) profile.ethnicity = ETHNICITIES[who.ethnicity - 1]!.value
  if (who.marital >= 0) profile.marital_status = MARITAL[who.marital]!.value
  if (who.children >= 0) profile.children = String(who.children)
  if (who.dma !== null) profile.dma = String(who.dma)
  if (partner_id) profile.partner = String(partner_id)
  for (const [question, answer] of Object.entries(who.answers ?? {}))
    if (typeof answer === 'string' && questions.has(Number(question))) profile[`answers.${question}`] = answer
  return profile
}

/** Reads an arrival's profile as intake reads a row; only the plan's questions are looked at. */
export function readProfile(
  raw: Readonly<Record<string, unknown>>,
  partner_id: number | null,
  against: Against,
): Profile | { errors: FieldError[] } {
  const strange = Object.keys(raw).filter((name) => !(PROFILE_FIELDS as readonly string[]).includes(name))
  if (strange.length)
    return {
      errors: strange.map((field) => ({
        field,
        code: 'unknown_field' as const,
        message: `${field.toWellFormed()} is not a field of a profile: send ${PROFILE_FIELDS.join(', ')}`,
      })),
    }
  const { answers } = raw
  const own =
    answers && typeof answers === 'object' && !Array.isArray(answers)
      ? Object.fromEntries(Object.entries(answers).filter(([question]) => against.questions.has(Number(question))))
      : answers
  const read = readRespondent({ ...raw, answers: own, respondent_id: 'arrival', outcome: 'completes' }, against)
  return 'errors' in read ? read : profileOf(read, partner_id, against.questions)
}
