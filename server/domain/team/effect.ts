import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compareText } from '../../../contract/fold.ts'
import type { TeamEffect } from '../../../contract/teamEffect.ts'
import type { Ctx } from '../../core/context.ts'
import { clientUserScope } from '../../core/scope.ts'
import { fullName } from '../user/records.ts'

/** What a write may affect: these users' access to all of a client's projects, and everyone's to these projects. */
export interface Touched {
  client_id: number
  users?: readonly number[]
  projects?: readonly number[]
}
type Reading = Pick<Ctx, 'db'>
/** Project ids by user id. */
type Visibility = Map<number, Set<number>>

/** The most users that an effect names, and the most projects of each. */
const NAMED = 100

const among = (column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length ? sql<SqlBool>`${sql.ref(column)} in (${sql.join(ids)})` : sql<SqlBool>`1 = 0`

/** Who can see which projects of these clients, by the scope condition, limited to what a write may affect. */
async function sightOf(ctx: Reading, touched: readonly Touched[]): Promise<Visibility> {
  const visibility: Visibility = new Map()
  for (const one of touched)
    for (const { user_id, project_id } of await seenOf(ctx, one)) {
      const seen = visibility.get(user_id) ?? new Set()
      visibility.set(user_id, seen.add(project_id))
    }
  return visibility
}

async function seenOf({ db }: Reading, { client_id, users = [], projects = [] }: Touched) {
  const { rows } = await sql<{ user_id: number; project_id: number }>`
    select u.id as user_id, p.id as project_id from projects p join users u on u.role = 'client' and u.deleted_at is null
      and (${among('u.id', users)} or u.id in (select user_id from user_clients where client_id = ${client_id})
        or u.id in (select tu.user_id from team_users tu join teams t on t.id = tu.team_id where t.client_id = ${client_id}))
    where p.client_id = ${client_id} and (${among('u.id', users)} or ${among('p.id', projects)} or ${among('p.parent_id', projects)})
      and ${clientUserScope(sql.ref('u.id'), 'p')}`.execute(db)
  return rows
}

interface Part {
  id: number
  name: string
  client_id: number
  parent_id: number | null
  open: number
}

const clientsOf = (touched: readonly Touched[]) => touched.map((one) => one.client_id)

/** The clients' projects, and which are open to all users because they have no team; a child inherits its parent's. */
async function partsOf({ db }: Reading, touched: readonly Touched[]): Promise<Map<number, Part>> {
  const { rows } = await sql<Part>`select p.id, p.name, p.client_id, p.parent_id,
    case when exists (select 1 from team_projects tp where tp.project_id = p.id)
      or exists (select 1 from team_projects tp where tp.project_id = p.parent_id) then 0 else 1 end as open
    from projects p where ${among('p.client_id', clientsOf(touched))} and p.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Runs a write and reports whose access it changes; `of` is what it may affect, by client. */
export async function withEffect<T>(
  ctx: Reading,
  of: Touched | readonly Touched[],
  work: () => Promise<T>,
): Promise<{ done: T; effect: TeamEffect }> {
  const touched = [of].flat() as readonly Touched[]
  const [seen, was] = [await sightOf(ctx, touched), await partsOf(ctx, touched)]
  const done = await work()
  const [sees, is] = [await sightOf(ctx, touched), await partsOf(ctx, touched)]
  return { done, effect: await effectOf(ctx, clientsOf(touched), { seen, sees, was, is }) }
}

/** Leaves out projects whose parent is in the list: a family counts once. */
const topmost = (ids: readonly number[], parts: ReadonlyMap<number, Part>) => {
  const all = new Set(ids)
  return ids.filter((id) => !all.has(parts.get(id)?.parent_id ?? 0))
}
const missing = (from: ReadonlySet<number> | undefined, other: ReadonlySet<number> | undefined) =>
  [...(from ?? [])].filter((id) => !other?.has(id))

interface Both {
  seen: Visibility
  sees: Visibility
  was: Map<number, Part>
  is: Map<number, Part>
}

async function effectOf(ctx: Reading, clients: readonly number[], { seen, sees, was, is }: Both): Promise<TeamEffect> {
  const changed = [...new Set([...seen.keys(), ...sees.keys()])].flatMap((user_id) => {
    const gains = topmost(missing(sees.get(user_id), seen.get(user_id)), is)
    const loses = topmost(missing(seen.get(user_id), sees.get(user_id)), is)
    return gains.length || loses.length ? [{ user_id, gains, loses }] : []
  })
  const named = changed.slice(0, NAMED)
  const people = await namesOf(
    ctx,
    named.map((row) => row.user_id),
  )
  const retained = await keptBy(
    ctx,
    clients,
    named.filter((row) => row.loses.length).map((row) => row.user_id),
    is,
  )
  const projects = (ids: readonly number[]) => ids.slice(0, NAMED).map((id) => ({ id, name: is.get(id)?.name ?? '' }))
  const side = (which: 'gains' | 'loses') => ({
    users: changed.filter((row) => row[which].length).length,
    projects: new Set(changed.flatMap((row) => row[which])).size,
  })
  const turned = (open: 0 | 1) =>
    topmost(
      [...is.values()]
        .filter((part) => Number(part.open) === open && Number(was.get(part.id)?.open ?? open) !== open)
        .map((part) => part.id),
      is,
    )
  const [opens, closes] = [turned(1), turned(0)]
  const usersAt = (ids: readonly number[]) => usersOf(ctx, new Set(ids.map((id) => is.get(id)!.client_id)))
  return {
    gain: side('gains'),
    lose: side('loses'),
    rows: named
      .map(({ user_id, gains, loses }) => ({
        user_id,
        name: people.get(user_id) ?? '',
        gains: projects(gains),
        loses: projects(loses),
        keeps: retained.get(user_id) ?? 0,
      }))
      .sort((a, b) => compareText(a.name, b.name) || a.user_id - b.user_id),
    opens: { projects: projects(opens), users: await usersAt(opens) },
    closes: { projects: projects(closes), users: await usersAt(closes) },
  }
}

/** How many of the clients' projects each of these users can still see. */
async function keptBy(ctx: Reading, clients: readonly number[], users: readonly number[], parts: ReadonlyMap<number, Part>) {
  if (!users.length) return new Map<number, number>()
  const visibility = await sightOf(
    ctx,
    clients.map((client_id) => ({ client_id, users })),
  )
  return new Map([...visibility].map(([user, seen]) => [user, topmost([...seen], parts).length]))
}

async function namesOf({ db }: Reading, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'first_name', 'last_name', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, fullName(row)]))
}

/** How many users these clients have in total. */
async function usersOf({ db }: Reading, clients: ReadonlySet<number>): Promise<number> {
  if (!clients.size) return 0
  const { count } = await db
    .selectFrom('user_clients')
    .innerJoin('users', 'users.id', 'user_id')
    .select((eb) => eb.fn.count('user_id').distinct().as('count'))
    .where('client_id', 'in', [...clients])
    .where('users.deleted_at', 'is', null)
    .where('users.role', '=', 'client')
    .executeTakeFirstOrThrow()
  return Number(count)
}
