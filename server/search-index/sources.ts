import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { FINDS } from '../../contract/access.ts'
import { letsIn } from '../../contract/actor.ts'
import type { ListNoun } from '../../contract/lists.ts'
import { codeOf, nounsWith, wordOf } from '../../contract/nounOf.ts'
import type { NounId, nouns, PaletteNoun } from '../../contract/nouns.ts'
import { SPELLING } from '../../contract/status.ts'
import type { Role } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { listBuilt } from '../core/listBuilder.ts'
import type { LiveEvent } from '../core/ports.ts'
import { clientsOfUser, projectScope } from '../core/scope.ts'
import type { Schema } from '../db/schema.ts'
import { viewsOf } from '../domain/view/scope.ts'
import { filtersOf } from '../domain/visit/filters.ts'
import { brandScope, serviceScope } from '../domain/visit/scope.ts'

/** A row of the index. */
export type Entry = [kind: string, id: number, name: string, detail: string]

/** These rows, or the next page: newest first, because a client that is still reading gets newer ones by events. */
type Which = { ids: readonly number[] } | { before: number }

/** A user's clients as lists show them: the first, and the number of others. */
const placeOf = (role: Role, [client, ...more]: readonly string[]): string => {
  if (role === 'admin') return 'administrator'
  if (!client) return 'client user'
  return more.length ? `${client} and ${more.length} more` : client
}

/** Names of users' clients by user id, oldest client first; one query, because a subquery for each user is slow. */
async function clientNames(ctx: Ctx, which: Which, users: readonly { id: number }[]): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>()
  if (!users.length) return names
  const ids = users.map(({ id }) => id)
  const rows = await ctx.db
    .selectFrom('user_clients')
    .innerJoin('clients', 'clients.id', 'user_clients.client_id')
    .select(['user_id', 'clients.name'])
    .where((eb) => ('ids' in which ? eb('user_id', 'in', ids) : eb.between('user_id', ids.at(-1)!, ids[0]!)))
    .where('clients.deleted_at', 'is', null)
    .orderBy('clients.id')
    .execute()
  for (const { user_id, name } of rows) names.set(user_id, [...(names.get(user_id) ?? []), name])
  return names
}

/** Rows read at a time, so that other requests run in between and the first rows leave early. */
export const PAGE = 4000
/**
 * A noun in the palette's index: its rows for this caller.
 * The nouns table says who can find it, and what the second line shows.
 */
export interface Source {
  rows(ctx: Ctx, which: Which): Promise<Entry[]>
  /** True if the caller's own records depend on who they are, for administrators too. */
  own?: true
  /** Of the ids a client user can't see, those they may learn are gone; never another client's. */
  near?(ctx: Ctx, ids: readonly number[], events: readonly LiveEvent[]): Promise<number[]>
  /** The caller's own records that these events may add or remove. */
  swayed?(ctx: Ctx, events: readonly LiveEvent[]): Promise<number[]>
}

/** A noun whose second line shows another record's name, joined by `client_id` or `project_id`. */
type Detailed<N extends PaletteNoun> = (typeof nouns)[N]['found'] extends { detail: unknown }
  ? {
      table:
        | 'projects'
        | 'teams'
        | 'surveys'
        | 'activities'
        | 'vip_experiences'
        | 'user_clients'
        | 'location_groups'
        | 'services'
        | 'visit_filters'
    }
  : { table?: undefined }

/** Places of groups with more members than this aren't in the index. */
const LONG = 10_000
/** Groups with that many places, counted with an index only. */
async function longGroups(ctx: Ctx): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('location_group_places')
    .select('group_id')
    .groupBy('group_id')
    .having((eb) => eb.fn.countAll(), '>', LONG)
    .execute()
  return rows.map((row) => row.group_id)
}

/** Narrows a query to these rows, or the next page. */
const some = <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>, table: string, which: Which) => {
  const id = sql.ref<number>(`${table}.id`)
  return 'ids' in which ? query.where(id, 'in', which.ids) : query.where(id, '<', which.before).orderBy(id, 'desc').limit(PAGE)
}

/** Of these brands, those with a service of the caller's, deleted ones included. */
async function brandsGiven(ctx: Ctx, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('service_users')
    .innerJoin('services', 'services.id', 'service_id')
    .select('brand_id')
    .distinct()
    .where('user_id', '=', ctx.actor.id)
    .where('brand_id', 'in', ids)
    .execute()
  return rows.map((row) => row.brand_id)
}

/** Of these saved filters, the caller's own, deleted ones included. */
async function ownFilters(
  ctx: Ctx,
  which: (eb: ExpressionBuilder<Schema, 'visit_filters'>) => Expression<SqlBool>,
): Promise<number[]> {
  const rows = await ctx.db.selectFrom('visit_filters').select('id').where('user_id', '=', ctx.actor.id).where(which).execute()
  return rows.map((row) => row.id)
}

