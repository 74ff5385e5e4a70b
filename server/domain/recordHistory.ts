import { sql } from 'kysely'
import { historyWords } from '../../contract/history.ts'
import type { Ctx } from '../core/context.ts'
import { type Paged, pageOf } from '../core/keyset.ts'
import { fullName } from './user/records.ts'

/** A page of a record's history, newest first (people-area 3). The caller must check access. */
export async function historyPage(
  ctx: Ctx,
  subject: 'team' | 'group' | 'brand' | 'service',
  { id, updated_since, ...paged }: Paged & { id: number; updated_since?: string | undefined },
) {
  let lines = ctx.db.selectFrom('history').where('subject', '=', subject).where('subject_id', '=', id)
  if (updated_since) lines = lines.where('at', '>=', updated_since)
  const { count } = await lines.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  const named = lines
    .leftJoin('users', 'users.id', 'actor_id')
    .select(['history.id', 'at', 'action', 'before', 'after', 'first_name', 'last_name', 'email'])
  const rows = await pageOf(ctx, named, [{ by: sql.ref('history.id'), way: 'desc', full: true }], paged)
  const data = rows.map(({ first_name, last_name, email, before, after, ...line }) => ({
    ...line,
    words: historyWords(line.action) ?? '',
    actor_name: email === null ? '' : fullName({ first_name: first_name!, last_name: last_name!, email }),
    before: JSON.parse(before) as Record<string, unknown>,
    after: JSON.parse(after) as Record<string, unknown>,
  }))
  return { data, count: Number(count), page: paged.page }
}
