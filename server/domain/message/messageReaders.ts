import { type SqlBool, sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import { clientUserScope } from '../../core/scope.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { type Recipient, roundRecipients } from '../quote/recipients.ts'

/** The administrators whom a message is mailed to: the owner and who invited the partners, or else all. */
export async function agencyReaders(ctx: Ctx, record: ProjectRecord, invited_by?: number | null): Promise<Recipient[]> {
  const some = [record.owner_id, invited_by].filter((id) => typeof id === 'number')
  const admins = await ctx.tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name'])
    .where('id', 'in', [0, ...some])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return admins.length ? admins : roundRecipients(ctx, record)
}

/**
 * The client users whom a message of the agency is mailed to, if they see the project:
 * its requester, named approvers and who wrote in the conversation, or else all who see it.
 */
export async function clientReaders(ctx: Ctx, record: ProjectRecord): Promise<Recipient[]> {
  const people = await ctx.tx
    .selectFrom('users')
    .innerJoin('projects', (join) => join.on('projects.id', '=', record.id))
    .select(['users.id', 'email', 'first_name'])
    .select(
      sql<number>`case when users.id = projects.requested_by
        or exists (select 1 from user_clients own where own.user_id = users.id and own.client_id = projects.client_id and own.approves = 1)
        or exists (select 1 from messages where messages.project_id = projects.id and messages.partner_id = 0
          and messages.client_id = projects.client_id and messages.author_id = users.id) then 1 else 0 end`.as('concerned'),
    )
    .where('users.role', '=', 'client')
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null)
    .where(sql<SqlBool>`${clientUserScope(sql<number>`users.id`)}`)
    .orderBy('users.id')
    .execute()
  const some = people.filter(({ concerned }) => Number(concerned) === 1)
  return (some.length ? some : people).map(({ concerned: _, ...person }) => person)
}
