import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'
import { versionTrigger, type Watched, wholly } from '../versionTriggers.ts'

/** The columns that decide which projects a list shows and in which order, except those that intake counts. */
const LISTED = [
  ...['generation', 'parent_id', 'client_id', 'name', 'status', 'campaign_type', 'ordered', 'cost_cents'],
  ...['start_dt', 'end_dt', 'requested_by', 'created_at', 'updated_at', 'deleted_at'],
]

/** Access to a project depends on its teams, and on a user's clients. */
const WATCHED: readonly Watched<'project' | 'delivered'>[] = [
  ['projects', 'project', 'insert'],
  ['projects', 'project', 'delete'],
  ['projects', 'project', 'update', LISTED],
  ['projects', 'delivered', 'update', ['delivered']],
  ['clients', 'project', 'update', ['name', 'deleted_at']],
  ['teams', 'project', 'update', ['client_id', 'deleted_at']],
  ...['team_projects', 'team_users', 'user_clients'].flatMap((table) => wholly(table, 'project' as const)),
]

/** A list's order with the columns it is filtered by, so that the index alone finds its rows. */
const ORDERS = ['created_at', 'end_dt', 'start_dt', 'name']
const INDEXES = {
  ...Object.fromEntries(
    ORDERS.map((column) => [
      `ix_projects_by_${column}`,
      `"projects" ("generation", "${column}", "id", "parent_id", "status", "client_id") where "deleted_at" is null`,
    ]),
  ),
  ix_projects_parts: `"projects" ("parent_id", "status", "name", "ordered", "delivered") where "parent_id" is not null and "deleted_at" is null`,
}

/**
 * A version that rises with every change of what lists of projects depend on, in the change's own transaction.
 * PostgreSQL counts by connection, so that writers don't wait for each other; the version is the sum.
 */
export function listVersions(engine: Engine) {
  const int = engine === 'sqlite' ? 'integer' : 'bigint'
  const statements = [
    `create table "list_versions" ("kind" text not null, "slot" ${int} not null, "n" ${int} not null, primary key ("kind", "slot"))${engine === 'sqlite' ? ' without rowid' : ''}`,
    `insert into list_versions (kind, slot, n) values ('project', 0, 1), ('delivered', 0, 1)`,
    ...(engine === 'sqlite'
      ? []
      : [
          `create function list_changed() returns trigger language plpgsql as $$ begin
            insert into list_versions as v (kind, slot, n) values (tg_argv[0], pg_backend_pid(), 1)
              on conflict (kind, slot) do update set n = v.n + 1;
            return null;
          end $$`,
        ]),
    ...WATCHED.map((watched) => versionTrigger(engine, watched)),
  ]
  return {
    prepare: (db: Kysely<unknown>) => indexesOnline(db, INDEXES),
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
      await createIndexes(db, engine, INDEXES)
    },
  }
}
