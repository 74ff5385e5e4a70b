import { ANONYMOUS } from '../core/caller.ts'
import { SKEW_MS } from '../core/clockSkew.ts'
import type { JobKind, Queue, WorkEnd } from '../core/context.ts'
import { WorkRefused } from '../core/errors.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { redaction, secretsOf, sweepSecrets } from '../domain/mail/mailSecrets.ts'
import { keepDue, type MailRow } from '../domain/mail/outbox.ts'
import { organizationOf, senderOf } from '../domain/organization.ts'

/**
 * How long (ms) an attempt holds a mail before another process may send it.
 * It exceeds all SMTP timeouts and usual database outages, so that a sent but unmarked mail isn't sent twice.
 */
const LEASE = 10 * 60_000
/** The pauses (ms) before each retry; after the last one, the mail has failed. */
const PAUSES = [10, 30, 90, 300, 900, 3600, 3 * 3600].map((seconds) => seconds * 1000)

/** The Outbox as a queue: a claimed mail is `sending` until `not_before`, which older releases respect too. */
const MAILS: Queue<MailRow> = {
  table: 'mails',
  running: 'sending',
  many: true,
  kindOf: () => 'mail',
  describe: (mail) => ({ title: mail.subject, input: mail, by: null }),
  claimed: (_worker, now) => ({ not_before: new Date(now.getTime() + LEASE).toISOString() }),
  holder: ({ not_before }) => ({ not_before }),
  lost: (now) => ({
    column: 'not_before',
    below: now.toISOString(),
    above: new Date(now.getTime() + LEASE + SKEW_MS).toISOString(),
  }),
  ended,
  emitChange: (ctx) => ctx.emit({ noun: 'outbox', id: 0, audience: 'admin' }),
}

/** Columns to write after a try; a sent mail loses its secrets. */
function ended(mail: MailRow, end: WorkEnd, at: string): Partial<MailRow> {
  if (end.status === 'failed') return { status: 'failed', error: end.error.slice(0, 500) }
  if (end.status === 'queued')
    return { not_before: at, ...end, status: 'queued', ...(end.error ? { error: end.error.slice(0, 500) } : {}) }
  return { status: 'sent', error: '', sent_at: at, ...(secretsOf(mail).length ? redaction(mail, at) : {}) }
}

/** Sends the Outbox's mails; without an SMTP server they stay there for administrators to read. */
export const mailKind: JobKind = {
  queue: MAILS as Queue,
  // Claimed again when half of it is free; the pool sends three at a time.
  width: 16,
  pauses: PAUSES,
  finishes: true,
  async prepare(services) {
    const { database, mailer, now } = services
    const swept = await sweepSecrets(database, now())
    const keptCount = mailer.sends ? 0 : await keepDue(database, now())
    if (swept || keptCount)
      await asSystem(services, 'mail.prepare', ANONYMOUS, async (ctx) => ctx.emit({ noun: 'outbox', id: 0, audience: 'admin' }))
    return mailer.sends
  },
  async run({ services, input }) {
    const mail = input as MailRow
    const sender = senderOf(await organizationOf(services.database.db))
    try {
      await services.mailer.deliver({
        ...sender,
        to: mail.to_address,
        subject: mail.subject,
        text: mail.body,
        ...(mail.html ? { html: mail.html } : {}),
        // The same for every attempt, so that the receiver recognizes a duplicate after a lost acknowledgement.
        messageId: `<mail-${mail.id}-${Date.parse(mail.created_at)}@${sender.from.address.split('@')[1] ?? 'localhost'}>`,
      })
    } catch (error) {
      if (error instanceof WorkRefused)
        services.log.warn(
          { mail: mail.id, attempts: mail.attempts, permanent: error.final, reason: error.message },
          'sending an email failed',
        )
      throw error
    }
    return {}
  },
}
