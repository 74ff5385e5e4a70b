import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** How many jobs, mails and webhook messages are queued or running, by kind, and how many mails failed, in all. */
export async function backlogOf(db: Db): Promise<{ kind: string; status: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; status: string; count: number }>`
    select kind, status, count(*) as count from jobs where status in ('queued', 'running') group by kind, status
    union all
    select 'mail', case status when 'sending' then 'running' else status end, count(*) from mails
    where status in ('queued', 'sending', 'failed') group by status
    union all
    select 'webhook', case status when 'sending' then 'running' else status end, count(*) from webhook_deliveries
    where status in ('queued', 'sending') group by status`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/** How long the oldest due job and the oldest due mail have waited, in seconds. */
export async function lagOf(db: Db, now: Date): Promise<{ queue: 'jobs' | 'mails'; seconds: number }[]> {
  const { rows } = await sql<{ queue: 'jobs' | 'mails'; due: string | null }>`
    select 'jobs' as queue, min(not_before) as due from jobs where status = 'queued' and not_before <= ${now.toISOString()}
    union all
    select 'mails', min(not_before) from mails where status = 'queued' and not_before <= ${now.toISOString()}`.execute(db)
  return rows.map(({ queue, due }) => ({ queue, seconds: due ? Math.max(0, (now.getTime() - Date.parse(due)) / 1000) : 0 }))
}
