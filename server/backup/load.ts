import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { count } from '../../contract/format.ts'
import type { FileStore } from '../core/ports.ts'
import { putKeyRows, readKeyRows, writeKeyFile } from '../core/signingKey.ts'
import { connect, type Database, type Db, insertMany, SERVER_NAME, type Tx, transact } from '../db/connect.ts'
import { reasonOf, sqliteErrors } from '../db/dbErrors.ts'
import { ADVISORY_LOCKS } from '../db/locked.ts'
import { isBeforeBaseline, migrate, migrationNames } from '../db/migrate.ts'
import type { Schema } from '../db/schema.ts'
import { fillingOf } from '../domain/demoState.ts'
import { monthsMissing, openMonths } from '../domain/visit/months.ts'
import { readBackup } from './readBackup.ts'
import { openSnapshot } from './snapshot.ts'
import { LEFT_OUT, type Manifest } from './writeBackup.ts'

/** Thrown when a backup can't be restored here; the message says why. */
export class NotRestored extends Error {}

export interface Restoring {
  where: { file: string } | { url: string }
  files: FileStore
  /** Overwrites the existing data. */
  replace: boolean
  /**
   * True when the old server is gone for good: mails, jobs, payouts and ids continue where they were.
   * Otherwise they are put on hold, because they may have been done since the backup.
   */
  resume: boolean
  /** Goes on with a backup that lacks nearly all contents. */
  withoutMissing?: boolean
  progress?: (what: string) => void
}

/**
 * Ids skipped after a restore, so that none assigned since the backup is assigned again.
 * Such ids live on in signed links, and as a reward provider's idempotency keys.
 */
const GAP = 1000
const WIDER: Record<string, number> = { entries: 1_000_000 }

/** The schema in which PostgreSQL's tables are prepared before they are swapped in. */
const SCRATCH = 'fieldwork_restore'

/**
 * Restores a backup: checks it, loads it into tables beside the current ones, then swaps them in one step.
 * A restore that is interrupted loses nothing.
 */
export async function restoreBackup(path: string, how: Restoring): Promise<Manifest> {
  how.progress?.('checking')
  const manifest = await readBackup(path)
  assertKnown(manifest)
  if (!how.withoutMissing) assertHasFiles(manifest)
  if (!how.replace && (await isTaken(how.where)))
    throw new NotRestored('This database isn’t empty. Restore into an empty one, or add --replace.')
  return 'url' in how.where ? intoPostgres(path, manifest, how, how.where.url) : intoSqlite(path, manifest, how, how.where.file)
}

/** Throws NotRestored for a backup of a newer release, or of one before the baseline. */
export function assertKnown({ schema, release = '0.1.0' }: Manifest): void {
  if (isBeforeBaseline(schema))
    throw new NotRestored(`The backup was made by release ${release}, and upgrades begin with 0.2. Restore it with that release.`)
  const known = new Set([...migrationNames('sqlite'), ...migrationNames('postgres')])
  const unknown = schema.filter((name) => !known.has(name))
  if (unknown.length)
    throw new NotRestored(`The backup was made by a newer release (${unknown.join(', ')}). Restore it with that release.`)
}

/** A backup that lacks more of its contents than this was made beside the wrong store. */
const NEARLY_ALL = 0.9

/** Throws NotRestored for a backup that lacks nearly all contents that its rows name. */
function assertHasFiles({ files, missing }: Manifest): void {
  const named = files.count + missing.length
  if (missing.length && missing.length >= named * NEARLY_ALL)
    throw new NotRestored(
      `The backup lacks ${count(missing.length)} of ${count(named)} contents that its rows name, as if it was made beside the wrong store. Restore another one, or add --without-missing to go on without them.`,
    )
}

async function isTaken(where: { file: string } | { url: string }): Promise<boolean> {
  if ('file' in where && !existsSync(where.file)) return false
  const database = connect(where)
  try {
    return (await fillingOf(database.db)).is !== 'empty'
  } catch (error) {
    // A database without our tables counts as empty.
    if (/no such table|does not exist/.test(String(error)) && !/database "[^"]*" does not exist/.test(String(error))) return false
    throw error
  } finally {
    await database.close()
  }
}

