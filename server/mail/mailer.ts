import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'
import { retryUntilAvailable } from '../core/httpErrors.ts'
import type { Mailer } from '../core/ports.ts'
import type { Settings } from '../core/settings.ts'
import type { Database } from '../db/connect.ts'
import { organizationOf } from '../domain/organization.ts'
import { claimDue, type MailRow, markFailed, markSent, nextDue, toOutbox } from './outbox.ts'
import { sweepSecrets } from './secrets.ts'

const BATCH = 8
/** Looks so often even when nobody wakes it: another process may have queued a mail and died. */
const IDLE = 30_000

/** Opens the outbox of a database and its dispatcher; without SMTP_URL mails are kept as `outbox`. `told` hears that mails changed. */
export function openMailer(
  database: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  log: FastifyBaseLogger,
  told: () => unknown = () => {},
): Mailer {
  const transport = settings.smtpUrl ? createTransport(withTimeouts(settings.smtpUrl)) : null
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let closed = false

  /** Tells of it; nobody waits for that, and a database that goes away just then must not end the process. */
  const tell = () => {
    Promise.resolve()
      .then(told)
      .catch((error: unknown) => log.warn({ err: error }, 'that mails changed could not be told'))
  }
  /** What is done is written down, however long the database is away: a mail that left and is not marked would leave again. */
  const noted = <T>(work: () => Promise<T>): Promise<T> => retryUntilAvailable(database, () => closed, work)

  async function send(mail: MailRow): Promise<void> {
    const { product, support_mail } = await noted(() => organizationOf(database.db))
    try {
      await transport!.sendMail({
        from: { name: product, address: support_mail },
        to: mail.to_address,
        subject: mail.subject,
        text: mail.body,
        ...(mail.html ? { html: mail.html } : {}),
        // The same at every try: a receiver recognises a mail that came twice because its acknowledgement was lost.
        messageId: `<mail-${mail.id}-${Date.parse(mail.created_at)}@${support_mail.split('@')[1] ?? 'localhost'}>`,
      })
    } catch (error) {
      const { message, permanent } = reasonOf(error)
      log.warn({ mail: mail.id, attempts: mail.attempts, permanent, reason: message }, 'a mail could not be sent')
      return noted(() => markFailed(database, mail, new Date(), message, permanent))
    }
    await noted(() => markSent(database, mail, new Date()))
  }

  async function dispatch(): Promise<void> {
    if (await sweepSecrets(database, new Date())) tell()
    if (!transport) {
      if (await toOutbox(database, new Date())) tell()
      return
    }
    while (!closed) {
      const mails = await claimDue(database, new Date(), BATCH)
      if (!mails.length) return
      await Promise.all(mails.map(send))
      tell()
    }
  }

  async function run(): Promise<void> {
    do {
      again = false
      await dispatch()
    } while (again && !closed)
    const next = closed ? null : await nextDue(database)
    const pause = next ? Math.min(Math.max(next.getTime() - Date.now(), 5), IDLE) : IDLE
    if (!closed) timer = setTimeout(wake, pause).unref()
  }

  function wake(): void {
    again = true
    if (running || closed) return
    clearTimeout(timer)
    running = run()
      .catch((error) => {
        if (closed) return
        log.error({ err: error }, 'the mail dispatcher stumbled')
        timer = setTimeout(wake, 5000).unref()
      })
      .finally(() => {
        running = null
        // Woken between the last look and here: look again.
        if (again && !closed) wake()
      })
  }

  wake()
  return {
    async queue(tx, mail) {
      const now = new Date().toISOString()
      const row = await tx
        .insertInto('mails')
        .values({
          to_address: mail.to,
          subject: mail.subject,
          body: mail.text,
          html: mail.html ?? '',
          status: 'queued',
          error: '',
          about: mail.about,
          not_before: mail.notBefore ?? now,
          created_at: now,
          sent_at: null,
          secrets: JSON.stringify(mail.secrets ?? []),
          secrets_until: mail.secrets?.length ? (mail.secretsUntil ?? null) : null,
          user_id: mail.account ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },
    wake,
    async close() {
      closed = true
      clearTimeout(timer)
      await running
      transport?.close()
    },
  }
}

/** SMTP_URL with a pool and with timeouts well below an outbox lease, unless it names its own. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries({
    pool: 'true',
    maxConnections: '3',
    connectionTimeout: '10000',
    greetingTimeout: '10000',
    socketTimeout: '60000',
  })) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  }
  return url.href
}

/** What went wrong, and whether trying again is useless: the address is refused for good. */
function reasonOf(error: unknown): { message: string; permanent: boolean } {
  const {
    message = String(error),
    code = '',
    responseCode = 0,
  } = (error ?? {}) as { message?: string; code?: string; responseCode?: number }
  return { message, permanent: code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500) }
}
