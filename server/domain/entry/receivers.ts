import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { flagsThat } from '../../../contract/entryFlags.ts'
import { readIpAddress } from '../../../contract/ipAddress.ts'
import { COUNTED, type Receiver, type ReceiverFilter } from '../../../contract/receiver.ts'
import { PROVIDERS, REWARD_STATUSES } from '../../../contract/vocabulary.ts'
import type { Ctx, CursorValue } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { idIn } from '../../core/listBuilder.ts'
import { dayAfter, dayStart } from '../content/days.ts'
import { entryOnWire, repeatsOf } from './entryRows.ts'

type Where = RawBuilder<SqlBool>
type Asking = Pick<Ctx, 'db' | 'services'>

/**
 * Up to this many matches are collected and sorted; with more, the order's own index is scanned.
 * Scanning four million rows finds fifty of so many matches within a few thousand rows.
 */
const GATHERED = 20_000
const STATUSES = REWARD_STATUSES.map(({ value }) => value)

/** TABLE  columns that receivers are sorted by, with their indexes; PostgreSQL compares the bytes of text. */
const SORTS = {
  created_at: { column: 'created_at', text: true, index: 'ix_entries_created' },
  id: { column: 'id', text: false, index: null },
  email: { column: 'email_key', text: true, index: 'ix_entries_email' },
  amount: { column: 'amount_cents', text: false, index: 'ix_entries_amount' },
  ip: { column: 'ip', text: true, index: 'ix_entries_ip' },
  sent_at: { column: 'sent_at', text: true, index: 'ix_entries_sent' },
} as const
/** Sorts by one of a few values, and within each newest first. */
const RANKS = {
  status: (kind: Kind) => STATUSES.indexOf(kind.status as never),
  flags: (kind: Kind) => kind.flags,
  provider: (kind: Kind) => PROVIDERS.findIndex(({ value }) => value === kind.provider),
} as const

/** A combination of status, flags and provider; the index of kinds orders each by time. */
interface Kind {
  status: string
  flags: number
  provider: number
}

/** A filter with its names and dates resolved. */
interface Resolved {
  kinds: readonly Kind[]
  /** True if the filter excludes some kinds. */
  isKinds: boolean
  /** The projects to search; null means all. */
  projects: readonly number[] | null
  rest: Where[]
  /** Indexes that find all matches, each with the most rows it may yield. */
  ways: readonly Way[]
  none: boolean
}
interface Way {
  index: string
  where: Where
}

const column = (name: string) => sql.ref(`entries.${name}`)
const and = (all: readonly Where[]): Where => (all.length ? sql<SqlBool>`${sql.join(all, sql` and `)}` : sql<SqlBool>`1 = 1`)
const isPostgres = (ctx: Asking) => ctx.services.database.engine === 'postgres'
/** A text column as its index compares it. */
const text = (ctx: Asking, name: string) => (isPostgres(ctx) ? sql`${column(name)} collate "C"` : column(name))
/** SQLite needs a hint which index to use, because it knows little about the values. */
const from = (ctx: Asking, index: string | null) =>
  index && !isPostgres(ctx) ? sql`entries indexed by ${sql.ref(index)}` : sql`entries`

/** Matches a search: a prefix of an email, or a whole IP address, id or payout reference. */
function found(ctx: Asking, search: string): Where {
  const key = search.trim().toLowerCase().normalize('NFKC')
  const ip = readIpAddress(search) ?? key
  const email = text(ctx, 'email_key')
  const parts = [
    sql`select id from entries where ${email} >= ${key} and ${email} < ${`${key}\uffff`}`,
    sql`select id from entries where ${text(ctx, 'ip')} = ${ip}`,
    sql`select entry_id from payouts where reference in (${search}, ${search.toUpperCase()})`,
  ]
  const id = idIn(search)
  if (id !== null) parts.push(sql`select id from entries where id = cast(${id} as bigint)`)
  return sql<SqlBool>`${column('id')} in (${sql.join(parts, sql` union `)})`
}

