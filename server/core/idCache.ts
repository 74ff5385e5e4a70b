import { sql } from 'kysely'
import type { Database, Db } from '../db/connect.ts'
import { ADVISORY_LOCKS } from '../db/locked.ts'
import type { ListVersionTable } from '../db/schema.ts'
import type { Ctx } from './context.ts'

/** The sources of lists: projects and access to them, intake, clients' users, quotes, and places of venues. */
export type Listed = ListVersionTable['kind']
/** The most ids cached for all lists together, about eight bytes each. */
const MOST_IDS = 2_000_000
/** An empty list counts as this many ids. */
const LEAST = 50
/** A cached row counts as this many ids. */
const IDS_A_ROW = 100

type Value = { ids: Promise<readonly number[]> } | { rows: Map<number, { id: number }> }
type CachedList = Value & { version: string; size: number }
interface Store {
  lists: Map<string, CachedList>
  size: number
}
const stores = new WeakMap<Database, Store>()

/** How often each source has changed, by the database's count; a transaction sees its own changes too. */
export async function versionsOf(db: Db): Promise<Record<Listed, number>> {
  const { rows } = await sql<{ kind: Listed; n: number }>`select kind, sum(n) as n from list_versions group by kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)])) as Record<Listed, number>
}

/** The cached value of a key; `fresh` replaces it once one of its sources has changed. */
async function entryOf(database: Database, of: readonly Listed[], key: string, fresh: () => Value): Promise<CachedList> {
  const store = storeOf(database)
  // Read before the rows: a write in between causes one more read, and is never missed.
  const versions = await versionsOf(database.db)
  const version = of.map((kind) => versions[kind]).join(' ')
  const known = store.lists.get(key)
  if (known?.version === version) {
    store.lists.delete(key)
    store.lists.set(key, known)
    return known
  }
  if (known) drop(store, key, known)
  const entry: CachedList = { version, size: 0, ...fresh() }
  store.lists.set(key, entry)
  grow(store, key, entry, LEAST)
  return entry
}

function storeOf(database: Database): Store {
  const store = stores.get(database) ?? { lists: new Map<string, CachedList>(), size: 0 }
  stores.set(database, store)
  return store
}

/** Adds to an entry's size, and evicts the least recently used ones. */
function grow(store: Store, key: string, entry: CachedList, by: number): void {
  if (store.lists.get(key) !== entry) return
  store.size += by
  entry.size += by
  for (const [oldest, one] of store.lists) {
    if (store.size <= MOST_IDS || oldest === key) break
    drop(store, oldest, one)
  }
}

/**
 * A list's ids, cached until one of its sources changes in any process; the versions are read each time.
 * `key` must contain everything else the ids depend on.
 * Nothing is cached within a transaction, which may be rolled back.
 */
export async function cachedIds(
  ctx: Ctx,
  of: readonly Listed[],
  key: string,
  read: () => Promise<number[]>,
): Promise<readonly number[]> {
  const { database } = ctx.services
  if (ctx.db !== database.db) return read()
  const store = storeOf(database)
  const entry = await entryOf(database, of, key, () => ({ ids: read() }))
  if (!('ids' in entry)) throw new Error(`${key} keeps rows`)
  try {
    const ids = await entry.ids
    if (entry.size <= LEAST) grow(store, key, entry, ids.length)
    return ids
  } catch (error) {
    if (store.lists.get(key) === entry) drop(store, key, entry)
    throw error
  }
}

/** Rows by id, each read when first asked for and cached like `cachedIds`; ids without a row are left out. */
export async function keptRows<Row extends { id: number }>(
  ctx: Ctx,
  of: readonly Listed[],
  key: string,
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Map<number, Row>> {
  const { database } = ctx.services
  const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))
  if (ctx.db !== database.db) return byId(await read(ids))
  const entry = await entryOf(database, of, key, () => ({ rows: new Map() }))
  if (!('rows' in entry)) throw new Error(`${key} keeps ids`)
  const rows = entry.rows as Map<number, Row>
  const missing = ids.filter((id) => !rows.has(id))
  if (missing.length) {
    const found = await read(missing)
    for (const row of found) rows.set(row.id, row)
    grow(storeOf(database), key, entry, found.length * IDS_A_ROW)
  }
  return new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id)!]] : [])))
}

function drop(store: Store, key: string, entry: CachedList): void {
  store.lists.delete(key)
  store.size -= entry.size
}

/** Adds up the counters of closed connections, so that the sum stays quick to read (PostgreSQL). */
export async function foldVersions(database: Database): Promise<void> {
  if (database.engine !== 'postgres') return
  // One process at a time, as two could each wait for a row that the other has added to.
  await sql`with alone as materialized (select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.versions}::int, 0) as mine), gone as (
      delete from list_versions where (select mine from alone)
        and slot <> 0 and slot not in (select pid from pg_stat_activity) returning kind, n
    ), sums as (select kind, sum(n) as n from gone group by kind)
    insert into list_versions as v (kind, slot, n) select kind, 0, n from sums order by kind
      on conflict (kind, slot) do update set n = v.n + excluded.n`.execute(database.db)
}
