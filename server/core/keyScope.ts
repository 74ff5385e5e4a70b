/**
 * What an API key opens, or what a token is limited to.
 * That is every survey, those of some projects with their children, or some surveys.
 * A key for services covers only these; a key from before visitation covers none.
 */
export interface KeyScope {
  /** Every project of these clients; tokens only. */
  clients?: number[]
  projects?: number[]
  surveys?: number[]
  /** Services that it may send visits to. */
  services?: number[] | 'all'
}

/** Reads the scope from a key's row. */
export const scopeOf = (text: string): KeyScope => JSON.parse(text) as KeyScope

/** True for a key of some surveys alone, by themselves or by their projects. */
export const isLimited = ({ clients, projects, surveys }: KeyScope): boolean => Boolean(clients || projects || surveys)

/** True if a key of this scope opens a survey. */
export function keyOpens(
  { clients, projects, surveys, services }: KeyScope,
  survey: { id: number; project_id: number; parent_id: number | null; client_id: number | null },
): boolean {
  if (!isLimited({ clients, projects, surveys })) return !services
  if (survey.client_id !== null && clients?.includes(survey.client_id)) return true
  const inProject = projects?.some((id) => id === survey.project_id || id === survey.parent_id) === true
  return inProject || surveys?.includes(survey.id) === true
}

/** True if a key of this scope takes visits of a service. */
export const keyOpensService = ({ services }: KeyScope, id: number): boolean =>
  services === 'all' || services?.includes(id) === true
