import { useCall } from '../../data/useCall.ts'
import type { Activity } from './activitySubject.ts'

/** The generation of an activity's project, which labels its ages. */
export const useGeneration = ({ id }: Activity): string =>
  useCall('activity.project', { activity_id: id }).data?.data.generation ?? 'project'
