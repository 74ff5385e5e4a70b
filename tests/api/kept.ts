import { expect } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { namesOf } from '../../server/core/input.ts'
import type { WriteExample } from '../support/writeExamples.ts'
import { requestOf } from './calling.ts'
import type { Fieldwork } from './support.ts'
import { type Row, tablesOf } from './tables.ts'

const rowOf = (id: CallId) => calls[id] as Call

/** The read of a write's record, with its input. */
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

/** Reads the record that a write changes. */
export async function recordOf(id: CallId, { input, as }: WriteExample): Promise<Record<string, unknown>> {
  const { read, input: wanted } = readOf(id, input)
  const { method, url } = requestOf(read, wanted)
  const { data } = (await as.raw(method, url)).body as unknown as { data: Record<string, unknown> | Record<string, unknown>[] }
  return Array.isArray(data) ? data.find((one) => one.id === input.id)! : data
}

/** All rows except those of tables left out, once the server has created the thumbnails of uploads, or failed to. */
async function settledTables(app: Fieldwork, leftOut: RegExp): Promise<Map<string, readonly Row[]>> {
  const waiting = () => app.db.selectFrom('files').select('id').where('thumb_state', '=', 'queued').execute()
  // Before any table is read: one made meanwhile would be among the files without its event, or the other way round.
  if ((await waiting()).length) await expect.poll(async () => (await waiting()).length).toBe(0)
  return tablesOf(app, leftOut)
}

/** Tables of last-seen times. */
const SEEN = /^(sessions|meta|throttles?)$/

/** Everything stored, as one text for each table, without last-seen times. */
export async function everything(app: Fieldwork): Promise<Record<string, string>> {
  const tables = await settledTables(app, SEEN)
  // A notification that is being sent is finished by its job, seconds later and during any test.
  const under = tables.get('notifications')!.filter(({ job_id }) => job_id !== null)
  const sending = new Set<unknown>(under.map(({ id }) => id))
  const tableTexts: Record<string, string> = {}
  for (const [table, rows] of tables) {
    // Mails, jobs and webhook messages continue in the background: a write only decides how many there are.
    if (/^(mails|jobs|events)$/.test(table)) {
      const counts = ({ kind, noun, action }: Row) =>
        table === 'events'
          ? !/^(outbox|job|notification|notice|webhook|delivery)$/.test(String(noun)) &&
            // Figures of sessions are told a second after the sessions themselves.
            action !== 'fieldSession.traffic'
          : table !== 'jobs' || kind !== 'thumbnails'
      tableTexts[table] = JSON.stringify(
        rows
          .filter(counts)
          .map(({ id }) => Number(id))
          .sort((a, b) => a - b),
      )
    } else if (sending.size && /^(notifications|notices)$/.test(table))
      tableTexts[table] = texts(rows.filter(({ id, notification_id }) => !sending.has(notification_id ?? id))).join('\n')
    else tableTexts[table] = joined(rows)
  }
  return tableTexts
}

/** All rows except those of tables left out, by table: each as a text that includes the table's name. */
export async function rowTexts(app: Fieldwork, leftOut: RegExp): Promise<Map<string, readonly string[]>> {
  const tables = await settledTables(app, leftOut)
  return new Map([...tables].filter(([table]) => !SEEN.test(table)).map(([table, rows]) => [table, texts(rows)]))
}

const texted = new WeakMap<readonly Row[], readonly string[]>()
const whole = new WeakMap<readonly string[], string>()

/** Rows as sorted texts; each row is serialized once. */
function texts(rows: readonly Row[]): readonly string[] {
  const found = texted.get(rows) ?? rows.map((one) => JSON.stringify(one)).sort()
  texted.set(rows, found)
  return found
}

function joined(rows: readonly Row[]): string {
  const lines = texts(rows)
  const found = whole.get(lines) ?? lines.join('\n')
  whole.set(lines, found)
  return found
}
