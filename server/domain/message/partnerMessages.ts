import type { Ctx } from '../../core/context.ts'

/** The most messages that a partner's page shows. */
const MOST = 200

/** What a partner and the agency wrote to each other about a project, oldest first. */
export async function partnerMessages(
  ctx: Pick<Ctx, 'db'>,
  project_id: number,
  partner: { id: number; name: string },
  byPartner: boolean,
) {
  const rows = await ctx.db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'author_id')
    .select(['messages.id', 'side', 'text', 'messages.created_at', 'first_name', 'last_name'])
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner.id)
    .orderBy('messages.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.reverse().map(({ first_name, last_name, side, ...message }) => ({
    ...message,
    mine: (side === 'partner') === byPartner,
    author: side === 'partner' ? partner.name : `${first_name ?? ''} ${last_name ?? ''}`.trim() || 'The agency',
  }))
}
