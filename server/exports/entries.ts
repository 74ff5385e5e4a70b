import { flagWords } from '../../contract/entryFlags.ts'
import { labelOf, PROVIDERS, REWARD_STATUSES } from '../../contract/vocabulary.ts'
import { seesAll } from '../../contract/who.ts'
import type { Ctx } from '../core/context.ts'
import { forbidden } from '../core/errors.ts'
import { type EntryFilter, type EntrySort, namedEntries, orderedEntries } from '../domain/entry/entryRows.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { openResponseExport } from '../domain/runtime/export.ts'
import { among, type Listing, listing, money, type Selected } from './exportSource.ts'

/** Matching rewards of a project and its children. */
export async function entriesExport(
  ctx: Ctx,
  { ids: only, project_id, ...filter }: Omit<EntryFilter, 'parts'> & EntrySort & Selected & { project_id: number },
  columns: readonly string[],
): Promise<Listing> {
  const project = await seenProject(ctx, project_id)
  const found = await orderedEntries(ctx, { ...filter, parts: await partIds(ctx, project_id) }, filter).execute()
  const ids = among(
    found.map((row) => row.id),
    only,
  )
  const read = (some: readonly number[]) => namedEntries(ctx, some)
  return listing(
    'entries',
    `${project.name} rewards`,
    { ids, columns, read },
    {
      id: (row) => row.id,
      project: (row) => row.project_name,
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
      flags: (row) => flagWords(row.flags),
    },
  )
}

/** The respondents of a project's Overview, its children's included; personal data only for administrators. */
export async function responsesExport(ctx: Ctx, { project_id }: { project_id: number }): Promise<Listing> {
  const project = await seenProject(ctx, project_id)
  const family = await partIds(ctx, project_id)
  const { count, columns, pages } = await openResponseExport(ctx.db, family, seesAll(ctx.actor))
  async function* rows() {
    for await (const page of pages()) {
      // Access may end during thousands of pages; then the export stops.
      const now = new Set(await partIds(ctx, project_id))
      if (family.some((one) => !now.has(one))) throw forbidden('What you may see has changed since this was begun.')
      yield page.rows
    }
  }
  return { title: `${project.name} responses`, count, columns, pages: rows, holds: new Set(family) }
}
