import type { Expression, SqlBool } from 'kysely'
import { type Actor, seesAll } from '../../contract/actor.ts'
import type { Services } from '../core/context.ts'
import type { LiveEvent } from '../core/ports.ts'
import { clientScope, projectScope } from '../core/scope.ts'
import type { Db } from '../db/connect.ts'
import { brandScope, serviceScope } from '../domain/visit/scope.ts'
import type { LookUp } from './lookups.ts'

/** A live stream's reader, as of the last event that could change them. */
export interface Reader {
  session: number
  actor: Actor
  /** What a client user can see; null for administrators, who see everything. */
  sight: Visibility | null
}
export interface Visibility {
  projects: Set<number>
  clients: Set<number>
  /** Services of visitation and their brands. */
  services: Set<number>
  brands: Set<number>
}

/** The session's current user and role; null once it has ended. */
export async function readerOf(services: Services, session: number): Promise<Actor | null> {
  const row = await services.database.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'sessions.admin_id'])
    .where('sessions.id', '=', session)
    .where('sessions.expires_at', '>', services.now().toISOString())
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  return row ? { id: row.id, role: row.role, admin_id: row.admin_id } : null
}

/** Projects and clients a client user sees; null for administrators. */
export async function visibilityOf(db: Db, actor: Actor): Promise<Visibility | null> {
  if (seesAll(actor)) return null
  const [projects, clients, services, brands] = await Promise.all([
    idsOf(db.selectFrom('projects').select('id').where(projectScope(actor)).execute()),
    idsOf(db.selectFrom('clients').select('id').where(clientScope(actor)).execute()),
    idsOf(db.selectFrom('services').select('id').where(serviceScope(actor)).execute()),
    idsOf(db.selectFrom('brands').select('id').where(brandScope(actor)).execute()),
  ])
  return { projects, clients, services, brands }
}

const alike = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => a.size === b.size && [...a].every((id) => b.has(id))
const SIGHTS = ['projects', 'clients', 'services', 'brands'] as const
/** True if both contain the same. */
export const sameVisibility = (a: Visibility | null, b: Visibility | null): boolean =>
  a === b || (a !== null && b !== null && SIGHTS.every((name) => alike(a[name], b[name])))
/** A copy that a stream may change. */
export const copyOf = (visibility: Visibility): Visibility => ({
  ...{ projects: new Set(visibility.projects), clients: new Set(visibility.clients) },
  ...{ services: new Set(visibility.services), brands: new Set(visibility.brands) },
})

/**
 * Which events a reader may see: administrators all but other users' own, client users what their scope shows.
 * `lookUp` shares database reads with the same user's other streams.
 * `gone` are events of projects that the reader can no longer see; this function updates the reader's visibility.
 */
export async function seenBy(
  db: Db,
  reader: Reader,
  events: readonly LiveEvent[],
  lookUp: LookUp = alone,
): Promise<{ seen: Set<number>; gone: Set<number> }> {
  const { actor, sight: visibility } = reader
  const mine = (event: LiveEvent) => event.audience !== 'user' || event.user_id === actor.id
  if (!visibility) return { seen: new Set(events.filter(mine).map((event) => event.id)), gone: new Set() }
  const scoped = events.filter((event) => event.audience === 'scope')
  const projects = [...new Set(scoped.flatMap((event) => event.project_id ?? []))]
  const clients = [...new Set(scoped.flatMap((event) => (event.project_id ? [] : (event.client_id ?? []))))]
  const catalogued = scoped.filter((event) => catalogueOf(event) !== null)
  const [services, brands] = (['services', 'brands'] as const).map((table) => [
    ...new Set(catalogued.flatMap((event) => (catalogueOf(event) === table ? event.subject_id : []))),
  ]) as [number[], number[]]
  const ofThem = (table: 'projects' | 'clients' | 'services' | 'brands', ids: readonly number[], scope: Expression<SqlBool>) =>
    lookUp(events.at(-1)?.id ?? 0, `${table} of ${actor.role} ${actor.id}: ${ids.join()}`, () =>
      idsOf(
        ids.length &&
          db
            .selectFrom(table as 'projects')
            .select('id')
            .where('id', 'in', ids)
            .where(scope)
            .execute(),
      ),
    )
  const seenProjects = await ofThem('projects', projects, projectScope(actor))
  const seenClients = await ofThem('clients', clients, clientScope(actor))
  const seenCatalogue = {
    services: await ofThem('services', services, serviceScope(actor)),
    brands: await ofThem('brands', brands, brandScope(actor)),
  }
  const seen = new Set<number>()
  const gone = new Set<number>()
  for (const event of events) {
    const catalogue = catalogueOf(event)
    if (event.audience === 'user' ? event.user_id === actor.id : event.audience === 'scope' && isSeen(event)) seen.add(event.id)
    else if (event.audience === 'scope' && event.project_id && visibility.projects.has(event.project_id)) gone.add(event.id)
    else if (event.audience === 'scope' && catalogue && visibility[catalogue].has(event.subject_id)) gone.add(event.id)
  }
  for (const [name, ids] of [['services', services] as const, ['brands', brands] as const])
    for (const id of ids) {
      if (seenCatalogue[name].has(id)) visibility[name].add(id)
      else visibility[name].delete(id)
    }
  for (const id of projects) {
    if (seenProjects.has(id)) visibility.projects.add(id)
    else visibility.projects.delete(id)
  }
  return { seen, gone }

  function isSeen(event: LiveEvent): boolean {
    const { noun, project_id, client_id } = event
    const catalogue = catalogueOf(event)
    if (catalogue) return seenCatalogue[catalogue].has(event.subject_id)
    // A view shared with everyone has neither project nor client, and notifications are the same for everyone.
    if ((noun === 'view' || noun === 'notice') && project_id === null && client_id === null) return true
    return project_id ? seenProjects.has(project_id) : client_id !== null && seenClients.has(client_id)
  }
}

/** The records that an event is about: events of visits carry their service's id. */
const catalogueOf = ({ noun, project_id, client_id }: LiveEvent): 'services' | 'brands' | null => {
  if (project_id !== null || client_id !== null) return null
  return noun === 'service' || noun === 'visit' ? 'services' : noun === 'brand' ? 'brands' : null
}

/** A LookUp that shares nothing. */
const alone: LookUp = (_head, _what, look) => look()

const idsOf = async (rows: Promise<{ id: number }[]> | 0): Promise<Set<number>> =>
  new Set((await (rows || [])).map((row) => row.id))
