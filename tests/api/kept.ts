import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { namesOf } from '../../server/core/input.ts'
import type { WriteExample } from '../support/writeExamples.ts'
import { requestOf } from './calling.ts'
import type { Fieldwork } from './support.ts'

const rowOf = (id: CallId) => calls[id] as Call

/** The call that reads a write's record, and its input. */
function readOf(id: CallId, input: Record<string, unknown>) {
  const reads = rowOf(id).reads!
  const { call, by = {} } = typeof reads === 'string' ? { call: reads } : reads
  const read = call as CallId
  const names = namesOf(rowOf(read).input)
  return {
    read,
    input: Object.fromEntries(
      names.flatMap((name) => {
        const value = input[by[name] ?? name] ?? input[name]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}

/** Returns the record a write changes, by its read call. */
export async function recordOf(id: CallId, { input, as }: WriteExample): Promise<Record<string, unknown>> {
  const { read, input: wanted } = readOf(id, input)
  const { method, url } = requestOf(read, wanted)
  const { data } = (await as.raw(method, url)).body as unknown as { data: Record<string, unknown> | Record<string, unknown>[] }
  return Array.isArray(data) ? data.find((one) => one.id === input.id)! : data
}

/** Waits until the server has made the thumbnails of what was uploaded, or failed to. */
export async function thumbnailsMade(app: Fieldwork): Promise<void> {
  const waiting = () => app.db.selectFrom('files').select('id').where('thumb_state', '=', 'queued').execute()
  await expect.poll(async () => (await waiting()).length).toBe(0)
}

/** The names of all tables but those with last-seen times. */
export async function tablesOf(app: Fieldwork): Promise<string[]> {
  const names =
    app.services.database.engine === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  return (await names.execute(app.db)).rows
    .map((table) => table.name)
    .filter((name) => !/^(sessions|meta|throttles?)$/.test(name))
    .sort()
}

/** The notification that a row of the two tables belongs to; null in others. */
function idIn(table: string, row: string): number | null {
  if (table !== 'notifications' && table !== 'notices') return null
  const { id, notification_id } = JSON.parse(row) as { id?: number; notification_id?: number }
  return notification_id ?? id ?? null
}

/** Everything stored, one text per table, without last-seen times. */
export async function everything(app: Fieldwork): Promise<Record<string, string>> {
  await thumbnailsMade(app)
  // A notification on its way is sent by its job, seconds later and in any test.
  const under = await app.db.selectFrom('notifications').select('id').where('job_id', 'is not', null).execute()
  const sending = new Set<number | null>(under.map(({ id }) => id))
  const kept: Record<string, string> = {}
  for (const table of await tablesOf(app)) {
    // Emails and jobs continue in the background: a write only decides how many there are.
    if (/^(mails|jobs|events)$/.test(table)) {
      const others =
        table === 'events'
          ? sql`noun not in ('outbox', 'job', 'notification', 'notice')`
          : table === 'jobs'
            ? sql`kind <> 'thumbnails'`
            : sql`1 = 1`
      const { rows } = await sql`select id from ${sql.table(table)} where ${others} order by id`.execute(app.db)
      kept[table] = JSON.stringify(rows)
      continue
    }
    kept[table] = (await rowsIn(app, table)).filter((row) => !sending.has(idIn(table, row))).join('\n')
  }
  return kept
}

/** A table's rows as sorted texts. */
export async function rowsIn(app: Fieldwork, table: string): Promise<string[]> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(app.db)
  return rows.map((one) => JSON.stringify(one)).sort()
}
