import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isAdmin } from '../../../contract/actor.ts'
import { CLIENT_NEWS, NEWS, NEWS_KINDS, type NewsKindId, type NewsSubject, newsIdOf, readNewsId } from '../../../contract/news.ts'
import type { Notice } from '../../../contract/notice.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'

type Sql = RawBuilder<unknown>
/** The most pieces of news that a line of the inbox lists. */
const MOST = 20

/** The news that the caller may read now: client users none of the agency's, and nobody of records they don't see. */
const readable = ({ actor }: Pick<Ctx, 'actor'>): Sql => sql`news.user_id = ${actor.id}
  and news.kind in (${sql.join(isAdmin(actor) ? NEWS_KINDS : CLIENT_NEWS)})
  and case news.subject when 'project' then exists (select 1 from projects where projects.id = news.subject_id and ${projectScope(actor)})
    else exists (select 1 from jobs left join projects on projects.id = jobs.project_id where jobs.id = news.subject_id
      and jobs.created_by = ${actor.id} and (jobs.project_id is null or ${projectScope(actor)})) end`

const WORDS = sql.join(
  NEWS_KINDS.map((kind) => sql`when ${sql.lit(kind)} then ${sql.lit(NEWS[kind].line)}`),
  sql` `,
)

/** The caller's news, one line a record with the newest first. */
const newsLines = (ctx: Pick<Ctx, 'actor'>): Sql => sql`select cast(${sql.lit(newsIdOf('project', 0))} + newest.subject_id * 2
      + case newest.subject when 'job' then 1 else 0 end as bigint) as id,
    cast(coalesce(about.name, jobs.title, '') as text) as name,
    cast(case newest.kind ${WORDS} end || case when newest.by_name = '' then '' else ' by ' || newest.by_name end as text) as message,
    'record' as message_action, '' as url, cast(newest.created_at as text) as created_at,
    cast(case when lines.unread > 0 then null else lines.read_at end as text) as read_at,
    cast(coalesce(about.generation, 'job') as text) as kind, cast(newest.subject_id as bigint) as subject_id,
    cast(coalesce(lines.read_at, newest.created_at) as text) as changed_at
  from (select max(news.id) as last, sum(case when news.read_at is null then 1 else 0 end) as unread, max(news.read_at) as read_at
    from news where ${readable(ctx)} group by news.subject, news.subject_id) lines
  join news newest on newest.id = lines.last
  left join projects about on newest.subject = 'project' and about.id = newest.subject_id
  left join jobs on newest.subject = 'job' and jobs.id = newest.subject_id`

/** The caller's announcements, without deleted ones. */
const announcements = ({ actor }: Pick<Ctx, 'actor'>): Sql => sql`select cast(notifications.id as bigint) as id,
    cast(notifications.name as text) as name, cast(notifications.message as text) as message,
    cast(notifications.message_action as text) as message_action, cast(notifications.url as text) as url,
    cast(notices.created_at as text) as created_at, cast(notices.read_at as text) as read_at, 'notification' as kind,
    cast(null as bigint) as subject_id,
    cast(case when notifications.updated_at > coalesce(notices.read_at, notices.created_at) then notifications.updated_at
      else coalesce(notices.read_at, notices.created_at) end as text) as changed_at
  from notifications join notices on notices.notification_id = notifications.id
  where notices.user_id = ${actor.id} and notifications.deleted_at is null`

/** The lines of the caller's inbox: all, or those of these ids. */
export function inboxLines(ctx: Pick<Ctx, 'actor'>, ids?: readonly number[]): RawBuilder<unknown> {
  const lines = sql`${announcements(ctx)} union all ${newsLines(ctx)}`
  return ids ? sql`select * from (${lines}) listed where id in (${sql.join(ids.length ? ids : [0])})` : lines
}