const draftOf = (file: string): string => `${file}.restoring`

async function removeDraft(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${draftOf(file)}${end}`, { force: true })
}

/**
 * Removes what a killed restore left: a half-filled copy of the whole database; false if there is none.
 * On SQLite the caller holds the data folder, so no restore is under way; on PostgreSQL one holds a lock.
 */
export async function sweepKilledRestore(where: Restoring['where']): Promise<boolean> {
  if ('file' in where) {
    const left = existsSync(draftOf(where.file))
    await removeDraft(where.file)
    return left
  }
  const database = connect({ url: where.url, poolSize: 1 })
  try {
    return await database.onOneSession(async (db) => {
      const { rows } = await sql`select 1 from pg_namespace where nspname = ${SCRATCH}`.execute(db)
      if (!rows.length || !(await lockRestoring(db))) return false
      await sql`drop schema if exists ${sql.ref(SCRATCH)} cascade`.execute(db)
      return true
    })
  } finally {
    await database.close()
  }
}

/** Locks the restoring of a database until the connection ends; false while another connection has it. */
async function lockRestoring(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_lock(${ADVISORY_LOCKS.restore}::int, 0) as locked`.execute(db)
  return rows[0]!.locked
}

async function intoSqlite(path: string, manifest: Manifest, how: Restoring, file: string): Promise<Manifest> {
  const draft = draftOf(file)
  const clean = () => removeDraft(file)
  await clean()
  const database = connect({ file: draft })
  try {
    await migrate(database, { to: manifest.schema.at(-1)! })
    await sql`pragma foreign_keys=off`.execute(database.db)
    await fill(database, path, manifest, how)
    const { rows } = await sql`select * from pragma_foreign_key_check limit 1`.execute(database.db)
    if (rows.length) throw new NotRestored(`The backup is inconsistent: ${JSON.stringify(rows[0])}`)
    await migrate(database)
    if (!how.resume) await transact(database, (tx) => hold(tx, fromBackup(manifest)))
    const keys = await readKeyRows(database.db)
    await transact(database, (tx) => putKeyRows(tx, null))
    await database.close()
    settle(draft)
    // The key goes first: a link of the old database must never open a record with the same number here.
    writeKeyFile(dirname(file), keys)
    // A journal that outlives its database would be replayed into the new file.
    if (existsSync(file)) await settleOld(file)
    await rename(draft, file)
    return manifest
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  } finally {
    await clean()
  }
}

/** The same for a database that is replaced, which may be damaged: its journal goes with it then. */
async function settleOld(file: string): Promise<void> {
  try {
    settle(file)
  } catch (error) {
    if (!sqliteErrors.isDamaged(error)) throw error
    for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  }
}

/** Merges the journal into the database file. */
function settle(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode=delete')
  database.close()
}

async function intoPostgres(path: string, manifest: Manifest, how: Restoring, databaseUrl: string): Promise<Manifest> {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `-c search_path=${SCRATCH}`)
  const plain = connect({ url: databaseUrl, poolSize: 2 })
  try {
    return await plain.onOneSession((db) => intoScratch(path, manifest, how, url.href, plain, db))
  } finally {
    await plain.close()
  }
}

async function intoScratch(
  path: string,
  manifest: Manifest,
  how: Restoring,
  url: string,
  plain: Database,
  session: Db,
): Promise<Manifest> {
  await assertNotRunning(plain)
  if (!(await lockRestoring(session))) throw new NotRestored('Another restore into this database is running.')
  try {
    await sql`drop schema if exists ${sql.ref(SCRATCH)} cascade`.execute(plain.db)
    await sql`create schema ${sql.ref(SCRATCH)}`.execute(plain.db)
    const beside = connect({ url, poolSize: 2 })
    try {
      await migrate(beside, { to: manifest.schema.at(-1)!, schema: SCRATCH })
      const links = await dropForeignKeys(beside)
      await fill(beside, path, manifest, how)
      for (const { table, name, definition } of links)
        await sql.raw(`alter table "${table}" add constraint "${name}" ${definition}`).execute(beside.db)
      await migrate(beside, { schema: SCRATCH })
      if (!how.resume) await transact(beside, (tx) => hold(tx, fromBackup(manifest)))
    } finally {
      await beside.close()
    }
    await swapTables(plain)
    return manifest
  } finally {
    await sql`drop schema if exists ${sql.ref(SCRATCH)} cascade`.execute(plain.db).catch(() => {})
  }
}

