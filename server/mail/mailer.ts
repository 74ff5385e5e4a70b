import { createTransport } from 'nodemailer'
import { WorkRefused } from '../core/errors.ts'
import type { Mailer } from '../core/ports.ts'
import type { Settings } from '../core/settings.ts'

/** Opens the SMTP connections; without SMTP_URL, mails are kept. */
export function openMailer({ smtpUrl }: Pick<Settings, 'smtpUrl'>): Mailer {
  const transport = smtpUrl ? createTransport(withTimeouts(smtpUrl)) : null
  return {
    sends: transport !== null,
    async deliver(mail) {
      try {
        await transport!.sendMail(mail)
      } catch (error) {
        throw refusalOf(error)
      }
    },
    async trouble() {
      try {
        await transport?.verify()
        return null
      } catch (error) {
        return `Emails can’t be sent for now: the server of SMTP_URL doesn’t accept this one (${refusalOf(error).message}). They wait in the Outbox.`
      }
    },
    async close() {
      transport?.close()
    },
  }
}

/** SMTP_URL with a pool, and timeouts well below a mail's lease, unless it sets its own. */
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

/** The reason of a failure; final if the address is refused for good. */
function refusalOf(error: unknown): WorkRefused {
  const {
    message = String(error),
    code = '',
    responseCode = 0,
  } = (error ?? {}) as { message?: string; code?: string; responseCode?: number }
  return new WorkRefused(message, code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500))
}