async function resolve(ctx: Asking, filter: ReceiverFilter): Promise<Resolved> {
  const { status, flag, provider, project_id, client_id, from, to, min, max, import_id, like, person, search, updated_since } =
    filter
  const statuses = status === 'all' ? STATUSES : [status]
  const flags = flag ? flagsThat(flag) : [0, 1, 2, 3, 4, 5, 6, 7]
  const providers = provider ? [provider] : PROVIDERS.map(({ value }) => value)
  const kinds = statuses.flatMap((status) => flags.flatMap((flags) => providers.map((provider) => ({ status, flags, provider }))))
  const isKinds = status !== 'all' || flag !== '' || provider !== undefined
  const rest: Where[] = []
  const ways: Way[] = []
  const way = (index: string, where: Where) => {
    rest.push(where)
    ways.push({ index, where })
  }
  let projects: number[] | null = null
  if (client_id) {
    const rows = await ctx.db.selectFrom('projects').select('id').where('client_id', '=', client_id).execute()
    projects = rows.map((row) => row.id)
  }
  if (project_id) projects = projects === null || projects.includes(project_id) ? [project_id] : []
  if (projects?.length) rest.push(sql<SqlBool>`${column('project_id')} in (${sql.join(projects)})`)
  const zone = ctx.services.settings.timeZone
  const created = text(ctx, 'created_at')
  const dates = [
    from && sql<SqlBool>`${created} >= ${dayStart(from, zone)}`,
    to && sql<SqlBool>`${created} < ${dayStart(dayAfter(to), zone)}`,
  ]
  const conditions = dates.filter((one): one is Where => Boolean(one))
  if (conditions.length) way('ix_entries_created', and(conditions))
  const cents = [
    min !== undefined && sql<SqlBool>`${column('amount_cents')} >= ${min}`,
    max !== undefined && sql<SqlBool>`${column('amount_cents')} <= ${max}`,
  ].filter((one): one is Where => Boolean(one))
  if (cents.length) way('ix_entries_amount', and(cents))
  if (updated_since) way('ix_entries_updated', sql<SqlBool>`${text(ctx, 'updated_at')} >= ${updated_since}`)
  if (import_id) way('ix_entries_import', sql<SqlBool>`${column('import_id')} = ${import_id}`)
  const none = projects?.length === 0 || (from !== undefined && to !== undefined && from > to)
  if (search) way('', found(ctx, search))
  if (person || like) {
    const one = await ctx.db
      .selectFrom('entries')
      .select(['email_key', 'ip'])
      .where('id', '=', (person ?? like)!)
      .executeTakeFirst()
    if (!one) return { kinds, isKinds, projects, rest, ways, none: true }
    const same = [sql`select id from entries where ${text(ctx, 'email_key')} = ${one.email_key}`]
    if (!person && one.ip) same.push(sql`select id from entries where ${text(ctx, 'ip')} = ${one.ip}`)
    way('', sql<SqlBool>`${column('id')} in (${sql.join(same, sql` union `)})`)
  }
  return { kinds, isKinds, projects, rest, ways, none }
}

const isKind = (kind: Kind): Where =>
  sql<SqlBool>`${column('status')} = ${kind.status} and ${column('flags')} = ${kind.flags} and ${column('provider_id')} = ${kind.provider}`
const KINDS = 'ix_entries_kinds'

/** A filter's conditions combined. */
function whole({ kinds, isKinds, rest }: Resolved): Where {
  if (!isKinds) return and(rest)
  const of = <T>(pick: (kind: Kind) => T) => sql.join([...new Set(kinds.map(pick))])
  return and([
    ...rest,
    sql<SqlBool>`${column('status')} in (${of((kind) => kind.status)})`,
    sql<SqlBool>`${column('flags')} in (${of((kind) => kind.flags)})`,
    sql<SqlBool>`${column('provider_id')} in (${of((kind) => kind.provider)})`,
  ])
}

