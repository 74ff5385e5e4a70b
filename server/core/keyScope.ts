/** What an API key opens: every survey, those of some projects with their children, or some surveys. */
export interface KeyScope {
  projects?: number[]
  surveys?: number[]
}

/** Reads the scope from a key's row. */
export const scopeOf = (text: string): KeyScope => JSON.parse(text) as KeyScope

/** True if a key of this scope opens a survey. */
export function keyOpens(
  { projects, surveys }: KeyScope,
  survey: { id: number; project_id: number; parent_id: number | null },
): boolean {
  if (!projects && !surveys) return true
  const inProject = projects?.some((id) => id === survey.project_id || id === survey.parent_id) === true
  return inProject || surveys?.includes(survey.id) === true
}
