import { sql } from 'kysely'
import type { Live } from '../core/ports.ts'
import type { Database, Db, Tx } from '../db/connect.ts'
import { insertMany, transact } from '../db/connect.ts'
import { recentOf } from './recent.ts'

/** Streams woken in one turn. */
const AT_ONCE = 20
const EVENT_LOCK = 5_417_230
/** SQLite doesn't report other processes' commits (npm run ingest), so the table is polled this often. */
const LOOK_MS = 1000
/** The newest events kept; a client further behind loads everything again. */
const EVENTS_KEPT = 100_000
/** Events deleted in one transaction. */
const SWEPT_AT_ONCE = 5000

/** The columns of an event that workspaces get; former values are for webhooks alone. */
const LIVE_COLUMNS = [
  ...(['id', 'noun', 'subject_id', 'project_id', 'client_id', 'audience', 'user_id', 'kind', 'session_id', 'at'] as const),
  'action',
] as const

/** Opens a database's live events; a sweep keeps the newest `keepCount`. */
export async function openLive(database: Database, keepCount = EVENTS_KEPT): Promise<Live> {
  const listeners = new Map<() => void, (() => void) | undefined>()
  let gone = false
  // Reads once, then wakes a few streams in each turn, because hundreds at once would block everything else.
  const ring = () => {
    recent.stale()
    if (!listeners.size) return
    const notify = () => tellSome([...listeners.keys()])
    // On failure the listeners retry by themselves.
    recent.ready().then(notify, notify)
  }
  const tellSome = (waiting: (() => void)[]) => {
    for (const listener of waiting.splice(0, AT_ONCE)) if (listeners.has(listener)) listener()
    if (waiting.length) setImmediate(tellSome, waiting)
  }
  const last = () => lastOf(database.db)
  const since = (id: number, limit = 500) =>
    database.db.selectFrom('events').select(LIVE_COLUMNS).where('id', '>', id).orderBy('id').limit(limit).execute()
  const recent = recentOf(since, last)
  const watchers = new Set<(there: boolean) => void>()
  // What this process wrote has already woken everybody, with all that was committed before.
  let own = 0
  const onNotify = (last: number | null) => {
    // Events may begin again, after a restore or with what a failover lost.
    if (last === null) own = 0
    if (last === null || last > own) ring()
  }
  const stop = await database.listen(onNotify, (there) => {
    for (const watcher of watchers) watcher(there)
  })
  const looking = database.engine === 'sqlite' ? await lookAround(last, ring) : null
  return {
    async append(tx, changes, sessionId, at, action) {
      if (!changes.length) return null
      const rows = changes.map((change) => ({
        noun: change.noun,
        subject_id: change.id,
        project_id: change.project_id ?? null,
        client_id: change.client_id ?? null,
        audience: change.audience ?? 'scope',
        user_id: change.user_id ?? null,
        kind: change.kind ?? 'put',
        session_id: sessionId,
        at,
        action,
        before: change.before && Object.keys(change.before).length ? JSON.stringify(change.before) : '',
      }))
      if (database.engine === 'postgres') return appendAndNotify(tx, rows)
      await insertMany(tx, 'events', rows)
      // There is one writer, so this transaction's rows are the last, and their ids have no gap.
      const end = await lastOf(tx)
      return [end - rows.length + 1, end]
    },
    wake(last) {
      own = Math.max(own, last)
      ring()
    },
    since,
    sharedSince: (id, limit = 500) => recent.since(id, limit),
    last,
    rewinds: recent.rewinds,
    async reaches(id) {
      const oldest = await firstOf(database.db)
      return oldest === null || oldest <= id + 1
    },
    async sweep(since?: string) {
      const end = await last()
      const old = since ? await lastBefore(database.db, since) : 0
      // The newest one stays, whatever its age: it tells a stream that resumes whether it missed any.
      const before = Math.min(Math.max(end - keepCount, Math.min(old, end - 1)), await lookedAt(database.db))
      for (let first = await firstOf(database.db); first !== null && first <= before; first = await firstOf(database.db)) {
        const until = Math.min(before, first + SWEPT_AT_ONCE - 1)
        await transact(database, (tx) => tx.deleteFrom('events').where('id', '<=', until).execute())
      }
    },
    subscribe(onEvents, onStop) {
      listeners.set(onEvents, onStop)
      if (gone) onStop?.()
      return () => listeners.delete(onEvents)
    },
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    drain() {
      gone = true
      for (const onStop of listeners.values()) onStop?.()
    },
    async close() {
      clearInterval(looking ?? undefined)
      await stop()
    },
  }
}

/** The columns of an event that are given. */
const EVENT_COLUMNS = sql.raw(
  'noun text, subject_id bigint, project_id bigint, client_id bigint, audience text, user_id bigint, kind text, session_id bigint, at text, action text, before text',
)

/**
 * Writes events on PostgreSQL and tells the other processes, in one statement; returns the first and the last id.
 * Ids are given under the lock of the events, so that they follow the commits and have no gap.
 */
async function appendAndNotify(tx: Tx, rows: readonly object[]): Promise<[number, number]> {
  const names = sql.join(Object.keys(rows[0]!).map((name) => sql.ref(name)))
  const { rows: added } = await sql<{ first: number; last: number }>`
    with lock as materialized (select pg_advisory_xact_lock(${EVENT_LOCK}::bigint)),
    added as (insert into events (${names}) select ${names} from lock cross join json_to_recordset(${JSON.stringify(rows)}::json)
      as given (${EVENT_COLUMNS}) returning id)
    select first, last, pg_notify('fieldwork', last::text) from (select min(id) as first, max(id) as last from added) ids`.execute(
    tx,
  )
  return [added[0]!.first, added[0]!.last]
}

async function lastOf(db: Db): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

/** The last event before a time, or 0; only the oldest are read, as ids follow time. */
async function lastBefore(db: Db, at: string): Promise<number> {
  const younger = await db.selectFrom('events').select('id').where('at', '>=', at).orderBy('id').limit(1).executeTakeFirst()
  return younger ? younger.id - 1 : lastOf(db)
}

/** The last event that no webhook needs any more. */
async function lookedAt(db: Db): Promise<number> {
  const waiting = await db.selectFrom('webhooks').select('id').where('status', '=', 'active').limit(1).executeTakeFirst()
  if (!waiting) return Number.POSITIVE_INFINITY
  return (await db.selectFrom('webhook_cursor').select('event_id').executeTakeFirst())?.event_id ?? 0
}

/** The oldest event kept; null without any. */
async function firstOf(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.min('id').as('id'))
    .executeTakeFirst()
  return row?.id == null ? null : Number(row.id)
}

async function lookAround(last: () => Promise<number>, ring: () => void): Promise<NodeJS.Timeout> {
  let seen = await last()
  const look = async () => {
    // If the database is unavailable, the next round polls again.
    const now = await last().catch(() => seen)
    if (now !== seen) ring()
    seen = now
  }
  return setInterval(() => void look(), LOOK_MS).unref()
}
