import type { z } from 'zod'
import { verdictOn } from '../../contract/access.ts'
import type { quoteCalls } from '../../contract/quote.ts'
import { SPELLING, type Status } from '../../contract/status.ts'
import { seesAll } from '../../contract/who.ts'
import { change, stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { offsetOf } from '../core/listSearch.ts'
import { projectScope } from '../core/scope.ts'
import { seenProject } from '../domain/project/detail.ts'
import { projectFacts, projectRows } from '../domain/project/projectRows.ts'
import { noteOpened, priceQuote, sendQuote } from '../domain/project/quotes.ts'
import type { ProjectRecord } from '../domain/project/record.ts'
import { heldProject, moveProject } from '../domain/project/status.ts'
import { refuseReplaced } from '../domain/quote/decisions.ts'
import { invitationOf } from '../domain/quote/invitations.ts'
import { inviteesOf, invitePartner } from '../domain/quote/inviting.ts'
import { projectQuote } from '../domain/quote/read.ts'
import { costNotification, links } from '../mail/letters.ts'
import { sendLetter } from '../mail/send.ts'
import { countProffers, proffersOf } from './project/proffers.ts'
import { saidOf } from './project.ts'
import { mailRequest } from './quote/partnerMail.ts'

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

/** Mails a partner the signed link, valid for 14 days (decisions.md 4); later as a reminder, once in 24 hours. */
async function mailPartner(ctx: Ctx, { partner_id, project_id }: Input<'project.mailPartnerNow'>) {
  const record = await heldProject(ctx, (await seenProject(ctx, project_id)).id)
  const invitation = await invitedPartner(ctx, record, partner_id)
  const name = await mailRequest(ctx, record, invitation, invitation.mailed_at ? 'reminder' : 'invitation')
  return { message: `Email to ${name} is on its way` }
}

/** Who is mailed about the cost: the requester, or else every user of the client. */
async function readersOf(ctx: Ctx, record: ProjectRecord) {
  const people = await ctx.tx
    .selectFrom('users')
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .select(['users.id', 'email', 'first_name'])
    .where('user_clients.client_id', '=', record.client_id)
    .where('role', '=', 'client')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .execute()
  const requester = people.filter((person) => person.id === record.requested_by)
  return requester.length ? requester : people
}

/** Mails the cost to the client, who can decide on the quote from then on. */
async function notifyCost(ctx: Ctx, id: number) {
  const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
  assertAllowed(verdictOn('project.notifyCost', ctx.actor, await projectFacts(ctx, record)))
  const readers = await readersOf(ctx, record)
  if (!readers.length) throw new HttpError(409, 'not_now', 'The client has no user to email.')
  const link = links.approval(ctx.services.settings.publicUrl, record)
  for (const reader of readers) {
    const letter = {
      first_name: reader.first_name,
      project: record.name,
      cost_cents: record.cost_cents ?? 0,
      valid_until: record.quote_valid_until,
      link,
    }
    await sendLetter(ctx, { to: reader.email, about: `project:${id}` }, (services) => costNotification(services, letter))
  }
  await sendQuote(ctx, record)
  const { cost_cents, quote_valid_until } = record
  await ctx.record({
    subject: 'project',
    subject_id: id,
    after: { cost_notification: readers.length, cost_cents, ...(quote_valid_until ? { quote_valid_until } : {}) },
  })
  ctx.emit({ noun: 'project', id, project_id: id })
  return { message: `Email to ${readers.length === 1 ? readers[0]!.email : `${readers.length} people`} is on its way` }
}

async function decide(ctx: Ctx, input: Input<'project.approve'>, to: 'approved' | 'pricing' | 'rejected', message: string) {
  const record = await heldProject(ctx, (await seenProject(ctx, input.project_id)).id)
  const { quote_id, lock_version, cost_cents } = input
  if (quote_id === undefined && lock_version !== undefined && lock_version !== record.lock_version)
    throw stale('project', record, { lock_version })
  if (to !== 'rejected')
    await refuseReplaced(ctx, record, quote_id === undefined ? { cost_cents } : { quote_id, lock_version, cost_cents })
  await moveProject(ctx, record, { to, reason: input.reason })
  return saidOf(ctx, record.id, message)
}

/** Throws a 422 if a status other than the call's own was sent. */
function mustMean(status: Status | undefined, wanted: Status): void {
  if (status !== undefined && status !== wanted) throw invalid('status', `status must be ${SPELLING[wanted].v3} here`)
}

/** The price and its validity from the input; what is missing keeps its value while that is valid. */
function priceOf(ctx: Ctx, record: ProjectRecord, input: Input<'project.setCost'>) {
  const { cost, cost_cents, valid_until } = input
  const cents = cost === undefined ? undefined : Math.round(cost * 100)
  if (cents !== undefined && cost_cents !== undefined && cents !== cost_cents)
    throw invalid('cost_cents', 'cost_cents and cost must be the same amount')
  if (valid_until && valid_until < ctx.today && valid_until !== record.quote_valid_until)
    throw invalid('valid_until', 'valid_until must be today or later')
  const before = record.quote_valid_until && record.quote_valid_until >= ctx.today ? record.quote_valid_until : null
  return { cost_cents: cost_cents ?? cents!, valid_until: valid_until === undefined ? before : valid_until }
}

/** Changes an approved price with a reason, and asks the client again (decisions.md 13, Price). */
async function reprice(ctx: Ctx, record: ProjectRecord, input: Input<'project.setCost'>): Promise<string> {
  assertAllowed(verdictOn('project.reprice', ctx.actor, await projectFacts(ctx, record)))
  if (!input.reason) throw invalid('reason', 'Please say why the price changes: the client approved it')
  const patch = await priceQuote(ctx, record, priceOf(ctx, record, input))
  await moveProject(ctx, record, { to: 'submit_approval', reason: input.reason, lock: input.lock_version, patch })
  const readers = await readersOf(ctx, record)
  if (!readers.length) return 'The project is quoted again. Its client has no user to email'
  await notifyCost(ctx, record.id)
  return 'The project is quoted again, and the client is asked'
}

/** Quotes the caller may approve now, oldest project first; expired and unsent ones are left out. */
async function waitingQuotes(ctx: Ctx) {
  const records = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where(projectScope(ctx.actor))
    .where('status', '=', 'submit_approval')
    .orderBy('id')
    .execute()
  const open = await projectRows(ctx, records)
  const data = open.filter((row) => row.allowed_actions.includes('project.approve'))
  return { data: data.map(({ id, name, generation }) => ({ id, name, generation })), count: data.length }
}

export const quoteHandlers: HandlersOf<typeof quoteCalls> = {
  'project.waiting': waitingQuotes,
  'project.assignPartner': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.project_id)
    await assign(ctx, record, ctx.input.partner_id)
    return saidOf(ctx, record.id, 'Partner assigned')
  },

  'project.assign': async (ctx) => {
    mustMean(ctx.input.status, 'pricing')
    const record = await seenProject(ctx, ctx.input.project_id)
    const there = await ctx.tx
      .selectFrom('project_partners')
      .select('partner_id')
      .where('project_id', '=', record.id)
      .where('partner_id', '=', ctx.input.partner_id)
      .where('round', '=', record.quote_round)
      .executeTakeFirst()
    // The older flow invites before it assigns, so an invited partner is no conflict (decisions.md 4).
    if (!there) await assign(ctx, record, ctx.input.partner_id)
    else if (record.status === 'requirements') await moveProject(ctx, record, { to: 'pricing', reason: '' })
    return saidOf(ctx, record.id, 'Project assigned')
  },

  'project.approve': async (ctx) => {
    mustMean(ctx.input.status, 'approved')
    return decide(ctx, ctx.input, 'approved', 'Quote approved')
  },

  'project.reject': async (ctx) => {
    const { status } = ctx.input
    // Requires the status, so that a project is never rejected by default.
    if (status !== 'pricing' && status !== 'rejected')
      throw invalid('status', 'status must be OnQuote, which rejects the quote, or Rejected, which rejects the project')
    return decide(ctx, ctx.input, status, status === 'pricing' ? 'Quote rejected' : 'Project rejected')
  },

  'project.quote': async (ctx) => ({ data: await projectQuote(ctx, ctx.input.id) }),

  'project.quoteOpened': async (ctx) => {
    const record = await heldProject(ctx, (await seenProject(ctx, ctx.input.id)).id)
    const noted = !seesAll(ctx.actor) && !ctx.actor.admin_id && (await noteOpened(ctx, record))
    return { message: noted ? 'Noted' : 'There was nothing to note' }
  },

  'project.proffers': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = await proffersOf(ctx, { project_id: ctx.input.id }).execute()
    return { data: data.map((row) => ({ ...row, campaign_id: row.project_id })), count: data.length, page: 1 }
  },

  'proffer.list': async (ctx) => {
    const { page, per_page, campaign_id, partner_id, state } = ctx.input
    const project_id = ctx.input.project_id ?? campaign_id
    if (campaign_id !== undefined && campaign_id !== project_id)
      throw invalid('campaign_id', 'campaign_id and project_id must be the same project')
    // A missing project is a 404, as in /v3/portal/projects/{id}/proffers.
    if (project_id !== undefined) await seenProject(ctx, project_id)
    const which = { project_id, partner_id, state }
    const [count, rows] = await Promise.all([
      countProffers(ctx, which),
      proffersOf(ctx, which).limit(per_page).offset(offsetOf(ctx.input)).execute(),
    ])
    const proffers = rows.map((row) => ({ ...row, campaign_id: row.project_id }))
    return { data: { count, page, per_page, proffers } }
  },

  'project.setCost': async (ctx) => {
    const { input } = ctx
    const record = await heldProject(ctx, (await seenProject(ctx, input.id)).id)
    const price = priceOf(ctx, record, input)
    const isNew = price.cost_cents !== record.cost_cents || price.valid_until !== record.quote_valid_until
    if (record.status === 'approved' || record.status === 'paused') {
      // A price written back unchanged doesn't ask the client again.
      if (!isNew && !input.reason) return saidOf(ctx, record.id, 'Cost updated')
      return saidOf(ctx, record.id, await reprice(ctx, record, input))
    }
    assertAllowed(verdictOn('project.setCost', ctx.actor, await projectFacts(ctx, record)))
    const patch = await priceQuote(ctx, record, price)
    if (record.status === 'pricing' && !input.hold)
      await moveProject(ctx, record, { to: 'submit_approval', reason: input.reason, lock: input.lock_version, patch })
    else
      await change(ctx, 'projects', {
        subject: 'project',
        id: record.id,
        patch,
        lock: input.lock_version,
        line: { reason: input.reason },
        change: { noun: 'project', project_id: record.id },
      })
    return saidOf(ctx, record.id, 'Cost updated')
  },

  'project.notifyCost': (ctx) => notifyCost(ctx, ctx.input.id),
  'project.notifyCostNow': (ctx) => notifyCost(ctx, ctx.input.id),
  'project.mailPartner': (ctx) => mailPartner(ctx, ctx.input),
  'project.mailPartnerNow': (ctx) => mailPartner(ctx, ctx.input),
  'campaign.mailPartner': (ctx) => mailPartner(ctx, ctx.input),
}
