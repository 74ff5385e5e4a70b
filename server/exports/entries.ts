import { seesAll } from '../../contract/actor.ts'
import { flagWords } from '../../contract/entryFlags.ts'
import type { ReceiverFilter } from '../../contract/receiver.ts'
import type { AnswersIn } from '../../contract/severalTexts.ts'
import { labelOf, PROVIDERS, REWARD_STATUSES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { forbidden } from '../core/errors.ts'
import { type EntryFilter, type EntrySort, namedEntries, orderedEntries } from '../domain/entry/entryRows.ts'
import { countReceivers, receiverIds, receiverRows } from '../domain/entry/receivers.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { openResponseExport } from '../domain/runtime/respondentExport.ts'
import { among, type Column, kindsOf, type Listing, listing, money, namesOf, PAGE_ROWS, type Selected } from './exportSource.ts'

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

type ReceiverRow = Awaited<ReturnType<typeof receiverRows>>[number]
const RECEIVER_CELLS: Readonly<Record<string, (row: ReceiverRow) => Cell>> = {
  email: (row) => row.email,
  amount: (row) => money(row.amount_cents),
  status: (row) => labelOf(REWARD_STATUSES, row.status),
  project: (row) => row.project_name,
  client: (row) => row.client_name,
  provider: (row) => labelOf(PROVIDERS, row.provider_id, ''),
  ip: (row) => row.ip,
  flags: (row) => flagWords(row.flags),
  note: (row) => row.reason,
  second_chances: (row) => row.second_chances,
  created_at: (row) => row.created_at,
  sent_at: (row) => row.sent_at,
  reference: (row) => row.reference,
  id: (row) => row.id,
}

/** Matching rewards of all projects, read by cursor, because four million ids are too many to list first. */
export async function receiversExport(
  ctx: Ctx,
  { ids: only, ...filter }: ReceiverFilter & Selected,
  columns: readonly string[],
): Promise<Listing> {
  const chosen = columns.map((id): Column<ReceiverRow> => [id, RECEIVER_CELLS[id]!])
  const cells = (rows: readonly ReceiverRow[]) => rows.map((row) => chosen.map(([, cell]) => cell(row)))
  async function* pages() {
    if (only?.length) {
      for (let at = 0; at < only.length; at += PAGE_ROWS) {
        const some = only.slice(at, at + PAGE_ROWS)
        yield cells(await receiverRows(ctx, (await receiverIds(ctx, filter, { limit: some.length, among: some })).ids))
      }
      return
    }
    for (let after: string | null = ''; after !== null; ) {
      const { ids, next } = await receiverIds(ctx, filter, { limit: PAGE_ROWS, after })
      yield cells(await receiverRows(ctx, ids))
      after = next
    }
  }
  const count = only?.length ?? (await countReceivers(ctx, filter, true)).count
  return { title: 'Reward receivers', count, columns: namesOf('receivers', columns), kinds: kindsOf(columns), pages }
}

/** The respondents of a project and its children, as in its Overview; personal data only for administrators. */
export async function responsesExport(
  ctx: Ctx,
  { project_id, answers }: { project_id: number; answers: AnswersIn },
): Promise<Listing> {
  const project = await seenProject(ctx, project_id)
  const family = await partIds(ctx, project_id)
  const how = { personal: seesAll(ctx.actor), apart: answers === 'columns' }
  const { count, columns, kinds, pages } = await openResponseExport(ctx.db, family, how)
  async function* rows() {
    for await (const page of pages()) {
      // Access may end during an export of thousands of pages, which then stops.
      const now = new Set(await partIds(ctx, project_id))
      if (family.some((one) => !now.has(one))) throw forbidden('Your access has changed since this export started.')
      yield page.rows
    }
  }
  return { title: `${project.name} responses`, count, columns, kinds, pages: rows, holds: new Set(family) }
}
