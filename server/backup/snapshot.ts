import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../db/connect.ts'

/** A consistent view of a database while others write. */
export interface Snapshot {
  engine: Engine
  tables(): Promise<string[]>
  /** A table's rows, some thousands at a time, each an array in the order of `columns`. */
  rows(table: string): AsyncIterable<{ columns: string[]; rows: unknown[][] }>
  /** The highest id each table has ever assigned, so that a restored one never repeats it. */
  sequences(): Promise<Record<string, number>>
  close(): Promise<void>
}

const BUNCH = 4000

/** Opens a snapshot of a database that a server may be using. */
export function openSnapshot(where: { file: string } | { url: string }): Promise<Snapshot> {
  return 'url' in where ? ofPostgres(where.url) : Promise.resolve(ofSqlite(where.file))
}

function ofSqlite(file: string): Snapshot {
  const database = new DatabaseSync(file)
  database.exec('pragma busy_timeout=5000; begin')
  const names = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' order by name",
    )
    .all() as { name: string }[]
  return {
    engine: 'sqlite',
    tables: async () => names.map(({ name }) => name),
    async *rows(table) {
      const statement = database.prepare(`select * from "${table}"`)
      const columns = statement.columns().map((column) => column.name!)
      let rows: unknown[][] = []
      for (const row of statement.iterate()) {
        rows.push(columns.map((column) => (row as Record<string, unknown>)[column]))
        if (rows.length === BUNCH) {
          yield { columns, rows }
          rows = []
        }
      }
      yield { columns, rows }
    },
    async sequences() {
      const rows = database.prepare('select name, seq from sqlite_sequence where seq > 0').all() as {
        name: string
        seq: number
      }[]
      return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
    },
    async close() {
      database.exec('rollback')
      database.close()
    },
  }
}

async function ofPostgres(url: string): Promise<Snapshot> {
  const client = new pg.Client(url)
  // The next statement fails of a broken connection, which must not end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  // A partition's rows come with those of its table.
  const { rows: names } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not like 'kysely_%' order by 1`,
  )
  return {
    engine: 'postgres',
    tables: async () => names.map(({ name }) => name),
    async *rows(table) {
      const from = client.escapeIdentifier(table)
      await client.query(`declare every no scroll cursor for select * from ${from}`)
      for (;;) {
        const { rows, fields } = await client.query<unknown[]>({ text: `fetch ${BUNCH} from every`, rowMode: 'array' })
        yield { columns: fields.map((field) => field.name), rows }
        if (rows.length < BUNCH) break
      }
      await client.query('close every')
    },
    async sequences() {
      const found = await client.query<{ table: string; last: number }>(
        `select t.relname as "table", coalesce(s.last_value, 0) as last from pg_class q join pg_depend d on d.objid = q.oid and d.deptype = 'i'
           join pg_class t on t.oid = d.refobjid join pg_sequences s on s.sequencename = q.relname and s.schemaname = current_schema()
          where q.relkind = 'S' and q.relnamespace = current_schema()::regnamespace`,
      )
      return Object.fromEntries(found.rows.map(({ table, last }) => [table, Number(last)]))
    },
    async close() {
      await client.query('rollback')
      await client.end()
    },
  }
}
