import type { Ctx, Services } from '../../core/context.ts'

/** People whose email is due in one look. */
const AT_ONCE = 100
const HOUR_MS = 3_600_000

/** The people who have news that is due by email. */
export async function peopleWithDueNews({ database, now }: Services): Promise<number[]> {
  const rows = await database.db
    .selectFrom('news')
    .select('user_id')
    .distinct()
    .where('mail_due', '<=', now().toISOString())
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Takes what is due off a person's news; returns its ids and the person, null if they have no account any more. */
export async function takeDueNews(ctx: Ctx, id: number) {
  const due = await ctx.tx
    .updateTable('news')
    .set({ mail_due: null })
    .where('user_id', '=', id)
    .where('mail_due', '<=', ctx.now)
    .returning('id')
    .execute()
  const user = await ctx.tx
    .selectFrom('users')
    .select(['id', 'role', 'email', 'first_name', 'preferences'])
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return due.length && user ? { user, ids: due.map((row) => row.id) } : null
}

/** Makes what is due by email for a person due in an hour. */
export async function postponeNews(ctx: Ctx, id: number): Promise<void> {
  await ctx.tx
    .updateTable('news')
    .set({ mail_due: new Date(ctx.services.now().getTime() + HOUR_MS).toISOString() })
    .where('user_id', '=', id)
    .where('mail_due', '<=', ctx.now)
    .execute()
}
