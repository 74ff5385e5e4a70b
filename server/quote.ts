import type { z } from 'zod'
import { PROJECT_RULES } from '../contract/access.ts'
import type { quoteCalls } from '../contract/quote.ts'
import { change } from './change.ts'
import type { Ctx } from './context.ts'
import { offsetOf } from './listing.ts'
import { costNotification, links, partnerInvitation } from './mail/letters.ts'
import { sendLetter } from './mail/send.ts'
import type { HandlersOf } from './mount.ts'
import { seenProject } from './project/detail.ts'
import { proffersOf } from './project/proffers.ts'
import { type ProjectRecord, projectFacts } from './project/rows.ts'
import { moveProject } from './project/status.ts'
import { saidOf } from './project.ts'
import { invalid, must, notFound, Refusal } from './refusal.ts'

type Input<Id extends keyof typeof quoteCalls> = z.output<(typeof quoteCalls)[Id]['input']>
const LINK_DAYS = 14

/** Invites a partner for the current round and puts a project that waits for one on quote. */
async function assign(ctx: Ctx, record: ProjectRecord, partner_id: number): Promise<void> {
  must(PROJECT_RULES['project.assignPartner'](ctx.actor, await projectFacts(ctx, record)))
  const partner = await ctx.tx
    .selectFrom('partners')
    .select(['id', 'name'])
    .where('id', '=', partner_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!partner) throw invalid('partner_id', `partner_id is not a partner: ${partner_id}`)
  const added = await ctx.tx
    .insertInto('project_partners')
    .values({ project_id: record.id, partner_id, round: record.quote_round, assigned_at: ctx.now, mailed_at: null })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst()
  if (!Number(added.numInsertedOrUpdatedRows ?? 0))
    throw new Refusal(409, 'not_now', `${partner.name} is assigned to this project already.`)
  await ctx.record({ subject: 'project', subject_id: record.id, partner_id, after: { partner: partner.name } })
  ctx.emit({ noun: 'project', id: record.id, project_id: record.id })
  if (record.status === 'requirements') await moveProject(ctx, record, { to: 'pricing', reason: '' })
}

/** Mails a partner the signed link to the feasibility page, good for 14 days (decisions.md 4). */
async function mailPartner(ctx: Ctx, { partner_id, project_id }: Input<'project.mailPartnerNow'>) {
  const record = await seenProject(ctx, project_id)
  const partner = await ctx.tx
    .selectFrom('partners')
    .innerJoin('project_partners', 'project_partners.partner_id', 'partners.id')
    .select(['partners.id', 'name', 'email'])
    .where('partners.id', '=', partner_id)
    .where('project_id', '=', project_id)
    .where('round', '=', record.quote_round)
    .executeTakeFirst()
  if (!partner) throw notFound(`Partner ${partner_id} of project ${project_id}`)
  if (!partner.email) throw new Refusal(409, 'not_now', `${partner.name} has no e-mail address.`)
  const until = Math.floor(ctx.house.now().getTime() / 1000) + LINK_DAYS * 86_400
  const token = ctx.house.secrets.sign('partner', `${project_id}:${partner_id}`, until)
  const link = links.feasibility(ctx.house.settings.publicUrl, project_id, partner_id, token)
  const dates = record.start_dt && record.end_dt ? `${record.start_dt} to ${record.end_dt}` : ''
  const opens = { until: new Date(until * 1000).toISOString() }
  await sendLetter(ctx, { to: partner.email, about: `project:${project_id}`, opens }, (house) =>
    partnerInvitation(house, { partner: partner.name, project: record.name, project_id, ordered: record.ordered, dates, link }),
  )
  await ctx.tx
    .updateTable('project_partners')
    .set({ mailed_at: ctx.now })
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', record.quote_round)
    .execute()
  await ctx.record({ subject: 'project', subject_id: project_id, partner_id, after: { mailed: partner.name } })
  ctx.emit({ noun: 'project', id: project_id, project_id, audience: 'admin' })
  return { message: `Mail to ${partner.name} is on its way` }
}

/** Mails the client's people about the cost: the requester, else every user of the client. */
async function notifyCost(ctx: Ctx, id: number) {
  const record = await seenProject(ctx, id)
  must(PROJECT_RULES['project.notifyCost'](ctx.actor, await projectFacts(ctx, record)))
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
  const readers = requester.length ? requester : people
  if (!readers.length) throw new Refusal(409, 'not_now', 'The client has no user who could read it.')
  const link = links.approval(ctx.house.settings.publicUrl, id)
  for (const reader of readers) {
    const letter = {
      first_name: reader.first_name,
      project: record.name,
      cost_cents: record.cost_cents ?? 0,
      valid_until: record.quote_valid_until,
      link,
    }
    await sendLetter(ctx, { to: reader.email, about: `project:${id}` }, (house) => costNotification(house, letter))
  }
  await ctx.record({ subject: 'project', subject_id: id, after: { cost_notification: readers.length } })
  return { message: `Mail to ${readers.length === 1 ? readers[0]!.email : `${readers.length} people`} is on its way` }
}

