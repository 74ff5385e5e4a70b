import { type SqlBool, sql } from 'kysely'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { type Database, type Db, type Tx, transact } from '../../db/connect.ts'
import type { MailRow } from './outbox.ts'

const HOUR = 3_600_000

/** Events of an account that void links and passwords mailed for it. */
export type Ending =
  | 'address changed'
  | 'address asked'
  | 'password set'
  | 'password reset'
  | 'registered'
  | 'invited again'
  | 'deleted'

/**
 * TABLE  mails that open an account, by the start of `about`: their longest validity (ms), and what voids them.
 * Void secrets are removed from our copies.
 * Until then administrators can reveal them, except those of an administrator's account.
 */
const ACCOUNT_LETTERS = {
  invitation: { lasts: 14 * 24 * HOUR, endedBy: ['address changed', 'registered', 'invited again', 'deleted'] },
  reset: { lasts: HOUR, endedBy: ['address changed', 'password set', 'password reset', 'deleted'] },
  'new address': { lasts: 72 * HOUR, endedBy: ['address changed', 'address asked', 'password set', 'password reset', 'deleted'] },
  'temporary password': { lasts: 72 * HOUR, endedBy: ['password set', 'password reset', 'deleted'] },
} as const satisfies Readonly<Record<string, { lasts: number; endedBy: readonly Ending[] }>>
export type AccountLetter = keyof typeof ACCOUNT_LETTERS

/** The mails that an event voids. */
export const endedBy = (ending: Ending): AccountLetter[] =>
  (Object.keys(ACCOUNT_LETTERS) as AccountLetter[]).filter((letter) =>
    (ACCOUNT_LETTERS[letter].endedBy as readonly Ending[]).includes(ending),
  )

/** The `about` of a mail concerning an account. */
export const aboutAccount = (letter: AccountLetter, user_id: number): string => `${letter} user:${user_id}`

/** Escapes text for the HTML of a mail. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A mail's text with its secrets replaced by …. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((left, secret) => left.replaceAll(secret, '…').replaceAll(escaped(secret), '…'), text)

/** The secrets in a mail; for rows of older releases, those found in the text. */
export const secretsOf = (mail: Pick<MailRow, 'secrets' | 'body'>): string[] =>
  mail.secrets === null ? olderSecrets(mail.body) : (JSON.parse(mail.secrets) as string[])

/** Finds secrets in the text of mails from older releases; newer ones store them as data. */
const olderSecrets = (body: string): string[] => [
  ...new Set(
    [...body.matchAll(/token=([\w.~-]{16,})|Temporary password: (\S{10})(?=\s|$)/g)].map((found) => found[1] ?? found[2]!),
  ),
]

/** An older release's mail with its secrets as data: the account they open, and their latest expiry. */
function adopted(mail: Pick<MailRow, 'about' | 'body' | 'created_at'>): Pick<MailRow, 'secrets' | 'secrets_until' | 'user_id'> {
  const secrets = olderSecrets(mail.body)
  const [, letter = '', user] = /^([a-z ]+) user:(\d+)$/.exec(mail.about) ?? []
  const known = Object.hasOwn(ACCOUNT_LETTERS, letter)
  const { lasts } = ACCOUNT_LETTERS[known ? (letter as AccountLetter) : 'invitation']
  return {
    secrets: JSON.stringify(secrets),
    secrets_until: secrets.length ? new Date(Date.parse(mail.created_at) + lasts).toISOString() : null,
    user_id: known ? Number(user) : null,
  }
}

/** The columns of a mail after its secrets are removed. */
export const redaction = (mail: MailRow, now: string) => ({
  body: withoutSecrets(mail.body, secretsOf(mail)),
  html: withoutSecrets(mail.html, secretsOf(mail)),
  secrets: '[]',
  secrets_until: null,
  redacted_at: now,
})

const SOME = 200
/** Spelled exactly like its index's condition, so that both engines use the index. */
const HOLDING = sql<SqlBool>`("secrets" is null or "secrets" <> '[]')`

/** Mails with expired secrets, or from an older release; not those being sent. */
const overdue = (db: Db, at: string) =>
  db
    .selectFrom('mails')
    .where(HOLDING)
    .where((eb) =>
      eb.or([
        eb('secrets', 'is', null),
        // An older release doesn't clear this column when it sends one of our mails.
        eb('status', '<>', 'sending').and(eb.or([eb('secrets_until', '<=', at), eb('status', '=', 'sent')])),
      ]),
    )

/**
 * Removes expired secrets from stored mails, and fills in `secrets` of older releases. Returns how many changed.
 * A queued mail with an expired link is withdrawn; one being sent is left to the next sweep.
 */
export async function sweepSecrets(database: Database, now: Date): Promise<number> {
  const at = now.toISOString()
  let changed = 0
  // Usually there is nothing to do, and a transaction would count as a write.
  if (!(await overdue(database.db, at).select('id').limit(1).executeTakeFirst())) return 0
  for (;;) {
    const round = await transact(database, async (tx) => {
      const older = await tx
        .selectFrom('mails')
        .select(['id', 'about', 'body', 'created_at'])
        .where(HOLDING)
        .where('secrets', 'is', null)
        .orderBy('id')
        .limit(SOME)
        .execute()
      for (const mail of older)
        await tx.updateTable('mails').set(adopted(mail)).where('id', '=', mail.id).where('secrets', 'is', null).execute()
      const past = await overdue(tx, at).where('secrets', 'is not', null).selectAll().orderBy('id').limit(SOME).execute()
      await redact(tx, past, at)
      return { more: older.length === SOME || past.length === SOME, count: past.length }
    })
    changed += round.count
    if (!round.more) return changed
  }
}

/** Removes an account's voided links and passwords from our copies; returns how many mails changed. */
export async function closeSecrets(tx: Tx, user_id: number, ending: Ending, now: string): Promise<number> {
  const abouts = endedBy(ending).map((letter) => aboutAccount(letter, user_id))
  const mails = await tx.selectFrom('mails').selectAll().where('about', 'in', abouts).where(HOLDING).execute()
  const sending = mails.filter((mail) => mail.status === 'sending')
  for (const mail of sending)
    await tx
      .updateTable('mails')
      .set(onlyColumns('mails', { ...(mail.secrets === null ? adopted(mail) : {}), secrets_until: now }))
      .where('id', '=', mail.id)
      .execute()
  await redact(
    tx,
    mails.filter((mail) => mail.status !== 'sending'),
    now,
  )
  return mails.length
}

async function redact(tx: Tx, mails: readonly MailRow[], now: string): Promise<void> {
  for (const mail of mails) {
    const withdrawn = { status: 'withdrawn' as const, error: 'withdrawn: its link expired before it could be sent' }
    const { numUpdatedRows } = await tx
      .updateTable('mails')
      .set(onlyColumns('mails', { ...redaction(mail, now), ...(mail.status === 'queued' ? withdrawn : {}) }))
      .where('id', '=', mail.id)
      .where('status', '=', mail.status)
      .executeTakeFirstOrThrow()
    // Its status has changed since the read, as it is being sent: the next sweep finds it.
    if (!numUpdatedRows) await tx.updateTable('mails').set({ secrets_until: now }).where('id', '=', mail.id).execute()
  }
}