/** Rows arrive in no particular order, so foreign keys are checked once at the end. */
async function dropForeignKeys(database: Database): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select t.relname as "table", c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class t on t.oid = c.conrelid where c.contype = 'f' and c.connamespace = ${SCRATCH}::regnamespace`.execute(
    database.db,
  )
  for (const { table, name } of rows) await sql.raw(`alter table "${table}" drop constraint "${name}"`).execute(database.db)
  return rows
}

/** Swaps the loaded tables in, in one transaction for which readers wait. */
async function swapTables(database: Database): Promise<void> {
  await transact(database, async (tx) => {
    const fresh = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${SCRATCH}`.execute(tx)
    for (const { name } of fresh.rows) await sql.raw(`drop table if exists "${name}" cascade`).execute(tx)
    const { rows } = await sql<{ home: string }>`select current_schema() as home`.execute(tx)
    for (const { name } of fresh.rows)
      await sql.raw(`alter table "${SCRATCH}"."${name}" set schema "${rows[0]!.home}"`).execute(tx)
    // Triggers come with their tables; what they call has to follow before the schema goes.
    const called = await sql<{
      name: string
    }>`select p.oid::regproc::text as name from pg_proc p where p.pronamespace = ${SCRATCH}::regnamespace`.execute(tx)
    for (const { name } of called.rows) {
      const own = name.split('.').at(-1)!
      await sql.raw(`drop function if exists "${rows[0]!.home}"."${own}" cascade`).execute(tx)
      await sql.raw(`alter function "${SCRATCH}"."${own}" set schema "${rows[0]!.home}"`).execute(tx)
    }
    await sql`notify fieldwork`.execute(tx)
  })
}

async function fill(database: Database, path: string, manifest: Manifest, how: Restoring): Promise<void> {
  const strange = await unknownTables(database, Object.keys({ ...manifest.tables, ...manifest.sequences }))
  if (strange.length) throw new NotRestored(`The backup has tables that its release doesn’t have: ${strange.join(', ')}.`)
  // The backup also contains what the migrations insert.
  for (const table of Object.keys(manifest.tables)) await sql`delete from ${sql.table(table)}`.execute(database.db)
  const mimes = new Map<string, string>()
  let count = 0
  await readBackup(path, {
    async rows(table, rows) {
      how.progress?.(table)
      if (table === 'files')
        for (const row of rows) mimes.set(String(row.storage_key), String(row.mime)).set(String(row.thumb_key), 'image/jpeg')
      if (LEFT_OUT.has(table)) return
      await transact(database, async (tx) => {
        if (table === 'visits')
          await openMonths(
            database,
            tx,
            await monthsMissing(
              database,
              tx,
              rows.map(({ at }) => Number(at)),
            ),
          )
        await insertMany(tx, table as keyof Schema & string, rows)
      }).catch((error: unknown) => {
        if (database.isFull(error) || database.isUnavailable(error)) throw error
        throw new NotRestored(`The backup’s rows of ${table} don’t fit its release: ${reasonOf(error)}.`)
      })
    },
    async file(key, content) {
      how.progress?.(`file ${++count} of ${manifest.files.count}`)
      await how.files.put(key, content, mimes.get(key) ?? 'application/octet-stream')
    },
  })
  for (const [table, last] of Object.entries(manifest.sequences)) {
    const from = how.resume ? last : last + (WIDER[table] ?? GAP)
    if (from > 0) await advanceSequence(database, table, from)
  }
}

