import { type SqlBool, sql } from 'kysely'
import { isAdmin } from '../../../contract/actor.ts'
import { add, change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { clientUserScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'
import { seenProject } from './detail.ts'
import { isFollowedBy } from './followedProjects.ts'

/** Follows a project for the caller, or stops; returns its name, and whether that changed anything. */
export async function followProject(ctx: Ctx, id: number, follows: boolean): Promise<{ name: string; changed: boolean }> {
  const project = await seenProject(ctx, id)
  const me = ctx.actor.id
  // Two requests of one person would add the row twice.
  await locked(ctx.services.database, ctx.tx.selectFrom('projects').select('id').where('id', '=', id)).execute()
  const stored = await ctx.tx
    .selectFrom('project_followers')
    .selectAll()
    .where('project_id', '=', id)
    .where('user_id', '=', me)
    .executeTakeFirst()
  const before = stored ? stored.follows === 1 : project.owner_id === me || project.requested_by === me
  if (before === follows) return { name: project.name, changed: false }
  const line = { subject_id: id, project_id: id, before: { follows: before }, after: { follows } }
  const patch = { follows: follows ? 1 : 0 }
  if (stored) await change(ctx, 'project_followers', { subject: 'project', id: stored.id, patch, held: stored, line })
  else await add(ctx, 'project_followers', { subject: 'project', values: { project_id: id, user_id: me, ...patch }, line })
  ctx.emit({ noun: 'project', id, project_id: id, audience: 'user', user_id: me, kind: 'counters' })
  return { name: project.name, changed: true }
}

type Reason = 'owner' | 'requester' | 'chosen'
const reasonOf = (user: number, project: { owner_id: number | null; requested_by: number | null }): Reason =>
  project.owner_id === user ? 'owner' : project.requested_by === user ? 'requester' : 'chosen'

/** Who follows a project and may still see it, by name. */
export async function followersOf(ctx: Pick<Ctx, 'db'>, id: number) {
  const user = sql<number>`users.id`
  const rows = await ctx.db
    .selectFrom('users')
    .innerJoin('projects', (join) => join.on('projects.id', '=', id))
    .leftJoin('project_followers', (join) =>
      join.onRef('project_followers.project_id', '=', 'projects.id').onRef('project_followers.user_id', '=', 'users.id'),
    )
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    // Only these can follow, so nobody else's access is looked at.
    .where(
      sql<SqlBool>`users.id in (select projects.owner_id union select projects.requested_by
        union select user_id from project_followers listed where listed.project_id = projects.id)`,
    )
    .where(isFollowedBy(user))
    .where(sql<SqlBool>`(users.role = 'admin' or ${clientUserScope(user)})`)
    .select([
      ...(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'users.role'] as const),
      ...(['projects.owner_id', 'projects.requested_by', 'project_followers.created_at'] as const),
    ])
    .orderBy('users.first_name')
    .orderBy('users.id')
    .execute()
  return rows.map(({ id: user_id, first_name, last_name, email, role, owner_id, requested_by, created_at }) => ({
    user_id,
    name: `${first_name} ${last_name}`.trim() || email,
    email,
    why: reasonOf(user_id, { owner_id: isAdmin({ role }) ? owner_id : null, requested_by }),
    since: created_at,
  }))
}
