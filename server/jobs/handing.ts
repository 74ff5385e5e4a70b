import type { Ctx } from '../context.ts'
import { projectScope } from '../scope.ts'
import type { ExportInput } from './export.ts'
import { EXPORTS } from './exports.ts'
import type { JobRow } from './types.ts'

/** The clients and teams by which a client user sees what they see. */
export interface Memberships {
  clients: number[]
  teams: number[]
}

/** Those of the caller now; null for an administrator, who sees all. */
export async function membershipsOf(ctx: Pick<Ctx, 'db' | 'actor'>): Promise<Memberships | null> {
  if (ctx.actor.role === 'admin') return null
  const of = (table: 'user_clients' | 'team_users', column: 'client_id' | 'team_id') =>
    ctx.db
      .selectFrom(table as 'user_clients')
      .select(`${column as 'client_id'} as id`)
      .where('user_id', '=', ctx.actor.id)
      .orderBy(column as 'client_id')
      .execute()
  const [clients, teams] = await Promise.all([of('user_clients', 'client_id'), of('team_users', 'team_id')])
  return { clients: clients.map((row) => row.id), teams: teams.map((row) => row.id) }
}

/**
 * Says of jobs whether what they made may still be handed to the caller: of an export made by an administrator, or through a client, a team or a project that its
 * maker has lost since, nothing is. Administrators see every job and its file.
 */
export async function handedOut(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  jobs: readonly Pick<JobRow, 'kind' | 'input'>[],
): Promise<(job: Pick<JobRow, 'kind' | 'input'>) => boolean> {
  const mine = await membershipsOf(ctx)
  if (!mine) return () => true
  const exported = jobs.filter((job) => job.kind === 'export').map((job) => JSON.parse(job.input) as ExportInput)
  const projects = exported.flatMap((input) => projectOf(input) ?? [])
  const rows = projects.length
    ? await ctx.db.selectFrom('projects').select('id').where('id', 'in', projects).where(projectScope(ctx.actor)).execute()
    : []
  const seen = new Set(rows.map((row) => row.id))
  return (job) => {
    if (job.kind !== 'export') return true
    const input = JSON.parse(job.input) as ExportInput
    const project = projectOf(input)
    return (
      EXPORTS[input.source].access === 'client' &&
      input.of?.clients.every((id) => mine.clients.includes(id)) === true &&
      input.of.teams.every((id) => mine.teams.includes(id)) &&
      (project === null || seen.has(project))
    )
  }
}

/** The one project that an export is about, or null; a list's filter may hold anything besides. */
function projectOf({ source, filter }: ExportInput): number | null {
  return source === 'responses' ? Number((filter as { project_id?: unknown }).project_id) : null
}
