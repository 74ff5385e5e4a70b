import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { versionTrigger, type Watched, wholly } from '../versionTriggers.ts'

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
const WATCHED: readonly Watched<'name'>[] = [
  ...Object.entries(NAMED).flatMap(([table, columns]): Watched<'name'>[] => [
    [table, 'name', 'insert'],
    [table, 'name', 'delete'],
    [table, 'name', 'update', columns],
  ]),
  ...wholly('user_clients', 'name' as const),
  ...wholly('location_group_places', 'name' as const),
]

/** Counts every change of what the palette's index contains, as 0046 does for lists of projects. */
export const nameVersions = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    await sql`insert into list_versions (kind, slot, n) values ('name', 0, 1)`.execute(db)
    for (const watched of WATCHED) await sql.raw(versionTrigger(engine, watched)).execute(db)
  },
})
