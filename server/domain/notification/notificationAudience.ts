import { sql } from 'kysely'
import type { UserRow } from '../../core/context.ts'
import type { Db } from '../../db/connect.ts'
import { preferencesOf } from '../user/records.ts'

/** A user who gets a notification. */
export type Recipient = Pick<UserRow, 'id' | 'email' | 'first_name' | 'preferences'>

/** Users who can sign in; invited ones who haven't registered can't. */
const accounts = (db: Db) => db.selectFrom('users').where('deleted_at', 'is', null).where('status', '=', 'active')

/** True for a user who set "Email me notifications". */
export const wantsMail = (user: Pick<UserRow, 'preferences'>): boolean => preferencesOf(user).notification_mail === true

/** How many users a notification would go to now, and how many of them also by mail. */
export async function countAudience(db: Db): Promise<{ audience: number; by_mail: number }> {
  const { audience } = await accounts(db)
    .select((eb) => eb.fn.countAll<number>().as('audience'))
    .executeTakeFirstOrThrow()
  const rows = await accounts(db).select('preferences').where('preferences', 'like', '%"notification_mail":true%').execute()
  return { audience: Number(audience), by_mail: rows.filter(wantsMail).length }
}

/** The next people after an id who don't have a notification yet. */
export const nextRecipients = (db: Db, notification: number, after: number, limit: number): Promise<Recipient[]> =>
  accounts(db)
    .select(['id', 'email', 'first_name', 'preferences'])
    .where('id', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notices')
            .select(sql`1`.as('one'))
            .whereRef('notices.user_id', '=', 'users.id')
            .where('notices.notification_id', '=', notification),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
