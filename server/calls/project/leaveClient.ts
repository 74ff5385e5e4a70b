import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { heldFamily } from '../../domain/project/family.ts'

/** Throws a 422 unless the client exists and isn't deleted. */
export async function assertClient(ctx: Ctx, id: number): Promise<void> {
  const client = await ctx.db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw invalid('client_id', `client_id is not a client: ${id}`)
}

/** Removes a project's teams; the calling write emits the change. */
export async function removeTeams(ctx: Ctx, project_id: number): Promise<number> {
  const teams = await ctx.tx.selectFrom('team_projects').select('team_id').where('project_id', '=', project_id).execute()
  if (!teams.length) return 0
  await ctx.tx.deleteFrom('team_projects').where('project_id', '=', project_id).execute()
  await ctx.record({
    subject: 'project',
    subject_id: project_id,
    before: { teams: teams.map((team) => team.team_id) },
    after: { teams: [] },
  })
  ctx.emit({ noun: 'team', id: teams[0]!.team_id, project_id })
  return teams.length
}

/**
 * Prepares a project for another client, and moves its children there (decisions.md 9 and 14).
 * Each loses its links to teams; deleted children move, too, so that none comes back to a split family.
 */
export async function leaveClient(ctx: Ctx, project: { id: number }, to: number): Promise<void> {
  await assertClient(ctx, to)
  for (const part of await heldFamily(ctx, project.id)) {
    await removeTeams(ctx, part.id)
    await ctx.tx
      .insertInto('former_clients')
      .values({ project_id: part.id, client_id: part.client_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (part.id === project.id || part.client_id === to) continue
    await ctx.tx
      .updateTable('projects')
      .set({ client_id: to, updated_at: ctx.now, lock_version: part.lock_version + 1 })
      .where('id', '=', part.id)
      .execute()
    await ctx.record({
      subject: 'project',
      subject_id: part.id,
      before: { client_id: part.client_id },
      after: { client_id: to },
    })
    ctx.emit({ noun: 'project', id: part.id, project_id: part.id })
  }
}
