import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { fileCalls } from '../../../contract/file.ts'
import type { Ctx } from '../../core/context.ts'
import { type Paged, pageOf } from '../../core/keyset.ts'
import { changedRecords, matches } from '../../core/listSearch.ts'
import { byText } from '../../db/foldedText.ts'
import { contentList, inDays } from '../../domain/content/list.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { partIds } from '../../domain/project/family.ts'
import { fileScope, filesOf, type Kind, onWire } from './fileRecord.ts'

/** A page of a project's files of some kinds, newest first. */
export async function filePage(
  ctx: Ctx<Paged & { id: number; search: string; updated_since?: string | undefined }>,
  kinds: readonly Kind[],
  mime = '',
) {
  const { id, page, per_page, search, updated_since } = ctx.input
  await seenProject(ctx, id)
  let files = filesOf(ctx).where('files.project_id', '=', id).where('files.kind', 'in', kinds)
  if (mime) files = files.where('files.mime', 'like', `${mime}/%`)
  if (search) files = files.where(matches(ctx.services.database, ['files.original_name', 'files.description'], search))
  if (updated_since) files = files.where((await changedRecords(ctx, updated_since, 'files')).is)
  const { count } = await files
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await pageOf(ctx, files, [{ by: sql.ref('files.id'), way: 'desc', full: true }], ctx.input)
  return { data: rows.map((row) => onWire(ctx, row)), count: Number(count), page, page_size: per_page }
}

/** What changes a photo or video: its file or its item. */
const MEDIA = [{ table: 'files' }, { table: 'user_activities', id: 'file_id', where: sql<SqlBool>`changed.file_id is not null` }]

/** A page of a project's and its children's photos or videos, newest first, with their senders and reviews. */
export async function mediaOf(ctx: Ctx<z.output<(typeof fileCalls)['file.media']['input']>>) {
  const { id, file_type, page, per_page, search, review, activity_id, from, to, column, order, updated_since } = ctx.input
  await seenProject(ctx as Ctx, id)
  const { database, settings } = ctx.services
  const at = sql<string>`coalesce(user_activities.at, files.created_at)`
  let found = ctx.db
    .selectFrom('files')
    .leftJoin('user_activities', 'user_activities.file_id', 'files.id')
    .leftJoin('activities', 'activities.id', 'user_activities.activity_id')
    .where('files.project_id', 'in', await partIds(ctx as Ctx, id))
    .where('files.kind', 'in', ['media', 'asset'])
    .where('files.mime', 'like', file_type === 'photos' ? 'image/%' : file_type === 'videos' ? 'video/%' : '%')
    .where('activities.deleted_at', 'is', null)
    .where(fileScope(ctx as Ctx))
    .where(matches(database, ['files.original_name', 'files.description'], search))
  if (review !== 'all') found = found.where('user_activities.review', '=', review)
  if (activity_id !== undefined) found = found.where('files.activity_id', '=', activity_id)
  for (const one of inDays(at, { from, to }, settings.timeZone)) if (one) found = found.where(one)
  if (updated_since) found = found.where((await changedRecords(ctx, updated_since, 'files', MEDIA)).is)
  const by = {
    '': at,
    at,
    id: sql`files.id`,
    person: sql`user_activities.person`,
    activity: byText(ctx.db, 'activities.name'),
    review: sql`user_activities.review`,
  }
  const way = column ? order : 'desc'
  const keys = [
    { by: by[column], way },
    { by: sql.ref('files.id'), way, full: true },
  ] as const
  const [{ count }, named] = await Promise.all([
    found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    pageOf(ctx, found.select(['files.id', 'user_activities.id as content_id']), keys, ctx.input),
  ])
  const ids = named.map((row) => row.id)
  const files = ids.length
    ? await filesOf(ctx as Ctx)
        .where('files.id', 'in', ids)
        .execute()
    : []
  const fileOf = new Map(files.map((row) => [row.id, row]))
  const contents = named.flatMap((row) => row.content_id ?? [])
  const items = await contentList.shown(ctx as Ctx, await contentList.rows(ctx as Ctx, contents))
  const itemOf = new Map(items.map((item) => [item.id, item]))
  const data = named.flatMap((row) => {
    const shown = fileOf.get(row.id)
    if (!shown) return []
    const item = itemOf.get(row.content_id ?? 0)
    const name = item?.file?.original_name ?? shown.original_name
    const { file: _, ...content } = item ?? {}
    return {
      ...onWire(ctx as Ctx, shown),
      name,
      original_name: name,
      original_file: name,
      content: item ? (content as Omit<typeof item, 'file'>) : null,
    }
  })
  return { data, count: Number(count), page, page_size: per_page }
}