/** Names that are no table of a database. */
async function unknownTables(database: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await (database.engine === 'postgres'
    ? sql<{
        name: string
      }>`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
  ).execute(database.db)
  const known = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !known.has(name) || name.startsWith('kysely_'))
}

/** Advances a table's sequence past every id it has ever assigned. */
async function advanceSequence(database: Database, table: string, last: number): Promise<void> {
  if (database.engine === 'postgres')
    await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${last}::bigint)`.execute(database.db)
  else {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(database.db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(database.db)
  }
}

const fromBackup = ({ made_at }: Manifest) => `Restored from the backup of ${made_at}`

/**
 * Prepares a database that was recovered to a moment by its own means (a WAL archive, a snapshot of its disk):
 * signs everybody out, and holds what a restored backup holds. Throws NotRestored while a server uses it.
 */
export async function holdRecovered(where: Restoring['where']): Promise<void> {
  if (!(await isTaken(where))) throw new NotRestored('This database is empty: there is nothing that was recovered.')
  const snapshot = await openSnapshot(where)
  const sequences = await snapshot.sequences().finally(() => snapshot.close())
  const database = connect('url' in where ? { url: where.url, poolSize: 2 } : where)
  try {
    if ('url' in where) await assertNotRunning(database)
    await transact(database, async (tx) => {
      for (const table of ['sessions', 'tries', 'attempts', 'confirmations', 'write_positions'] as const)
        await tx.deleteFrom(table).execute()
      await hold(tx, 'The database was recovered to an earlier moment')
    })
    for (const [table, last] of Object.entries(sequences)) await advanceSequence(database, table, last + (WIDER[table] ?? GAP))
  } finally {
    await database.close()
  }
}

/** Holds mails and jobs that may have been sent or done since; an administrator decides on each. */
async function hold(tx: Tx, since: string): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ status: 'failed', error: `${since}: it may have been sent already. Retry it if it wasn’t.` })
    .where('status', 'in', ['queued', 'sending'])
    .execute()
  await tx
    .updateTable('jobs')
    .set({
      status: 'failed',
      worker: null,
      ended_at: new Date().toISOString(),
      error: `${since}: it may have been done already.`,
    })
    .where('status', 'in', ['queued', 'running'])
    .execute()
  // A copy of an installation must not tell the receivers of the other one.
  await tx
    .updateTable('webhooks')
    .set({ status: 'paused', reason: `${since}. Resume it if this installation is to go on.` })
    .where('status', '=', 'active')
    .execute()
  await tx.updateTable('webhook_deliveries').set({ status: 'queued' }).where('status', '=', 'sending').execute()
  await holdPayouts(tx, since)
}

/**
 * Holds rewards in payment for an administrator; payouts of the built-in provider finish by themselves.
 * Retrying is safe: the provider gets the same key, and pays nothing twice.
 */
async function holdPayouts(tx: Tx, since: string): Promise<void> {
  const at = new Date().toISOString()
  const reason = `${since}: it may have been paid since. Paying it again uses the same key, so the provider pays nothing twice.`
  const open = sql`status = 'processing' and id not in (select entry_id from payouts)`
  await sql`insert into history (subject, subject_id, project_id, action, origin, actor_id, admin_id, partner_id, before, after, reason, at)
    select 'entry', id, null, 'backup.restore', 'event', null, null, null, '{"status":"processing"}', '{"status":"pending"}', ${reason}, ${at}
      from entries where ${open}`.execute(tx)
  await sql`update entries set status = 'pending', reason = ${reason}, claimed_at = null, payout_job = null, updated_at = ${at}, lock_version = lock_version + 1
    where ${open}`.execute(tx)
}

/** Throws while a server runs: it would keep using what it has cached of the old tables. */
async function assertNotRunning(database: Database): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = ${SERVER_NAME}`.execute(database.db)
  if (rows[0]!.n) throw new NotRestored(`A Fieldwork server is using this database (${rows[0]!.n} connections). Stop it first.`)
}