type Owner = { id: number; name: string }
/**
 * Entries with the name of the record that each belongs to, after the noun's word or as `detailOf` says.
 * A deleted project hides its own; what a client has is deleted with it.
 */
const owned = <T extends 'teams' | 'location_groups' | 'surveys' | 'activities' | 'vip_experiences'>(
  noun: PaletteNoun,
  table: T,
  parent: 'client' | 'project',
  detailOf = ({ name }: Owner) => `${wordOf(noun)} · ${name}`,
): Source & { table: T } => ({
  table,
  async rows(ctx, which) {
    // One spelling of the tables for the types; all have these columns.
    const query = ctx.db
      .selectFrom(table as 'surveys')
      .innerJoin(`${parent}s as owner` as 'projects as owner', 'owner.id', `${table}.${parent}_id` as 'surveys.project_id')
      .select([
        ...(['id', 'name'] as const).map((column) => `${table}.${column}` as 'surveys.id' | 'surveys.name'),
        'owner.id as owner_id',
        'owner.name as owner',
      ])
      .where(`${table}.deleted_at` as 'surveys.deleted_at', 'is', null)
      .$if(parent === 'project', (projects) => projects.where('owner.deleted_at', 'is', null))
    return (await some(query, table, which).execute()).map((row) => [
      noun,
      row.id,
      row.name,
      detailOf({ id: row.owner_id, name: row.owner }),
    ])
  },
})

