import { denialOf } from '../../contract/access.ts'
import { seesAll } from '../../contract/actor.ts'
import type { invitationCalls } from '../../contract/invitation.ts'
import { codeOf } from '../../contract/nounOf.ts'
import { PARTNER_HEADER } from '../../contract/pages.ts'
import { withStop } from '../../contract/textEnds.ts'
import { NOTHING_CHANGED } from '../../contract/writeEffects.ts'
import { isWithin } from '../core/clockSkew.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect, shownOnce } from '../core/describeEffect.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { linkTo } from '../core/signedLink.ts'
import { byText } from '../db/foldedText.ts'
import { partnerMessages } from '../domain/message/partnerMessages.ts'
import { organizationOf } from '../domain/organization.ts'
import { seenProject } from '../domain/project/detail.ts'
import { projectFacts } from '../domain/project/projectRows.ts'
import { assertNow, heldProject, notNow } from '../domain/project/status.ts'
import type { ProjectRecord } from '../domain/project/storedProject.ts'
import { answerOf, shownAnswer } from '../domain/quote/answers.ts'
import {
  closedAt,
  earlierAnswer,
  type Invitation,
  invitationOf,
  isRoundOpen,
  type OpenRequest,
  requestFor,
  signPartnerLink,
  surveyFor,
  titleOf,
  writeInvitation,
} from '../domain/quote/invitations.ts'
import { filesFor, inviteesOf, invitePartner } from '../domain/quote/invitePartner.ts'
import { contactOf, fieldStateOf, outcomeOf } from '../domain/quote/outcome.ts'
import { changesOf, currentTerms, type RequestTerms } from '../domain/quote/requestTerms.ts'
import { fullName } from '../domain/user/records.ts'
import { links } from '../mail/letters.ts'
import { sendMessage, sentBefore, writeAsAgency } from './message/writeMessage.ts'
import { mailRequest, notRemindable } from './quote/partnerMail.ts'
import { tellWithdrawn } from './quote/partnerNews.ts'

const DAY_MS = 86_400_000

/** The partner's answer, its outcome, when the round closed, and the same partner's invitation to a newer round. */
async function stateOf(ctx: Ctx, { record, invitation }: OpenRequest) {
  const answer = await answerOf(ctx, invitation)
  if (isRoundOpen(record, invitation.round))
    return { answer, state: answer ? answer.state : ('open' as const), closed: null, choice: null }
  const closed = await closedAt(ctx, record, invitation.round)
  const newer =
    record.quote_round > invitation.round ? await invitationOf(ctx, { ...invitation, round: record.quote_round }) : undefined
  // A newer round that closed is worth opening only if the partner answered it.
  if (newer && !newer.revoked_at && (isRoundOpen(record, newer.round) || (await answerOf(ctx, newer))?.state === 'sent'))
    return { answer, state: 'newer' as const, closed, newer, choice: null }
  // Whose newer invitation was withdrawn isn't needed, whatever is decided.
  if (newer?.revoked_at) return { answer, state: 'not_chosen' as const, closed, choice: null }
  return { answer, ...(await outcomeOf(ctx, record, invitation)), closed }
}

/** The invitation's files, each with a link that is valid for 15 minutes and signed for the inviter. */
async function filesOf(ctx: Ctx, { files, invited_by, project_id }: Invitation) {
  const ids = JSON.parse(files) as number[]
  if (!ids.length || invited_by === null) return []
  const rows = await ctx.db
    .selectFrom('files')
    .select(['id', 'original_name', 'size'])
    .where('id', 'in', ids)
    .where('project_id', '=', project_id)
    .execute()
  const actor = { id: invited_by, role: 'admin' as const, admin_id: null }
  return rows.map((file) => ({
    name: file.original_name,
    size: file.size,
    url: linkTo({ services: ctx.services, actor }, file).url,
  }))
}

