import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../contract/actor.ts'
import { idList, type SmallRead } from '../../db/smallReads.ts'

/**
 * True in SQL for a project that a user follows, given by id or as a column.
 * Owners and requesters do by themselves, until they say otherwise.
 */
export const isFollowedBy = (user: number | RawBuilder<number>) =>
  sql<SqlBool>`coalesce((select follower.follows from project_followers follower
      where follower.project_id = projects.id and follower.user_id = ${user}),
    case when projects.owner_id = ${user} or projects.requested_by = ${user} then 1 else 0 end) = 1`

/** The projects among these that the caller follows, as a small read. */
export const followedIn = (actor: Actor, ids: readonly number[]): SmallRead | null =>
  ids.length
    ? sql`projects.id as owner, 0 as id, 0 as number, '' as name, '' as text from projects
        where projects.id in ${idList(ids)} and ${isFollowedBy(actor.id)}`
    : null
