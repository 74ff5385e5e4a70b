import { count } from '../../../contract/format.ts'
import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { add } from '../../core/change.ts'
import { countedUntil } from '../../core/clockSkew.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { ago, limitOf, tooOften } from '../../core/quotas.ts'
import { locked } from '../../db/locked.ts'
import { type AskedPartner, askedPartner } from '../../domain/message/conversations.ts'
import { agencyReaders, clientReaders } from '../../domain/message/messageReaders.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { signPartnerLink, titleOf, writeInvitation } from '../../domain/quote/invitations.ts'
import { fullName } from '../../domain/user/records.ts'
import { LINK_FOOT, links, messageArrived } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'

const MINUTE_MS = 60_000
/** The partner of a conversation; null for the client's. */
type Party = Pick<AskedPartner, 'id' | 'name' | 'email' | 'invitation'> | null

/** Throws 429 if the caller, or else the writing partner, wrote as many messages within the last minute as one may. */
async function refuseTooMany(ctx: Ctx, project_id: number, writer: Party): Promise<void> {
  const most = limitOf(ctx, 'messages_minute')
  let recent = ctx.tx
    .selectFrom('messages')
    .select((eb) => [eb.fn.countAll().as('number'), eb.fn.min('created_at').as('first_at')])
    .where('created_at', '>', ago(ctx, MINUTE_MS))
    .where('created_at', '<=', countedUntil(ctx))
  // Who is signed in may write by a partner's link as well.
  recent = writer
    ? recent.where('project_id', '=', project_id).where('partner_id', '=', writer.id).where('side', '=', 'partner')
    : recent.where('author_id', '=', ctx.actor.id)
  const { number, first_at } = await recent.executeTakeFirstOrThrow()
  if (Number(number) < most) return
  const wait = Date.parse(first_at!) + MINUTE_MS - Date.parse(ctx.now)
  throw tooOften(`You’ve reached the limit of ${count(most)} messages a minute.`, Math.max(1000, wait))
}

/** The caller's message with this text after another one, in a partner's conversation; a repeat waits for the first. */
export async function sentBefore(
  ctx: Ctx,
  { project_id, partner_id, round }: Pick<AskedPartner['invitation'], 'project_id' | 'partner_id' | 'round'>,
  { byPartner, text, after }: { byPartner: boolean; text: string; after: number },
): Promise<{ id: number; created_at: string } | undefined> {
  const which = { project_id, partner_id, round }
  const invitation = ctx.tx
    .selectFrom('project_partners')
    .select('round')
    .where((eb) => eb.and(which))
  await locked(ctx.services.database, invitation).execute()
  return ctx.tx
    .selectFrom('messages')
    .select(['id', 'created_at'])
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('side', '=', byPartner ? 'partner' : 'agency')
    .where('author_id', byPartner ? 'is' : '=', byPartner ? null : ctx.actor.id)
    .where('text', '=', text)
    .where('id', '>', after)
    .orderBy('id')
    .executeTakeFirst()
}

/** Writes a message in a conversation, and mails it to the other side, each of them once; returns its id. */
export async function sendMessage(
  ctx: Ctx,
  record: ProjectRecord,
  partner: Party,
  { side, text }: { side: 'agency' | 'client' | 'partner'; text: string },
): Promise<number> {
  const { id: project_id, client_id } = record
  await refuseTooMany(ctx, project_id, side === 'partner' ? partner : null)
  const author_id = side === 'partner' ? null : ctx.actor.id
  const id = await add(ctx, 'messages', {
    subject: 'message',
    values: { text },
    also: { project_id, partner_id: partner?.id ?? 0, client_id: partner ? 0 : client_id, side, author_id },
    line: {
      project_id,
      partner_id: partner?.id ?? null,
      after: partner ? { side, partner: partner.name, text } : { side, text },
    },
    change: { noun: 'message', project_id, audience: partner ? 'admin' : 'scope' },
  })
  if (side === 'agency' && partner) await mailPartner(ctx, record, partner, text)
  else await mailPeople(ctx, record, partner, { side, text })
  return id
}

/** Writes to a partner in the agency's name; throws 404 for one who wasn't asked, and 409 for one who can't answer. */
export async function writeAsAgency(ctx: Ctx, record: ProjectRecord, partner_id: number, text: string): Promise<number> {
  const partner = await askedPartner(ctx, record, partner_id)
  if (partner.refusal) throw new HttpError(409, 'not_now', `${partner.name} can’t be written to: ${partner.refusal}.`)
  return sendMessage(ctx, record, partner, { side: 'agency', text })
}

async function mailPeople(
  ctx: Ctx,
  record: ProjectRecord,
  partner: Party,
  { side, text }: { side: 'agency' | 'client' | 'partner'; text: string },
): Promise<void> {
  const by = side === 'partner' ? partner!.name : fullName(ctx.user)
  const readers =
    side === 'agency' ? await clientReaders(ctx, record) : await agencyReaders(ctx, record, partner?.invitation.invited_by)
  const link = links.conversation(
    ctx.services.settings.publicUrl,
    record,
    side === 'agency' ? 'agency' : (partner?.id ?? 'client'),
  )
  const { actor } = ctx.caller
  for (const { id, email, first_name } of readers) {
    if (id === actor?.id || id === actor?.admin_id) continue
    await sendLetter(ctx, { to: email, about: `project:${record.id}`, delay_seconds: MAIL_WAITS }, (services) =>
      messageArrived(services, { name: first_name, by, about: record.name, text, link }),
    )
  }
}

/** Mails a partner with a new link to their page, valid for 14 days; one without an address reads it on the page. */
async function mailPartner(ctx: Ctx, record: ProjectRecord, partner: NonNullable<Party>, text: string): Promise<void> {
  const { invitation, email, name } = partner
  if (!email) return
  const { token, until } = signPartnerLink(ctx, invitation)
  const link = links.partnerConversation(ctx.services.settings.publicUrl, record.id, partner.id, token)
  await sendLetter(ctx, { to: email, about: `project:${record.id}`, opens: { until }, delay_seconds: MAIL_WAITS }, (services) =>
    messageArrived(services, { name, by: fullName(ctx.user), about: titleOf(invitation, record), text, link, foot: LINK_FOOT }),
  )
  await writeInvitation(ctx, invitation, { link_until: until })
}
