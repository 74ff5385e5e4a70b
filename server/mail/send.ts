import type { Ctx } from '../core/context.ts'
import { organizationOf } from '../domain/organization.ts'
import type { Letter } from './letter.ts'

/** What letters call us. */
export interface Organization {
  name: string
  product: string
  support_mail: string
}

interface To {
  /** An address. */
  to: string
  /** What the mail is about, for the Outbox: `invitation user:12`. */
  about: string
  /** When what the letter holds opens nothing any more, and whose account it opens until then. */
  opens?: { until: string; account?: number | undefined } | undefined
  /** Waits this many seconds (0–30): an undo within them withdraws it. */
  delay_seconds?: number | undefined
}

/** Queues a letter in the call's transaction and wakes the dispatcher after the commit; returns the mail's id. */
export async function sendLetter(
  ctx: Ctx,
  { to, about, opens, delay_seconds }: To,
  write: (organization: Organization) => Letter,
): Promise<number> {
  const { secrets, ...words } = write(await organizationOf(ctx.tx))
  // Left without an end it would stay in our copy for good.
  if (secrets.length && !opens) throw new Error(`The letter about ${about} holds a secret, and nobody says until when`)
  const notBefore = delay_seconds ? new Date(Date.parse(ctx.now) + delay_seconds * 1000).toISOString() : undefined
  const id = await ctx.services.mailer.queue(ctx.tx, {
    to,
    about,
    ...words,
    notBefore,
    secrets,
    secretsUntil: opens?.until,
    account: opens?.account,
  })
  ctx.emit({ noun: 'outbox', id, audience: 'admin' })
  ctx.after(() => ctx.services.mailer.wake())
  return id
}

/** Takes back what is still queued about something; returns how many mails were withdrawn. */
export async function withdrawLetters(ctx: Ctx, where: { about?: string; id?: number }): Promise<number> {
  let query = ctx.tx
    .updateTable('mails')
    .set({ status: 'withdrawn', error: 'withdrawn before it was sent' })
    .where('status', '=', 'queued')
  if (where.about !== undefined) query = query.where('about', '=', where.about)
  if (where.id !== undefined) query = query.where('id', '=', where.id)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit({ noun: 'outbox', id: where.id ?? 0, audience: 'admin' })
  return Number(numUpdatedRows)
}