async function decide(ctx: Ctx, input: Input<'project.approve'>, to: 'approved' | 'pricing' | 'rejected', message: string) {
  const record = await seenProject(ctx, input.project_id)
  await moveProject(ctx, record, { to, reason: input.reason })
  return saidOf(ctx, record.id, message)
}

export const quoteHandlers: HandlersOf<typeof quoteCalls> = {
  'project.assignPartner': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.project_id)
    await assign(ctx, record, ctx.input.partner_id)
    return saidOf(ctx, record.id, 'Partner assigned')
  },

  'project.assign': async (ctx) => {
    const record = await seenProject(ctx, ctx.input.project_id)
    const there = await ctx.tx
      .selectFrom('project_partners')
      .select('partner_id')
      .where('project_id', '=', record.id)
      .where('partner_id', '=', ctx.input.partner_id)
      .where('round', '=', record.quote_round)
      .executeTakeFirst()
    // The older flow invites first and assigns then: an invited partner is no clash here (decisions.md 4).
    if (!there) await assign(ctx, record, ctx.input.partner_id)
    else if (record.status === 'requirements') await moveProject(ctx, record, { to: 'pricing', reason: '' })
    return saidOf(ctx, record.id, 'Project assigned')
  },

  'project.approve': async (ctx) => decide(ctx, ctx.input, 'approved', 'Quote approved'),

  'project.reject': async (ctx) => {
    const { status } = ctx.input
    if (status && status !== 'pricing' && status !== 'rejected') throw invalid('status', 'status must be OnQuote or Rejected')
    return decide(
      ctx,
      ctx.input,
      status === 'pricing' ? 'pricing' : 'rejected',
      status === 'pricing' ? 'Quote rejected' : 'Project rejected',
    )
  },

  'project.proffers': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = await proffersOf(ctx).where('proffers.project_id', '=', ctx.input.id).orderBy('proffers.id', 'desc').execute()
    return { data: data.map((row) => ({ ...row, campaign_id: row.project_id })), count: data.length, page: 1 }
  },

  'proffer.list': async (ctx) => {
    const { page, per_page, campaign_id } = ctx.input
    // As /v3/portal/projects/{id}/proffers does: a project that is not there is a 404, not a list of none.
    if (campaign_id !== undefined) await seenProject(ctx, campaign_id)
    const all = ctx.db.selectFrom('proffers').select((eb) => eb.fn.countAll<number>().as('count'))
    const { count } = await (campaign_id === undefined
      ? all
      : all.where('project_id', '=', campaign_id)
    ).executeTakeFirstOrThrow()
    const found = proffersOf(ctx).orderBy('proffers.id', 'desc').limit(per_page).offset(offsetOf(ctx.input))
    const rows = await (campaign_id === undefined ? found : found.where('proffers.project_id', '=', campaign_id)).execute()
    const proffers = rows.map((row) => ({ ...row, campaign_id: row.project_id }))
    return { data: { count: Number(count), page, per_page, proffers } }
  },

  'project.setCost': async (ctx) => {
    const { id, cost, cost_cents, valid_until, lock_version } = ctx.input
    const record = await seenProject(ctx, id)
    must(PROJECT_RULES['project.setCost'](ctx.actor, await projectFacts(ctx, record)))
    const patch = {
      cost_cents: cost_cents ?? Math.round(cost! * 100),
      ...(valid_until ? { quote_valid_until: valid_until } : {}),
    }
    if (record.status === 'pricing' || record.status === 'approved')
      await moveProject(ctx, record, { to: 'submit_approval', reason: '', lock: lock_version, patch })
    else
      await change(ctx, 'projects', {
        subject: 'project',
        id,
        patch,
        lock: lock_version,
        change: { noun: 'project', project_id: id },
      })
    return saidOf(ctx, id, 'Cost updated')
  },

  'project.notifyCost': (ctx) => notifyCost(ctx, ctx.input.id),
  'project.notifyCostNow': (ctx) => notifyCost(ctx, ctx.input.id),
  'project.mailPartner': (ctx) => mailPartner(ctx, ctx.input),
  'project.mailPartnerNow': (ctx) => mailPartner(ctx, ctx.input),
  'campaign.mailPartner': (ctx) => mailPartner(ctx, ctx.input),
}
