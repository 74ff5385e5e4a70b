import { z } from 'zod'
import { Id } from '../../contract/call.ts'
import { clientCalls } from '../../contract/client.ts'
import { entryCalls } from '../../contract/entry.ts'
import type { ExportName } from '../../contract/job.ts'
import { type PacingInput, pacingOf } from '../../contract/pacing.ts'
import { ListInput } from '../../contract/project.ts'
import { SPELLING } from '../../contract/status.ts'
import { userCalls } from '../../contract/user.ts'
import { labelOf, PROVIDERS, REWARD_STATUSES, ROLES } from '../../contract/vocabulary.ts'
import { clientIds } from '../client.ts'
import type { Ctx } from '../context.ts'
import { orderedEntries, seenProject } from '../entry/rows.ts'
import { orderedIds } from '../project/list.ts'
import { openResponseExport } from '../runtime/export.ts'
import { projectScope } from '../scope.ts'
import { userIds } from '../user/records.ts'
import type { Cell } from './csv.ts'
import { type Column, type ExportSource, type Listing, PAGE_ROWS, pagesOf, source } from './listing.ts'

const money = (cents: number | null): number | null => (cents === null ? null : cents / 100)
/** Marked rows; left out, all that match. */
const Ids = z.array(Id).max(100_000).optional()

/** The exports table: a further list is one more row. */
export const EXPORTS: Record<ExportName, ExportSource> = {
  projects: source('client', ListInput.extend({ ids: Ids }), (ctx, filter) => projects(ctx, filter, 'project')),
  campaigns: source('client', ListInput.extend({ ids: Ids }), (ctx, filter) => projects(ctx, filter, 'campaign')),

  clients: source('admin', clientCalls['client.list'].input.extend({ ids: Ids }), async (ctx, filter) => {
    const ids = among(await clientIds(ctx, filter), filter.ids)
    const read = (some: readonly number[]) =>
      ctx.db
        .selectFrom('clients')
        .where('clients.id', 'in', some)
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
    return listing('Clients', ids, read, [
      ['ID', (row) => row.id],
      ['Name', (row) => row.name],
      ['Users', (row) => row.users],
      ['Projects', (row) => row.projects],
      ['Created', (row) => row.created_at],
    ])
  }),

  users: source(
    'admin',
    userCalls['user.list'].input.extend({ client_id: Id.optional(), ids: Ids }),
    async (ctx, { client_id, ids: only, ...filter }) => {
      const ids = among(await userIds(ctx, filter, { client_id }), only)
      const read = async (some: readonly number[]) => {
        const rows = await ctx.db
          .selectFrom('users')
          .where('users.id', 'in', some)
          .select(['id', 'first_name', 'last_name', 'email', 'phone', 'company', 'role', 'status', 'created_at'])
          .execute()
        const links = await ctx.db
          .selectFrom('user_clients')
          .innerJoin('clients', 'clients.id', 'client_id')
          .select(['user_id', 'name'])
          .where('user_id', 'in', some)
          .where('clients.deleted_at', 'is', null)
          .orderBy('name')
          .execute()
        const clients = Map.groupBy(links, (link) => link.user_id)
        return rows.map((row) => ({ ...row, clients: (clients.get(row.id) ?? []).map((link) => link.name).join('; ') }))
      }
      const title = filter.role === 'admin' ? 'Administrators' : filter.role === 'client' ? 'Client users' : 'Users'
      return listing(title, ids, read, [
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
    },
  ),

  entries: source(
    'admin',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id, ids: Ids }),
    async (ctx, { ids: only, ...filter }) => {
      const project = await seenProject(ctx, filter.project_id)
      const found = await orderedEntries(ctx, filter, filter).execute()
      const ids = among(
        found.map((row) => row.id),
        only,
      )
      const read = (some: readonly number[]) =>
        ctx.db
          .selectFrom('entries')
          .leftJoin('rewards', 'rewards.id', 'entries.reward_id')
          .where('entries.id', 'in', some)
          .selectAll('entries')
          .select('rewards.name as reward_name')
          .execute()
      return listing(`${project.name} rewards`, ids, read, [
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
    },
  ),

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

/** A listing of ids that are known: they are named first, so that the order is the list's and nothing is held open while it is written. */
function listing<R extends { id: number }>(
  title: string,
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<R[]>,
  columns: readonly Column<R>[],
): Listing {
  return { title, count: ids.length, columns: columns.map(([name]) => name), pages: () => pagesOf(columns, ids, read) }
}

/** Those of the matching ids that were marked; all of them without marks. */
function among(ids: number[], marked: readonly number[] | undefined): number[] {
  if (!marked?.length) return ids
  const only = new Set(marked)
  return ids.filter((id) => only.has(id))
}

/** The projects that a list's filter shows, each parent followed by its children. */
async function projects(
  ctx: Ctx,
  filter: z.output<typeof ListInput> & { ids?: number[] | undefined },
  generation: 'project' | 'campaign',
): Promise<Listing> {
  const ids = among(await orderedIds(ctx, filter, { generation }), filter.ids)
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