/** SQL for the news about the records of these ids of the inbox; announcements have none. */
function isAbout(ids: readonly number[]): Sql {
  const records = ids.flatMap((id) => readNewsId(id) ?? [])
  const of = (subject: NewsSubject) => {
    const some = records.flatMap((record) => (record.subject === subject ? record.id : []))
    return sql`(news.subject = ${subject} and news.subject_id in (${sql.join(some.length ? some : [0])}))`
  }
  return sql`(${of('project')} or ${of('job')})`
}

/** The newest pieces of news behind some lines of the inbox, by line. */
export async function newsBehind(ctx: Pick<Ctx, 'actor' | 'db'>, ids: readonly number[]): Promise<Map<number, Notice['news']>> {
  const found = new Map<number, Notice['news']>()
  if (!ids.some((id) => readNewsId(id))) return found
  const { rows } = await sql<{
    subject: 'project' | 'job'
    subject_id: number
    kind: NewsKindId
    by_name: string
    created_at: string
    read_at: string | null
  }>`select * from (select news.subject, news.subject_id, news.kind, news.by_name, news.created_at, news.read_at, news.id,
      row_number() over (partition by news.subject, news.subject_id order by news.id desc) as place
    from news where ${readable(ctx)} and ${isAbout(ids)}) ranked where place <= ${sql.lit(MOST)} order by id desc`.execute(ctx.db)
  for (const { subject, subject_id, kind, by_name, created_at, read_at } of rows) {
    const id = newsIdOf(subject, Number(subject_id))
    const line = { kind, line: NEWS[kind].line, author: by_name, at: created_at, unread: read_at === null }
    found.set(id, [...(found.get(id) ?? []), line])
  }
  return found
}

/** How many lines of the caller's inbox are unread. */
export async function unreadLines(ctx: Pick<Ctx, 'actor' | 'db'>): Promise<number> {
  const { rows } = await sql<{
    unread: number
  }>`select count(*) as unread from (${inboxLines(ctx)}) inbox where read_at is null`.execute(ctx.db)
  return Number(rows[0]?.unread ?? 0)
}

/** News of these ids that the caller may read now, oldest first, with the names of its records. */
export async function readableNews(ctx: Pick<Ctx, 'actor' | 'db'>, ids: readonly number[]) {
  const { rows } = await sql<{
    subject: NewsSubject
    subject_id: number
    /** The noun of the record. */
    noun: 'project' | 'campaign' | 'job'
    name: string
    kind: NewsKindId
    by_name: string
    created_at: string
    read_at: string | null
  }>`select news.subject, news.subject_id, coalesce(about.generation, 'job') as noun, coalesce(about.name, done.title, '') as name,
      news.kind, news.by_name, news.created_at, news.read_at
    from news left join projects about on news.subject = 'project' and about.id = news.subject_id
    left join jobs done on news.subject = 'job' and done.id = news.subject_id
    where ${readable(ctx)} and news.id in (${sql.join(ids.length ? ids : [0])}) order by news.id`.execute(ctx.db)
  return rows
}

/**
 * Marks the news about these records, or all of it, as read, or its newest piece as unread.
 * Returns how many lines changed.
 */
export async function markNews(ctx: Ctx, ids: readonly number[] | null, read: boolean): Promise<number> {
  const changes = sql<SqlBool>`${readable(ctx)} and ${ids ? isAbout(ids) : sql`1 = 1`}
    and news.read_at is ${read ? sql`null` : sql`not null`}`
  const lines = await ctx.tx
    .selectFrom('news')
    .select((eb) => eb.fn.max('id').as('newest'))
    .where(changes)
    .groupBy(['subject', 'subject_id'])
    .execute()
  if (!lines.length) return 0
  const newest = lines.map((line) => Number(line.newest))
  let query = ctx.tx.updateTable('news').set({ read_at: read ? ctx.now : null })
  query = read ? query.where(changes) : query.where('id', 'in', newest)
  await query.execute()
  return lines.length
}
