import { type Expression, type SqlBool, sql } from 'kysely'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { File } from '../../../contract/file.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { projectScope } from '../../core/scope.ts'
import { linkTo } from '../../core/signedLink.ts'
import type { FileTable } from '../../db/schema.ts'
import { extensionOf } from '../../files/checkContent.ts'

export type Kind = FileTable['kind']

/** The files a caller sees: those of projects they see, and their own uploads that are in no project yet. */
export function fileScope(ctx: Pick<Ctx, 'actor' | 'db'>): Expression<SqlBool> {
  if (seesAll(ctx.actor))
    return sql<SqlBool>`(files.project_id is null or exists (select 1 from projects where projects.id = files.project_id and projects.deleted_at is null))`
  const seen = ctx.db.selectFrom('projects').select('projects.id').where(projectScope(ctx.actor))
  // Exports are opened through their job, which checks access (server/jobs/exportAccess.ts).
  // Rejected files are hidden from client users, with their links and thumbnails.
  return sql<SqlBool>`(files.kind <> 'export'
    and not exists (select 1 from user_activities where user_activities.file_id = files.id and user_activities.review = 'rejected')
    and (files.project_id in ${seen} or
      (files.project_id is null and files.uploaded_by = ${ctx.actor.id} and files.kind in ('asset', 'document', 'docsign'))))`
}

/** The columns a response may contain; the storage key never leaves the server. */
const SENT = [
  'id',
  'project_id',
  'activity_id',
  'kind',
  'asset_type',
  'original_name',
  'mime',
  'size',
  'description',
  'uploaded_by',
  'created_at',
  'lock_version',
  'width',
  'height',
  'seconds',
  'rotation',
  'thumb_state',
  'thumb_fault',
] as const

/** Files with who uploaded them, and how many signed documents their project has. */
export const filesOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('files')
    .leftJoin('users', 'users.id', 'files.uploaded_by')
    .selectAll('files')
    .select(['users.first_name', 'users.last_name'])
    // How many signed documents its project has, because the last one can't be deleted.
    .select((eb) =>
      eb
        .selectFrom('files as others')
        .select((one) => one.fn.countAll<number>().as('signed'))
        .whereRef('others.project_id', '=', 'files.project_id')
        .where('others.kind', '=', 'docsign')
        .as('signed'),
    )
export type Row = Awaited<ReturnType<ReturnType<typeof filesOf>['execute']>>[number]

/** A file as the API returns it, with its links and the caller's allowed actions. */
export function onWire(ctx: Pick<Ctx, 'services' | 'actor'>, row: Row): File {
  return {
    ...pick(row, SENT),
    name: row.original_name,
    original_file: row.original_name,
    file_type: extensionOf(row.original_name),
    ...linksOf(ctx, row),
    uploaded_by_name: `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim(),
    ...(allowedActions('file', ctx.actor, { kind: row.kind, signed: Number(row.signed) }) as Pick<
      File,
      'allowed_actions' | 'refused_actions'
    >),
  }
}

/** The links of a file, valid for at most 15 minutes; only pictures have a thumbnail. */
export const linksOf = (
  ctx: Pick<Ctx, 'services' | 'actor'>,
  file: { id: number; original_name: string; mime: string; thumb_state?: string },
) => ({
  url: linkTo(ctx, file).url,
  // Until its thumbnail is made, a picture is shown as a whole.
  thumbnail: file.mime.startsWith('image/') ? linkTo(ctx, file, file.thumb_state === 'done' ? 'thumb' : 'show').url : '',
})

/** A file that the caller sees; throws 404. */
export async function oneFile(ctx: Ctx, id: number): Promise<Row> {
  const row = await filesOf(ctx).where('files.id', '=', id).where(fileScope(ctx)).executeTakeFirst()
  if (!row) throw notFound('This file')
  return row
}
