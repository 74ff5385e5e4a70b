import { z } from 'zod'
import type { ListColumn } from './column.ts'
import { FIELD_CODES, type FieldCode } from './errorCodes.ts'
import { REWARD_LIST } from './importWords.ts'
import { lists } from './listRows.ts'
import { type ColumnOf, type ListNoun, valuesOf } from './lists.ts'
import { PACING_COLORS, PACING_STATES } from './pacing.ts'
import { SPELLING, STATUSES } from './status.ts'
import {
  ACTION_TYPES,
  ACTIVITY_TYPES,
  ASSET_TYPES,
  FILE_KINDS,
  POST_TYPES,
  PROJECT_TYPES,
  REWARD_STATUSES,
  ROLES,
  SOCIAL_TYPES,
  type Term,
} from './vocabulary.ts'

/* Texts in responses that are always one of a list, which /openapi.json has as an enumeration. */

/** A text that is one of `values`; in `meanings`, what they mean, in the same order. */
export const oneOf = (values: readonly string[], meanings?: readonly string[]) =>
  z.string().meta({ enum: [...values], ...(meanings ? { 'x-enum-descriptions': [...meanings] } : {}) })
/** A text that is the value of one of `terms`. */
export const termOf = (terms: readonly Term[]) =>
  oneOf(
    terms.map(({ value }) => String(value)),
    terms.map(({ label }) => label),
  )
/** One of the values of a `word` column of a noun's list, which has their labels. */
export function columnWord<N extends ListNoun, C extends ColumnOf<N>>(noun: N, column: C) {
  const { words } = (lists[noun].columns as Readonly<Record<string, ListColumn>>)[column]!
  return z.enum(valuesOf(noun, column)).meta({ 'x-enum-descriptions': Object.values(words!) })
}
/** Terms of texts as the values of an enumeration. */
export const enumOf = <V extends string>(terms: readonly { value: V; label: string }[]) =>
  z.enum(terms.map(({ value }) => value)).meta({ 'x-enum-descriptions': terms.map(({ label }) => label) })
export const NONE: Term = { value: '', label: 'None' }
const shown = STATUSES.map((status) => SPELLING[status].shown)

/** A project's stored status. */
export const StoredStatus = oneOf(STATUSES, shown)
/** A project's status in the API's spelling. */
export const ApiStatus = oneOf(
  STATUSES.map((status) => SPELLING[status].v3),
  shown,
)
/** What is wrong with a field of a batch's row. */
export const FieldCodeName = z
  .enum(Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]])
  .meta({ 'x-enum-descriptions': Object.values(FIELD_CODES) })
/** The same of a stored line of a file; empty for other remarks and in files of older releases. */
export const RowCode = z.enum(['', ...(Object.keys(FIELD_CODES) as FieldCode[])])
/** A day of the specification's older spelling, empty without one; its record has the ISO day, too. */
export const UsDay = z.string().meta({ pattern: '^(\\d{2}/\\d{2}/\\d{4})?$' })
export const PacingState = oneOf(PACING_STATES)
export const PacingColor = oneOf(PACING_COLORS)
export const ProjectType = oneOf(PROJECT_TYPES)
export const ActivityKind = termOf(ACTIVITY_TYPES)
export const ActionType = termOf([NONE, ...ACTION_TYPES])
export const SocialType = termOf([NONE, ...SOCIAL_TYPES])
export const PostType = termOf(POST_TYPES)
export const ThumbState = oneOf(['none', 'queued', 'done', 'failed'])
export const Role = enumOf(ROLES)
/** Whether the invitation of a user was accepted. */
export const UserStatus = columnWord('member', 'status')
/** Which of the two kinds of project it is. */
export const Generation = columnWord('teamProject', 'generation')
export const RewardStatus = enumOf(REWARD_STATUSES)
export const QuestionType = columnWord('question', 'question_type')
export const AnswerType = columnWord('question', 'answer_type')
export const JobStatus = columnWord('job', 'status')
/** What a file was uploaded as, or made for. */
export const FileKind = termOf([
  ...FILE_KINDS,
  { value: 'export', label: 'Export' },
  { value: 'media', label: 'From a participant' },
])
/** An asset's type; for a participant's file what they did, for other files empty. */
export const AssetType = oneOf(['', ...ASSET_TYPES, REWARD_LIST, ...valuesOf('content', 'action')])
export const YesNo = oneOf(['yes', 'no'])
export const CapitalYesNo = oneOf(['Yes', 'No'])
/** An enumeration that may be empty. */
export const orEmpty = (values: { options: readonly string[] }) => oneOf(['', ...values.options])
