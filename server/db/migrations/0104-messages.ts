import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { MESSAGE_TABLES } from '../laterTables.ts'
import type { Step } from '../online.ts'
import { createIndex, createTable } from '../tableColumns.ts'

const INDEXES: Readonly<Record<string, string>> = {
  ix_messages_author: 'messages (author_id, created_at) where author_id is not null',
  ix_messages_conversation: 'messages (project_id, partner_id, id)',
  ix_messages_updated: 'messages (updated_at)',
}

/** Conversations about projects. */
export const messages = (engine: Engine): Step => ({
  async up(db: Kysely<unknown>) {
    const statements = [
      ...Object.entries(MESSAGE_TABLES).map(([name, table]) => createTable(engine, name, table)),
      ...Object.entries(INDEXES).map(([name, on]) => createIndex(name, on)),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
