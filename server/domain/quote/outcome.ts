import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import type { Invitation } from './invitations.ts'

/** What a partner was chosen for. */
export interface Choice {
  proffer_id: number
  partner_id: number
  completes: number
  cpi_cents: number
}

/**
 * The partners' shares of the newest approved price of the project's round; empty if nobody was chosen by name.
 * A project that an administrator forced past the approval is fielded at its newest price.
 */
export async function choicesOf(
  ctx: Pick<Ctx, 'db'>,
  record: Pick<ProjectRecord, 'id' | 'quote_round' | 'status'>,
): Promise<Choice[]> {
  const approved = await ctx.db
    .selectFrom('quotes')
    .select('id')
    .where('project_id', '=', record.id)
    .where('round', '=', record.quote_round)
    .where('state', 'in', isDecided(record) ? ['approved', 'sent', 'prepared'] : ['approved'])
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!approved) return []
  return ctx.db
    .selectFrom('quote_shares')
    .innerJoin('proffers', 'proffers.id', 'proffer_id')
    .select(['proffer_id', 'partner_id', 'completes', 'quote_shares.cpi_cents'])
    .where('quote_id', '=', approved.id)
    .execute()
}

/** True from the client's approval on, until the project is rejected or priced again. */
export const isDecided = ({ status }: Pick<ProjectRecord, 'status'>): boolean =>
  status !== 'rejected' && SPELLING[status].bucket !== 'pending'

export type FieldState = 'waiting' | 'live' | 'paused' | 'ended'

/** Where an approved project's fieldwork is; null before its approval. */
export function fieldStateOf({ status }: Pick<ProjectRecord, 'status'>): FieldState | null {
  if (status === 'active') return 'live'
  if (status === 'paused') return 'paused'
  if (status === 'approved') return 'waiting'
  return status === 'completed' || status === 'reporting' ? 'ended' : null
}

/** A closed round's outcome for one partner, as their page and mails say it. */
export async function outcomeOf(
  ctx: Pick<Ctx, 'db'>,
  record: ProjectRecord,
  { partner_id }: Pick<Invitation, 'partner_id'>,
): Promise<{ state: 'deciding' | 'chosen' | 'not_chosen' | 'closed' | 'cancelled'; choice: Choice | null }> {
  if (record.status === 'rejected') return { state: 'cancelled', choice: null }
  if (!isDecided(record)) return { state: 'deciding', choice: null }
  const choices = await choicesOf(ctx, record)
  const choice = choices.find((one) => one.partner_id === partner_id) ?? null
  return { state: choice ? 'chosen' : choices.length ? 'not_chosen' : 'closed', choice }
}

/** Who answers a partner's questions: the administrator who invited them, or else the support address. */
export async function contactOf(
  ctx: Pick<Ctx, 'db'>,
  { invited_by }: Pick<Invitation, 'invited_by'>,
  support: { product: string; support_mail: string },
): Promise<{ name: string; email: string }> {
  const admin =
    invited_by === null
      ? undefined
      : await ctx.db
          .selectFrom('users')
          .select(['first_name', 'last_name', 'email'])
          .where('id', '=', invited_by)
          .where('role', '=', 'admin')
          .where('status', '=', 'active')
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (!admin) return { name: `The ${support.product} team`, email: support.support_mail }
  return { name: `${admin.first_name} ${admin.last_name}`.trim() || admin.email, email: admin.email }
}
