import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { addOnline, fillOnline, isPrepared } from '../online.ts'

/** Referencing tables first: an insert of theirs holds them while its check waits for what they refer to. */
const added = (int: string): Readonly<Record<string, readonly string[]>> => ({
  proffers: [
    `"state" text not null default 'sent'`,
    `"sent_at" text`,
    `"corrections" ${int} not null default 0`,
    `"note" text not null default ''`,
    `"binding" ${int} not null default 0`,
    `"asked" text not null default '{}'`,
    `"entered_by" ${int}`,
    `"updated_at" text not null default ''`,
    `"lock_version" ${int} not null default 1`,
  ],
  // Named differently from those of `proffers`, because older releases join both tables with unqualified names.
  project_partners: [
    `"title" text not null default ''`,
    `"message" text not null default ''`,
    `"answer_by" text`,
    `"files" text not null default '[]'`,
    `"invited_by" ${int}`,
    `"link_version" ${int} not null default 1`,
    `"link_until" text`,
    `"opened_at" text`,
    `"last_opened_at" text`,
    `"opens" ${int} not null default 0`,
    `"reminded_at" text`,
    `"reminders" ${int} not null default 0`,
    `"revoked_at" text`,
    `"revoke_reason" text not null default ''`,
  ],
  quotes: [`"lapse_mailed_at" text`],
  partners: [`"contact" text not null default ''`, `"notes" text not null default ''`],
  projects: [`"expected_loi_minutes" ${int}`, `"expected_incidence" ${int}`],
})
const SENT = 'sent_at = created_at, updated_at = created_at'

/**
 * Columns of invitations and answers: link version, terms, reminders, drafts, shares (screens-quote-flow.md).
 * Older releases leave all of them at their defaults.
 */
export const quoteFlow = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    for (const [table, columns] of Object.entries(added('bigint'))) await addOnline(db, table, columns)
    await fillOnline(db, 'proffers', SENT, 'sent_at is null')
  },
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const run = (text: string) => sql.raw(text).execute(db)
    if (!(await isPrepared(db, engine, 'projects', 'expected_incidence')))
      for (const [table, columns] of Object.entries(added(int)))
        for (const column of columns) await run(`alter table "${table}" add column ${column}`)
    await run(`update "proffers" set ${SENT} where sent_at is null`)
    await run(
      `create table "quote_shares" ("quote_id" ${int} not null references "quotes", "proffer_id" ${int} not null references "proffers",
      "completes" ${int} not null, "cpi_cents" ${int} not null, primary key ("quote_id", "proffer_id"))${engine === 'sqlite' ? ' without rowid' : ''}`,
    )
  },
})
