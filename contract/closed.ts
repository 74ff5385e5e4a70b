import { z } from 'zod'
import { SPELLING, STATUSES } from './status.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, POST_TYPES, SOCIAL_TYPES, type Term } from './vocabulary.ts'

/* Texts of answers that are always one of a list: /openapi.json has the list as an enumeration. */

/** A text that is one of `values`; in `meanings`, what they mean, in the same order. */
const oneOf = (values: readonly string[], meanings?: readonly string[]) =>
  z.string().meta({ enum: [...values], ...(meanings ? { 'x-enum-descriptions': [...meanings] } : {}) })
/** A text that is the value of one of `terms`, or empty if `empty`. */
const termOf = (terms: readonly Term[], empty: '' | null = null) => {
  const all = [...(empty === null ? [] : [{ value: empty, label: 'None' }]), ...terms]
  return oneOf(
    all.map(({ value }) => String(value)),
    all.map(({ label }) => label),
  )
}
const shown = STATUSES.map((status) => SPELLING[status].shown)

/** A project's stored status. */
export const StoredStatus = oneOf(STATUSES, shown)
/** A project's status in the API's spelling. */
export const ApiStatus = oneOf(
  STATUSES.map((status) => SPELLING[status].v3),
  shown,
)
/** Whether a project's field time has begun, is running or is over. */
export const PacingState = oneOf(['not_started', 'running', 'over', 'no_dates'])
export const PacingColor = oneOf(['Gray', 'Red', 'Orange', 'Green'])
export const ProjectType = oneOf(['Survey', 'Content'])
export const ActivityKind = termOf(ACTIVITY_TYPES)
export const ActionType = termOf(ACTION_TYPES, '')
export const SocialType = termOf(SOCIAL_TYPES, '')
export const PostType = termOf(POST_TYPES)
export const ThumbState = oneOf(['none', 'queued', 'done', 'failed'])
