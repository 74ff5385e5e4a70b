import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Status } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { settingsOf } from '../../domain/organization.ts'
import { type Move, moveProject } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { titleOf } from '../../domain/quote/invitations.ts'
import { roundRecipients } from '../../domain/quote/recipients.ts'
import { links, quoteDecided, roundClosed } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'

type Decision = 'approved' | 'rejected' | 'withdrawn'

/** The decision about a quote that a change of status means; null if it means none. */
function decisionOf(from: Status, to: Status): Decision | null {
  if (to === 'approved') return 'approved'
  if (from === 'submit_approval' && to === 'pricing') return 'rejected'
  return to === 'rejected' ? 'withdrawn' : null
}

/** Changes a project's status, and mails a decision about its quote to the people who act next. */
export async function moveAndMail(ctx: Ctx, record: ProjectRecord, move: Move): Promise<ProjectRecord> {
  const next = await moveProject(ctx, record, move)
  const decision = decisionOf(record.status, move.to)
  if (!decision) return next
  await mailOwners(ctx, record, decision, move.reason)
  if (decision !== 'rejected') await mailPartners(ctx, record, decision)
  return next
}

/** Mails a decision to the administrators who invited partners, or to all of them, but not to the one who decided. */
async function mailOwners(ctx: Ctx, record: ProjectRecord, decision: Decision, reason: string): Promise<void> {
  const link = links.approval(ctx.services.settings.publicUrl, record)
  const { first_name, last_name } = ctx.user
  const by = `${first_name} ${last_name}`.trim()
  const about = `project:${record.id}`
  for (const owner of await roundRecipients(ctx, record)) {
    if (owner.id === ctx.actor.id) continue
    const to = { first_name: owner.first_name, project: record.name, decision, by, reason, link }
    await sendLetter(ctx, { to: owner.email, about, delay_seconds: MAIL_WAITS }, (services) => quoteDecided(services, to))
  }
}

/** Tells the partners of a round that it is decided: what they were chosen for, or that they weren't. */
async function mailPartners(ctx: Ctx, record: ProjectRecord, decision: Decision): Promise<void> {
  const answered = await ctx.tx
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'proffers.partner_id')
    .innerJoin('project_partners', (join) =>
      join
        .onRef('project_partners.project_id', '=', 'proffers.project_id')
        .onRef('project_partners.partner_id', '=', 'proffers.partner_id')
        .onRef('project_partners.round', '=', 'proffers.round'),
    )
    .select(['proffers.id', 'partners.name', 'partners.email', 'project_partners.title'])
    .where('proffers.project_id', '=', record.id)
    .where('proffers.round', '=', record.quote_round)
    .where('proffers.state', '=', 'sent')
    .where('fill_requirements', '=', 'Yes')
    .where('revoked_at', 'is', null)
    .where('partners.deleted_at', 'is', null)
    .where('partners.email', '!=', '')
    .execute()
  const shares = await ctx.tx
    .selectFrom('quote_shares')
    .innerJoin('quotes', 'quotes.id', 'quote_id')
    .select(['proffer_id', 'completes', 'cpi_cents'])
    .where('project_id', '=', record.id)
    .where('round', '=', record.quote_round)
    .where('quotes.state', '=', 'approved')
    .execute()
  // Without recorded shares, no partner was chosen by name, so none can be told.
  if (decision === 'approved' && !shares.length) return
  const { tell_not_chosen } = await settingsOf(ctx.db)
  for (const partner of answered) {
    const share = decision === 'approved' ? shares.find(({ proffer_id }) => proffer_id === partner.id) : undefined
    if (!share && !tell_not_chosen) continue
    const facts = {
      partner: partner.name,
      title: titleOf(partner, record),
      code: codeOf('project', record.id),
      share: share ?? null,
    }
    const to = { to: partner.email, about: `project:${record.id}`, delay_seconds: MAIL_WAITS }
    await sendLetter(ctx, to, (services) => roundClosed(services, facts))
  }
}