const counted = async (ctx: Asking, rows: RawBuilder<unknown>, most: number): Promise<number> => {
  const { rows: found } = await sql<{
    count: number
  }>`select count(*) as count from (${rows} limit ${most + 1}) matching`.execute(ctx.db)
  return Number(found[0]!.count)
}
/** One row for each entry of these kinds that meets other conditions, from the index of kinds alone. */
const ofKinds = (ctx: Asking, kinds: readonly Kind[], rest: readonly Where[]) =>
  sql.join(
    kinds.map((kind) => sql`select 1 from ${from(ctx, KINDS)} where ${and([isKind(kind), ...rest])}`),
    sql` union all `,
  )

/** The index that yields the fewest rows, if they are few enough to collect; else null. */
async function fewest(ctx: Asking, filter: Resolved): Promise<Way | null> {
  let best: { way: Way; count: number } | null = null
  const consider = (way: Way, count: number) => {
    if (count <= GATHERED && (!best || count < best.count)) best = { way, count }
  }
  if (filter.projects) {
    const { rows } = await sql<{ count: number }>`select sum(count) as count from entry_totals
      where project_id in (${sql.join(filter.projects)})`.execute(ctx.db)
    consider(
      { index: '', where: sql<SqlBool>`${column('project_id')} in (${sql.join(filter.projects)})` },
      Number(rows[0]!.count),
    )
  }
  for (const way of filter.ways)
    consider(way, await counted(ctx, sql`select 1 from ${from(ctx, way.index || null)} where ${way.where}`, GATHERED))
  if (filter.isKinds)
    consider({ index: KINDS, where: sql<SqlBool>`1 = 1` }, await counted(ctx, ofKinds(ctx, filter.kinds, []), GATHERED))
  return (best as { way: Way } | null)?.way ?? null
}

/** How many match, up to 10,000, and whether there are more; the full count with `exact`. */
export async function countReceivers(
  ctx: Asking,
  filter: ReceiverFilter,
  exact: boolean,
): Promise<{ count: number; more: boolean }> {
  const resolved = await resolve(ctx, filter)
  if (resolved.none) return { count: 0, more: false }
  const summed = await fromTotals(ctx, filter, resolved)
  if (summed !== null) return { count: summed, more: false }
  const way = await fewest(ctx, resolved)
  const isByKinds = way === null ? resolved.ways.every(({ index }) => index) : way.index === KINDS
  const rows = isByKinds
    ? ofKinds(ctx, resolved.kinds, resolved.rest)
    : sql`select 1 from ${from(ctx, way?.index || null)} where ${whole(resolved)}`
  const most = exact ? Number.MAX_SAFE_INTEGER - 1 : COUNTED
  const count = await counted(ctx, rows, most)
  return count > most ? { count: COUNTED, more: true } : { count, more: false }
}

/** The count of a filter that `entry_totals` covers; null for any other. */
async function fromTotals(ctx: Asking, filter: ReceiverFilter, { projects, ways }: Resolved): Promise<number | null> {
  const { provider, flag, status, updated_since } = filter
  if (provider || updated_since || ways.length || !['', 'any', 'none'].includes(flag)) return null
  const sums = await totalsOf(ctx, projects)
  return sums
    .filter((sum) => (status === 'all' || sum.status === status) && (!flag || (flag === 'any') === (sum.flagged === 1)))
    .reduce((all, sum) => all + sum.count, 0)
}

interface Sum {
  status: string
  flagged: number
  count: number
  amount_cents: number
}
async function totalsOf(ctx: Asking, projects: readonly number[] | null): Promise<Sum[]> {
  const some = projects ? sql`where project_id in (${sql.join(projects.length ? projects : [0])})` : sql``
  const { rows } = await sql<Sum>`select status, flagged, sum(count) as count, sum(amount_cents) as amount_cents
    from entry_totals ${some} group by status, flagged`.execute(ctx.db)
  return rows.map((row) => ({
    status: row.status,
    flagged: Number(row.flagged),
    count: Number(row.count),
    amount_cents: Number(row.amount_cents),
  }))
}

