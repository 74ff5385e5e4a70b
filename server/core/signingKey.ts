import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type Db, type Tx, transact } from '../db/connect.ts'
import { randomToken } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The key that signs links, and the one before it, whose links work until then (ISO time). */
export interface SigningKeys {
  key: string
  before: { key: string; until: string } | null
}

/** Beside a SQLite database: who may read a copy of the database alone can't sign with it. */
export const KEY_FILE = 'signing.key'
const KEY_ROW = 'signing_key'
const KEY_BEFORE_ROW = 'signing_key_before'
/** A partner's link works this long, and no link longer (decisions.md 4). */
const LINK_DAYS = 14

type Where = Pick<Settings, 'dataDir' | 'signingKeys'>

/** The keys by which links are opened now, the one that signs first; made at the first start, and brought over from where older releases kept it. */
export async function loadSigningKeys(database: Database, { dataDir, signingKeys }: Where, now: Date): Promise<string[]> {
  if (signingKeys.length) return signingKeys
  const kept = database.engine === 'sqlite' ? await intoFile(database, dataDir, now) : await ofDatabase(database)
  return [kept.key, ...(kept.before && kept.before.until > now.toISOString() ? [kept.before.key] : [])]
}

/** Signs with a new key from the next start on; links of the old one end then, or with `keepLinks` when their own time is over. */
export async function rotateSigningKey(database: Database, dataDir: string, keepLinks: boolean, now: Date): Promise<void> {
  const old = database.engine === 'sqlite' ? await intoFile(database, dataDir, now) : await ofDatabase(database)
  const fresh = { key: randomToken(48), before: keepLinks ? { key: old.key, until: endOfLinks(now) } : null }
  if (database.engine === 'sqlite') writeKeyFile(dataDir, fresh)
  else await transact(database, (tx) => putKeyRows(tx, fresh))
}

const endOfLinks = (now: Date): string => new Date(now.getTime() + LINK_DAYS * 86_400_000).toISOString()

/** The keys in a folder's file, or null. A line is a key; the second has the end of its links behind it. */
export function readKeyFile(folder: string): SigningKeys | null {
  const path = join(folder, KEY_FILE)
  if (!existsSync(path)) return null
  const [key, before] = readFileSync(path, 'utf8').trim().split('\n')
  const [old, until] = before?.trim().split(' ') ?? []
  return key ? { key: key.trim(), before: old && until ? { key: old, until } : null } : null
}

/** Puts the keys into a folder's file, whole or not at all, for this account alone; null takes the file away. */
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

/** The keys in a database's rows, or null. */
export async function readKeyRows(db: Db | Tx): Promise<SigningKeys | null> {
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', [KEY_ROW, KEY_BEFORE_ROW]).execute()
  const kept = (name: string) => rows.find((row) => row.key === name)?.value
  const key = kept(KEY_ROW)
  return key ? { key, before: JSON.parse(kept(KEY_BEFORE_ROW) ?? 'null') as SigningKeys['before'] } : null
}

/** Puts the keys into a database's rows in place of those that are there; null takes them away. */
export async function putKeyRows(tx: Tx, keys: SigningKeys | null): Promise<void> {
  await tx.deleteFrom('meta').where('key', 'in', [KEY_ROW, KEY_BEFORE_ROW]).execute()
  if (keys) await tx.insertInto('meta').values(keyRowsOf(keys)).execute()
}

/** The keys as rows of `meta`: how PostgreSQL keeps them, and how a backup of either engine carries them. */
export const keyRowsOf = (keys: SigningKeys | null): { key: string; value: string }[] => [
  ...(keys ? [{ key: KEY_ROW, value: keys.key }] : []),
  ...(keys?.before ? [{ key: KEY_BEFORE_ROW, value: JSON.stringify(keys.before) }] : []),
]

/** A SQLite installation's keys: its file's. An older release kept its key in the database: it is brought over, and links that it signed go on working. */
async function intoFile(database: Database, folder: string, now: Date): Promise<SigningKeys> {
  const [inFile, inRows] = [readKeyFile(folder), await readKeyRows(database.db)]
  let keys = inFile ?? inRows ?? { key: randomToken(48), before: null }
  // An older release that was started again in between has made a key of its own.
  if (inFile && inRows && inRows.key !== inFile.key) keys = { ...inFile, before: { key: inRows.key, until: endOfLinks(now) } }
  if (keys !== inFile) writeKeyFile(folder, keys)
  if (inRows) await transact(database, (tx) => putKeyRows(tx, null))
  return keys
}

/** A PostgreSQL installation's keys, shared by its processes; whichever starts first makes them. */
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
