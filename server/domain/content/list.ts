import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Content, ContentFile, contentCalls } from '../../../contract/content.ts'
import { participant } from '../../../contract/contentWords.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'
import { linkTo } from '../../core/signedLink.ts'
import { inTurns } from '../../core/yieldTurn.ts'
import { actsSeen } from './counts.ts'
import { dayAfter, dayStart } from './days.ts'
import { masked } from './mask.ts'

type ContentRecord = z.input<typeof Content>
type Listed = z.output<(typeof contentCalls)['content.list']['input']>
/** The filter of every read of content. */
export type ContentFilter = Omit<Listed, Paging>
/** An item as stored. */
export interface ContentRow
  extends Omit<ContentRecord, 'file' | 'name' | 'repeats' | 'allowed_actions' | 'refused_actions' | 'rotation' | 'size'> {
  what: string
  repeats: number
  original_name: string | null
  mime: string | null
  size: number | null
  width: number | null
  height: number | null
  seconds: number | null
  rotation: number | null
  description: string | null
  thumb_state: string | null
  thumb_fault: string | null
  file_lock: number | null
}

/** A family's items, with their activities, projects and files. */
const JOIN = `join activities on activities.id = user_activities.activity_id
  join projects on projects.id = user_activities.project_id
  left join files on files.id = user_activities.file_id
  left join dmas on dmas.code = user_activities.dma
  left join users reviewers on reviewers.id = user_activities.reviewed_by`

const extension = (name: string) => /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The items a caller can see; rejected ones are hidden from client users. */
const scope = (ctx: Pick<Ctx, 'actor'>) =>
  sql<SqlBool>`(activities.deleted_at is null and ${projectScope(ctx.actor)} and ${actsSeen(ctx)})`

const when = (column: RawBuilder<unknown>, { from, to }: Pick<ContentFilter, 'from' | 'to'>, timeZone: string) => [
  from && sql<SqlBool>`${column} >= ${dayStart(from, timeZone)}`,
  to && sql<SqlBool>`${column} < ${dayStart(dayAfter(to), timeZone)}`,
]

export { when as inDays }

/** Participants' content and acts (screens-projects.md, User Content and Who acted). */
export const contentList = listOf<'content', ContentFilter, ContentRow, ContentRecord>('content', {
  table: 'user_activities',
  join: JOIN,
  scope,
  where: ({ project_id, activity_id, section, action, review, repeats, filed, from, to, upto, after }, ctx) => [
    project_id !== undefined && sql<SqlBool>`(projects.id = ${project_id} or projects.parent_id = ${project_id})`,
    activity_id !== undefined && sql<SqlBool>`user_activities.activity_id = ${activity_id}`,
    section !== undefined && section !== 'all' && sql<SqlBool>`user_activities.action = ${section.slice(0, -1)}`,
    action !== undefined && action !== 'all' && sql<SqlBool>`user_activities.action = ${action}`,
    review !== undefined && review !== 'all' && sql<SqlBool>`user_activities.review = ${review}`,
    filed && sql<SqlBool>`user_activities.file_id is not null`,
    repeats && sql<SqlBool>`${REPEATS} > 1`,
    ...when(sql`user_activities.at`, { from, to }, ctx.services.settings.timeZone).map((one) => one || false),
    upto !== undefined && sql<SqlBool>`user_activities.id <= ${upto}`,
    after !== undefined && sql<SqlBool>`user_activities.id > ${after}`,
  ],
  finds(ctx, word) {
    const { database } = ctx.services
    const code = /^u-(\d{1,9})$/i.exec(word)
    const anywhere = ['user_activities.person', 'user_activities.comment', 'activities.name', 'files.original_name']
    // Client users can't search addresses, as a search would reveal what is hidden from them.
    const columns = seesAll(ctx.actor) ? [...anywhere, 'user_activities.email'] : anywhere
    const found = columns.map((column) => holds(database, column, word))
    return sql<SqlBool>`(${sql.join(code ? [...found, sql`user_activities.id = ${Number(code[1])}`] : found, sql` or `)})`
  },
  columns: ({ actor }) => ({
    email: seesAll(actor) ? sql`user_activities.email` : sql`''`,
    what: sql`coalesce(nullif(user_activities.comment, ''), files.original_name, user_activities.url)`,
    activity: sql`activities.name`,
    market: sql`coalesce(dmas.name, '')`,
    repeats: REPEATS,
  }),
  also: () => [
    sql`user_activities.activity_id, user_activities.project_id, user_activities.comment, user_activities.dma,
      user_activities.file_id, user_activities.reviewed_at, coalesce(user_activities.external_id, '') as external_id,
      user_activities.lock_version, coalesce(reviewers.first_name || ' ' || reviewers.last_name, '') as reviewed_by_name,
      files.original_name, files.mime, files.size, files.width, files.height, files.seconds, files.rotation, files.description,
      files.thumb_state, files.thumb_fault, files.lock_version as file_lock`,
  ],
  async shown(ctx, rows) {
    const shown: ContentRecord[] = []
    await inTurns(
      rows,
      ({ comment, url }) => comment.length + url.length,
      (row) => shown.push(onWire(ctx, row)),
    )
    return shown
  },
  file: {
    title: () => 'Content',
    more: async ({ actor }, rows) =>
      rows.map((row) => ({
        ...row,
        person: participant(row.person),
        what: seesAll(actor) ? row.what : masked(row.what),
      })),
    holds: (row) => row.project_id,
  },
})
const REPEATS = sql`(select count(*) from user_activities same where same.activity_id = user_activities.activity_id and same.person = user_activities.person)`

