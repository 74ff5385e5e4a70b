import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** What decides which projects a list shows and in which order, but for what the intake counts. */
const LISTED = [
  ...['generation', 'parent_id', 'client_id', 'name', 'status', 'campaign_type', 'ordered', 'cost_cents'],
  ...['start_dt', 'end_dt', 'requested_by', 'created_at', 'updated_at', 'deleted_at'],
]
type Watched = [table: string, kind: 'project' | 'delivered', event: 'insert' | 'update' | 'delete', columns?: readonly string[]]

/** Who sees a project hangs on its team, and on the clients of a user. */
const WATCHED: readonly Watched[] = [
  ['projects', 'project', 'insert'],
  ['projects', 'project', 'delete'],
  ['projects', 'project', 'update', LISTED],
  ['projects', 'delivered', 'update', ['delivered']],
  ['clients', 'project', 'update', ['name', 'deleted_at']],
  ['teams', 'project', 'update', ['client_id', 'deleted_at']],
  ...['team_projects', 'team_users', 'user_clients'].flatMap((table): Watched[] => [
    [table, 'project', 'insert'],
    [table, 'project', 'update'],
    [table, 'project', 'delete'],
  ]),
]

/** A list's order, with what it is filtered by: the index alone says which rows it has. */
const ORDERS = ['created_at', 'end_dt', 'start_dt', 'name']

/**
 * A number that rises with every change of what lists of projects are made of, in the transaction of the change.
 * PostgreSQL counts by connection, so that no writer waits for another; the sum is what counts.
 */
export function listVersions(engine: Engine) {
  const int = engine === 'sqlite' ? 'integer' : 'bigint'
  const name = ([table, kind, event]: Watched) => `tr_list_${table}_${kind}_${event}`
  const of = (columns?: readonly string[]) => (columns ? ` of ${columns.join(', ')}` : '')
  const sqlite = (watched: Watched) => {
    const [table, kind, event, columns] = watched
    const when = columns ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
    return `create trigger ${name(watched)} after ${event}${of(columns)} on ${table}${when} begin
      update list_versions set n = n + 1 where kind = '${kind}' and slot = 0; end`
  }
  const postgres = (watched: Watched) => {
    const [table, kind, event, columns] = watched
    return `create trigger ${name(watched)} after ${event}${of(columns)} on ${table} for each statement execute function list_changed('${kind}')`
  }
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
    ...WATCHED.map(engine === 'sqlite' ? sqlite : postgres),
    // Some thousands of rows: made in milliseconds, so nobody who writes waits for it.
    ...ORDERS.map(
      (column) =>
        `create index "ix_projects_by_${column}" on "projects" ("generation", "${column}", "id", "parent_id", "status", "client_id") where "deleted_at" is null`,
    ),
    `create index "ix_projects_parts" on "projects" ("parent_id", "status", "name", "ordered", "delivered") where "parent_id" is not null and "deleted_at" is null`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}
