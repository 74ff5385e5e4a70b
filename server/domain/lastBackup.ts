import { connect, type Db } from '../db/connect.ts'

/** The row of `meta` with the moment of the last whole backup. */
const ROW = 'last_backup'

/** Notes the moment of a whole backup in the database that it was made of. */
export async function recordBackup(where: { file: string } | { url: string }, at: string): Promise<void> {
  const database = connect('url' in where ? { ...where, poolSize: 1 } : where)
  try {
    await database.db
      .insertInto('meta')
      .values({ key: ROW, value: at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: at }))
      .execute()
  } finally {
    await database.close()
  }
}

/** When the last whole backup was made; null if none was. */
export async function lastBackup(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', ROW).executeTakeFirst()
  return row ? new Date(row.value) : null
}
