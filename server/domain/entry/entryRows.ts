import { type SqlBool, sql } from 'kysely'
import { allowedActions } from '../../../contract/access.ts'
import type { Actor } from '../../../contract/actor.ts'
import type { Entry } from '../../../contract/entry.ts'
import { type EntryFlag, flagsThat } from '../../../contract/entryFlags.ts'
import { labelOf, PROVIDERS, type RewardStatus } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { orderBy, type Paged, pageOf, type SortKey } from '../../core/keyset.ts'
import { matches } from '../../core/listSearch.ts'
import type { Db } from '../../db/connect.ts'
import type { EntryRow } from '../payout/payout.ts'
import { allowedAmounts } from '../payout/provider.ts'

/** How often entries' emails and addresses occur in their projects. */
export interface Repeats {
  email: Map<string, number>
  ip: Map<string, number>
}
const keyOf = (projectId: number, text: string) => `${projectId} ${text}`
const dollars = (cents: number) => cents / 100

/** How often an entry's email and address occur in its project, without rejected entries (decisions.md 5). */
export function countersOf(
  entry: EntryRow,
  repeats: Repeats,
): { email_counter: number; ipaddress_counter: number; repeated: boolean } {
  const email_counter = repeats.email.get(keyOf(entry.project_id, entry.email_key)) ?? 0
  const ipaddress_counter = entry.ip ? (repeats.ip.get(keyOf(entry.project_id, entry.ip)) ?? 0) : 0
  return { email_counter, ipaddress_counter, repeated: email_counter > 1 || ipaddress_counter > 1 }
}

/** Counts repeats for some entries, with two indexed reads for each thousand. */
export async function repeatsOf(db: Db, entries: readonly EntryRow[]): Promise<Repeats> {
  const repeats: Repeats = { email: new Map(), ip: new Map() }
  const count = async (projectId: number, column: 'email_key' | 'ip', texts: string[], into: Map<string, number>) => {
    for (let at = 0; at < texts.length; at += 1000) {
      const query = db
        .selectFrom('entries')
        .select((eb) => [eb.ref(column).as('text'), eb.fn.countAll().as('count')])
        .where('project_id', '=', projectId)
      const rows = await query
        .where('status', '!=', 'rejected')
        .where(column, 'in', texts.slice(at, at + 1000))
        .groupBy(column)
        .execute()
      for (const row of rows) into.set(keyOf(projectId, row.text), Number(row.count))
    }
  }
  for (const [projectId, own] of Map.groupBy(entries, (entry) => entry.project_id)) {
    await count(projectId, 'email_key', [...new Set(own.map((entry) => entry.email_key))], repeats.email)
    await count(projectId, 'ip', [...new Set(own.map((entry) => entry.ip).filter(Boolean))], repeats.ip)
  }
  return repeats
}

/** The facts about an entry that the access rules need. */
export const paneStateOf = (entry: EntryRow) => ({
  status: entry.status,
  amount_cents: entry.amount_cents,
  allowed_amounts: allowedAmounts(entry.provider_id),
})

/** True if a provider can't pay this amount. */
export function amountFlag(providerId: number, cents: number): boolean {
  const allowed = allowedAmounts(providerId)
  return allowed.length > 0 && !allowed.includes(cents)
}

/** An entry as the API returns it. */
export function entryOnWire(
  actor: Actor,
  entry: EntryRow & { reward_name: string | null; project_name: string },
  repeats: Repeats,
): Entry {
  const {
    id,
    project_id,
    project_name,
    survey_id,
    reward_id,
    email,
    ip,
    amount_cents,
    status,
    reason,
    second_chances,
    created_at,
    sent_at,
    lock_version,
    flags,
    import_id,
  } = entry
  const { email_counter, ipaddress_counter } = countersOf(entry, repeats)
  return {
    id,
    project_id,
    project_name,
    survey_id,
    reward_id,
    email,
    ip,
    amount_cents,
    status,
    reason,
    second_chances,
    created_at,
    sent_at,
    lock_version,
    flags,
    import_id,
    email_counter,
    ipaddress_counter,
    reward_name: entry.reward_name ?? '',
    amount: dollars(amount_cents),
    partner_id: entry.provider_id,
    provider: labelOf(PROVIDERS, entry.provider_id, ''),
    allowed_amounts: allowedAmounts(entry.provider_id).map(dollars),
    amount_flag: amountFlag(entry.provider_id, amount_cents),
    ...allowedActions('entry', actor, paneStateOf(entry)),
  }
}