async function shownRequest(ctx: Ctx, request: OpenRequest) {
  const { record, invitation, partner, closes } = request
  const [{ answer, state, closed, newer, choice }, terms, earlier, files, organization] = await Promise.all([
    stateOf(ctx, request),
    currentTerms(ctx, record),
    earlierAnswer(ctx, invitation),
    filesOf(ctx, invitation),
    organizationOf(ctx.db),
  ])
  const start =
    answer ?? (earlier ? { ...earlier, state: 'draft' as const, sent_at: null, lock_version: 0, corrections: 0 } : null)
  // A genuine link of an earlier round leads to the newer one, until that one's own link expires.
  if (newer && ctx.caller.partner) ctx.reply.header(PARTNER_HEADER, signPartnerLink(ctx, newer, newer.link_until).token)
  return {
    id: record.id,
    code: codeOf('project', record.id),
    title: titleOf(invitation, record),
    message: invitation.message,
    requirements: invitation.requirements,
    survey_url: surveyFor(record, invitation),
    why: invitation.why,
    contact: await contactOf(ctx, invitation, organization),
    ...terms,
    round: invitation.round,
    answer_by: invitation.answer_by,
    closes: closed ?? closes,
    files,
    changes: earlier ? changesOf(JSON.parse(earlier.asked) as Partial<RequestTerms>, terms) : [],
    company_name: partner.name,
    state,
    field: choice ? fieldStateOf(record) : null,
    entry_url: (choice && invitation.entry_url) || null,
    tells: organization.settings.tell_not_chosen,
    proffer: start && shownAnswer(start, choice?.completes ?? null),
  }
}

/** A preview of what a partner would read if invited now, for an administrator who names no partner. */
async function previewOf(ctx: Ctx, record: ProjectRecord) {
  const organization = await organizationOf(ctx.db)
  const isAhead = record.status === 'requirements' || isRoundOpen(record, record.quote_round)
  return {
    id: record.id,
    code: codeOf('project', record.id),
    title: titleOf({ title: '' }, record),
    message: '',
    requirements: '',
    survey_url: null,
    why: '',
    contact: await contactOf(ctx, { invited_by: ctx.actor.id }, organization),
    ...(await currentTerms(ctx, record)),
    round: record.quote_round,
    answer_by: null,
    closes: null,
    files: [],
    changes: [],
    company_name: '',
    state: isAhead ? ('open' as const) : ('closed' as const),
    field: null,
    entry_url: null,
    tells: organization.settings.tell_not_chosen,
    proffer: null,
  }
}

