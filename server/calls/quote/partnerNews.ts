import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { Ctx } from '../../core/context.ts'
import { organizationOf } from '../../domain/organization.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { type Invitation, signPartnerLink, titleOf, writeInvitation } from '../../domain/quote/invitations.ts'
import { type Choice, choicesOf, contactOf, fieldStateOf, isDecided } from '../../domain/quote/outcome.ts'
import { type EndedWhy, type FieldworkNews, links, partnerChosen, partnerEnded, partnerFieldwork } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { datesOf } from './partnerMail.ts'

/** A partner who waits for word about a project: by their newest invitation that wasn't withdrawn. */
interface Waiting {
  invitation: Invitation
  name: string
  email: string
  /** yes: their newest answer is an offer. open: they were emailed in this round and haven't answered. */
  by: 'yes' | 'open'
}

/** The partners of a project who were promised word, in any of its rounds. */
async function waitingPartners(ctx: Ctx, { id, quote_round }: ProjectRecord): Promise<Waiting[]> {
  const rows = await ctx.tx
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
    .select(['partners.name', 'partners.email', 'fill_requirements'])
    .where('project_partners.project_id', '=', id)
    .where('partners.deleted_at', 'is', null)
    .where('partners.email', '!=', '')
    .orderBy('project_partners.partner_id')
    .orderBy('project_partners.round', 'desc')
    .execute()
  const byPartner = Map.groupBy(rows, ({ partner_id }) => partner_id)
  return [...byPartner.values()].flatMap((rounds): Waiting[] => {
    // A withdrawal was told at once, and ends the rounds before it.
    const withdrawn = rounds.findIndex(({ revoked_at }) => revoked_at !== null)
    const valid = withdrawn < 0 ? rounds : rounds.slice(0, withdrawn)
    const answered = valid.find(({ fill_requirements }) => fill_requirements !== null)
    const [newest] = valid
    if (!newest) return []
    const { name, email, fill_requirements: _, ...invitation } = newest
    if (answered?.fill_requirements === 'Yes') return [{ invitation, name, email, by: 'yes' }]
    const open = newest.round === quote_round && newest.mailed_at !== null && newest.fill_requirements === null
    return open ? [{ invitation, name, email, by: 'open' }] : []
  })
}

/** The news of a move for the fieldwork of chosen partners; null for none. */
function fieldworkNews(before: ProjectRecord, after: ProjectRecord): FieldworkNews | null {
  const [was, is] = [fieldStateOf(before), fieldStateOf(after)]
  if (was === is) return null
  if (is === 'live') return was === 'waiting' ? 'started' : 'resumed'
  if (is === 'ended') return 'ended'
  return was === 'live' ? 'paused' : null
}

/** Why a partner who isn't chosen now needn't do anything; null if a decision is still to come. */
function endedWhy(
  before: ProjectRecord,
  after: ProjectRecord,
  named: boolean,
  { by }: Waiting,
  chosen: boolean,
): EndedWhy | null {
  if (after.status === 'rejected') return 'called_off'
  if (!isDecided(before) && isDecided(after)) {
    if (by === 'open' && !chosen) return 'unanswered'
    return named || chosen ? 'other' : 'unnamed'
  }
  return chosen && after.quote_round > before.quote_round ? 'again' : null
}

/**
 * Tells a project's partners what a change of status means for them, each in one mail (screens-quote-flow.md).
 * `chosenBefore` are those of the price that held before it.
 */
export async function tellPartners(
  ctx: Ctx,
  before: ProjectRecord,
  after: ProjectRecord,
  chosenBefore: readonly Choice[],
): Promise<void> {
  const waiting = await waitingPartners(ctx, after)
  if (!waiting.length) return
  const choices = isDecided(after) ? await choicesOf(ctx, after) : []
  const organization = await organizationOf(ctx.tx)
  const approved = !isDecided(before) && isDecided(after)
  const fieldwork = fieldworkNews(before, after)
  for (const partner of waiting) {
    const { partner_id } = partner.invitation
    const choice = choices.find((one) => one.partner_id === partner_id)
    const wasChosen = chosenBefore.some((one) => one.partner_id === partner_id)
    const news = {
      partner: partner.name,
      title: titleOf(partner.invitation, after),
      code: codeOf('project', after.id),
      dates: datesOf(after),
      contact: await contactOf(ctx, partner.invitation, organization),
    }
    if (choice && (approved || fieldwork)) {
      const chosen = { ...news, ...(await chosenNews(ctx, partner.invitation, choice, after)) }
      await send(ctx, partner, chosen.until, (services) =>
        approved ? partnerChosen(services, chosen) : partnerFieldwork(services, { ...chosen, news: fieldwork! }),
      )
      continue
    }
    const why = choice ? null : endedWhy(before, after, choices.length > 0, partner, wasChosen)
    // A partner who was chosen must know that this has ended; others are told if the organization wants it.
    if (why && (wasChosen || organization.settings.tell_not_chosen))
      await send(ctx, partner, null, (services) => partnerEnded(services, { ...news, why, before: wasChosen }))
  }
}

/** A chosen partner's part of the order, with a new link to the page, valid for 14 days. */
async function chosenNews(ctx: Ctx, invitation: Invitation, { completes, cpi_cents }: Choice, after: ProjectRecord) {
  const { token, until } = signPartnerLink(ctx, invitation)
  await writeInvitation(ctx, invitation, { link_until: until })
  const { project_id, partner_id, entry_url } = invitation
  return {
    share: { completes, cpi_cents },
    live: after.status === 'active',
    entry_url,
    link: links.feasibility(ctx.services.settings.publicUrl, project_id, partner_id, token),
    until,
  }
}

async function send(
  ctx: Ctx,
  { email, invitation }: Pick<Waiting, 'email' | 'invitation'>,
  until: string | null,
  write: Parameters<typeof sendLetter>[2],
): Promise<void> {
  const opens = until ? { opens: { until } } : {}
  await sendLetter(ctx, { to: email, about: `project:${invitation.project_id}`, delay_seconds: MAIL_WAITS, ...opens }, write)
}

/** Tells a partner that their invitation was withdrawn, if they were emailed or have answered. */
export async function tellWithdrawn(
  ctx: Ctx,
  record: ProjectRecord,
  invitation: Invitation & { name: string; email: string },
  answered: boolean,
): Promise<void> {
  if (!invitation.email || !(invitation.mailed_at || answered)) return
  const news = {
    partner: invitation.name,
    title: titleOf(invitation, record),
    code: codeOf('project', record.id),
    dates: datesOf(record),
    contact: await contactOf(ctx, invitation, await organizationOf(ctx.tx)),
  }
  await send(ctx, { email: invitation.email, invitation }, null, (services) =>
    partnerEnded(services, { ...news, why: 'revoked', before: false }),
  )
}
