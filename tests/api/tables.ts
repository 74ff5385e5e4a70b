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
const BY_ITSELF = /^(visit_(rollups|packs|stale|stale_months)|list_versions|write_positions|webhook_(deliveries|cursor))$/
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

/** How often each table was written, by its number, as far as its notes were read. */
const noted = new WeakMap<Fieldwork, Map<number, number>>()
const reading = new WeakMap<Fieldwork, Promise<unknown>>()

/**
 * On PostgreSQL a trigger adds a note for each statement that writes a table, in its transaction: both appear at once.
 * Adding up all rows of all tables instead took up to four fifths of a file's time there.
 */
function notedWrites(app: Fieldwork): Promise<Map<string, string | null>> {
  if (!counted.has(app)) counted.set(app, noteWrites(app))
  // One after the other, as each note is read by one only.
  const next = (reading.get(app) ?? counted.get(app)!).then(() => readNotes(app))
  reading.set(app, next)
  return next
}

async function readNotes(app: Fieldwork): Promise<Map<string, string | null>> {
  const counts = noted.get(app) ?? new Map<number, number>()
  noted.set(app, counts)
  // Counting the notes of a whole file each time took a tenth of its time.
  const { rows } = await sql<{ name: string; id: number; noted: boolean; writes: number | null; partitions: string | null }>`
    with notes as (delete from written.statements returning relation),
      writes as (select relation, count(*) as count from notes group by relation),
      parts as materialized
        (select inhparent, string_agg(inhrelid::text, ',' order by inhrelid) as all from pg_inherits group by inhparent),
      noted as materialized (select tgrelid from pg_trigger where tgname = 'written')
    select c.relname as name, c.oid as id, noted.tgrelid is not null as noted, writes.count as writes, parts.all as partitions
    from pg_class c left join noted on noted.tgrelid = c.oid left join writes on writes.relation = c.oid
      left join parts on parts.inhparent = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C"`.execute(app.db)
  for (const { id, writes } of rows) if (writes) counts.set(id, (counts.get(id) ?? 0) + writes)
  // A recreated table has another number, and a dropped partition takes its rows with it.
  return new Map(rows.map((row) => [row.name, row.noted ? `${row.id} ${counts.get(row.id) ?? 0} ${row.partitions}` : null]))
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
