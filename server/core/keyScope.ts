/**
 * What an API key opens: every survey, those of some projects with their children, or some surveys.
 * A key for services opens these alone; a key made before there were visits opens none.
 */
export interface KeyScope {
  projects?: number[]
  surveys?: number[]
  /** Services that it sends visits to. */
  services?: number[] | 'all'
}

/** Reads the scope from a key's row. */
export const scopeOf = (text: string): KeyScope => JSON.parse(text) as KeyScope

/** True if a key of this scope opens a survey. */
export function keyOpens(
  { projects, surveys, services }: KeyScope,
  survey: { id: number; project_id: number; parent_id: number | null },
): boolean {
  if (!projects && !surveys) return !services
  const inProject = projects?.some((id) => id === survey.project_id || id === survey.parent_id) === true
  return inProject || surveys?.includes(survey.id) === true
}

/** True if a key of this scope takes visits of a service. */
export const keyOpensService = ({ services }: KeyScope, id: number): boolean =>
  services === 'all' || services?.includes(id) === true
