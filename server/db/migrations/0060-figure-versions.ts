import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { versionTrigger, type Watched, wholly } from '../versionTriggers.ts'

/** The sources of clients' and channel partners' figures, besides what `list_versions` already counts. */
const WATCHED: readonly Watched<'member' | 'quote'>[] = [
  ...['clients', 'teams', 'user_clients', 'team_users'].flatMap((table) => wholly(table, 'member' as const)),
  ['users', 'member', 'insert'],
  ['users', 'member', 'delete'],
  ['users', 'member', 'update', ['deleted_at']],
  ...['partners', 'project_partners', 'proffers', 'quotes', 'quote_shares'].flatMap((table) => wholly(table, 'quote' as const)),
  ['projects', 'quote', 'delete'],
  ['projects', 'quote', 'update', ['status', 'quote_round', 'deleted_at']],
]

/** Counts every change of what clients' and partners' figures depend on, as 0046 does for lists of projects. */
export const figureVersions = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    await sql`insert into list_versions (kind, slot, n) values ('member', 0, 1), ('quote', 0, 1)`.execute(db)
    for (const watched of WATCHED) await sql.raw(versionTrigger(engine, watched)).execute(db)
  },
})
