import { historyWords } from '../../contract/history.ts'
import type { Ctx } from '../core/context.ts'
import { offsetOf } from '../core/listSearch.ts'
import { fullName } from './user/records.ts'

/** Lines a page. */
const LINES = 10

/** A page of a record's history, newest first (people-area 3). The caller must check access. */
export async function historyPage(
  { db }: Pick<Ctx, 'db'>,
  subject: 'team' | 'group' | 'brand' | 'service',
  id: number,
  page: number,
) {
  const lines = db.selectFrom('history').where('subject', '=', subject).where('subject_id', '=', id)
  const { count } = await lines.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  const rows = await lines
    .leftJoin('users', 'users.id', 'actor_id')
    .select(['history.id', 'at', 'action', 'before', 'after', 'first_name', 'last_name', 'email'])
    .orderBy('history.id', 'desc')
    .limit(LINES)
    .offset(offsetOf({ page, per_page: LINES }))
    .execute()
  const data = rows.map(({ first_name, last_name, email, before, after, ...line }) => ({
    ...line,
    words: historyWords(line.action) ?? '',
    actor_name: email === null ? '' : fullName({ first_name: first_name!, last_name: last_name!, email }),
    before: JSON.parse(before) as Record<string, unknown>,
    after: JSON.parse(after) as Record<string, unknown>,
  }))
  return { data, count: Number(count), page }
}
