import { type SqlBool, sql } from 'kysely'
import { type Database, type Db, type Tx, transact } from '../../db/connect.ts'
import type { MailRow } from './outbox.ts'

const HOUR = 3_600_000

/** What can happen to an account that ends what was mailed about it. */
export type Ending = 'address changed' | 'password set' | 'password reset' | 'registered' | 'invited again' | 'deleted'

/**
 * TABLE  the letters that open an account, by how `about` of their mails begins: how long what they hold opens it at most (milliseconds), and what ends it
 * before. What they hold is then taken out of our copies; until then it is shown to administrators who ask, and of an administrator's account to nobody.
 */
export const ACCOUNT_LETTERS = {
  invitation: { lasts: 14 * 24 * HOUR, endedBy: ['address changed', 'registered', 'invited again', 'deleted'] },
  reset: { lasts: HOUR, endedBy: ['address changed', 'password set', 'password reset', 'deleted'] },
  'temporary password': { lasts: 72 * HOUR, endedBy: ['password set', 'password reset', 'deleted'] },
} as const satisfies Readonly<Record<string, { lasts: number; endedBy: readonly Ending[] }>>
export type AccountLetter = keyof typeof ACCOUNT_LETTERS

/** The letters that something ends. */
export const endedBy = (ending: Ending): AccountLetter[] =>
  (Object.keys(ACCOUNT_LETTERS) as AccountLetter[]).filter((letter) =>
    (ACCOUNT_LETTERS[letter].endedBy as readonly Ending[]).includes(ending),
  )

/** What a mail about somebody's account is about. */
export const aboutAccount = (letter: AccountLetter, user_id: number): string => `${letter} user:${user_id}`

/** A text as the HTML of a letter spells it. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A mail's text without what opens something. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((left, secret) => left.replaceAll(secret, '…').replaceAll(escaped(secret), '…'), text)

/** The exact texts in a mail that open something; those of a row that an older release wrote are found in its text. */
export const secretsOf = (mail: Pick<MailRow, 'secrets' | 'body'>): string[] =>
  mail.secrets === null ? olderSecrets(mail.body) : (JSON.parse(mail.secrets) as string[])

/** How older releases wrote what opens something; new letters bring it as data. */
const olderSecrets = (body: string): string[] => [
  ...new Set(
    [...body.matchAll(/token=([\w.~-]{16,})|Temporary password: (\S{10})(?=\s|$)/g)].map((found) => found[1] ?? found[2]!),
  ),
]

/** A mail of an older release with its secrets as data: whose account they open, and until when at most. */
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

/** What is written over a mail whose secrets open nothing any more. */
export const redaction = (mail: MailRow, now: string) => ({
  body: withoutSecrets(mail.body, secretsOf(mail)),
  html: withoutSecrets(mail.html, secretsOf(mail)),
  secrets: '[]',
  secrets_until: null,
  redacted_at: now,
})

const SOME = 200
/** Spelled like the condition of its index, so that both engines use that. */
const HOLDING = sql<SqlBool>`("secrets" is null or "secrets" <> '[]')`

/** Mails that hold what opens nothing any more, or that an older release wrote; not those that are being sent. */
const overdue = (db: Db, at: string) =>
  db
    .selectFrom('mails')
    .where(HOLDING)
    .where((eb) =>
      eb.or([
        eb('secrets', 'is', null),
        // An older release that sends a mail of ours takes nothing out of this column.
        eb('status', '<>', 'sending').and(eb.or([eb('secrets_until', '<=', at), eb('status', '=', 'sent')])),
      ]),
    )

/**
 * Takes out of kept mails what opens nothing any more because its time is over, and reads what an older release wrote into `secrets`. One that still
 * waits would arrive with a dead link: it is withdrawn. One that is being sent right now is left to the next round. Returns how many mails changed.
 */
export async function sweepSecrets(database: Database, now: Date): Promise<number> {
  const at = now.toISOString()
  let changed = 0
  // Most of the time there is nothing to do, and a transaction is a write.
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

/** What the mailed links or passwords of an account open is over: they are taken out of our copies. Returns how many mails changed. */
export async function closeSecrets(tx: Tx, user_id: number, ending: Ending, now: string): Promise<number> {
  const abouts = endedBy(ending).map((letter) => aboutAccount(letter, user_id))
  const mails = await tx.selectFrom('mails').selectAll().where('about', 'in', abouts).where(HOLDING).execute()
  const sending = mails.filter((mail) => mail.status === 'sending')
  for (const mail of sending)
    await tx
      .updateTable('mails')
      .set({ ...(mail.secrets === null ? adopted(mail) : {}), secrets_until: now })
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
    const withdrawn = { status: 'withdrawn' as const, error: 'withdrawn: what it opens was over before it could be sent' }
    await tx
      .updateTable('mails')
      .set({ ...redaction(mail, now), ...(mail.status === 'queued' ? withdrawn : {}) })
      .where('id', '=', mail.id)
      // Whoever began to send it meanwhile knows better.
      .where('status', '=', mail.status)
      .execute()
  }
}
