import { seesAll } from '../../../contract/actor.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { insertMany } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import { fullName } from '../user/records.ts'

/** The error for an administrator, who has no services of their own. */
const SEES_EVERY_SERVICE = 'Administrators see every service'

interface Named {
  id: number
  name: string
}
interface HeldService extends Named {
  brand_id: number
}
/** A user's access to a service, added or removed. */
interface Link {
  user: Named
  service: HeldService
}
/** The outcome of adding and removing access. */
export interface AccessChange {
  /** How many services somebody gained or lost; one for many users counts once. */
  added: number
  removed: number
  /** How many users gained services, how many lost some, and how many have none left. */
  gaining: number
  losing: number
  emptied: number
}

/** Client users by id, locked so that none becomes an administrator meanwhile; throws 404 or 422. */
async function heldUsers(ctx: Ctx, ids: readonly number[], field: string): Promise<Named[]> {
  const query = ctx.tx.selectFrom('users').selectAll().where('id', 'in', ids).where('deleted_at', 'is', null).orderBy('id')
  const users = await locked(ctx.services.database, query).execute()
  const strange = ids.find((id) => !users.some((user) => user.id === id))
  if (strange !== undefined) throw notFound(`User ${strange}`)
  if (users.some(seesAll)) throw invalid(field, SEES_EVERY_SERVICE)
  return users.map((user) => ({ id: user.id, name: fullName(user) }))
}

async function heldServices(ctx: Ctx, ids: readonly number[]): Promise<HeldService[]> {
  if (!ids.length) return []
  const services = await ctx.tx
    .selectFrom('services')
    .innerJoin('brands', 'brands.id', 'services.brand_id')
    .select(['services.id', 'services.name', 'services.brand_id', 'brands.name as brand'])
    .where('services.id', 'in', ids)
    .where('services.deleted_at', 'is', null)
    .where('brands.deleted_at', 'is', null)
    .orderBy('services.id')
    .execute()
  const strange = ids.find((id) => !services.some((service) => service.id === id))
  if (strange !== undefined) throw notFound(`Service ${strange}`)
  return services.map(({ brand, name, ...service }) => ({ ...service, name: `${brand}, ${name}` }))
}

/** Adds client users' access to services and removes others', with history and events; throws 404 or 422. */
export async function setServiceUsers(
  ctx: Ctx,
  changes: { user_ids: readonly number[]; add?: readonly number[]; remove?: readonly number[]; field?: string },
): Promise<AccessChange> {
  const add = [...new Set(changes.add ?? [])]
  const remove = [...new Set(changes.remove ?? [])].filter((id) => !add.includes(id))
  const users = await heldUsers(ctx, [...new Set(changes.user_ids)], changes.field ?? 'user_ids')
  const services = new Map((await heldServices(ctx, [...add, ...remove])).map((service) => [service.id, service]))
  const known = new Set(
    (
      await ctx.tx
        .selectFrom('service_users')
        .select(['service_id', 'user_id'])
        .where(
          'user_id',
          'in',
          users.map(({ id }) => id),
        )
        .execute()
    ).map(({ service_id, user_id }) => `${user_id} ${service_id}`),
  )
  const has = (user: Named, id: number) => known.has(`${user.id} ${id}`)
  const linksOf = (ids: readonly number[], which: (user: Named, id: number) => boolean): Link[] =>
    users.flatMap((user) => ids.filter((id) => which(user, id)).map((id) => ({ user, service: services.get(id)! })))
  const added = linksOf(add, (user, id) => !has(user, id))
  const removed = linksOf(remove, has)
  await insertMany(
    ctx.tx,
    'service_users',
    added.map(({ user, service }) => ({ service_id: service.id, user_id: user.id, added_at: ctx.now, added_by: ctx.actor.id })),
  )
  for (const [user_id, links] of Map.groupBy(removed, ({ user }) => user.id)) await take(ctx, user_id, links)
  await recordLinks(ctx, added, removed)
  const losing = [...new Set(removed.map(({ user }) => user))]
  const gaining = new Set(added.map(({ user }) => user))
  const left = await seeing(
    ctx,
    losing.map(({ id }) => id),
  )
  return {
    added: new Set(added.map(({ service }) => service.id)).size,
    removed: new Set(removed.map(({ service }) => service.id)).size,
    gaining: gaining.size,
    losing: losing.length,
    emptied: losing.filter(({ id }) => !left.has(id)).length,
  }
}

