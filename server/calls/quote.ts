import { sql } from 'kysely'
import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { isAdmin } from '../../contract/actor.ts'
import type { quoteCalls } from '../../contract/quote.ts'
import { SPELLING, type Status } from '../../contract/status.ts'
import type { EffectId } from '../../contract/writeEffects.ts'
import { NOTHING_CHANGED } from '../../contract/writeEffects.ts'
import { stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { projectScope } from '../core/scope.ts'
import { seenProject } from '../domain/project/detail.ts'
import { projectFacts, projectRows } from '../domain/project/projectRows.ts'
import { noteOpened } from '../domain/project/quotes.ts'
import { assertNow, heldProject, moveProject, notNow } from '../domain/project/status.ts'
import type { ProjectRecord } from '../domain/project/storedProject.ts'
import { refuseReplaced } from '../domain/quote/decisions.ts'
import { invitationOf } from '../domain/quote/invitations.ts'
import { inviteesOf, invitePartner } from '../domain/quote/invitePartner.ts'
import { projectQuote } from '../domain/quote/projectQuote.ts'
import { profferPage, proffersOf } from './project/proffers.ts'
import { updated } from './project.ts'
import { mailRequest, notRemindable } from './quote/partnerMail.ts'
import { notifyCost, setCost } from './quote/pricing.ts'
import { moveAndMail } from './quote/quoteMail.ts'
import { askQuote } from './quote/requestMail.ts'

/** `resend` is the older call's. */
type Notified = { id: number; delay_seconds: number; resend?: boolean }
type Input<Id extends keyof typeof quoteCalls> = z.output<(typeof quoteCalls)[Id]['input']>

/** A partner's invitation to the project's current round; throws 404 without one. */
async function invitedPartner(ctx: Ctx, record: ProjectRecord, partner_id: number) {
  const invitation = await invitationOf(ctx, { project_id: record.id, partner_id, round: record.quote_round })
  if (!invitation || invitation.revoked_at) throw notFound(`Partner ${partner_id} of project ${record.id}`)
  return invitation
}

/** Invites a partner for the current round, and moves a waiting project to on quote. */
async function assign(ctx: Ctx, record: ProjectRecord, partner_id: number): Promise<void> {
  const [partner] = await inviteesOf(ctx, [partner_id], 'partner_id')
  await invitePartner(ctx, record, partner!)
}

/** Mails a partner the signed link, valid for 14 days (decisions.md 4); a repeat is a reminder, once in 24 hours. */
async function mailPartner(ctx: Ctx, { partner_id, project_id, delay_seconds }: Input<'project.mailPartner'>) {
  const record = await heldProject(ctx, (await seenProject(ctx, project_id)).id)
  const invitation = await invitedPartner(ctx, record, partner_id)
  await assertNow(ctx, record, denialOf('project.mailPartner', ctx.actor, await projectFacts(ctx, record)))
  if (!invitation.mailed_at) return onItsWay(ctx, await mailRequest(ctx, record, invitation, 'invitation', delay_seconds))
  const [partner] = await inviteesOf(ctx, [partner_id], 'partner_id')
  const reason = await notRemindable(ctx, { ...invitation, ...partner! })
  if (reason) throw await notNow(ctx, record, reason)
  return onItsWay(ctx, await mailRequest(ctx, record, invitation, 'reminder', delay_seconds))
}
const onItsWay = (ctx: Ctx, name: string) => ({
  message: describeEffect(ctx, 'project.mailPartner', { words: [`email to ${name}`, 'emails'] }),
})

/** Invites a partner in the older spelling unless invited already, and mails them (decisions.md 4). */
async function mailOrInvite(ctx: Ctx, input: Input<'campaign.mailPartner'>) {
  const record = await heldProject(ctx, (await seenProject(ctx, input.project_id)).id)
  const there = await invitationOf(ctx, { ...input, round: record.quote_round })
  if (there && !there.revoked_at) return mailPartner(ctx, input)
  const [partner] = await inviteesOf(ctx, [input.partner_id], 'partner_id')
  const invitation = await invitePartner(ctx, record, partner!)
  return onItsWay(ctx, await mailRequest(ctx, await heldProject(ctx, record.id), invitation, 'invitation', input.delay_seconds))
}

async function decide(ctx: Ctx, input: Input<'project.approve'>, to: 'approved' | 'pricing' | 'rejected', effect: EffectId) {
  const record = await heldProject(ctx, (await seenProject(ctx, input.project_id)).id)
  const { quote_id, lock_version, cost_cents } = input
  if (quote_id === undefined && lock_version !== undefined && lock_version !== record.lock_version)
    throw stale('project', record, { lock_version })
  if (to !== 'rejected')
    await refuseReplaced(ctx, record, quote_id === undefined ? { cost_cents } : { quote_id, lock_version, cost_cents })
  // From requirements the same status means going on quote, which is no rejection.
  if (to === 'pricing') await assertNow(ctx, record, denialOf('project.rejectQuote', ctx.actor, await projectFacts(ctx, record)))
  await moveAndMail(ctx, record, { to, reason: input.reason })
  return updated(ctx, record.id, describeEffect(ctx, effect, { name: record.name }))
}

/** Throws a 422 if a status other than the call's own was sent. */
function assertStatus(status: Status | undefined, wanted: Status): void {
  if (status !== undefined && status !== wanted) throw invalid('status', `status must be ${SPELLING[wanted].v3} here`)
}

/** Quotes the caller may approve now, the first to lapse first; expired and unsent ones are left out. */
async function waitingQuotes(ctx: Ctx) {
  const records = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where(projectScope(ctx.actor))
    .where('status', '=', 'submit_approval')
    .orderBy((eb) => eb.fn.coalesce('quote_valid_until', sql<string>`'9999-12-31'`))
    .orderBy('id')
    .execute()
  const open = await projectRows(ctx, records)
  const data = open.filter((row) => row.allowed_actions.includes('project.approve'))
  return {
    data: data.map(({ id, name, generation, quote_valid_until }) => ({ id, name, generation, valid_until: quote_valid_until })),
    count: data.length,
    page: 1,
  }
}

export const quoteHandlers: HandlersOf<typeof quoteCalls> = {
  'project.waiting': waitingQuotes,
  'project.assignPartner': async (ctx) => {
    const record = await heldProject(ctx, (await seenProject(ctx, ctx.input.project_id)).id)
    await assign(ctx, record, ctx.input.partner_id)
    return updated(ctx, record.id, describeEffect(ctx, 'invitation.create', { count: 1, noun: 'partner' }))
  },

  'project.assign': async (ctx) => {
    assertStatus(ctx.input.status, 'pricing')
    const { project_id, partner_id } = ctx.input
    const record = await heldProject(ctx, (await seenProject(ctx, project_id)).id)
    await assertNow(ctx, record, denialOf('project.assignPartner', ctx.actor, await projectFacts(ctx, record)))
    const there = await invitationOf(ctx, { project_id, partner_id, round: record.quote_round })
    // The older flow invites before it assigns, so an invited partner is no conflict (decisions.md 4).
    if (!there || there.revoked_at) await assign(ctx, record, partner_id)
    else if (record.status === 'requirements') await moveProject(ctx, record, { to: 'pricing', reason: '' })
    return updated(ctx, record.id, describeEffect(ctx, 'project.assign', { noun: 'project' }))
  },

  'project.approve': async (ctx) => {
    assertStatus(ctx.input.status, 'approved')
    return decide(ctx, ctx.input, 'approved', 'project.approve')
  },

  'project.reject': async (ctx) => {
    const { status } = ctx.input
    // Requires the status, so that a project is never rejected by default.
    if (status !== 'pricing' && status !== 'rejected')
      throw invalid('status', 'status must be OnQuote, which rejects the quote, or Rejected, which rejects the project')
    // A client's own request isn't rejected but withdrawn.
    const rejects = denialOf('project.approveForClient', ctx.actor) ? 'project.withdraw' : 'project.reject'
    return decide(ctx, ctx.input, status, status === 'pricing' ? 'project.rejectQuote' : rejects)
  },

  'project.quote': async (ctx) => ({ data: await projectQuote(ctx, ctx.input.id) }),

  'project.quoteOpened': async (ctx) => {
    const record = await heldProject(ctx, (await seenProject(ctx, ctx.input.id)).id)
    const noted = !isAdmin(ctx.actor) && !ctx.actor.admin_id && (await noteOpened(ctx, record))
    return { message: noted ? describeEffect(ctx, 'project.quoteOpened', { words: ['it', 'they'] }) : NOTHING_CHANGED }
  },

  'project.askQuote': async (ctx) => {
    const record = await heldProject(ctx, (await seenProject(ctx, ctx.input.id)).id)
    await assertNow(ctx, record, denialOf('project.askQuote', ctx.actor, await projectFacts(ctx, record)))
    await askQuote(ctx, record, ctx.input.message)
    return { message: describeEffect(ctx, 'project.askQuote', { words: ['a new quote', 'new quotes'] }) }
  },

  'project.proffers': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = await proffersOf(ctx, { project_id: ctx.input.id })
    return { data: data.map((row) => ({ ...row, campaign_id: row.project_id })), count: data.length, page: 1 }
  },

  'proffer.list': async (ctx) => {
    const { page, per_page, campaign_id, partner_id, state, updated_since } = ctx.input
    const project_id = ctx.input.project_id ?? campaign_id
    if (campaign_id !== undefined && campaign_id !== project_id)
      throw invalid('campaign_id', 'campaign_id and project_id must be the same project')
    // A missing project is a 404, as in /v3/portal/projects/{id}/proffers.
    if (project_id !== undefined) await seenProject(ctx, project_id)
    const which = { project_id, partner_id, state, updated_since }
    const { count, rows } = await profferPage(ctx, which, ctx.input)
    const proffers = rows.map((row) => ({ ...row, campaign_id: row.project_id }))
    return { data: { count, page, per_page, proffers } }
  },

  'project.setCost': async (ctx) => {
    const message = await setCost(ctx, ctx.input)
    return updated(ctx, ctx.input.id, message)
  },

  'project.notifyCost': (ctx) => {
    const { id, delay_seconds, resend }: Notified = ctx.input
    return notifyCost(ctx, id, delay_seconds, resend)
  },
  'project.mailPartner': (ctx) => mailPartner(ctx, ctx.input),
  'campaign.mailPartner': (ctx) => mailOrInvite(ctx, ctx.input),
}
