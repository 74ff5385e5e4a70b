import { hash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { closeAfterFile } from '../support/after-file.ts'
import type { Fieldwork } from './support.ts'

export type Row = Readonly<Record<string, unknown>>

/** A table's rows at a moment: the same list until a row is written, so that comparing it costs nothing. */
interface Held {
  print: string
  rows: readonly Row[]
}
const held = new WeakMap<Fieldwork, Map<string, Held>>()
const counted = new WeakMap<Fieldwork, Promise<void>>()
const asking = new WeakMap<Fieldwork, Promise<pg.Client>>()

/** Tables that jobs of visits and webhooks write at any time, and that count every change. */
const BY_ITSELF = /^(visit_(rollups|packs|stale|stale_months)|list_versions|webhook_(deliveries|cursor))$/
/** How webhooks fare, which each try writes. */
const FARES = ['failing_since', 'told_at', 'last_delivered_at']

/** The names of all tables, in order. */
async function tableNames(app: Fieldwork): Promise<string[]> {
  const names =
    app.services.database.engine === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  return (await names.execute(app.db)).rows.map(({ name }) => name).sort()
}

/** All rows except those of tables left out, by table; reads only tables written since the last time. */
export async function tablesOf(app: Fieldwork, leftOut: RegExp): Promise<Map<string, readonly Row[]>> {
  const known = held.get(app) ?? new Map<string, Held>()
  held.set(app, known)
  const names = (await tableNames(app)).filter((name) => !leftOut.test(name) && !BY_ITSELF.test(name))
  const prints = await (app.services.database.engine === 'postgres' ? printed(app, names) : countedWrites(app))
  const found = new Map<string, readonly Row[]>()
  for (const name of names) {
    // Read before the rows: a write in between causes one more read, and is never missed.
    const print = prints.get(name)!
    if (known.get(name)?.print !== print) known.set(name, { print, rows: await rowsIn(app, name) })
    found.set(name, known.get(name)!.rows)
  }
  return found
}

async function rowsIn(app: Fieldwork, table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(app.db)
  if (table === 'webhooks')
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !FARES.includes(column))))
  // Jobs of visits keep their state there, at any time.
  return table === 'meta' ? rows.filter(({ key }) => !/^visits[._]/.test(String(key))) : rows
}

/** On PostgreSQL a written row gets another location and transaction, which changes their sum. */
async function printed(app: Fieldwork, names: readonly string[]): Promise<Map<string, string>> {
  let client = asking.get(app)
  if (!client) {
    client = askerOf(app)
    asking.set(app, client)
  }
  const one = (name: string) =>
    `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtid(ctid)::bigint # xmin::text::bigint), 0) as print from "${name}"`
  const text = names.map(one).join(' union all ')
  const { rows } = await (await client).query<{ name: string; print: string }>({ name: `prints ${hash('md5', text)}`, text })
  return new Map(rows.map(({ name, print }) => [name, print]))
}

/** A separate connection that keeps its prepared statements, because planning takes longer than running them. */
async function askerOf(app: Fieldwork): Promise<pg.Client> {
  const client = new pg.Client(app.services.settings.databaseUrl!)
  await client.connect()
  closeAfterFile(() => client.end())
  await client.query('set plan_cache_mode = force_generic_plan')
  return client
}

/** On SQLite all writes use one connection, where temporary triggers count them by table. */
async function countedWrites(app: Fieldwork): Promise<Map<string, string>> {
  if (!counted.has(app)) counted.set(app, countWrites(app))
  await counted.get(app)
  return await app.write(async (tx) => {
    const { rows } = await sql<{ name: string; writes: number }>`select name, writes from temp.written`.execute(tx)
    return new Map(rows.map(({ name, writes }) => [name, String(writes)]))
  })
}

async function countWrites(app: Fieldwork): Promise<void> {
  const names = await tableNames(app)
  await app.write(async (tx) => {
    await sql`create temp table written (name text primary key, writes integer not null)`.execute(tx)
    for (const name of names) {
      await sql`insert into temp.written values (${name}, 0)`.execute(tx)
      for (const act of ['insert', 'update', 'delete'])
        await sql`create temp trigger ${sql.id(`written_${act}_${name}`)} after ${sql.raw(act)} on main.${sql.id(name)}
          begin update written set writes = writes + 1 where name = ${sql.lit(name)}; end`.execute(tx)
    }
  })
}
