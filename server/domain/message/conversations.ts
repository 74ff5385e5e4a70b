import { type RawBuilder, sql } from 'kysely'
import { isAdmin } from '../../../contract/actor.ts'
import type { Conversation } from '../../../contract/message.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { byText } from '../../db/foldedText.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { type Invitation, isRoundOpen } from '../quote/invitations.ts'

/** A partner who was asked about a project, with why they can't be written to now. */
export interface AskedPartner {
  id: number
  name: string
  email: string
  /** The newest invitation. */
  invitation: Invitation
  /** Empty if they can be written to: what they can't open, they can't answer. */
  refusal: string
}

/** The partners who were asked about a project, by name: all, or one. */
async function askedPartners(
  ctx: Pick<Ctx, 'db'>,
  record: Pick<ProjectRecord, 'id' | 'status' | 'quote_round'>,
  id?: number,
): Promise<AskedPartner[]> {
  let query = ctx.db
    .selectFrom('project_partners')
    .innerJoin('partners', 'partners.id', 'project_partners.partner_id')
    .leftJoin('proffers', (join) =>
      join
        .onRef('proffers.project_id', '=', 'project_partners.project_id')
        .onRef('proffers.partner_id', '=', 'project_partners.partner_id')
        .onRef('proffers.round', '=', 'project_partners.round')
        .on('proffers.state', '=', 'sent'),
    )
    .selectAll('project_partners')
    .select(['partners.name', 'partners.email', 'proffers.id as answer'])
    .where('project_partners.project_id', '=', record.id)
    .where('partners.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'partners.name'))
    .orderBy('partners.id')
    .orderBy('project_partners.round', 'desc')
  if (id !== undefined) query = query.where('project_partners.partner_id', '=', id)
  const newest = new Map<number, AskedPartner>()
  for (const { name, email, answer, ...invitation } of await query.execute()) {
    if (newest.has(invitation.partner_id)) continue
    const refusal = invitation.revoked_at
      ? 'the request to them was withdrawn'
      : isRoundOpen(record, invitation.round) || answer !== null
        ? ''
        : 'their round closed before they answered'
    newest.set(invitation.partner_id, { id: invitation.partner_id, name, email, invitation, refusal })
  }
  return [...newest.values()]
}

/** A partner who was asked about a project; throws 404. */
export async function askedPartner(ctx: Pick<Ctx, 'db'>, record: ProjectRecord, id: number): Promise<AskedPartner> {
  const [partner] = await askedPartners(ctx, record, id)
  if (!partner) throw notFound(`Partner ${id} of project ${record.id}`)
  return partner
}

/** SQL: the last messages of conversations about projects that the query has, as `last_messages`. */
export const LAST_MESSAGES: RawBuilder<unknown> = sql`(select * from messages where not exists (
  select 1 from messages newer where newer.project_id = messages.project_id and newer.partner_id = messages.partner_id
    and newer.client_id = messages.client_id and newer.id > messages.id)) last_messages`

/** The conversations about a project that the caller takes part in, the client's first. */
export async function conversationsOf(ctx: Pick<Ctx, 'db' | 'actor'>, record: ProjectRecord): Promise<Conversation[]> {
  const agency = isAdmin(ctx.actor)
  const { rows } = await sql<{ partner_id: number; client_id: number; number: number; last_at: string; side: string }>`
    select counted.*, last.created_at as last_at, last.side from (select partner_id, client_id, count(*) as number, max(id) as last
      from messages where project_id = ${record.id} group by partner_id, client_id) counted
    join messages last on last.id = counted.last`.execute(ctx.db)
  const conversationWith = (partner_id: number, name: string, refusal: string): Conversation => {
    const found = rows.filter((row) => Number(row.partner_id) === partner_id)
    const row = partner_id ? found[0] : found.find(({ client_id }) => Number(client_id) === record.client_id)
    return {
      partner_id: partner_id || null,
      name,
      messages: Number(row?.number ?? 0),
      last_at: row?.last_at ?? null,
      waiting: row !== undefined && (row.side === 'agency') !== agency,
      refusal,
    }
  }
  const client = await ctx.db.selectFrom('clients').select('name').where('id', '=', record.client_id).executeTakeFirst()
  const partners = agency ? await askedPartners(ctx, record) : []
  return [
    conversationWith(0, client?.name ?? '', ''),
    ...partners.map(({ id, name, refusal }) => conversationWith(id, name, refusal)),
  ]
}