/** Removes every service from a user who is deleted or becomes an administrator. */
export async function takeEveryService(ctx: Ctx, user: UserRow): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('service_users')
    .innerJoin('services', 'services.id', 'service_id')
    .innerJoin('brands', 'brands.id', 'services.brand_id')
    .select(['services.id', 'services.name', 'services.brand_id', 'brands.name as brand'])
    .where('user_id', '=', user.id)
    .orderBy('services.id')
    .execute()
  const links = rows.map(({ brand, name, ...service }) => ({
    user: { id: user.id, name: fullName(user) },
    service: { ...service, name: `${brand}, ${name}` },
  }))
  await take(ctx, user.id, links)
  await recordLinks(ctx, [], links)
}

async function take(ctx: Ctx, user_id: number, links: readonly Link[]): Promise<void> {
  for (let at = 0; at < links.length; at += 500)
    await ctx.tx
      .deleteFrom('service_users')
      .where('user_id', '=', user_id)
      .where(
        'service_id',
        'in',
        links.slice(at, at + 500).map(({ service }) => service.id),
      )
      .execute()
}

/** Those of these users who still have a service. */
async function seeing({ tx }: Pick<Ctx, 'tx'>, users: readonly number[]): Promise<Set<number>> {
  if (!users.length) return new Set()
  const rows = await tx
    .selectFrom('service_users')
    .innerJoin('services', 'services.id', 'service_id')
    .innerJoin('brands', 'brands.id', 'services.brand_id')
    .select('user_id')
    .distinct()
    .where('user_id', 'in', users)
    .where('services.deleted_at', 'is', null)
    .where('brands.deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Writes the history of users and services, and emits the change to everyone affected. */
async function recordLinks(ctx: Ctx, added: readonly Link[], removed: readonly Link[]): Promise<void> {
  const all = [...removed, ...added]
  if (!all.length) return
  const sides = (which: (link: Link) => boolean, name: (link: Link) => string) => {
    const side = (links: readonly Link[]) => links.filter(which).map(name)
    return { before: side(removed), after: side(added) }
  }
  const line = (key: string, { before, after }: { before: string[]; after: string[] }) => ({
    ...(before.length ? { before: { [key]: before } } : {}),
    ...(after.length ? { after: { [key]: after } } : {}),
  })
  const users = [...new Map(all.map(({ user }) => [user.id, user])).keys()]
  const services = [...new Map(all.map(({ service }) => [service.id, service])).values()]
  await ctx.record([
    ...users.map((id) => ({
      ...{ subject: 'user', subject_id: id },
      ...line(
        'services',
        sides(
          ({ user }) => user.id === id,
          ({ service }) => service.name,
        ),
      ),
    })),
    ...services.map(({ id }) => ({
      ...{ subject: 'service', subject_id: id },
      ...line(
        'users',
        sides(
          ({ service }) => service.id === id,
          ({ user }) => user.name,
        ),
      ),
    })),
  ])
  for (const { id } of services) ctx.emit({ noun: 'service', id, audience: 'admin' })
  for (const id of new Set(services.map(({ brand_id }) => brand_id))) ctx.emit({ noun: 'brand', id, audience: 'admin' })
  for (const id of users) {
    ctx.emit({ noun: 'user', id, audience: 'admin' })
    ctx.emit({ noun: 'account', id, audience: 'user', user_id: id })
  }
}