export interface EntryFilter {
  /** Ids of a project and its children, whose rewards are listed together (decisions.md 13, Families). */
  parts: readonly number[]
  status: RewardStatus | 'all'
  search: string
  /** Only entries with this one's email or address. */
  like?: number | undefined
  flag?: EntryFlag | '' | undefined
  /** Only entries that this upload created. */
  import_id?: number | undefined
  updated_since?: string | undefined
}

/** SQL that is true for entries of these projects; `=` for one project lets the index sort too. */
export const ofParts = (parts: readonly number[], column = 'entries.project_id') =>
  parts.length === 1
    ? sql<SqlBool>`${sql.ref(column)} = ${parts[0]!}`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join(parts.length ? parts : [0])})`

const PROJECT_NAME = '(select name from projects where projects.id = entries.project_id)'

/** Entries of a project and its children that pass a filter, for lists, counts and exports. */
export function entriesOf(ctx: Pick<Ctx, 'db' | 'services'>, filter: EntryFilter) {
  let query = ctx.db.selectFrom('entries').where(ofParts(filter.parts))
  if (filter.status !== 'all') query = query.where('entries.status', '=', filter.status)
  // A single project's name would match all its rewards, so names are searched only in families.
  const searched = ['entries.email', 'entries.ip', ...(filter.parts.length > 1 ? [PROJECT_NAME] : [])]
  if (filter.search) query = query.where(matches(ctx.services.database, searched, filter.search))
  if (filter.flag) query = query.where('entries.flags', 'in', flagsThat(filter.flag))
  if (filter.import_id !== undefined) query = query.where('entries.import_id', '=', filter.import_id)
  if (filter.updated_since) query = query.where('entries.updated_at', '>=', filter.updated_since)
  const { like } = filter
  if (like !== undefined)
    query = query.where((eb) => {
      const one = eb.selectFrom('entries as one').where('one.id', '=', like).where(ofParts(filter.parts, 'one.project_id'))
      // Repeats are counted within one project (decisions.md 5), the entry's own.
      return eb.and([
        eb('entries.project_id', 'in', one.select('one.project_id')),
        eb.or([
          eb('entries.email_key', 'in', one.select('one.email_key')),
          eb('entries.ip', 'in', one.where('one.ip', '!=', '').select('one.ip')),
        ]),
      ])
    })
  return query
}

/** Entries by id as lists and files show them, with the names of their reward and project. */
export const namedEntries = (ctx: Pick<Ctx, 'db'>, ids: readonly number[]) =>
  ctx.db
    .selectFrom('entries')
    .leftJoin('rewards', 'rewards.id', 'entries.reward_id')
    .innerJoin('projects', 'projects.id', 'entries.project_id')
    .where('entries.id', 'in', ids.length ? ids : [0])
    .selectAll('entries')
    .select(['rewards.name as reward_name', 'projects.name as project_name'])
    .execute()

const SORTS = {
  id: 'entries.id',
  project: PROJECT_NAME,
  email: 'entries.email_key',
  amount: 'entries.amount_cents',
  ip: 'entries.ip',
  status: 'entries.status',
  created_at: 'entries.created_at',
  sent_at: 'entries.sent_at',
  flags: 'entries.flags',
} as const
export interface EntrySort {
  column: keyof typeof SORTS
  order: 'asc' | 'desc'
}

/** Matching ids in the list's order. Only ids are sorted and skipped, so that a deep page stays fast. */
export function orderedEntries(ctx: Pick<Ctx, 'db' | 'services'>, filter: EntryFilter, sort: EntrySort) {
  let query = entriesOf(ctx, filter).select('entries.id')
  for (const one of orderBy(entryKeys(sort))) query = query.orderBy(one)
  return query
}

/** A page of them, by number or by cursor. */
export const entryPage = (ctx: Ctx, filter: EntryFilter, sort: EntrySort, paged: Paged) =>
  pageOf(ctx, entriesOf(ctx, filter).select('entries.id'), entryKeys(sort), paged)

const entryKeys = ({ column, order: way }: EntrySort): SortKey[] => [
  ...(column === 'id' ? [] : [{ by: sql.raw(SORTS[column]), way, ...(column === 'sent_at' ? {} : { full: true as const }) }]),
  { by: sql.ref('entries.id'), way, full: true },
]
