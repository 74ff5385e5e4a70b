import { z } from 'zod'

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
  lock_version: z.number(),
})
/** The same in a list, where its project isn't known. */
export const ActivityRow = Activity.extend({ project_name: z.string() })
/** The audience of an activity; comma lists of ids, empty means any. */
export const Target = z.object({
  id: z.number(),
  activity_id: z.number(),
  version: z.number(),
  location_based: z.string(),
  targeted_locations: z.string(),
  age: z.string(),
  gender: z.string(),
  hhi: z.string(),
  ethnicity: z.string(),
  marital_status: z.string(),
  children: z.string(),
})
