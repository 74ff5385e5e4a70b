import { z } from 'zod'
import { Allowed } from './call.ts'

/** A file of an activity; the link is valid for 15 minutes. */
const Asset = z.object({
  id: z.number(),
  kind: z.string(),
  asset_type: z.string(),
  original_name: z.string(),
  size: z.number(),
  mime: z.string(),
  created_at: z.string(),
  url: z.string(),
})
/** A market area by its code. */
export const Market = z.object({ id: z.number(), name: z.string() })

/** A v3 activity (projects-area 3). */
export const Activity = z.object({
  id: z.number(),
  project_id: z.number(),
  name: z.string(),
  about: z.string(),
  activity_type: z.string(),
  action_type: z.string(),
  social_type: z.string(),
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
export const ActivityRow = Activity.extend({ project_name: z.string() })
/** The audience of an activity: comma lists of ids, where empty means any. */
export const Target = z.object({
  id: z.number(),
  activity_id: z.number(),
  version: z.number(),
  location_based: z.string(),
  targeted_locations: z.string(),
  target_markets: z.array(Market),
  age: z.string(),
  gender: z.string(),
  hhi: z.string(),
  ethnicity: z.string(),
  marital_status: z.string(),
  children: z.string(),
})