/** Nouns whose entries have more than a name, or a scope other than their list's. */
const SOURCES: { readonly [N in PaletteNoun]?: Source & Detailed<N> } = {
  project: {
    table: 'projects',
    async rows(ctx, which) {
      const query = ctx.db
        .selectFrom('projects')
        .innerJoin('clients', 'clients.id', 'projects.client_id')
        .select(['projects.id', 'generation', 'projects.name', 'status', 'clients.name as client'])
        .where(projectScope(ctx.actor))
      return (await some(query, 'projects', which).execute()).map((row) => [
        row.generation,
        row.id,
        row.name,
        `${row.client} · ${SPELLING[row.status].shown}`,
      ])
    },
    async near(ctx, ids) {
      const mine = clientsOfUser(ctx.actor.id)
      const rows = await ctx.db
        .selectFrom('projects')
        .select('id')
        .where('id', 'in', ids)
        .where((eb) =>
          eb.or([
            eb('requested_by', '=', ctx.actor.id),
            eb('client_id', 'in', mine),
            // A project that moved to another client was visible before.
            eb.exists(
              eb
                .selectFrom('former_clients')
                .select('former_clients.project_id')
                .whereRef('former_clients.project_id', '=', 'projects.id')
                .where('former_clients.client_id', 'in', mine),
            ),
          ]),
        )
        .execute()
      return rows.map((row) => row.id)
    },
  },
  user: {
    table: 'user_clients',
    async rows(ctx, which) {
      const query = ctx.db
        .selectFrom('users')
        .select(['id', 'first_name', 'last_name', 'email', 'role'])
        .where('deleted_at', 'is', null)
      const rows = await some(query, 'users', which).execute()
      const clients = await clientNames(ctx, which, rows)
      return rows.map((row) => [
        'user',
        row.id,
        `${row.first_name} ${row.last_name}`.trim() || row.email,
        `${placeOf(row.role, clients.get(row.id) ?? [])} · ${row.email}`,
      ])
    },
  },
  partner: {
    async rows(ctx, which) {
      const query = ctx.db.selectFrom('partners').select(['id', 'name', 'email']).where('deleted_at', 'is', null)
      return (await some(query, 'partners', which).execute()).map(({ id, name, email }) => [
        'partner',
        id,
        name,
        ['channel partner', email].filter(Boolean).join(' · '),
      ])
    },
  },
  team: owned('team', 'teams', 'client'),
  survey: owned('survey', 'surveys', 'project'),
  location: {
    // Places of long lists are found by the list's own search; they would make up most of the index.
    async rows(ctx, which) {
      const long = await longGroups(ctx)
      let query = ctx.db.selectFrom('places').select(['id', 'name', 'address', 'city']).where('deleted_at', 'is', null)
      if (long.length)
        query = query.where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('location_group_places as m')
                .select('m.place_id')
                .whereRef('m.place_id', '=', 'places.id')
                .where('m.group_id', 'in', long),
            ),
          ),
        )
      return (await some(query, 'places', which).execute()).map(({ id, name, address, city }) => [
        'location',
        id,
        name,
        ['location', [address, city].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
      ])
    },
  },
  group: owned('group', 'location_groups', 'client'),
  activity: owned('activity', 'activities', 'project'),
  vip: owned('vip', 'vip_experiences', 'project', ({ id, name }) => `${name} · ${codeOf('project', id)}`),
  brand: {
    async rows(ctx, which) {
      const query = ctx.db.selectFrom('brands').select(['id', 'name']).where(brandScope(ctx.actor))
      return (await some(query, 'brands', which).execute()).map(({ id, name }) => ['brand', id, name, 'brand'])
    },
    near: async (ctx, ids) => brandsGiven(ctx, ids),
  },
  service: {
    table: 'services',
    async rows(ctx, which) {
      const query = ctx.db
        .selectFrom('services')
        .innerJoin('brands', 'brands.id', 'services.brand_id')
        .select(['services.id', 'services.name', 'brands.name as brand'])
        .where(serviceScope(ctx.actor))
      return (await some(query, 'services', which).execute()).map(({ id, name, brand }) => [
        'service',
        id,
        name,
        `service · ${brand}`,
      ])
    },
    // A deleted service was visible before; after access is removed, the whole index is read again.
    async near(ctx, ids) {
      const rows = await ctx.db
        .selectFrom('service_users')
        .select('service_id')
        .where('user_id', '=', ctx.actor.id)
        .where('service_id', 'in', ids)
        .execute()
      return rows.map((row) => row.service_id)
    },
  },
  filter: {
    table: 'visit_filters',
    own: true,
    async rows(ctx, which) {
      return (await some(filtersOf(ctx), 'visit_filters', which).execute()).map(({ id, name, brand_name }) => [
        'filter',
        id,
        name,
        `saved filter · ${brand_name}`,
      ])
    },
    near: async (ctx, ids) => ownFilters(ctx, (eb) => eb('id', 'in', ids)),
    async swayed(ctx, events) {
      const [brands, services] = [idsOf(events, 'brand'), idsOf(events, 'service')]
      if (!brands.length && !services.length) return []
      return ownFilters(ctx, (eb) => eb.or([eb('brand_id', 'in', [...brands, 0]), eb('service_id', 'in', [...services, 0])]))
    },
  },
  notice: {
    own: true,
    async rows(ctx, which) {
      const query = ctx.db
        .selectFrom('notifications')
        .innerJoin('notices', 'notices.notification_id', 'notifications.id')
        .select(['notifications.id', 'notifications.name'])
        .where('notices.user_id', '=', ctx.actor.id)
        .where('notifications.deleted_at', 'is', null)
      return (await some(query, 'notifications', which).execute()).map(({ id, name }) => ['notice', id, name, 'in your inbox'])
    },
    // Notifications are the same for everyone, so an id reveals nothing.
    near: async (_ctx, ids) => [...ids],
  },
  view: {
    own: true,
    async rows(ctx, which) {
      const query = viewsOf(ctx)
      return (await some(query, 'views', which).execute()).map((row) => [
        'view',
        row.id,
        row.name,
        `saved view · ${screenWords(row.screen)}`,
      ])
    },
    async near(ctx, ids, events) {
      // A deleted view has no row, but its events' audience shows whose it was.
      const mine = await ctx.db.selectFrom('user_clients').select('client_id').where('user_id', '=', ctx.actor.id).execute()
      const clients = new Set(mine.map((row) => row.client_id))
      const relevant = events.filter(
        ({ noun, audience, user_id, client_id }) =>
          noun === 'view' &&
          (audience === 'user'
            ? user_id === ctx.actor.id
            : audience === 'scope' && (client_id === null || clients.has(client_id))),
      )
      const named = new Set(relevant.map((event) => event.subject_id))
      return ids.filter((id) => named.has(id))
    },
  },
}

/** A noun's own source, or else the names from its list with the noun's word. */
export const sourceOf = (noun: PaletteNoun): Source & { table?: string | undefined } =>
  SOURCES[noun] ?? {
    async rows(ctx, which) {
      const named = await listBuilt(noun as ListNoun).named(ctx, 'ids' in which ? which : { ...which, limit: PAGE })
      return named.map(({ id, name }) => [noun, id, name, wordOf(noun)])
    },
  }

const screenWords = (screen: string) =>
  screen
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('.', ', ')
    .toLowerCase()

/** Nouns the caller can find, in the order of the table. */
export const findable = (ctx: Ctx) =>
  (nounsWith(({ found, of }) => found && !of) as PaletteNoun[]).filter((noun) => letsIn(FINDS[noun].who, ctx.actor))
/** Kinds of a noun's entries: its own, and those of nouns grouped under it. */
export const kindsOf = (noun: PaletteNoun): NounId[] => [noun, ...nounsWith(({ found, of }) => found && of === noun)]

/** The records of a noun that these events change, but not their counters alone. */
export const idsOf = (events: readonly LiveEvent[], noun: string): number[] => [
  ...new Set(events.filter((event) => event.noun === noun && event.kind !== 'counters').map((event) => event.subject_id)),
]
