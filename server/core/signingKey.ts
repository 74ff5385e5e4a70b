import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type Db, type Tx, transact } from '../db/connect.ts'
import { randomToken } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The key that signs links, and the previous one, whose links work until `until` (ISO time). */
export interface SigningKeys {
  key: string
  before: { key: string; until: string } | null
}

/** It lies beside a SQLite database, so that a copy of the database alone can't sign. */
export const KEY_FILE = 'signing.key'
const KEY_ROW = 'signing_key'
const KEY_BEFORE_ROW = 'signing_key_before'
/** A partner's link works this long, and no link works longer (decisions.md 4). */
const LINK_DAYS = 14

type Where = Pick<Settings, 'dataDir' | 'signingKeys'>

/** The keys that open links now, the signing one first; the first start creates or inherits it. */
export async function loadSigningKeys(database: Database, { dataDir, signingKeys }: Where, now: Date): Promise<string[]> {
  if (signingKeys.length) return signingKeys
  const keys = database.engine === 'sqlite' ? await intoFile(database, dataDir, now) : await ofDatabase(database)
  return [keys.key, ...(keys.before && keys.before.until > now.toISOString() ? [keys.before.key] : [])]
}

/** Signs with a new key from the next start on; old links end then, or with `keepLinks` at their own time. */
export async function rotateSigningKey(database: Database, dataDir: string, keepLinks: boolean, now: Date): Promise<void> {
  const old = database.engine === 'sqlite' ? await intoFile(database, dataDir, now) : await ofDatabase(database)
  const fresh = { key: randomToken(48), before: keepLinks ? { key: old.key, until: endOfLinks(now) } : null }
  if (database.engine === 'sqlite') writeKeyFile(dataDir, fresh)
  else await transact(database, (tx) => putKeyRows(tx, fresh))
}

const endOfLinks = (now: Date): string => new Date(now.getTime() + LINK_DAYS * 86_400_000).toISOString()

/** Reads the keys from a folder's file, or null: a line for each key, with the end of its links after the second. */
export function readKeyFile(folder: string): SigningKeys | null {
  const path = join(folder, KEY_FILE)
  if (!existsSync(path)) return null
  const [key, before] = readFileSync(path, 'utf8').trim().split('\n')
  const [old, until] = before?.trim().split(' ') ?? []
  return key ? { key: key.trim(), before: old && until ? { key: old, until } : null } : null
}

/** Writes the keys to a folder's file atomically, for this account alone; null removes it. */
export function writeKeyFile(folder: string, keys: SigningKeys | null): void {
  const path = join(folder, KEY_FILE)
  if (!keys) {
    rmSync(path, { force: true })
    return
  }
  const draft = `${path}.${process.pid}.part`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${keys.key}\n${keys.before ? `${keys.before.key} ${keys.before.until}\n` : ''}`)
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}

/** Reads the keys from a database's rows, or null. */
export async function readKeyRows(db: Db | Tx): Promise<SigningKeys | null> {
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', [KEY_ROW, KEY_BEFORE_ROW]).execute()
  const rowValue = (name: string) => rows.find((row) => row.key === name)?.value
  const key = rowValue(KEY_ROW)
  return key ? { key, before: JSON.parse(rowValue(KEY_BEFORE_ROW) ?? 'null') as SigningKeys['before'] } : null
}

/** Replaces the keys in a database's rows; null removes them. */
export async function putKeyRows(tx: Tx, keys: SigningKeys | null): Promise<void> {
  await tx.deleteFrom('meta').where('key', 'in', [KEY_ROW, KEY_BEFORE_ROW]).execute()
  if (keys) await tx.insertInto('meta').values(keyRowsOf(keys)).execute()
}

/** The keys as rows of `meta`: PostgreSQL keeps them there, and backups of both engines carry them. */
export const keyRowsOf = (keys: SigningKeys | null): { key: string; value: string }[] => [
  ...(keys ? [{ key: KEY_ROW, value: keys.key }] : []),
  ...(keys?.before ? [{ key: KEY_BEFORE_ROW, value: JSON.stringify(keys.before) }] : []),
]

/** The keys of a SQLite installation; a key that an older release left in the database moves to the file. */
async function intoFile(database: Database, folder: string, now: Date): Promise<SigningKeys> {
  const [inFile, inRows] = [readKeyFile(folder), await readKeyRows(database.db)]
  let keys = inFile ?? inRows ?? { key: randomToken(48), before: null }
  // An older release that ran in between has created its own key.
  if (inFile && inRows && inRows.key !== inFile.key) keys = { ...inFile, before: { key: inRows.key, until: endOfLinks(now) } }
  if (keys !== inFile) writeKeyFile(folder, keys)
  if (inRows) await transact(database, (tx) => putKeyRows(tx, null))
  return keys
}

/** The keys of a PostgreSQL installation, shared by its processes; the first to start creates them. */
async function ofDatabase(database: Database): Promise<SigningKeys> {
  await transact(database, (tx) =>
    tx
      .insertInto('meta')
      .values({ key: KEY_ROW, value: randomToken(48) })
      .onConflict((oc) => oc.column('key').doNothing())
      .execute(),
  )
  return (await readKeyRows(database.db))!
}
