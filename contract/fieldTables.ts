import type { Fields } from './fieldKinds.ts'
import { locationFields } from './locationFields.ts'
import { notificationFields } from './notificationFields.ts'
import { activityFields, projectFields } from './projectFields.ts'
import { rewardFields } from './rewardFields.ts'
import { teamFields } from './teamFields.ts'

/** TABLE  the fields of records, by noun. The workspace imports a noun's own, so that each loads with its area. */
export const fieldTables: Readonly<Record<string, Fields>> = {
  activity: activityFields,
  location: locationFields,
  notification: notificationFields,
  project: projectFields,
  reward: rewardFields,
  team: teamFields,
}
