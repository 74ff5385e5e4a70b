import { LONGEST_WAIT, MAIL_WAITS } from '../../contract/mailWaits.ts'
import type { Ctx } from '../core/context.ts'
import { objectOf } from '../core/undo/changeRecorder.ts'
import { queueMail } from '../domain/mail/outbox.ts'
import { organizationOf } from '../domain/organization.ts'
import { type Letter, withFooter } from './letter.ts'

/** The organization's names used in mails. */
export interface Organization {
  name: string
  product: string
  support_mail: string
}

interface To {
  /** An email address. */
  to: string
  /** The mail's `about` for the Outbox: `invitation user:12`. */
  about: string
  /** When its secrets expire, and the account they open until then. */
  opens?: { until: string; account?: number | undefined } | undefined
  /** The account that it is about, if it opens none. */
  account?: number | undefined
  /** Waits this many seconds (0–30), during which an undo withdraws it. */
  delay_seconds?: number | undefined
}

/** The usual wait, or the one that the signed-in sender has set for themselves. */
function ownWait({ caller }: Ctx): number {
  const { outside_seconds } = caller.session && caller.user ? objectOf(caller.user.preferences) : {}
  return typeof outside_seconds === 'number' ? Math.min(LONGEST_WAIT, Math.max(MAIL_WAITS, outside_seconds)) : MAIL_WAITS
}

/** Queues a letter in the call's transaction and wakes the dispatcher after the commit; returns the mail's id. */
export async function sendLetter(
  ctx: Ctx,
  { to, about, opens, account, delay_seconds }: To,
  write: (organization: Organization) => Letter,
): Promise<number> {
  const organization = await organizationOf(ctx.tx)
  const { secrets, ...words } = withFooter(write(organization), organization.mail_footer)
  // A secret without an expiry would stay in our copy forever.
  if (secrets.length && !opens) throw new Error(`The letter about ${about} holds a secret without an expiry`)
  const seconds = delay_seconds === MAIL_WAITS ? ownWait(ctx) : delay_seconds
  const notBefore = seconds ? new Date(Date.parse(ctx.now) + seconds * 1000).toISOString() : undefined
  const id = await queueMail(ctx.tx, {
    at: ctx.now,
    to,
    about,
    ...words,
    notBefore,
    secrets,
    secretsUntil: opens?.until,
    account: opens?.account ?? account,
  })
  ctx.emit({ noun: 'outbox', id, audience: 'admin' })
  ctx.after(() => ctx.services.jobs.wake())
  return id
}
