import { hash } from 'node:crypto'
import { randomToken } from '../../core/secrets.ts'
import { type Database, transact } from '../../db/connect.ts'

const SALT_ROW = 'device_salt'
const salts = new WeakMap<Database, string>()

/**
 * The installation's salt for devices, so that a copied table of visits identifies none.
 * It is never replaced, because known devices would count as new ones; backups include it.
 */
export async function deviceSalt(database: Database): Promise<string> {
  const known = salts.get(database)
  if (known) return known
  const read = () => database.db.selectFrom('meta').select('value').where('key', '=', SALT_ROW).executeTakeFirst()
  let row = await read()
  if (!row) {
    await transact(database, (tx) =>
      tx
        .insertInto('meta')
        .values({ key: SALT_ROW, value: randomToken(24) })
        .onConflict((oc) => oc.column('key').doNothing())
        .execute(),
    )
    row = await read()
  }
  salts.set(database, row!.value)
  return row!.value
}

/** A device as stored: the first 48 bits of SHA-256 over the salt and the sent value. */
export const deviceOf = (salt: string, sent: string): number => hash('sha256', salt + sent, 'buffer').readUIntBE(0, 6)
