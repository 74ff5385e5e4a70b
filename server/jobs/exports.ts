import { z } from 'zod'
import { Id, Search } from '../../contract/call.ts'
import { entryCalls } from '../../contract/entry.ts'
import type { ExportName } from '../../contract/job.ts'
import { type PacingInput, pacingOf } from '../../contract/pacing.ts'
import { ListInput } from '../../contract/project.ts'
import { SPELLING } from '../../contract/status.ts'
import { labelOf, PROVIDERS, REWARD_STATUSES, ROLES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../context.ts'
import { contains } from '../db/contains.ts'
import { entriesOf, seenProject } from '../entry/rows.ts'
import { orderedIds } from '../project/list.ts'
import { openResponseExport } from '../runtime/export.ts'
import { projectScope } from '../scope.ts'
import type { Cell } from './csv.ts'
import { type Column, type ExportSource, type Listing, PAGE_ROWS, pagesById, source } from './listing.ts'

const money = (cents: number | null): number | null => (cents === null ? null : cents / 100)
const counted = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string | bigint }> }) =>
  Number((await query.executeTakeFirstOrThrow()).count)
const everyone = z.object({ search: Search })

/** The exports table: a further list is one more row. */
export const EXPORTS: Record<ExportName, ExportSource> = {
  projects: source('client', ListInput, (ctx, filter) => projects(ctx, filter, 'project')),
  campaigns: source('client', ListInput, (ctx, filter) => projects(ctx, filter, 'campaign')),

  clients: source('admin', everyone, async (ctx, { search }) => {
    let base = ctx.db.selectFrom('clients').where('deleted_at', 'is', null)
    if (search) base = base.where(contains(ctx.house.database, ['clients.name'], search))
    const page = (after: number, limit: number) =>
      base
        .where('clients.id', '>', after)
        .orderBy('clients.id')
        .limit(limit)
        .select(['clients.id', 'clients.name', 'clients.created_at'])
        .select((eb) => [
          eb
            .selectFrom('user_clients')
            .innerJoin('users', 'users.id', 'user_clients.user_id')
            .whereRef('user_clients.client_id', '=', 'clients.id')
            .where('users.deleted_at', 'is', null)
            .select((of) => of.fn.countAll<number>().as('n'))
            .as('users'),
          eb
            .selectFrom('projects')
            .whereRef('projects.client_id', '=', 'clients.id')
            .where('projects.deleted_at', 'is', null)
            .select((of) => of.fn.countAll<number>().as('n'))
            .as('projects'),
        ])
        .execute()
    const columns = columnsOf(page, [
      ['ID', (row) => row.id],
      ['Name', (row) => row.name],
      ['Users', (row) => row.users],
      ['Projects', (row) => row.projects],
      ['Created', (row) => row.created_at],
    ])
    return {
      title: 'Clients',
      count: await counted(base.select((eb) => eb.fn.countAll().as('count'))),
      columns: columns.map(([name]) => name),
      pages: () => pagesById(columns, page),
    }
  }),

  users: source(
    'admin',
    z.object({ search: Search, role: z.string().max(20).default(''), client_id: Id.optional() }),
    async (ctx, { search, role, client_id }) => {
      let base = ctx.db.selectFrom('users').where('deleted_at', 'is', null)
      // v3 role ids, as the v3 list takes them (decisions.md 6).
      const wanted = ({ admin: 'admin', 2: 'admin', client: 'client', 3: 'client' } as const)[role as 'admin']
      if (wanted) base = base.where('role', '=', wanted)
      if (client_id)
        base = base.where(
          'users.id',
          'in',
          ctx.db.selectFrom('user_clients').select('user_id').where('client_id', '=', client_id),
        )
      if (search) base = base.where(contains(ctx.house.database, ['users.email', 'users.first_name', 'users.last_name'], search))
      const page = async (after: number, limit: number) => {
        const rows = await base
          .where('users.id', '>', after)
          .orderBy('users.id')
          .limit(limit)
          .select(['id', 'first_name', 'last_name', 'email', 'phone', 'company', 'role', 'status', 'created_at'])
          .execute()
        const ids = rows.length ? rows.map((row) => row.id) : [0]
        const links = await ctx.db
          .selectFrom('user_clients')
          .innerJoin('clients', 'clients.id', 'client_id')
          .select(['user_id', 'name'])
          .where('user_id', 'in', ids)
          .where('clients.deleted_at', 'is', null)
          .orderBy('name')
          .execute()
        const clients = Map.groupBy(links, (link) => link.user_id)
        return rows.map((row) => ({ ...row, clients: (clients.get(row.id) ?? []).map((link) => link.name).join('; ') }))
      }
      const columns = columnsOf(page, [
        ['ID', (row) => row.id],
        ['First name', (row) => row.first_name],
        ['Last name', (row) => row.last_name],
        ['E-mail', (row) => row.email],
        ['Phone', (row) => row.phone],
        ['Company', (row) => row.company],
        ['Role', (row) => labelOf(ROLES, row.role)],
        ['Status', (row) => row.status],
        ['Clients', (row) => row.clients],
        ['Created', (row) => row.created_at],
      ])
      const title = wanted === 'admin' ? 'Administrators' : wanted === 'client' ? 'Client users' : 'Users'
      return {
        title,
        count: await counted(base.select((eb) => eb.fn.countAll().as('count'))),
        columns: columns.map(([name]) => name),
        pages: () => pagesById(columns, page),
      }
    },
  ),

  entries: source('admin', entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id }), async (ctx, filter) => {
    const project = await seenProject(ctx, filter.project_id)
    const base = entriesOf(ctx, filter)
    const page = (after: number, limit: number) =>
      base
        .leftJoin('rewards', 'rewards.id', 'entries.reward_id')
        .where('entries.id', '>', after)
        .orderBy('entries.id')
        .limit(limit)
        .selectAll('entries')
        .select('rewards.name as reward_name')
        .execute()
    const columns = columnsOf(page, [
      ['ID', (row) => row.id],
      ['E-mail', (row) => row.email],
      ['IP', (row) => row.ip],
      ['Reward', (row) => row.reward_name],
      ['Amount', (row) => money(row.amount_cents)],
      ['Provider', (row) => labelOf(PROVIDERS, row.provider_id, '')],
      ['Status', (row) => labelOf(REWARD_STATUSES, row.status)],
      ['Reason', (row) => row.reason],
      ['Second chances', (row) => row.second_chances],
      ['Created', (row) => row.created_at],
      ['Sent', (row) => row.sent_at],
    ])
    return {
      title: `${project.name} rewards`,
      count: await counted(base.select((eb) => eb.fn.countAll().as('count'))),
      columns: columns.map(([name]) => name),
      pages: () => pagesById(columns, page),
    }
  }),

  responses: source('client', z.object({ project_id: Id }), async (ctx, { project_id }) => {
    const project = await seenProject(ctx, project_id)
    const family = await ctx.db
      .selectFrom('projects')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', project_id), eb('parent_id', '=', project_id)]))
      .where(projectScope(ctx.actor))
      .orderBy('id')
      .execute()
    const { count, columns, pages } = await openResponseExport(
      ctx.db,
      family.map((one) => one.id),
      ctx.actor.role === 'admin',
    )
    async function* rows() {
      for await (const page of pages()) yield page.rows
    }
    return { title: `${project.name} responses`, count, columns, pages: rows }
  }),
}

