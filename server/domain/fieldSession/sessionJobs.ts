import { sql } from 'kysely'
import type { JobKind, Services } from '../../core/context.ts'
import { transact } from '../../db/connect.ts'
import { among } from '../quota/quotaLedger.ts'
import { addSteps } from './entries.ts'
import { announceTraffic } from './trafficNews.ts'

const AT_ONCE = 1000

/** Ends the sessions of people who left without an exit; returns how many. */
export async function lapseSessions(services: Services, signal?: AbortSignal): Promise<number> {
  const { database, now } = services
  let lapsed = 0
  for (let rows = AT_ONCE; rows >= AT_ONCE && !signal?.aborted; lapsed += rows) {
    const at = now().toISOString()
    const ended = await transact(database, async (tx) => {
      const { rows } = await sql<{ rid: string; project_id: number; survey_id: number }>`update field_sessions
        set state = 'abandoned', ended_at = ${at}, updated_at = ${at}
        where state = 'admitted' and id in (select id from field_sessions where state = 'admitted' and until_at <= ${at}
          and not exists (select 1 from quota_holds h where h.rid = field_sessions.rid and h.state = 'held')
          order by until_at limit ${sql.lit(AT_ONCE)})
        returning rid, project_id, survey_id`.execute(tx)
      await addSteps(
        database,
        tx,
        rows.map(({ rid }) => [rid, 'lapsed', '', 'none', at]),
      )
      return rows
    })
    for (const session of new Map(ended.map((one) => [one.project_id, one])).values()) announceTraffic(services, session)
    rows = ended.length
  }
  return lapsed
}

const KEEP_MONTHS = 24
const KEPT_POST_DAYS = 30

/** Removes what is known of people whose sessions are older than 24 months: outcome, partner and month stay. */
export async function forgetOld({ database, now }: Services): Promise<number> {
  const limit = new Date(now().getTime())
  limit.setUTCMonth(limit.getUTCMonth() - KEEP_MONTHS)
  const before = limit.toISOString()
  let forgotten = 0
  for (let rows = AT_ONCE; rows >= AT_ONCE; forgotten += rows)
    rows = await transact(database, async (tx) => {
      const old = tx.selectFrom('field_sessions').select(['id', 'rid', 'entered_at'])
      const some = await old.where('entered_at', '<', before).where('pid', '<>', '').limit(AT_ONCE).execute()
      if (!some.length) return 0
      await sql`delete from session_steps where rid ${among(
        database,
        some.map(({ rid }) => rid),
      )}`.execute(tx)
      await sql`update field_sessions set pid = '', reason = '', rid = 'gone-' || id,
          entered_at = substr(entered_at, 1, 7) || '-01T00:00:00.000Z', admitted_at = null, until_at = null, last_seen_at = null,
          ended_at = null, ip = '', device_hash = '', profile = '{}', respondent_id = null, claimed_at = null, seconds = null
        where id ${among(
          database,
          some.map(({ id }) => id),
        )}`.execute(tx)
      return some.length
    })
  const posts = new Date(now().getTime() - KEPT_POST_DAYS * 86_400_000).toISOString()
  await database.db.deleteFrom('session_posts').where('created_at', '<', posts).execute()
  return forgotten
}

/** Has no jobs of its own; ends the sessions of who left, and forgets people after 24 months. */
export const fieldSessionKind: JobKind = {
  run: async () => ({}),
  tick: lapseSessions,
  sweep: forgetOld,
}
