import type { Change } from './ports.ts'

/** The records that decide who may read a stored copy: all of them must be seen (server/domain/copiesSeen.ts). */
export interface CopyHolds {
  projects?: readonly number[]
  clients?: readonly number[]
  services?: readonly number[]
  brands?: readonly number[]
}
export const HELD = ['projects', 'clients', 'services', 'brands'] as const

/** What the response of a write holds: the records that its events tell client users about. */
export function holdsOf(changes: readonly Change[]): CopyHolds {
  const held = Object.fromEntries(HELD.map((table) => [table, new Set<number>()])) as Record<keyof CopyHolds, Set<number>>
  for (const { noun, id, project_id, client_id, audience = 'scope' } of changes) {
    if (audience !== 'scope') continue
    if (project_id) held.projects.add(project_id)
    else if (client_id) held.clients.add(client_id)
    else if (noun === 'project') held.projects.add(id)
    else if (noun === 'service' || noun === 'visit') held.services.add(id)
    else if (noun === 'brand') held.brands.add(id)
  }
  return Object.fromEntries(HELD.flatMap((table) => (held[table].size ? [[table, [...held[table]]]] : [])))
}
