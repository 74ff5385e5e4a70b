import type { z } from 'zod'
import { denialOf } from '../../../contract/access.ts'
import type { Sentence } from '../../../contract/effectText.ts'
import { civilDay, count, counted, dollars, showTime } from '../../../contract/format.ts'
import { MAIL_WAITS } from '../../../contract/mailWaits.ts'
import { marginOf } from '../../../contract/mix.ts'
import type { quoteCalls } from '../../../contract/quote.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { organizationOf } from '../../domain/organization.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { projectFacts } from '../../domain/project/projectRows.ts'
import { currentQuote, priceQuote, sendQuote } from '../../domain/project/quotes.ts'
import { assertNow, heldProject, moveProject, notNow } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { contactOf } from '../../domain/quote/outcome.ts'
import { perComplete } from '../../domain/quote/projectQuote.ts'
import { clientRecipients } from '../../domain/quote/recipients.ts'
import { partnerCost, priceShares, sharesOfQuote, type TakenShare } from '../../domain/quote/shares.ts'
import { costNotification, links } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { datesOf } from './partnerMail.ts'

type Input = z.output<(typeof quoteCalls)['project.setCost']['input']>

/**
 * Mails the cost to the client, who can decide on the quote from now on.
 * With `resend` false, a quote that was mailed is refused; without it, only one that was mailed a moment ago.
 */
export async function notifyCost(ctx: Ctx, id: number, delay_seconds?: number, resend?: boolean): Promise<{ message: Sentence }> {
  const record = await heldProject(ctx, (await seenProject(ctx, id)).id)
  await assertNow(ctx, record, denialOf('project.notifyCost', ctx.actor, await projectFacts(ctx, record)))
  const readers = await clientRecipients(ctx, record)
  if (!readers.length) throw new HttpError(409, 'not_now', 'The client has no user to email.')
  await refuseSent(ctx, record, readers, resend)
  const before = await sentBefore(ctx, record)
  const link = links.clientApproval(ctx.services.settings.publicUrl, record)
  // The sender of the quote answers questions about it.
  const contact = await contactOf(ctx, { invited_by: ctx.actor.id }, await organizationOf(ctx.tx))
  for (const reader of readers) {
    const letter = {
      first_name: reader.first_name,
      project: record.name,
      cost_cents: record.cost_cents ?? 0,
      was_cents: before,
      valid_until: record.quote_valid_until,
      completes: record.ordered,
      per_complete_cents: perComplete(record.cost_cents, record.ordered),
      dates: datesOf(record),
      contact,
      link,
    }
    await sendLetter(ctx, { to: reader.email, about: `project:${id}`, delay_seconds }, (services) =>
      costNotification(services, letter),
    )
  }
  await sendQuote(ctx, record)
  const { cost_cents, quote_valid_until } = record
  await ctx.record({
    subject: 'project',
    subject_id: id,
    after: { cost_notification: readers.length, cost_cents, ...(quote_valid_until ? { quote_valid_until } : {}) },
  })
  ctx.emit({ noun: 'project', id, project_id: id })
  const rest = ` (${readers.length === 1 ? readers[0]!.email : counted(readers.length, 'person', 'people')})`
  return { message: describeEffect(ctx, 'project.notifyCost', { name: record.name, rest }) }
}

/** Within this many ms, the same quote isn't mailed again: two keys in a row, or two windows. */
const MOMENT = 60_000

/** Refuses to mail a quote that the client has; a mail that was withdrawn doesn't count. */
async function refuseSent(
  ctx: Ctx,
  record: ProjectRecord,
  readers: readonly { email: string }[],
  resend?: boolean,
): Promise<void> {
  const quote = await currentQuote(ctx, record)
  if (quote?.state !== 'sent' || !quote.sent_at) return
  const mail = await ctx.tx
    .selectFrom('mails')
    .select('created_at')
    .where('about', '=', `project:${record.id}`)
    .where('to_address', 'in', [...readers.map(({ email }) => email)])
    .where('created_at', '>=', quote.sent_at)
    .where('status', '!=', 'withdrawn')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!mail) return
  const sent = Date.parse(mail.created_at)
  if (resend === false || Date.parse(ctx.now) - sent < MOMENT) {
    const { timeZone } = ctx.services.settings
    const at = showTime(sent, civilDay(sent, timeZone) === ctx.today ? 'clock' : 'short', timeZone)
    throw new HttpError(409, 'not_now', `This quote was emailed to the client at ${at}. It wasn’t emailed again.`)
  }
}

