import type { Engine } from '../connect.ts'

type Kind = 'project' | 'delivered' | 'member' | 'quote' | 'venue' | 'name'
/** A change that counts in `list_versions`; an update counts only if it touches these columns. */
type Watched = readonly [table: string, kind: Kind, event: 'insert' | 'update' | 'delete', columns?: readonly string[]]

/** Watches every new and deleted row of a table, and updates of these columns, or of any. */
const watch = (table: string, kind: Kind, columns?: readonly string[]): Watched[] => [
  [table, kind, 'insert'],
  [table, kind, 'delete'],
  [table, kind, 'update', columns],
]

/** The columns that decide which projects a list shows and in which order, except those that intake counts. */
const LISTED = [
  ...['generation', 'parent_id', 'client_id', 'name', 'status', 'campaign_type', 'ordered', 'cost_cents'],
  ...['start_dt', 'end_dt', 'requested_by', 'created_at', 'updated_at', 'deleted_at'],
]
/** The tables whose records the palette finds for every administrator, with the columns that it shows or hides by. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  projects: ['name', 'generation', 'status', 'client_id', 'deleted_at'],
  clients: ['name', 'deleted_at'],
  users: ['first_name', 'last_name', 'email', 'role', 'deleted_at'],
  partners: ['name', 'email', 'deleted_at'],
  teams: ['name', 'client_id', 'deleted_at'],
  surveys: ['name', 'project_id', 'deleted_at'],
  activities: ['name', 'project_id', 'deleted_at'],
  vip_experiences: ['name', 'project_id', 'deleted_at'],
  notifications: ['name', 'deleted_at'],
  places: ['name', 'address', 'city', 'deleted_at'],
  location_groups: ['name', 'client_id', 'deleted_at'],
  brands: ['name', 'deleted_at'],
  services: ['name', 'brand_id', 'deleted_at'],
}

const WATCHED: readonly Watched[] = [
  ...watch('projects', 'project', LISTED),
  ['projects', 'delivered', 'update', ['delivered']],
  // Access to a project depends on its teams, and on a user's clients.
  ['clients', 'project', 'update', ['name', 'deleted_at']],
  ['teams', 'project', 'update', ['client_id', 'deleted_at']],
  ...['team_projects', 'team_users', 'user_clients'].flatMap((table) => watch(table, 'project')),
  // The figures of clients and of channel partners.
  ...['clients', 'teams', 'user_clients', 'team_users'].flatMap((table) => watch(table, 'member')),
  ...watch('users', 'member', ['deleted_at']),
  ...['partners', 'project_partners', 'proffers', 'quotes', 'quote_shares'].flatMap((table) => watch(table, 'quote')),
  ['projects', 'quote', 'delete'],
  ['projects', 'quote', 'update', ['status', 'quote_round', 'deleted_at']],
  ...watch('venues', 'venue', ['service_id', 'dma', 'latitude', 'longitude', 'deleted_at']),
  ...Object.entries(NAMED).flatMap(([table, columns]) => watch(table, 'name', columns)),
  ...['user_clients', 'location_group_places'].flatMap((table) => watch(table, 'name')),
]

/** The statement that creates a trigger; migrations that watch more columns name theirs. */
export function listTrigger(engine: Engine, [table, kind, event, columns]: Watched, name: string = kind): string {
  const of = columns ? ` of ${columns.join(', ')}` : ''
  const created = `create trigger tr_list_${table}_${name}_${event} after ${event}${of} on ${table}`
  if (engine === 'postgres') return `${created} for each statement execute function list_changed('${kind}')`
  const when = columns ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
  return `${created}${when} begin
      update list_versions set n = n + 1 where kind = '${kind}' and slot = 0; end`
}

/**
 * Versions that rise with every change of what lists, figures and the palette depend on, in the change's transaction.
 * PostgreSQL counts by connection, so that writers don't wait for each other; the version is the sum.
 */
export function listVersionStatements(engine: Engine): string[] {
  const kinds = [...new Set(WATCHED.map(([, kind]) => kind))]
  const counter = `create function list_changed() returns trigger language plpgsql as $$ begin
            insert into list_versions as v (kind, slot, n) values (tg_argv[0], pg_backend_pid(), 1)
              on conflict (kind, slot) do update set n = v.n + 1;
            return null;
          end $$`
  return [
    `insert into list_versions (kind, slot, n) values ${kinds.map((kind) => `('${kind}', 0, 1)`).join(', ')}`,
    ...(engine === 'postgres' ? [counter] : []),
    ...WATCHED.map((watched) => listTrigger(engine, watched)),
  ]
}
