import type { z } from 'zod'
import { type ActionId, allowedActions, refusedTo } from '../../../contract/access.ts'
import { type Call, Id } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import type { ListRow } from '../../../contract/column.ts'
import { entryCalls } from '../../../contract/entry.ts'
import { lists } from '../../../contract/listRows.ts'
import { type ListNoun, nounNamed } from '../../../contract/lists.ts'
import { ListInput } from '../../../contract/projectInput.ts'
import { ReceiverFilter } from '../../../contract/receiver.ts'
import type { Selectable, SelectionAnswer } from '../../../contract/view.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed } from '../../core/errors.ts'
import { refuseInvalid } from '../../core/input.ts'
import { type ListQuery, listBuilt } from '../../core/listBuilder.ts'
import { amountFlag, countersOf, entriesOf, paneStateOf, repeatsOf } from '../../domain/entry/entryRows.ts'
import { countReceivers, receiverIds } from '../../domain/entry/receivers.ts'
import type { EntryRow } from '../../domain/payout/payout.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { partIds } from '../../domain/project/family.ts'
import { familyOf, orderedIds, recordsOf } from '../../domain/project/list.ts'
import { projectRows } from '../../domain/project/projectRows.ts'

interface SelectionPage {
  after: number
  /** Restricts the matches to these ids. */
  ids: number[] | null
}
/** A record in a selection; `values` follow the response's `fields`. */
interface SelectedRow {
  id: number
  name: string
  allowed_actions: readonly string[]
  refused_actions: Readonly<Record<string, string | undefined>>
  values: SelectionAnswer['rows'][number][3][]
}
interface Piece {
  kind: string
  fields: readonly string[]
  rows: readonly SelectedRow[]
  count: number
  next: number | null
}

/** Entries are light; projects load their neighbours to decide what may be done with them. */
const ENTRIES = 5000
const RECORDS = 500

type Source = (ctx: Ctx, filter: unknown, page: SelectionPage) => Promise<Piece>
const over =
  <F extends z.ZodType>(
    read: ActionId,
    filter: F,
    open: (ctx: Ctx, filter: z.output<F>, page: SelectionPage) => Promise<Piece>,
  ): Source =>
  (ctx, rawFilter, page) => {
    assertAllowed(refusedTo(read, ctx.actor))
    const parsed = filter.safeParse(rawFilter)
    if (!parsed.success) throw refuseInvalid(parsed.error)
    return open(ctx, parsed.data, page)
  }

const projectsOf = (generation: 'project' | 'campaign') =>
  over(
    generation === 'project' ? 'project.list' : 'campaign.list',
    ListInput,
    async (ctx, filter, { after, ids }): Promise<Piece> => {
      const matching = await orderedIds(ctx, filter, { generation })
      const wanted = ids ? await familyOf(ctx, ids, new Set(matching)) : matching.slice(after, after + RECORDS)
      const rows = await projectRows(ctx, await recordsOf(ctx, wanted))
      return {
        kind: generation,
        fields: [
          'parent_id',
          'stored_status',
          'status_shown',
          'cost_cents',
          'quote_valid_until',
          'pending_rewards',
          'lock_version',
        ],
        rows: rows.map((row) => ({
          ...row,
          values: [
            row.parent_id,
            row.stored_status,
            row.status_shown,
            row.cost_cents,
            row.quote_valid_until,
            row.pending_rewards,
            row.lock_version,
          ],
        })),
        count: matching.length,
        next: !ids && after + RECORDS < matching.length ? after + RECORDS : null,
      }
    },
  )

/** The selection of a noun's own list, open to callers of its read. */
function selection(noun: ListNoun): Source {
  const { selects: fields = [], call }: ListRow = lists[noun]
  const { input } = calls[call as CallId] as Call
  const filter = input as unknown as z.ZodType<ListQuery<ListNoun>>
  return over(call as CallId, filter, async (ctx, filter, { after, ids }): Promise<Piece> => {
    const list = listBuilt(noun)
    const count = await list.count(ctx, filter)
    const found = await list.ids(ctx, filter, ids ? { among: ids } : { limit: RECORDS, offset: after })
    const rows = (await list.shown(ctx, await list.rows(ctx, found, filter), filter)) as readonly Omit<SelectedRow, 'values'>[]
    const values = (row: object) =>
      fields.map((field) => (row as Record<string, unknown>)[field] as SelectedRow['values'][number])
    return {
      kind: noun,
      fields,
      rows: rows.map((row) => ({ ...row, values: values(row) })),
      count,
      next: !ids && after + RECORDS < count ? after + RECORDS : null,
    }
  })
}

