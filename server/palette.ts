import { SPELLING } from '../contract/status.ts'
import type { Ctx } from './context.ts'
import type { LiveEvent } from './live/live.ts'
import { clientScope, projectScope } from './scope.ts'
import { viewsOf } from './view.ts'

type Entry = [kind: string, id: number, name: string, detail: string]

/** One kind of thing the palette finds: whose events name it, and its rows for this caller, all or by id. */
interface Source {
  kinds: readonly string[]
  noun: string
  admin?: true
  /** Its table and the noun whose name stands in the second line, by `client_id` or `project_id`. */
  names?: ['projects' | 'teams' | 'surveys', 'client' | 'project']
  rows(ctx: Ctx, ids: readonly number[] | null): Promise<Entry[]>
}

const SOURCES: readonly Source[] = [
  {
    kinds: ['project', 'campaign'],
    noun: 'project',
    names: ['projects', 'client'],
    async rows(ctx, ids) {
      let query = ctx.db
        .selectFrom('projects')
        .innerJoin('clients', 'clients.id', 'projects.client_id')
        .select(['projects.id', 'generation', 'projects.name', 'status', 'clients.name as client'])
        .where(projectScope(ctx.actor))
      if (ids) query = query.where('projects.id', 'in', ids)
      return (await query.execute()).map((row) => [
        row.generation,
        row.id,
        row.name,
        `${row.client} · ${SPELLING[row.status].shown}`,
      ])
    },
  },
  {
    kinds: ['client'],
    noun: 'client',
    async rows(ctx, ids) {
      let query = ctx.db.selectFrom('clients').select(['id', 'name']).where(clientScope(ctx.actor))
      if (ids) query = query.where('id', 'in', ids)
      return (await query.execute()).map((row) => ['client', row.id, row.name, 'client'])
    },
  },
  {
    kinds: ['user'],
    noun: 'user',
    admin: true,
    async rows(ctx, ids) {
      let query = ctx.db
        .selectFrom('users')
        .select(['id', 'first_name', 'last_name', 'email', 'role', 'company'])
        .where('deleted_at', 'is', null)
      if (ids) query = query.where('id', 'in', ids)
      return (await query.execute()).map((row) => [
        'user',
        row.id,
        `${row.first_name} ${row.last_name}`.trim() || row.email,
        `${row.role === 'admin' ? 'administrator' : row.company || 'client user'} · ${row.email}`,
      ])
    },
  },
  {
    kinds: ['partner'],
    noun: 'partner',
    admin: true,
    async rows(ctx, ids) {
      let query = ctx.db.selectFrom('partners').select(['id', 'name']).where('deleted_at', 'is', null)
      if (ids) query = query.where('id', 'in', ids)
      return (await query.execute()).map((row) => ['partner', row.id, row.name, 'channel partner'])
    },
  },
  {
    kinds: ['team'],
    noun: 'team',
    names: ['teams', 'client'],
    admin: true,
    async rows(ctx, ids) {
      let query = ctx.db
        .selectFrom('teams')
        .innerJoin('clients', 'clients.id', 'client_id')
        .select(['teams.id', 'teams.name', 'clients.name as client'])
        .where('teams.deleted_at', 'is', null)
      if (ids) query = query.where('teams.id', 'in', ids)
      return (await query.execute()).map((row) => ['team', row.id, row.name, `team · ${row.client}`])
    },
  },
  {
    kinds: ['survey'],
    noun: 'survey',
    names: ['surveys', 'project'],
    admin: true,
    async rows(ctx, ids) {
      let query = ctx.db
        .selectFrom('surveys')
        .innerJoin('projects', 'projects.id', 'project_id')
        .select(['surveys.id', 'surveys.name', 'projects.name as project'])
        .where('surveys.deleted_at', 'is', null)
      if (ids) query = query.where('surveys.id', 'in', ids)
      return (await query.execute()).map((row) => ['survey', row.id, row.name, `survey · ${row.project}`])
    },
  },
  {
    kinds: ['view'],
    noun: 'view',
    async rows(ctx, ids) {
      let query = viewsOf(ctx)
      if (ids) query = query.where('views.id', 'in', ids)
      return (await query.execute()).map((row) => ['view', row.id, row.name, `saved view · ${screenWords(row.screen)}`])
    },
  },
]

const screenWords = (screen: string) =>
  screen
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('.', ', ')
    .toLowerCase()

const mine = (ctx: Ctx) => SOURCES.filter((source) => !source.admin || ctx.actor.role === 'admin')

/** Everything the caller may find. */
export async function indexOf(ctx: Ctx): Promise<Entry[]> {
  const all: Entry[][] = []
  for (const source of mine(ctx)) all.push(await source.rows(ctx, null))
  return all.flat()
}

/** What these events changed of the index: rows to put, and rows that are gone or out of sight. */
export async function indexChanges(ctx: Ctx, events: readonly LiveEvent[]): Promise<{ put: Entry[]; drop: [string, number][] }> {
  const put: Entry[] = []
  const drop: [string, number][] = []
  for (const source of mine(ctx)) {
    const named = idsOf(events, source.noun)
    const ids = [...new Set([...named, ...(await renamed(ctx, source, events))])]
    if (!ids.length) continue
    const rows = await source.rows(ctx, ids)
    put.push(...rows)
    const found = new Set(rows.map((row) => row[1]))
    for (const id of named) {
      if (!found.has(id)) drop.push(...source.kinds.map((kind): [string, number] => [kind, id]))
    }
  }
  return { put, drop }
}

const idsOf = (events: readonly LiveEvent[], noun: string): number[] => [
  ...new Set(events.filter((event) => event.noun === noun && event.kind !== 'counters').map((event) => event.subject_id)),
]

/** Records whose second line names something that was renamed. */
async function renamed(ctx: Ctx, { names }: Source, events: readonly LiveEvent[]): Promise<number[]> {
  const owners = names ? idsOf(events, names[1]) : []
  if (!names || !owners.length) return []
  const [table, noun] = names
  // Kysely follows one table and one column; the rows above name only those that fit.
  const rows = await ctx.db
    .selectFrom(table as 'surveys')
    .select('id')
    .where(`${noun}_id` as 'project_id', 'in', owners)
    .execute()
  return rows.map((row) => row.id)
}
