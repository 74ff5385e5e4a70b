import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { count } from '../../contract/format.ts'
import { reasonOf } from '../db/dbErrors.ts'
import { openSnapshot } from './snapshot.ts'

/** What a check found: a sentence, and whether all is well. */
export interface Checked {
  well: boolean
  sentence: string
}

/** At most this many faults of a database are looked for. */
const MOST = 20

/** Checks that everything a database has stored can be read, and that its constraints hold. Changes nothing. */
export const checkDatabase = (where: { file: string } | { url: string }): Promise<Checked> =>
  'url' in where ? checkPostgres(where.url) : Promise.resolve(checkSqlite(where.file))

const bad = (sentence: string): Checked => ({ well: false, sentence })

function checkSqlite(file: string): Checked {
  if (!existsSync(file)) return bad(`The database is missing: there is no ${file}.`)
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      database.exec('pragma busy_timeout=5000')
      const faults = (database.prepare(`pragma integrity_check(${MOST})`).all() as { integrity_check: string }[])
        .map((row) => row.integrity_check)
        .filter((fault) => fault !== 'ok')
      if (faults.length) return bad(`The database is damaged in ${atLeast(faults.length, 'place')}: ${oneLine(faults[0]!)}.`)
      const loose = database.prepare('select * from pragma_foreign_key_check limit 20').all() as {
        table: string
        parent: string
      }[]
      const [one] = loose
      if (one)
        return bad(
          `The database has ${atLeast(loose.length, 'row')} without the row they refer to, one of ${one.table} without its ${one.parent}.`,
        )
      const { tables } = database.prepare("select count(*) as tables from sqlite_schema where type = 'table'").get() as {
        tables: number
      }
      return { well: true, sentence: `The database is whole: ${count(tables)} tables, their indexes and what they refer to.` }
    } finally {
      database.close()
    }
  } catch (error) {
    return bad(`The database can’t be read: ${oneLine(reasonOf(error))}.`)
  }
}

async function checkPostgres(url: string): Promise<Checked> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    const snapshot = await openSnapshot({ url })
    let rows = 0
    let tables = 0
    let reading = ''
    try {
      for (const table of await snapshot.tables()) {
        reading = table
        tables++
        for await (const piece of snapshot.rows(table)) rows += piece.rows.length
      }
    } catch (error) {
      return bad(`The database is damaged: ${reading} can’t be read (${oneLine(reasonOf(error))}).`)
    } finally {
      await snapshot.close().catch(() => {})
    }
    await client.connect()
    const loose = await looseRows(client)
    if (loose) return bad(loose)
    const indexes = await checkIndexes(client)
    if (typeof indexes === 'object') return bad(indexes.fault)
    return {
      well: true,
      sentence: `The database is whole: ${count(rows)} rows of ${count(tables)} tables and what they refer to; ${indexes}.`,
    }
  } catch (error) {
    return bad(`The database can’t be read: ${oneLine(reasonOf(error))}.`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A sentence about rows without what they refer to, and about constraints that weren't checked; null if all hold. */
async function looseRows(client: pg.Client): Promise<string | null> {
  const { rows: links } = await client.query<{ from: string; to: string; columns: string[]; keys: string[] }>(`
    select c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
      array(select quote_ident(a.attname) from unnest(c.conkey) with ordinality k(n, at)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.at) as columns,
      array(select quote_ident(a.attname) from unnest(c.confkey) with ordinality k(n, at)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.at) as keys
    from pg_constraint c where c.contype = 'f' and c.conparentid = 0 and c.connamespace = current_schema()::regnamespace`)
  for (const { from, to, columns, keys } of links) {
    const same = columns.map((column, at) => `t.${keys[at]} = f.${column}`).join(' and ')
    const set = columns.map((column) => `f.${column} is not null`).join(' and ')
    const { rows } = await client.query(
      `select 1 from ${from} f where ${set} and not exists (select 1 from ${to} t where ${same}) limit 1`,
    )
    if (rows.length) return `The database has rows of ${from} without their ${to}.`
  }
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where not convalidated and connamespace = current_schema()::regnamespace`,
  )
  return rows.length ? `The database has constraints that were never checked: ${rows.map(({ name }) => name).join(', ')}.` : null
}

/** Checks the indexes by PostgreSQL's own amcheck, where its operator has created that extension. */
async function checkIndexes(client: pg.Client): Promise<string | { fault: string }> {
  const invalid = await client.query<{
    name: string
  }>(`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`)
  if (invalid.rows.length)
    return { fault: `The database has unfinished indexes: ${invalid.rows.map(({ name }) => name).join(', ')}.` }
  const { rows: there } = await client.query(`select 1 from pg_extension where extname = 'amcheck'`)
  if (!there.length) return 'its indexes were not compared, as the extension amcheck is missing'
  const { rows } = await client.query<{ oid: number; name: string }>(`select c.oid, c.relname as name from pg_class c
    join pg_am a on a.oid = c.relam where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = current_schema()::regnamespace`)
  for (const { oid, name } of rows)
    try {
      await client.query('select bt_index_check($1::oid::regclass, true)', [oid])
    } catch (error) {
      return { fault: `The database is damaged: the index ${name} doesn’t match its table (${oneLine(reasonOf(error))}).` }
    }
  return `${count(rows.length)} indexes match their tables`
}

const atLeast = (found: number, what: string): string =>
  `${found >= MOST ? `at least ${MOST}` : found} ${what}${found === 1 ? '' : 's'}`
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200)