/** Holds the columns against the rows of their page. */
function columnsOf<R>(_page: (after: number, limit: number) => Promise<R[]>, columns: Column<R>[]): Column<R>[] {
  return columns
}

/** The projects that a list's filter shows, each parent followed by its children. */
async function projects(ctx: Ctx, filter: z.output<typeof ListInput>, generation: 'project' | 'campaign'): Promise<Listing> {
  const ids = await orderedIds(ctx, filter, { generation })
  const paceOf = (row: {
    status: PacingInput['status']
    ordered: number
    delivered: number
    start_dt: string | null
    end_dt: string | null
  }): PacingInput => ({ ...row, start: row.start_dt, end: row.end_dt })
  const family = (some: readonly number[]) =>
    ctx.db
      .selectFrom('projects')
      .where(projectScope(ctx.actor))
      .where((eb) => eb.or([eb('projects.id', 'in', some), eb('projects.parent_id', 'in', some)]))
  async function* pages() {
    for (let at = 0; at < ids.length; at += PAGE_ROWS / 2) {
      const some = ids.slice(at, at + PAGE_ROWS / 2)
      const rows = await family(some)
        .innerJoin('clients', 'clients.id', 'projects.client_id')
        .selectAll('projects')
        .select('clients.name as client_name')
        .orderBy('projects.id')
        .execute()
      const children = Map.groupBy(
        rows.filter((row) => row.parent_id !== null),
        (row) => row.parent_id,
      )
      const place = new Map(some.map((id, index) => [id, index]))
      const names = new Map(rows.map((row) => [row.id, row.name]))
      // A child that matched by itself stands under its parent all the same.
      const under = (row: (typeof rows)[number]) => place.get(row.parent_id ?? row.id) ?? place.get(row.id) ?? 0
      rows.sort((a, b) => under(a) - under(b) || Number(a.parent_id !== null) - Number(b.parent_id !== null) || a.id - b.id)
      yield rows.map((row): Cell[] => [
        row.id,
        row.name,
        row.parent_id === null ? '' : (names.get(row.parent_id) ?? ''),
        row.client_name,
        SPELLING[row.status].shown,
        row.ordered,
        row.delivered,
        pacingOf(paceOf(row), ctx.today, (children.get(row.id) ?? []).map(paceOf)).pacing,
        row.start_dt,
        row.end_dt,
        money(row.cost_cents),
        row.created_at,
      ])
    }
  }
  const columns = [
    'ID',
    'Name',
    'Parent',
    'Client',
    'Status',
    'Ordered',
    'Delivered',
    'Pacing %',
    'Start',
    'End',
    'Cost',
    'Created',
  ]
  return { title: generation === 'project' ? 'Projects' : 'Survey projects', count: ids.length, columns, pages }
}
