import type { Kysely } from 'kysely'
import type { Engine } from '../connect.ts'
import { widenId, widenSmallId } from '../online.ts'

/** TABLE  tables that grow by themselves, with those that refer to them: PostgreSQL's 32-bit ids end at 2.1 billion. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  account_tokens: [],
  change_sets: [],
  ended_memberships: [],
  entries: [],
  events: [],
  files: ['imports', 'user_activities'],
  history: [],
  import_rows: [],
  jobs: [],
  mails: [],
  sessions: [],
  user_activities: [],
  webhook_deliveries: [],
}

/**
 * Ids of 64 bits on PostgreSQL, as far as nobody waits for them.
 * Where callers are, a big table keeps its ids until its operator widens them (docs/operating.md, Ids that run out).
 */
export const wideIds = (engine: Engine) => {
  const left = new Set<string>()
  return {
    async prepare(db: Kysely<unknown>) {
      left.clear()
      for (const [table, from] of Object.entries(GROWING)) if (!(await widenSmallId(db, table, from))) left.add(table)
    },
    async up(db: Kysely<unknown>) {
      if (engine === 'sqlite') return
      for (const table of Object.keys(GROWING)) if (!left.has(table)) await widenId(db, table)
    },
  }
}
