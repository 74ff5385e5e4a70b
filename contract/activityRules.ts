/** Types whose action type is always `nothing` (projects-area 9). */
export const forcesNothing = (type: string): boolean => type === 'survey' || type === 'social'
/** The error for a type that allows no action type but `nothing`. */
export const NOTHING_ONLY = 'must be nothing: a survey or social activity has no other action'

/** Returns warnings for dates outside the project's. Such dates are still saved. */
export function datesOutside(
  activity: { start_dt: string | null; end_dt: string | null },
  project: { start_dt: string | null; end_dt: string | null },
  shown: (civil: string) => string,
): string[] {
  const warnings: string[] = []
  if (activity.start_dt && project.start_dt && activity.start_dt < project.start_dt)
    warnings.push(`It starts before its project, which starts on ${shown(project.start_dt)}.`)
  if (activity.end_dt && project.end_dt && activity.end_dt > project.end_dt)
    warnings.push(`It ends after its project, which ends on ${shown(project.end_dt)}.`)
  return warnings
}