/** An item as the API returns it; for client users, its text contains no addresses. */
function onWire(ctx: Pick<Ctx, 'services' | 'actor'>, row: ContentRow): ContentRecord {
  const { actor } = ctx
  const all = seesAll(actor)
  const file = fileOf(ctx, row)
  return {
    id: row.id,
    name: `U-${row.id}, ${row.action} of ${participant(row.person)}`,
    activity_id: row.activity_id,
    activity: row.activity,
    project_id: row.project_id,
    person: row.person,
    email: row.email,
    action: row.action,
    comment: all ? row.comment : masked(row.comment),
    url: all ? row.url : masked(row.url),
    dma: row.dma,
    market: row.market,
    at: row.at,
    review: row.review,
    review_reason: row.review_reason,
    reviewed_by_name: all ? row.reviewed_by_name : '',
    reviewed_at: row.reviewed_at,
    repeats: row.repeats,
    external_id: all ? row.external_id : '',
    file,
    file_id: row.file_id,
    rotation: file?.rotation ?? 0,
    size: file?.size ?? 0,
    lock_version: row.lock_version,
    ...(allowedActions('content', actor, {
      action: row.action,
      review: row.review,
      filed: file !== null,
      picture: file?.mime.startsWith('image/') === true,
    }) as Pick<ContentRecord, 'allowed_actions' | 'refused_actions'>),
  }
}

/** A file's original name may reveal its sender, so client users get one built from the item's id. */
export const nameFor = (all: boolean, row: Pick<ContentRow, 'id' | 'original_name'>): string =>
  all ? row.original_name! : `U-${row.id}.${extension(row.original_name!)}`

function fileOf(ctx: Pick<Ctx, 'services' | 'actor'>, row: ContentRow): ContentFile | null {
  if (row.file_id === null || row.original_name === null || row.mime === null) return null
  const original_name = nameFor(seesAll(ctx.actor), row)
  const file = { id: row.file_id, original_name }
  return {
    ...file,
    file_type: extension(original_name),
    mime: row.mime,
    size: Number(row.size),
    width: row.width,
    height: row.height,
    seconds: row.seconds,
    rotation: row.rotation ?? 0,
    description: row.description ?? '',
    thumb_state: row.thumb_state ?? 'none',
    thumb_fault: row.thumb_fault ?? '',
    thumbnail: row.thumb_state === 'done' ? linkTo(ctx, file, 'thumb').url : '',
    url: linkTo(ctx, file).url,
    preview: linkTo(ctx, file, true).url,
    lock_version: row.file_lock ?? 1,
  }
}
