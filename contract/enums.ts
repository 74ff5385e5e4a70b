import { z } from 'zod'
import { PACING_COLORS, PACING_STATES } from './pacing.ts'
import { SPELLING, STATUSES } from './status.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, POST_TYPES, PROJECT_TYPES, SOCIAL_TYPES, type Term } from './vocabulary.ts'

/* Texts in responses that are always one of a list, which /openapi.json has as an enumeration. */

/** A text that is one of `values`; in `meanings`, what they mean, in the same order. */
const oneOf = (values: readonly string[], meanings?: readonly string[]) =>
  z.string().meta({ enum: [...values], ...(meanings ? { 'x-enum-descriptions': [...meanings] } : {}) })
/** A text that is the value of one of `terms`. */
const termOf = (terms: readonly Term[]) =>
  oneOf(
    terms.map(({ value }) => String(value)),
    terms.map(({ label }) => label),
  )
const NONE: Term = { value: '', label: 'None' }
const shown = STATUSES.map((status) => SPELLING[status].shown)

/** A project's stored status. */
export const StoredStatus = oneOf(STATUSES, shown)
/** A project's status in the API's spelling. */
export const ApiStatus = oneOf(
  STATUSES.map((status) => SPELLING[status].v3),
  shown,
)
export const PacingState = oneOf(PACING_STATES)
export const PacingColor = oneOf(PACING_COLORS)
export const ProjectType = oneOf(PROJECT_TYPES)
export const ActivityKind = termOf(ACTIVITY_TYPES)
export const ActionType = termOf([NONE, ...ACTION_TYPES])
export const SocialType = termOf([NONE, ...SOCIAL_TYPES])
export const PostType = termOf(POST_TYPES)
export const ThumbState = oneOf(['none', 'queued', 'done', 'failed'])