/** Entries with the fields that commands need. */
async function selectedEntries(ctx: Ctx, entries: readonly EntryRow[]): Promise<SelectedRow[]> {
  const repeats = await repeatsOf(ctx.db, entries)
  return entries.map((entry): SelectedRow => {
    const { email_counter, ipaddress_counter } = countersOf(entry, repeats)
    return {
      id: entry.id,
      name: entry.email,
      ...allowedActions('entry', ctx.actor, paneStateOf(entry)),
      values: [
        entry.project_id,
        entry.amount_cents,
        entry.status,
        amountFlag(entry.provider_id, entry.amount_cents),
        email_counter,
        ipaddress_counter,
        entry.provider_id,
        entry.reason,
        entry.lock_version,
      ],
    }
  })
}

/** Lists without a list builder: families of projects, and rewards, which are paged by id. */
const special: Partial<Record<Selectable, Source>> = {
  projects: projectsOf('project'),
  campaigns: projectsOf('campaign'),

  entries: over(
    'entry.list',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id }),
    async (ctx, filter, { after, ids }) => {
      await seenProject(ctx, filter.project_id)
      const parts = await partIds(ctx, filter.project_id)
      const base = entriesOf(ctx, { ...filter, parts })
      const { count } = await base.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
      const some = ids ? base.where('entries.id', 'in', ids) : base.where('entries.id', '>', after)
      const entries = await some.selectAll('entries').orderBy('entries.id').limit(ENTRIES).execute()
      const rows = await selectedEntries(ctx, entries)
      return {
        kind: 'entry',
        fields: lists.entry.selects,
        rows,
        count: Number(count),
        next: !ids && entries.length === ENTRIES ? entries.at(-1)!.id : null,
      }
    },
  ),

  receivers: over('receiver.list', ReceiverFilter, async (ctx, filter, { after, ids }) => {
    const { count } = await countReceivers(ctx, filter, true)
    const newest = { ...filter, column: 'id' as const, order: 'asc' as const }
    const found = ids
      ? (await receiverIds(ctx, newest, { limit: ids.length, among: ids })).ids
      : (await receiverIds(ctx, newest, { limit: ENTRIES, after: after ? String(after) : '' })).ids
    const entries = await ctx.db
      .selectFrom('entries')
      .selectAll()
      .where('id', 'in', found.length ? found : [0])
      .orderBy('id')
      .execute()
    return {
      kind: 'entry',
      fields: lists.receiver.selects,
      rows: await selectedEntries(ctx, entries),
      count,
      next: !ids && found.length === ENTRIES ? found.at(-1)! : null,
    }
  }),
}

/** A page of all records that match a list's filter; rules shared by rows are sent once. */
export async function listSelection(
  ctx: Ctx,
  { list, filter, after, ids }: { list: Selectable; filter: Record<string, unknown>; after: number; ids?: number[] | undefined },
): Promise<SelectionAnswer> {
  const wanted = ids ?? null
  const { kind, fields, rows, count, next } = await (special[list] ?? selection(nounNamed(list)!))(ctx, filter, {
    after,
    ids: wanted,
  })
  const rules: SelectionAnswer['rules'] = []
  const places = new Map<string, number>()
  const placeOf = ({ allowed_actions, refused_actions }: SelectedRow): number => {
    const key = JSON.stringify([allowed_actions, refused_actions])
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, rules.length)
    return rules.push([[...allowed_actions], refused_actions as Record<string, string>]) - 1
  }
  return {
    kind,
    fields: [...fields],
    rules,
    rows: rows.map((row) => [row.id, row.name, placeOf(row), ...row.values]),
    count,
    next,
  }
}
