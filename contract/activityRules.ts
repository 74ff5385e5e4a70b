/** Types whose action type is always `nothing` (projects-area 9). */
export const forcesNothing = (type: string): boolean => type === 'survey' || type === 'social'
/** A type that is sent an action type it can't have. */
export const NOTHING_ONLY = 'must be nothing: a survey or social activity has no other action'

/** Warnings for dates outside the project's; such dates are kept. */
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
