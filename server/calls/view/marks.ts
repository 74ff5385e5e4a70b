import type { z } from 'zod'
import { allowedActions, ENTRY_RULES } from '../../../contract/access.ts'
import { Id } from '../../../contract/call.ts'
import { clientCalls } from '../../../contract/client.ts'
import { entryCalls } from '../../../contract/entry.ts'
import { ListInput } from '../../../contract/projectInput.ts'
import { userCalls } from '../../../contract/user.ts'
import type { Markable, MarksAnswer } from '../../../contract/view.ts'
import type { Ctx } from '../../core/context.ts'
import { refuseInvalid } from '../../core/input.ts'
import { forbidden, invalid } from '../../core/refusal.ts'
import { listClients } from '../../domain/client/list.ts'
import { amountFlag, countersOf, entriesOf, factsOf, repeatsOf } from '../../domain/entry/rows.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { partIds } from '../../domain/project/family.ts'
import { familyOf, orderedIds, recordsOf } from '../../domain/project/list.ts'
import { projectRows } from '../../domain/project/rows.ts'
import { listUsers } from '../../domain/user/records.ts'

interface Asked {
  after: number
  /** Only these of the matching ones. */
  ids: number[] | null
}
/** A record as a mark needs it: `values` are what commands ask of it, in the order of the answer's `fields`. */
interface Marked {
  id: number
  name: string
  allowed_actions: readonly string[]
  refused_actions: Readonly<Record<string, string | undefined>>
  values: MarksAnswer['rows'][number][3][]
}
interface Piece {
  kind: string
  fields: readonly string[]
  rows: readonly Marked[]
  count: number
  next: number | null
}

/** Entries are light; projects ask their neighbours for what may be done with them. */
const ENTRIES = 5000
const RECORDS = 500

type Source = (ctx: Ctx, filter: unknown, asked: Asked) => Promise<Piece>
const over =
  <F extends z.ZodType>(
    access: 'client' | 'admin',
    filter: F,
    read: (ctx: Ctx, filter: z.output<F>, asked: Asked) => Promise<Piece>,
  ): Source =>
  (ctx, given, asked) => {
    if (access === 'admin' && ctx.actor.role !== 'admin') throw forbidden('Only an administrator can see this list.')
    const parsed = filter.safeParse(given)
    if (!parsed.success) throw refuseInvalid(parsed.error)
    return read(ctx, parsed.data, asked)
  }

const projectsOf = (generation: 'project' | 'campaign') =>
  over('client', ListInput, async (ctx, filter, { after, ids }): Promise<Piece> => {
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
  })

/** A list that is read by page: its pieces are its pages. */
async function paged<R extends Marked>(
  { after, ids }: Asked,
  kind: string,
  fields: readonly string[],
  read: (page: number) => Promise<{ data: R[]; count: number }>,
): Promise<Piece> {
  if (!ids) {
    const { data, count } = await read(Math.floor(after / RECORDS) + 1)
    return { kind, fields, rows: data, count, next: after + RECORDS < count ? after + RECORDS : null }
  }
  const wanted = new Set(ids)
  const rows: R[] = []
  for (let page = 1; ; page++) {
    const { data, count } = await read(page)
    rows.push(...data.filter((row) => wanted.has(row.id)))
    if (!data.length || page * RECORDS >= count) return { kind, fields, rows, count, next: null }
  }
}

const SOURCES: Record<Markable, Source> = {
  projects: projectsOf('project'),
  campaigns: projectsOf('campaign'),

  clients: over('admin', clientCalls['client.list'].input, (ctx, filter, asked) =>
    paged(asked, 'client', ['lock_version'], async (page) => {
      const { data, count } = await listClients(ctx, { ...filter, page, per_page: RECORDS })
      return { data: data.map((row) => ({ ...row, values: [row.lock_version] })), count }
    }),
  ),

  users: over(
    'admin',
    userCalls['user.list'].input.extend({ client_id: Id.optional() }),
    (ctx, { client_id, ...filter }, asked) =>
      paged(asked, 'user', ['email', 'first_name', 'last_name', 'phone', 'status', 'role', 'lock_version'], async (page) => {
        const { data, count } = await listUsers(ctx, { ...filter, page, per_page: RECORDS }, client_id ? { client_id } : {})
        const values = (row: (typeof data)[number]) => [
          row.email,
          row.first_name,
          row.last_name,
          row.phone,
          row.status,
          row.role,
          row.lock_version,
        ]
        return { data: data.map((row) => ({ ...row, values: values(row) })), count }
      }),
  ),

  entries: over(
    'admin',
    entryCalls['entry.list'].input.omit({ id: true }).extend({ project_id: Id }),
    async (ctx, filter, { after, ids }) => {
      await seenProject(ctx, filter.project_id)
      const parts = await partIds(ctx, filter.project_id)
      const base = entriesOf(ctx, { ...filter, parts })
      const { count } = await base.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
      const some = ids ? base.where('entries.id', 'in', ids) : base.where('entries.id', '>', after)
      const entries = await some.selectAll('entries').orderBy('entries.id').limit(ENTRIES).execute()
      const repeats = await repeatsOf(ctx.db, entries)
      const rows = entries.map((entry): Marked => {
        const { email_counter, ipaddress_counter } = countersOf(entry, repeats)
        return {
          id: entry.id,
          name: entry.email,
          ...allowedActions(ENTRY_RULES, ctx.actor, factsOf(entry)),
          values: [
            entry.project_id,
            entry.amount_cents,
            entry.status,
            amountFlag(entry.provider_id, entry.amount_cents),
            email_counter,
            ipaddress_counter,
            entry.lock_version,
          ],
        }
      })
      return {
        kind: 'entry',
        fields: ['project_id', 'amount_cents', 'status', 'amount_flag', 'email_counter', 'ipaddress_counter', 'lock_version'],
        rows,
        count: Number(count),
        next: !ids && entries.length === ENTRIES ? entries.at(-1)!.id : null,
      }
    },
  ),
}

/** A piece of all that match a list's filter, as marks need it. Rules that many rows share are said once. */
export async function listMarks(
  ctx: Ctx,
  { list, filter, after, ids }: { list: Markable; filter: Record<string, unknown>; after: number; ids?: string[] | undefined },
): Promise<MarksAnswer> {
  const wanted = ids?.map(Number) ?? null
  if (wanted && (wanted.length > 1000 || wanted.some((id) => !Number.isInteger(id) || id < 1)))
    throw invalid('ids', 'ids must be at most 1000 ids')
  const { kind, fields, rows, count, next } = await SOURCES[list](ctx, filter, { after, ids: wanted })
  const rules: MarksAnswer['rules'] = []
  const places = new Map<string, number>()
  const placeOf = ({ allowed_actions, refused_actions }: Marked): number => {
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
