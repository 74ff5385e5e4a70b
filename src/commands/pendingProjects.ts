interface Pays {
  project_id: number
  project_name: string
  client_name: string
  pending_count: number
  pending_cents: number
}
/** A project with the rewards it has yet to pay. */
export interface PendingProject {
  id: number
  name: string
  client: string
  pending: number
  cents: number
}

/** Sums up rewards of the catalogue by project, most pending first. */
export function pendingProjects(rewards: readonly Pays[]): PendingProject[] {
  const projects = [...Map.groupBy(rewards, ({ project_id }) => project_id)].map(([id, some]) => ({
    id,
    name: some[0]!.project_name,
    client: some[0]!.client_name,
    pending: some.reduce((sum, { pending_count }) => sum + pending_count, 0),
    cents: some.reduce((sum, { pending_cents }) => sum + pending_cents, 0),
  }))
  return projects.filter(({ pending }) => pending > 0).sort((a, b) => b.pending - a.pending || a.id - b.id)
}