/** Counts and amounts by status: overall, or for the selected project or client. */
export async function receiverTotals(ctx: Asking, filter: ReceiverFilter) {
  const { projects } = await resolve(ctx, { ...filter, like: undefined, person: undefined })
  const sums = await totalsOf(ctx, projects)
  return REWARD_STATUSES.map(({ value: status }) => {
    const own = sums.filter((sum) => sum.status === status)
    const add = (of: 'count' | 'amount_cents') => own.reduce((all, sum) => all + sum[of], 0)
    return { status, count: add('count'), amount_cents: add('amount_cents') }
  })
}

/** The entry before a page of ids, with the value it was sorted by if that may change. */
interface After {
  id: number
  value: string
  /** The columns that it was sorted by, as they were; a page's `next` is without them and reads them again. */
  was?: Readonly<Record<string, string | number | null>>
}
function readCursor(cursor: string | readonly CursorValue[]): After | null {
  if (!cursor) return null
  if (typeof cursor !== 'string') {
    const [next, name, value, created_at] = cursor as [string, string, string | number | null, string]
    return { ...readCursor(next)!, was: { created_at, [name]: value } }
  }
  const [, id, value = ''] = /^(\d{1,15})(?:~([\w:.-]*))?$/.exec(cursor) ?? []
  if (!id) throw invalid('after', 'after must be the next of a page')
  return { id: Number(id), value }
}

/** A slice of the matching ids, or of those in a given set, in the list's order, with the next cursor. */
export async function receiverIds(
  ctx: Asking,
  filter: ReceiverFilter,
  {
    limit,
    offset = 0,
    after = '',
    among,
  }: { limit: number; offset?: number; after?: string | readonly CursorValue[]; among?: readonly number[] },
): Promise<{ ids: number[]; next: string | null; end: CursorValue[] | null }> {
  const resolved = await resolve(ctx, filter)
  if (resolved.none) return { ids: [], next: null, end: null }
  if (among) resolved.rest.push(sql<SqlBool>`${column('id')} in (${sql.join(among.length ? among : [0])})`)
  const cursor = readCursor(after)
  const sortColumn = filter.column || 'created_at'
  // One more than the page, to know whether there is a next one.
  const slice = { limit: limit + 1, offset: cursor ? 0 : offset, cursor, order: filter.column ? filter.order : 'desc' } as const
  const way = among ? null : await fewest(ctx, resolved)
  const rows =
    sortColumn in RANKS
      ? await byRank(ctx, resolved, way, { ...slice, rank: sortColumn as keyof typeof RANKS })
      : await byColumn(ctx, resolved, way, { ...slice, sort: sortColumn as keyof typeof SORTS })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? `${last.id}${last.value === undefined ? '' : `~${last.value}`}` : null
  return { ids: shown.map((row) => row.id), next, end: next && last ? await endOf(ctx, next, last.id, sortColumn) : null }
}

/** A cursor that stays right when its entry is changed or deleted: the page's `next`, and what it was sorted by. */
async function endOf(ctx: Asking, next: string, id: number, by: string): Promise<CursorValue[]> {
  const name = by in SORTS ? SORTS[by as keyof typeof SORTS].column : 'created_at'
  const row = await ctx.db.selectFrom('entries').select(['created_at', name]).where('id', '=', id).executeTakeFirstOrThrow()
  return [next, name, (row as Record<string, CursorValue>)[name] ?? null, row.created_at]
}

interface Slice {
  limit: number
  offset: number
  cursor: After | null
  order: 'asc' | 'desc'
}
interface Row {
  id: number
  /** The sort value, stored in the cursor because the record may change. */
  value?: string | number
}

