import { labelOf, PROVIDERS, REWARD_STATUSES } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../context.ts'
import { type EntryFilter, type EntrySort, orderedEntries } from '../../entry/rows.ts'
import { seenProject } from '../../project/detail.ts'
import { forbidden } from '../../refusal.ts'
import { openResponseExport } from '../../runtime/export.ts'
import { projectScope } from '../../scope.ts'
import { among, type Listing, listing, type Marked, money } from '../listing.ts'

/** The rewards of a project that match. */
export async function entriesExport(
  ctx: Ctx,
  { ids: only, ...filter }: EntryFilter & EntrySort & Marked,
  columns: readonly string[],
): Promise<Listing> {
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
  return listing(
    'entries',
    `${project.name} rewards`,
    { ids, columns, read },
    {
      id: (row) => row.id,
      email: (row) => row.email,
      ip: (row) => row.ip,
      reward: (row) => row.reward_name,
      amount: (row) => money(row.amount_cents),
      provider: (row) => labelOf(PROVIDERS, row.provider_id, ''),
      status: (row) => labelOf(REWARD_STATUSES, row.status),
      note: (row) => row.reason,
      second_chances: (row) => row.second_chances,
      created_at: (row) => row.created_at,
      sent_at: (row) => row.sent_at,
    },
  )
}

/** What was answered in a project and its children; personal data for administrators alone. */
export async function responsesExport(ctx: Ctx, { project_id }: { project_id: number }): Promise<Listing> {
  const project = await seenProject(ctx, project_id)
  const seen = () =>
    ctx.db
      .selectFrom('projects')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', project_id), eb('parent_id', '=', project_id)]))
      .where(projectScope(ctx.actor))
      .orderBy('id')
      .execute()
  const family = await seen()
  const { count, columns, pages } = await openResponseExport(
    ctx.db,
    family.map((one) => one.id),
    ctx.actor.role === 'admin',
  )
  async function* rows() {
    for await (const page of pages()) {
      // Access may end while thousands of pages are written: nothing follows then.
      const now = new Set((await seen()).map((one) => one.id))
      if (family.some((one) => !now.has(one.id))) throw forbidden('What you may see has changed since this was begun.')
      yield page.rows
    }
  }
  return { title: `${project.name} responses`, count, columns, pages: rows, holds: new Set(family.map((one) => one.id)) }
}
