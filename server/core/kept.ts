import { sql } from 'kysely'
import type { Database, Db } from '../db/connect.ts'
import type { Ctx } from './context.ts'

/** What lists are made of: a project with who sees it, and what the intake counts. */
export type Listed = 'project' | 'delivered'
/** Ids kept for all lists together, about eight bytes each. */
const MOST_IDS = 2_000_000
/** A list without rows counts as this many. */
const LEAST = 50

interface Kept {
  version: string
  ids: Promise<readonly number[]>
  size: number
}
interface Store {
  lists: Map<string, Kept>
  size: number
}
const stores = new WeakMap<Database, Store>()

/** How often each kind has changed, as the database says; a transaction sees its own changes too. */
async function versionsOf(db: Db): Promise<Record<Listed, number>> {
  const { rows } = await sql<{ kind: Listed; n: number }>`select kind, sum(n) as n from list_versions group by kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)])) as Record<Listed, number>
}

/**
 * A list's ids, kept until something that it is made of changes, in whatever process: the number is read each time.
 * `key` must say everything else that the ids depend on.
 * Within a transaction nothing is kept, as it may be rolled back.
 */
export async function keptIds(
  ctx: Ctx,
  of: readonly Listed[],
  key: string,
  read: () => Promise<number[]>,
): Promise<readonly number[]> {
  const { database } = ctx.services
  if (ctx.db !== database.db) return read()
  const store = stores.get(database) ?? { lists: new Map<string, Kept>(), size: 0 }
  stores.set(database, store)
  // Asked before the rows are: what is written in between is read once more, never missed.
  const versions = await versionsOf(database.db)
  const version = of.map((kind) => versions[kind]).join(' ')
  const known = store.lists.get(key)
  if (known?.version === version) {
    store.lists.delete(key)
    store.lists.set(key, known)
    return known.ids
  }
  if (known) drop(store, key, known)
  const entry: Kept = { version, ids: read(), size: LEAST }
  store.lists.set(key, entry)
  store.size += entry.size
  try {
    const ids = await entry.ids
    if (store.lists.get(key) === entry) {
      store.size += ids.length
      entry.size += ids.length
      for (const [oldest, one] of store.lists) {
        if (store.size <= MOST_IDS || oldest === key) break
        drop(store, oldest, one)
      }
    }
    return ids
  } catch (error) {
    if (store.lists.get(key) === entry) drop(store, key, entry)
    throw error
  }
}

function drop(store: Store, key: string, entry: Kept): void {
  store.lists.delete(key)
  store.size -= entry.size
}

/** Adds up what connections that are gone have counted, so that the sum stays quick to read (PostgreSQL). */
export async function foldVersions(database: Database): Promise<void> {
  if (database.engine !== 'postgres') return
  await sql`with gone as (
      delete from list_versions where slot <> 0 and slot not in (select pid from pg_stat_activity) returning kind, n
    ), sums as (select kind, sum(n) as n from gone group by kind)
    insert into list_versions as v (kind, slot, n) select kind, 0, n from sums
      on conflict (kind, slot) do update set n = v.n + excluded.n`.execute(database.db)
}