/** Conditions that exclude everything up to the cursor, for an order by a column and the id. */
async function behind(ctx: Asking, sort: keyof typeof SORTS, order: 'asc' | 'desc', cursor: After | null): Promise<Where[]> {
  if (!cursor) return []
  const sign = sql.raw(order === 'asc' ? '>' : '<')
  if (sort === 'id') return [sql<SqlBool>`${column('id')} ${sign} ${cursor.id}`]
  const { column: name, text: isText } = SORTS[sort]
  const expression = isText ? text(ctx, name) : column(name)
  const found = cursor.was ?? (await ctx.db.selectFrom('entries').select(name).where('id', '=', cursor.id).executeTakeFirst())
  const value = sort === 'sent_at' ? cursor.value || null : ((found as Record<string, unknown> | undefined)?.[name] ?? null)
  // Rows without a value come last in both directions.
  if (value === null) return [sql<SqlBool>`${expression} is null and ${column('id')} ${sign} ${cursor.id}`]
  const later = sql<SqlBool>`(${expression}, ${column('id')}) ${sign} (${value}, ${cursor.id})`
  return sort === 'sent_at' ? [sql<SqlBool>`(${later} or ${expression} is null)`] : [later]
}

async function byColumn(
  ctx: Asking,
  resolved: Resolved,
  way: Way | null,
  { sort, limit, offset, cursor, order }: Slice & { sort: keyof typeof SORTS },
): Promise<Row[]> {
  const { column: name, text: isText, index } = SORTS[sort]
  const expression = isText ? text(ctx, name) : column(name)
  const way_ = sql.raw(order)
  const later = await behind(ctx, sort, order, cursor)
  const value = sort === 'sent_at' ? sql`, entries.sent_at as value` : sql``
  const ordered = sql`order by ${expression} ${way_}${sort === 'sent_at' ? sql` nulls last` : sql``}, ${column('id')} ${way_}`
  const cut = sql`limit ${limit} offset ${offset}`
  let query: RawBuilder<Row>
  if (way)
    query = sql<Row>`select entries.id${value} from ${gathered(ctx, resolved, way)} where ${and([whole(resolved), ...later])} ${ordered} ${cut}`
  else if (sort === 'created_at' && resolved.isKinds)
    query = merged(ctx, resolved.kinds, [...resolved.rest, ...later], { order, limit, offset })
  else if (sort === 'sent_at') return bySent(ctx, resolved, later, { order, limit, offset, cursor })
  else query = sql<Row>`select entries.id from ${from(ctx, index)} where ${and([whole(resolved), ...later])} ${ordered} ${cut}`
  const { rows } = await query.execute(ctx.db)
  return sort === 'sent_at' ? rows.map((row) => ({ id: row.id, value: row.value ?? '' })) : rows
}

/** The source of few rows: one index, or the kinds one by one. */
const gathered = (ctx: Asking, { kinds }: Resolved, way: Way) =>
  way.index === KINDS
    ? sql`entries join (${sql.join(
        kinds.map((kind) => sql`select entries.id as kind_id from ${from(ctx, KINDS)} where ${isKind(kind)}`),
        sql` union all `,
      )}) kinds on kinds.kind_id = entries.id`
    : from(ctx, way.index || null)

/** Kinds merged by time, each read only as far as the page may need. */
const merged = (
  ctx: Asking,
  kinds: readonly Kind[],
  rest: readonly Where[],
  { order, limit, offset }: { order: 'asc' | 'desc'; limit: number; offset: number },
): RawBuilder<Row> => {
  const by = sql.raw(order)
  const each = kinds.map(
    (
      kind,
    ) => sql`select * from (select entries.id, entries.created_at from ${from(ctx, KINDS)} where ${and([isKind(kind), ...rest])}
      order by ${text(ctx, 'created_at')} ${by}, ${column('id')} ${by} limit ${limit + offset}) one`,
  )
  const created = isPostgres(ctx) ? sql`created_at collate "C"` : sql`created_at`
  return sql<Row>`select id from (${sql.join(each, sql` union all `)}) kinds order by ${created} ${by}, id ${by} limit ${limit} offset ${offset}`
}