/** Open invitations of the current round with their partners, or those of `ids`; throws 404 for an uninvited one. */
async function invited(ctx: Ctx, project_id: number, round: number, ids?: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('project_partners')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .selectAll('project_partners')
    .select(['partners.name', 'partners.email'])
    .where('project_id', '=', project_id)
    .where('round', '=', round)
    .where('revoked_at', 'is', null)
    .where('partners.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'partners.name'))
    .execute()
  const missing = ids?.filter((id) => !rows.some((row) => row.partner_id === id)) ?? []
  if (missing.length) throw notFound(`Partner ${missing.join(', ')} of project ${project_id}`)
  return ids ? rows.filter((row) => ids.includes(row.partner_id)) : rows
}

/** Locks a project for writing to its partners; throws 404, or 409 with the access table's reason. */
async function heldOnQuote(ctx: Ctx, id: number): Promise<ProjectRecord> {
  const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
  await assertNow(ctx, record, denialOf('project.mailPartner', ctx.actor, await projectFacts(ctx, record)))
  return record
}

/** What the agency shows an invited partner, and may change later. */
const SHOWN = ['requirements', 'shows_survey', 'files', 'message', 'why', 'entry_url'] as const
type PartnerView = { [column in (typeof SHOWN)[number]]?: string | number | undefined }
/** The same for the history, under names of its own: a partner's message isn't the project's. */
const shownIn = (row: PartnerView, columns: readonly (typeof SHOWN)[number][]) =>
  Object.fromEntries(columns.map((column) => [`partner_${column}`, row[column]]))

export const invitationHandlers: HandlersOf<typeof invitationCalls> = {
  'invitation.get': async (ctx) => {
    const { id, partner_id } = ctx.input
    if (!ctx.caller.partner && partner_id === undefined) return { data: await previewOf(ctx, await seenProject(ctx, id)) }
    return { data: await shownRequest(ctx, await requestFor(ctx, id, partner_id)) }
  },

  'invitation.opened': async (ctx) => {
    const { partner, actor } = ctx.caller
    if (!partner || (actor && seesAll(actor))) return { message: NOTHING_CHANGED }
    const { invitation } = await requestFor(ctx, ctx.input.id)
    const first = invitation.opened_at === null
    await writeInvitation(ctx, invitation, {
      opened_at: invitation.opened_at ?? ctx.now,
      last_opened_at: ctx.now,
      opens: invitation.opens + 1,
    })
    if (first)
      await ctx.record({
        subject: 'project',
        subject_id: ctx.input.id,
        partner_id: invitation.partner_id,
        after: { opened: true },
      })
    ctx.emit({ noun: 'proffer', id: invitation.partner_id, project_id: ctx.input.id, audience: 'admin' })
    return { message: describeEffect(ctx, 'invitation.opened', { words: ['it', 'they'] }) }
  },

  'invitation.requestLink': async (ctx) => {
    const message = describeEffect(ctx, 'invitation.requestLink', { words: ['a new link', 'new links'] })
    const link = ctx.caller.partner
    if (!link?.expired_at || link.project_id !== ctx.input.id) return { message }
    const record = await heldProject(ctx, link.project_id)
    const invitation = await invitationOf(ctx, { ...link, round: link.round ?? record.quote_round })
    const fresh = isWithin(invitation?.mailed_at, ctx.now, DAY_MS)
    if (!invitation || invitation.revoked_at || fresh) return { message }
    // A chosen partner reads on the page what follows, also once the round is over.
    if (!isRoundOpen(record, invitation.round) && (await outcomeOf(ctx, record, invitation)).state !== 'chosen')
      return { message }
    if ((link.version ?? 1) !== invitation.link_version) return { message }
    const renewed = { ...invitation, link_version: invitation.link_version + 1 }
    await writeInvitation(ctx, invitation, { link_version: renewed.link_version })
    await mailRequest(ctx, record, renewed, 'link')
    return { message }
  },

  'invitation.messages': async (ctx) => {
    const { id, partner_id } = ctx.input
    const { partner, byPartner } = await requestFor(ctx, id, partner_id)
    const data = await partnerMessages(ctx, id, partner, byPartner)
    return { data, count: data.length, page: 1 }
  },

  'invitation.ask': async (ctx) => {
    const { id, partner_id, text, after } = ctx.input
    const { record, invitation, partner, byPartner } = await requestFor(ctx, id, partner_id)
    const message = describeEffect(ctx, 'invitation.ask', { words: ['your message', 'your messages'] })
    const author = byPartner ? partner.name : fullName(ctx.user)
    const before = after === undefined ? undefined : await sentBefore(ctx, invitation, { byPartner, text, after })
    if (before) return { data: { ...before, mine: true, author, text }, message }
    const sent = byPartner
      ? await sendMessage(ctx, record, { ...partner, invitation }, { side: 'partner', text })
      : await writeAsAgency(ctx, record, partner.id, text)
    return { data: { id: sent, mine: true, author, text, created_at: ctx.now }, message }
  },

  'invitation.create': async (ctx) => {
    const { id, partner_ids, mail, delay_seconds, ...terms } = ctx.input
    const { answer_by } = terms
    if (answer_by && answer_by < ctx.today) throw invalid('answer_by', 'answer_by must be today or later')
    const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
    await assertNow(ctx, record, denialOf('project.assignPartner', ctx.actor, await projectFacts(ctx, record)))
    const invitees = await inviteesOf(ctx, partner_ids, 'partner_ids')
    const done: { partner_id: number; name: string }[] = []
    const skipped: { partner_id: number; name: string; reason: string }[] = []
    for (const invitee of invitees) {
      const { id: partner_id, name } = invitee
      const there = await invitationOf(ctx, { project_id: id, partner_id, round: record.quote_round })
      if (there && !there.revoked_at) {
        skipped.push({ partner_id, name, reason: `${name} is invited already` })
        continue
      }
      const current = await heldProject(ctx, id)
      const invitation = await invitePartner(ctx, current, invitee, terms)
      if (mail && invitee.email) await mailRequest(ctx, current, invitation, 'invitation', delay_seconds)
      done.push({ partner_id, name })
    }
    if (!done.length) throw await notNow(ctx, record, withStop(skipped[0]!.reason))
    return { data: { done, skipped }, message: describeEffect(ctx, 'invitation.create', { count: done.length, noun: 'partner' }) }
  },

  'invitation.edit': async (ctx) => {
    const { id, partner_ids, file_ids, show_survey, ...texts } = ctx.input
    const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
    const files = file_ids && JSON.stringify(await filesFor(ctx, record, file_ids))
    const sent = { ...texts, files, shows_survey: show_survey === undefined ? undefined : Number(show_survey) }
    const rows = await invited(ctx, id, record.quote_round, partner_ids)
    if (!rows.length) throw await notNow(ctx, record, 'No partner is invited to this round.')
    const done: { partner_id: number; name: string }[] = []
    const skipped: { partner_id: number; name: string; reason: string }[] = []
    for (const row of rows) {
      const { partner_id, name } = row
      const changes = SHOWN.filter((column) => sent[column] !== undefined && sent[column] !== row[column])
      if (!changes.length) {
        skipped.push({ partner_id, name, reason: `${name} sees this already` })
        continue
      }
      await writeInvitation(ctx, row, Object.fromEntries(changes.map((column) => [column, sent[column]])))
      await ctx.record({
        subject: 'project',
        subject_id: id,
        partner_id,
        before: shownIn(row, changes),
        after: { partner: name, ...shownIn(sent, changes) },
      })
      ctx.emit({ noun: 'proffer', id: partner_id, project_id: id, audience: 'admin' })
      done.push({ partner_id, name })
    }
    return {
      data: { done, skipped },
      message: done.length ? describeEffect(ctx, 'invitation.edit', { count: done.length, noun: 'partner' }) : NOTHING_CHANGED,
    }
  },

  'invitation.remind': async (ctx) => {
    const { id, partner_ids, delay_seconds } = ctx.input
    const record = await heldOnQuote(ctx, id)
    const done: { partner_id: number; name: string }[] = []
    const skipped: { partner_id: number; name: string; reason: string }[] = []
    for (const row of await invited(ctx, id, record.quote_round, partner_ids)) {
      const { partner_id, name } = row
      const reason = await notRemindable(ctx, row)
      if (reason) skipped.push({ partner_id, name, reason })
      else {
        await mailRequest(ctx, record, row, row.mailed_at ? 'reminder' : 'invitation', delay_seconds)
        // The first mail counts towards the day's reminders too.
        if (!row.mailed_at) await writeInvitation(ctx, row, { reminded_at: ctx.now })
        done.push({ partner_id, name })
      }
    }
    if (!done.length) throw await notNow(ctx, record, skipped[0]?.reason ?? 'No partner is silent.')
    return { data: { done, skipped }, message: describeEffect(ctx, 'invitation.remind', { count: done.length, noun: 'partner' }) }
  },

  'invitation.link': async (ctx) => {
    const { id, partner_id, renew } = ctx.input
    const record = await heldOnQuote(ctx, id)
    const [invitation] = await invited(ctx, id, record.quote_round, [partner_id])
    const { link_version, link_until, name } = invitation!
    const shown = renew ? { ...invitation!, link_version: link_version + 1 } : invitation!
    // A link that hasn't expired is signed again with the same expiry.
    const stands = !renew && link_until !== null && link_until > ctx.now
    const { token, until } = signPartnerLink(ctx, shown, stands ? link_until : null)
    await writeInvitation(ctx, shown, { link_version: shown.link_version, link_until: until })
    await ctx.record({
      subject: 'project',
      subject_id: id,
      partner_id,
      after: renew ? { new_link: name } : { copied_link: name },
    })
    ctx.emit({ noun: 'proffer', id: partner_id, project_id: id, audience: 'admin' })
    const { url } = links.feasibility(ctx.services.settings.publicUrl, id, partner_id, token)
    const message = renew
      ? describeEffect(ctx, 'invitation.link', { words: ['link', 'links'], also: shownOnce(ctx, 'link') })
      : describeEffect(ctx, 'invitation.sameLink', { words: ['the link', 'links'], also: ['Copy the link.'] })
    return { data: { url, expires_at: until }, message }
  },

  'invitation.revoke': async (ctx) => {
    const { id, partner_id, reason } = ctx.input
    const record = await heldOnQuote(ctx, id)
    const [invitation] = await invited(ctx, id, record.quote_round, [partner_id])
    await writeInvitation(ctx, invitation!, {
      link_version: invitation!.link_version + 1,
      revoked_at: ctx.now,
      revoke_reason: reason,
    })
    await ctx.record({
      subject: 'project',
      subject_id: id,
      partner_id,
      before: { partner: invitation!.name },
      after: { partner: '' },
      reason,
    })
    await tellWithdrawn(ctx, record, invitation!, (await answerOf(ctx, invitation!))?.state === 'sent')
    ctx.emit({ noun: 'proffer', id: partner_id, project_id: id, audience: 'admin' })
    return { message: describeEffect(ctx, 'invitation.revoke', { name: `${invitation!.name}’s invitation`, kind: 'user' }) }
  },
}
