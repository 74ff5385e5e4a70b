import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { addOnline, createIndexes, fillOnline, indexesOnline, isPrepared } from '../online.ts'

const columnsOf = (int: string) => [
  '"pending_email" text',
  '"pending_email_hash" text',
  '"pending_email_expires_at" text',
  `"pending_email_by" ${int}`,
  `"pending_email_proven" ${int}`,
]
const INDEXES = {
  ix_users_pending_email: '"users" ("pending_email_hash") where "pending_email_hash" is not null',
  // For the list of the whole history: what one person did, and what happened since a moment.
  ix_history_actor: '"history" ("actor_id", "id") where "actor_id" is not null',
  ix_history_at: '"history" ("at", "id")',
}
const DAY_MS = 86_400_000
const BLANK = "password_hash = null, phone = '', birth_date = null"
/** Users that nobody can restore any more; the undo of a day still needs it of the others. */
const beyondUndo = () =>
  `deleted_at < '${new Date(Date.now() - DAY_MS).toISOString()}' and (password_hash is not null or phone <> '' or birth_date is not null)`

/** Lets a new address wait for its confirmation, knows devices, and blanks deleted users (domain/user/deleted.ts). */
export const accounts = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await addOnline(db, 'users', columnsOf('bigint'))
    await indexesOnline(db, INDEXES)
    await fillOnline(db, 'users', BLANK, beyondUndo())
  },
  async up(db: Kysely<unknown>) {
    const int = engine === 'sqlite' ? 'integer' : 'bigint'
    const run = (text: string) => sql.raw(text).execute(db)
    await run(`create table "devices" ("user_id" ${int} not null references "users", "agent" text not null,
        "seen_at" text not null, primary key ("user_id", "agent"))`)
    if (!(await isPrepared(db, engine, 'users', 'pending_email')))
      for (const column of columnsOf(int)) await run(`alter table "users" add column ${column}`)
    await createIndexes(db, engine, INDEXES)
    await run(`update users set ${BLANK} where ${beyondUndo()}`)
  },
})
