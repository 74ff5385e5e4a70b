import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import type { Status } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { heldProject, type Move, moveProject } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { choicesOf, isDecided } from '../../domain/quote/outcome.ts'
import { roundRecipients } from '../../domain/quote/recipients.ts'
import { links, quoteDecided } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { tellPartners } from './partnerNews.ts'

type Decision = 'approved' | 'rejected' | 'withdrawn'

/** The decision about a quote that a change of status means; null if it means none. */
function decisionOf(from: Status, to: Status): Decision | null {
  if (to === 'approved') return 'approved'
  if (from === 'submit_approval' && to === 'pricing') return 'rejected'
  return to === 'rejected' ? 'withdrawn' : null
}

/** Changes a project's status, and mails what it means to the administrators and partners who wait for it. */
export async function moveAndMail(ctx: Ctx, seen: ProjectRecord, move: Move): Promise<ProjectRecord> {
  const record = await heldProject(ctx, seen.id)
  // Only these moves can end what a partner was chosen for.
  const endsChoices = record.status === 'submit_approval' || move.to === 'rejected' || move.to === 'pricing'
  const isChosen = isDecided(record) || record.status === 'submit_approval'
  const chosenBefore = endsChoices && isChosen ? await choicesOf(ctx, record) : []
  const next = await moveProject(ctx, record, move)
  const decision = decisionOf(record.status, move.to)
  if (decision) await mailOwners(ctx, record, decision, move.reason)
  await tellPartners(ctx, record, next, chosenBefore)
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