/** Sorts by sending time: sent entries by their index, then the others. */
async function bySent(
  ctx: Asking,
  resolved: Resolved,
  later: readonly Where[],
  { order, limit, offset, cursor }: Omit<Slice, 'sort'>,
): Promise<Row[]> {
  const by = sql.raw(order)
  const rows: Row[] = []
  const sent = text(ctx, 'sent_at')
  let skip = offset
  for (const part of ['sent', 'not'] as const) {
    if (part === 'sent' && cursor && !cursor.value) continue
    const is = part === 'sent' ? sql<SqlBool>`${sent} is not null` : sql<SqlBool>`${sent} is null`
    const since = part === 'not' && cursor?.value ? [] : later
    const where = and([whole(resolved), is, ...since])
    const left = limit - rows.length
    if (left <= 0) break
    const { rows: found } =
      await sql<Row>`select entries.id, coalesce(entries.sent_at, '') as value from ${from(ctx, 'ix_entries_sent')}
      where ${where} order by ${sent} ${by}, ${column('id')} ${by} limit ${left} offset ${skip}`.execute(ctx.db)
    rows.push(...found)
    if (part === 'sent' && skip && !found.length)
      skip -= await counted(ctx, sql`select 1 from entries where ${and([whole(resolved), is])}`, skip)
    else skip = 0
  }
  return rows
}

/** Sorts by status, flags or provider: group after group, each newest first. */
async function byRank(
  ctx: Asking,
  resolved: Resolved,
  way: Way | null,
  { rank, limit, offset, cursor, order }: Slice & { rank: keyof typeof RANKS },
): Promise<Row[]> {
  const rankOf = RANKS[rank]
  const groups = [...Map.groupBy(resolved.kinds, rankOf)].sort(([a], [b]) => (order === 'asc' ? a - b : b - a))
  const rows: Row[] = []
  let skip = offset
  for (const [value, kinds] of groups) {
    if (rows.length >= limit) break
    const at = cursor ? Number(cursor.value) : null
    if (at !== null && (order === 'asc' ? value < at : value > at)) continue
    const later = at === value ? await behind(ctx, 'created_at', 'desc', cursor) : []
    const part = { ...resolved, kinds, isKinds: true }
    const cut = { order: 'desc' as const, limit: limit - rows.length, offset: skip }
    const query =
      way && way.index !== KINDS
        ? sql<Row>`select entries.id from ${from(ctx, way.index || null)} where ${and([whole(part), ...later])}
            order by ${text(ctx, 'created_at')} desc, ${column('id')} desc limit ${cut.limit} offset ${cut.offset}`
        : merged(ctx, kinds, [...resolved.rest, ...later], cut)
    const { rows: found } = await query.execute(ctx.db)
    rows.push(...found.map((row) => ({ id: row.id, value })))
    if (!skip) continue
    skip = found.length ? 0 : skip - (await counted(ctx, ofKinds(ctx, kinds, resolved.rest), skip))
  }
  return rows
}

/** Entries by id with the names of related records, in the order of the ids. */
export async function receiverRows(ctx: Asking, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await ctx.db
    .selectFrom('entries')
    .innerJoin('projects', 'projects.id', 'entries.project_id')
    .innerJoin('clients', 'clients.id', 'projects.client_id')
    .leftJoin('rewards', 'rewards.id', 'entries.reward_id')
    .leftJoin('payouts', 'payouts.entry_id', 'entries.id')
    .where('entries.id', 'in', ids)
    .selectAll('entries')
    .select([
      'projects.name as project_name',
      'projects.client_id',
      'clients.name as client_name',
      'rewards.name as reward_name',
      'payouts.reference',
    ])
    .execute()
  const place = new Map(ids.map((id, at) => [id, at]))
  return rows.sort((a, b) => place.get(a.id)! - place.get(b.id)!)
}

/** Entries by id as the API returns them. */
export async function receiversOnWire(ctx: Ctx, ids: readonly number[]): Promise<Receiver[]> {
  const rows = await receiverRows(ctx, ids)
  const repeats = await repeatsOf(ctx.db, rows)
  return rows.map((row) => ({
    ...entryOnWire(ctx.actor, row, repeats),
    client_id: row.client_id,
    client_name: row.client_name,
    reference: row.reference ?? '',
  }))
}
