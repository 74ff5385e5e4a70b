import { type Kysely, sql } from 'kysely'

/** The names that mails and messages use besides the organization's own; a blank one has its default. */
export const organizationMail = {
  async up(db: Kysely<unknown>) {
    for (const column of ['support_team', 'sender_name', 'sender_mail', 'reply_to', 'mail_footer'])
      await sql.raw(`alter table "organizations" add column "${column}" text not null default ''`).execute(db)
  },
}
