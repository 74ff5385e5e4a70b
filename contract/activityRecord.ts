import { z } from 'zod'
import { Allowed } from './call.ts'
import { ActionType, ActivityKind, AssetType, FileKind, SocialType, StoredStatus, YesNo } from './enums.ts'

/** A file of an activity; the link is valid for 15 minutes. */
const Asset = z.object({
  id: z.number(),
  kind: FileKind,
  asset_type: AssetType,
  original_name: z.string(),
  size: z.number(),
  mime: z.string(),
  created_at: z.string(),
  url: z.string(),
})
/** A market area; `id` is its code. */
const Market = z.object({ id: z.number(), name: z.string() })

/** An activity in the v3 spelling (projects-area 3). */
export const Activity = z.object({
  id: z.number(),
  project_id: z.number(),
  name: z.string(),
  about: z.string(),
  activity_type: ActivityKind,
  action_type: ActionType,
  social_type: SocialType,
  social_text: z.string(),
  social_link: z.string(),
  url: z.string(),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  survey_id: z.number().nullable(),
  assets: z.array(Asset),
  location_groups: z.array(z.object({ location_group_id: z.number(), name: z.string() })),
  lock_version: z.number(),
  ...Allowed,
})
/** An activity in a list that spans projects. */
export const ActivityRow = Activity.extend({
  project_name: z.string(),
  client_id: z.number(),
  client_name: z.string(),
  /** The project's stored status. */
  project_status: StoredStatus,
  /** The linked survey's name; null without one. */
  survey_name: z.string().nullable(),
  /** The version of its target (null without one), and its audience in one line. */
  target_version: z.number().nullable(),
  audience: z.string(),
  /** Completes and all responses of its survey. */
  completes: z.number(),
  responses: z.number(),
  /** How many photos, videos, comments and social posts participants sent. */
  content_count: z.number(),
  /** Completes for a survey activity, submitted items for any other type. */
  results: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ActivityRow = z.output<typeof ActivityRow>
/** An activity with everything its screen shows. */
export const ActivityDetail = ActivityRow.extend({
  /** Its market areas as text (null if none are chosen), and the number of locations in its groups. */
  market: z.string().nullable(),
  places: z.number(),
  /** Responses flagged as fraud; null for users who may not clear flags. */
  fraud_flags: z.number().nullable(),
  /** The name of the user who changed it last; null if nobody has. */
  changed_by: z.string().nullable(),
  /** Its position within the project, from 1, and the ids before and after it. */
  nth: z.number(),
  of: z.number(),
  previous_id: z.number().nullable(),
  next_id: z.number().nullable(),
})
export type ActivityDetail = z.output<typeof ActivityDetail>
/** The audience of an activity: comma lists of ids, where empty means any. */
export const Target = z.object({
  id: z.number(),
  activity_id: z.number(),
  version: z.number(),
  location_based: YesNo,
  targeted_locations: z.string(),
  target_markets: z.array(Market),
  age: z.string(),
  gender: z.string(),
  hhi: z.string(),
  ethnicity: z.string(),
  marital_status: z.string(),
  children: z.string(),
})
