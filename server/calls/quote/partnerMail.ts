import { count, dollars, showDay, showTime } from '../../../contract/format.ts'
import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { isWithin } from '../../core/clockSkew.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { organizationOf } from '../../domain/organization.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { answerOf, type Proffer } from '../../domain/quote/answers.ts'
import {
  earlierAnswer,
  type Invitation,
  signPartnerLink,
  surveyFor,
  titleOf,
  writeInvitation,
} from '../../domain/quote/invitations.ts'
import { contactOf } from '../../domain/quote/outcome.ts'
import { changesOf, currentTerms, type RequestTerms } from '../../domain/quote/requestTerms.ts'
import { links, partnerAnswered, partnerInvitation, partnerLink, partnerReminder } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'

/** A project's field dates for mails: "Dec 14 – Dec 21, 2026"; empty if one is missing. */
export const datesOf = ({ start_dt, end_dt }: Pick<ProjectRecord, 'start_dt' | 'end_dt'>): string =>
  start_dt && end_dt
    ? `${showDay(start_dt, start_dt.slice(0, 4) === end_dt.slice(0, 4) ? 'day' : 'day and year')} – ${showDay(end_dt, 'day and year')}`
    : ''

const LETTERS = { invitation: partnerInvitation, reminder: partnerReminder, link: partnerLink }
/**
 * Mails a partner the signed link to the feasibility page, valid for 14 days, and records when (decisions.md 4).
 * Returns the partner's name; throws 409 without an address.
 */
export async function mailRequest(
  ctx: Ctx,
  record: ProjectRecord,
  invitation: Invitation,
  kind: keyof typeof LETTERS,
  delay_seconds?: number,
): Promise<string> {
  const { project_id, partner_id } = invitation
  const partner = await ctx.tx.selectFrom('partners').select(['name', 'email']).where('id', '=', partner_id).executeTakeFirst()
  if (!partner) throw notFound(`Partner ${partner_id} of project ${project_id}`)
  if (!partner.email) throw new HttpError(409, 'not_now', `${partner.name} has no email address: copy the link instead.`)
  const { token, until } = signPartnerLink(ctx, invitation)
  const [terms, earlier, organization] = await Promise.all([
    currentTerms(ctx, record),
    earlierAnswer(ctx, invitation),
    organizationOf(ctx.tx),
  ])
  const facts = {
    partner: partner.name,
    title: titleOf(invitation, record),
    code: codeOf('project', record.id),
    ...terms,
    dates: datesOf(record),
    answer_by: invitation.answer_by,
    message: invitation.message,
    requirements: invitation.requirements,
    files: (JSON.parse(invitation.files) as number[]).length,
    survey: surveyFor(record, invitation) !== null,
    round: invitation.round,
    why: invitation.why,
    changes: earlier ? changesOf(JSON.parse(earlier.asked) as Partial<RequestTerms>, terms) : [],
    contact: await contactOf(ctx, invitation, organization),
    link: links.feasibility(ctx.services.settings.publicUrl, project_id, partner_id, token),
  }
  await sendLetter(ctx, { to: partner.email, about: `project:${project_id}`, opens: { until }, delay_seconds }, (services) =>
    LETTERS[kind](services, facts),
  )
  const reminds = kind === 'reminder' ? { reminded_at: ctx.now, reminders: invitation.reminders + 1 } : {}
  await writeInvitation(ctx, invitation, { mailed_at: ctx.now, link_until: until, ...reminds })
  // The partner isn't a user, so the history line names them itself.
  await ctx.record({
    subject: 'project',
    subject_id: project_id,
    partner_id,
    after: kind === 'reminder' ? { reminded: partner.name } : { mailed: partner.name },
  })
  ctx.emit({ noun: 'proffer', id: partner_id, project_id, audience: 'admin' })
  return partner.name
}

const DAY_MS = 86_400_000

/** Why an invited partner can't be reminded now; null if they can: once in 24 hours, until they answer. */
export async function notRemindable(ctx: Ctx, invited: Invitation & { name: string; email: string }): Promise<string | null> {
  if ((await answerOf(ctx, invited))?.state === 'sent') return `${invited.name} has answered.`
  if (!invited.email) return `${invited.name} has no email address: copy the link instead.`
  const { reminded_at } = invited
  if (!reminded_at || !isWithin(reminded_at, ctx.now, DAY_MS)) return null
  return `Reminded today. Next from ${showTime(Date.parse(reminded_at) + DAY_MS, 'clock', ctx.services.settings.timeZone)}.`
}

/** Tells the inviting administrator that a partner answered, corrected or declined; all of them if no one invited. */
export async function mailAnswer(
  ctx: Ctx,
  record: ProjectRecord,
  invitation: Invitation,
  answer: Proffer,
  partner: string,
): Promise<void> {
  const admins = await ctx.tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name'])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .execute()
  const inviter = admins.filter(({ id }) => id === invitation.invited_by)
  const did = answer.fill_requirements === 'No' ? 'declined' : answer.corrections > 0 ? 'corrected' : 'answered'
  const facts = [
    answer.fill_requirements === 'No' ? `No: ${answer.reason}` : null,
    answer.feasible_completes === null ? null : `Completes: ${count(answer.feasible_completes)}`,
    answer.cpi_cents === null ? null : `CPI: ${dollars(answer.cpi_cents)}`,
    answer.field_days === null ? null : `Field days: ${answer.field_days}`,
    answer.valid_until === null ? null : `Valid until: ${showDay(answer.valid_until, 'day and year')}`,
    answer.note || null,
  ]
  const link = links.approval(ctx.services.settings.publicUrl, record)
  for (const admin of inviter.length ? inviter : admins) {
    const to = {
      first_name: admin.first_name,
      partner,
      project: record.name,
      did,
      facts: facts.filter(Boolean).join('\n'),
      link,
    } as const
    await sendLetter(ctx, { to: admin.email, about: `project:${record.id}`, delay_seconds: MAIL_WAITS }, (services) =>
      partnerAnswered(services, to),
    )
  }
}
