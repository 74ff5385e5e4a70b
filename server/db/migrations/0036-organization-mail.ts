import { type Kysely, sql } from 'kysely'

/** Names for mails and messages besides the organization's own; an empty one has its default. */
export const organizationMail = {
  async up(db: Kysely<unknown>) {
    for (const column of ['support_team', 'sender_name', 'sender_mail', 'reply_to', 'mail_footer'])
      await sql.raw(`alter table "organizations" add column "${column}" text not null default ''`).execute(db)
  },
}