/** The last different price sent to the client, in cents; null for the first. */
async function sentBefore(ctx: Ctx, record: ProjectRecord): Promise<number | null> {
  const now = await currentQuote(ctx, record)
  const before = await ctx.tx
    .selectFrom('quotes')
    .select('cost_cents')
    .where('project_id', '=', record.id)
    .where('sent_at', 'is not', null)
    .where('id', '!=', now?.id ?? 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before?.cost_cents ?? null
}

/** The price and its validity from the input; a missing one keeps its current value while that is valid. */
function priceOf(ctx: Ctx, record: ProjectRecord, input: Input) {
  const { cost, cost_cents, valid_until } = input
  if (cost !== undefined && cost_cents !== undefined && cost !== cost_cents)
    throw invalid('cost_cents', 'cost_cents and cost must be the same amount')
  if (valid_until && valid_until < ctx.today && valid_until !== record.quote_valid_until)
    throw invalid('valid_until', 'valid_until must be today or later')
  const before = record.quote_valid_until && record.quote_valid_until >= ctx.today ? record.quote_valid_until : null
  return { cost_cents: cost_cents ?? cost!, valid_until: valid_until === undefined ? before : valid_until }
}

/** Shares in words for the history: "Acme Panel 400 at $2.10, Beta 100 at $2.40". */
async function shareWords(ctx: Ctx, shares: readonly TakenShare[]): Promise<string> {
  const rows = await ctx.tx
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .select(['proffers.id', 'name'])
    .where('proffers.id', 'in', [0, ...shares.map(({ proffer_id }) => proffer_id)])
    .execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return shares
    .map(({ proffer_id, completes, cpi_cents }) => `${names.get(proffer_id) ?? ''} ${count(completes)} at ${dollars(cpi_cents)}`)
    .sort()
    .join(', ')
}

/** The shares of a new price at current proffer prices, noting what changes; undefined keeps the previous ones. */
async function sharesFor(ctx: Ctx, record: ProjectRecord, input: Input): Promise<TakenShare[] | undefined> {
  const taken = input.shares && (await priceShares(ctx, record, input.shares))
  const quote = await currentQuote(ctx, record)
  const before = quote ? await sharesOfQuote(ctx, quote.id) : []
  if (taken) {
    const [was, is] = [await shareWords(ctx, before), await shareWords(ctx, taken)]
    const line = { before: { partner_shares: was }, after: { partner_shares: is } }
    if (was !== is) await ctx.record({ subject: 'project', subject_id: record.id, ...line })
  }
  const cost = partnerCost(taken ?? before)
  const { cost_cents } = priceOf(ctx, record, input)
  if (!input.reason && marginOf(cost_cents, cost).margin_cents < 0)
    throw invalid('reason', 'Please say why the cost is below what the partners ask for')
  return taken
}

const costSentence = (ctx: Ctx, { hold, cost_cents, cost }: Input): Sentence =>
  describeEffect(ctx, 'project.setCost', {
    words: [hold ? 'the target cost' : 'the cost', 'costs'],
    rest: ` ${dollars(cost_cents ?? cost!)}`,
  })
const THE_PROJECT = ['the project', 'projects'] as const

/** Changes an approved price, with a reason, and asks the client to approve it again (decisions.md 13, Price). */
async function reprice(ctx: Ctx, record: ProjectRecord, input: Input): Promise<Sentence> {
  await assertNow(ctx, record, denialOf('project.reprice', ctx.actor, await projectFacts(ctx, record)))
  if (!input.reason) throw invalid('reason', 'Please say why the price changes: the client approved it')
  const patch = await priceQuote(ctx, record, priceOf(ctx, record, input), await sharesFor(ctx, record, input))
  await moveProject(ctx, record, { to: 'submit_approval', reason: input.reason, lock: input.lock_version, patch })
  if (!(await clientRecipients(ctx, record)).length)
    return describeEffect(ctx, 'project.reprice', { words: THE_PROJECT, also: ['Its client has no user to email.'] })
  await notifyCost(ctx, record.id, MAIL_WAITS)
  return describeEffect(ctx, 'project.reprice', { words: THE_PROJECT, also: ['The client decides again.'] })
}

/** Sets a project's price, target cost or shares, and mails the client if asked; returns what was done. */
export async function setCost(ctx: Ctx, input: Input): Promise<Sentence> {
  const record = await heldProject(ctx, (await seenProject(ctx, input.id)).id)
  const price = priceOf(ctx, record, input)
  const isNew = price.cost_cents !== record.cost_cents || price.valid_until !== record.quote_valid_until
  const approved = record.status === 'approved' || record.status === 'paused'
  if (input.hold && (approved || record.status === 'submit_approval'))
    throw await notNow(ctx, record, 'The client already has a price, so a cost can’t be kept as a target.')
  if (approved) {
    // A price written back unchanged doesn't ask the client again.
    if (!isNew && !input.reason && !input.shares) return costSentence(ctx, input)
    return reprice(ctx, record, input)
  }
  await assertNow(ctx, record, denialOf('project.setCost', ctx.actor, await projectFacts(ctx, record)))
  if (record.status === 'requirements' && !input.hold && isNew)
    throw await notNow(ctx, record, 'Invite a partner first, or keep the cost as a target.')
  const patch = await priceQuote(ctx, record, price, await sharesFor(ctx, record, input))
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
  if (!input.notify || input.hold) return costSentence(ctx, input)
  return (await notifyCost(ctx, record.id, MAIL_WAITS)).message
}
