import { sql } from 'kysely'
import type { Fieldwork } from './support.ts'

export type Row = Readonly<Record<string, unknown>>

/** A table's rows at a moment: the same list until a row is written, so that comparing it costs nothing. */
interface Held {
  print: string
  rows: readonly Row[]
}
const held = new WeakMap<Fieldwork, Map<string, Held>>()
const counted = new WeakMap<Fieldwork, Promise<void>>()

/** Tables that jobs of visits and webhooks write at any time, and that count every change. */
const BY_ITSELF = /^(visit_(rollups|packs|stale|stale_months)|list_versions|webhook_(deliveries|cursor))$/
/** How webhooks fare, which each try writes. */
const FARES = ['failing_since', 'told_at', 'last_delivered_at']

/** The names of all tables, in order. */
async function tableNames(app: Fieldwork): Promise<string[]> {
  const names =
    app.services.database.engine === 'postgres'
      ? // Without partitions, whose rows are in their table.
        sql<{ name: string }>`select relname as name from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  return (await names.execute(app.db)).rows.map(({ name }) => name).sort()
}

/** All rows except those of tables left out, by table; reads only tables written since the last time. */
export async function tablesOf(app: Fieldwork, leftOut: RegExp): Promise<Map<string, readonly Row[]>> {
  const known = held.get(app) ?? new Map<string, Held>()
  held.set(app, known)
  // Read before the rows: a write in between causes one more read, and is never missed.
  const prints = await (app.services.database.engine === 'postgres' ? notedWrites(app) : countedWrites(app))
  const found = new Map<string, readonly Row[]>()
  for (const [name, print] of prints) {
    if (leftOut.test(name) || BY_ITSELF.test(name)) continue
    if (print === null) throw new Error(`The writes of ${name} aren't counted, because it is new.`)
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

/**
 * On PostgreSQL a trigger adds a row for each statement that writes a table, in its transaction: both appear at once.
 * Adding up all rows of all tables instead took up to four fifths of a file's time there.
 */
async function notedWrites(app: Fieldwork): Promise<Map<string, string | null>> {
  if (!counted.has(app)) counted.set(app, noteWrites(app))
  await counted.get(app)
  // A recreated table has another number, and a dropped partition takes its rows with it.
  const { rows } = await sql<{ name: string; print: string | null }>`
    with writes as materialized (select relation, count(*) as count from written.statements group by relation),
      partitions as materialized
        (select inhparent, string_agg(inhrelid::text, ',' order by inhrelid) as all from pg_inherits group by inhparent),
      noted as materialized (select tgrelid from pg_trigger where tgname = 'written')
    select c.relname as name,
      case when noted.tgrelid is not null then concat_ws(' ', c.oid, writes.count, partitions.all) end as print
    from pg_class c left join noted on noted.tgrelid = c.oid left join writes on writes.relation = c.oid
      left join partitions on partitions.inhparent = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C"`.execute(app.db)
  return new Map(rows.map(({ name, print }) => [name, print]))
}

async function noteWrites(app: Fieldwork): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(app.db)
  await run('create schema if not exists written')
  await run('create unlogged table if not exists written.statements (relation oid not null)')
  await run(`create or replace function written.note() returns trigger language plpgsql as
    'begin insert into written.statements values (tg_relid); return null; end'`)
  // One by one: a transaction over all of them could deadlock with a job's.
  for (const name of await tableNames(app))
    if (!BY_ITSELF.test(name))
      await run(
        `create or replace trigger written after insert or update or delete or truncate on "${name}" execute function written.note()`,
      )
}

/** On SQLite all writes use one connection, where temporary triggers count them by table. */
async function countedWrites(app: Fieldwork): Promise<Map<string, string | null>> {
  if (!counted.has(app)) counted.set(app, countWrites(app))
  await counted.get(app)
  return await app.write(async (tx) => {
    const { rows } = await sql<{ name: string; writes: number | null }>`
      select t.name, w.writes from main.sqlite_master t left join temp.written w on w.name = t.name
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name`.execute(tx)
    return new Map(rows.map(({ name, writes }) => [name, writes === null ? null : String(writes)]))
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
