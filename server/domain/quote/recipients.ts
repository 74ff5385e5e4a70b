import type { Ctx } from '../../core/context.ts'
import type { ProjectRecord } from '../project/storedProject.ts'

/** The recipient of a mail. */
export interface Recipient {
  id: number
  email: string
  first_name: string
}

const living = (ctx: Ctx, role: 'admin' | 'client') =>
  ctx.tx
    .selectFrom('users')
    .select(['users.id', 'email', 'first_name'])
    .where('role', '=', role)
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null)

/** The recipients of a project's quote mails: its requester and the named approvers, or else the client's users. */
export async function clientRecipients(
  ctx: Ctx,
  record: Pick<ProjectRecord, 'client_id' | 'requested_by'>,
): Promise<Recipient[]> {
  const people = await living(ctx, 'client')
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .select('approves')
    .where('user_clients.client_id', '=', record.client_id)
    .execute()
  const some = people.filter((person) => person.id === record.requested_by || person.approves === 1)
  return (some.length ? some : people).map(({ approves: _, ...person }) => person)
}

/** The administrators to mail about a round: those who invited its partners, or else all of them. */
export async function roundRecipients(
  ctx: Ctx,
  { id, quote_round }: Pick<ProjectRecord, 'id' | 'quote_round'>,
): Promise<Recipient[]> {
  const [admins, invited] = await Promise.all([
    living(ctx, 'admin').execute(),
    ctx.tx
      .selectFrom('project_partners')
      .select('invited_by')
      .distinct()
      .where('project_id', '=', id)
      .where('round', '=', quote_round)
      .execute(),
  ])
  const owners = admins.filter((admin) => invited.some(({ invited_by }) => invited_by === admin.id))
  return owners.length ? owners : admins
}
