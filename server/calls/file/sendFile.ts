import type { Selectable } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { hashToken } from '../../core/secrets.ts'
import { readLink } from '../../core/signedLink.ts'
import type { FileTable } from '../../db/schema.ts'
import { nameFor } from '../../domain/content/list.ts'
import { contentToSend, readContent, type SentContent } from '../../files/contentToSend.ts'
import { sendStream } from '../../files/sendStream.ts'
import { partAsked } from '../../files/uploadPart.ts'
import { exportsSeen } from '../../jobs/exportAccess.ts'
import { fileScope, type Row } from './fileRecord.ts'

/** Whether a user may still open a file: access can end before a link's fifteen minutes do. */
async function stillTheirs({ db }: Pick<Ctx, 'db'>, file: Pick<Row, 'id' | 'kind' | 'holds'>, user_id: number): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) return false
  const theirs = { db, actor: { ...user, admin_id: null } }
  if (!seesAll(user) && file.kind === 'export') return (await exportsSeen(theirs, [file]))(file)
  const found = await db.selectFrom('files').select('id').where('id', '=', file.id).where(fileScope(theirs)).executeTakeFirst()
  return found !== undefined
}

/** A file as somebody gets it: participants' rotated, and for client users without metadata and original name. */
async function presented(ctx: Pick<Ctx, 'db' | 'services'>, file: Selectable<FileTable>, user_id: number) {
  if (file.kind !== 'media')
    return { name: file.original_name, content: await contentToSend(ctx.services, { ...file, rotation: 0 }, false) }
  const user = await ctx.db.selectFrom('users').select('role').where('id', '=', user_id).executeTakeFirst()
  const all = user !== undefined && seesAll(user)
  const item = await ctx.db.selectFrom('user_activities').select('id').where('file_id', '=', file.id).executeTakeFirst()
  const name = item ? nameFor(all, { id: item.id, original_name: file.original_name }) : file.original_name
  return { name, content: await contentToSend(ctx.services, file, !all) }
}

/** Sends a stored content, or the requested range of it; throws 404 without one. */
async function sendContent(
  ctx: Ctx<unknown>,
  { name, mime, rotation, inline }: { name: string; mime: string; rotation: number; inline: boolean },
  content: SentContent | null,
): Promise<void> {
  if (!content) throw notFound('The content of this file')
  const { key, size, splice } = content
  // A key is never written twice, so with the rotation it identifies the content.
  const etag = `"${hashToken(splice ? `${key} ${rotation}` : key).slice(0, 24)}"`
  const part = partAsked(ctx.request.headers, size, etag)
  if (part === 'none') {
    ctx.reply.header('content-range', `bytes */${size}`)
    throw new HttpError(416, 'no_such_part', 'The requested range is outside the file.')
  }
  await sendStream(ctx, { name, mime, size, inline, part, etag }, await readContent(ctx.services.files, content, part))
}

/** Sends a file as it is stored. */
export async function sendFile(ctx: Ctx<unknown>, file: Pick<Row, 'original_name' | 'storage_key' | 'mime'>): Promise<void> {
  const stored = { ...file, rotation: 0 }
  await sendContent(ctx, { ...stored, name: file.original_name, inline: false }, await contentToSend(ctx.services, stored, false))
}

/** Sends a file's thumbnail; browsers keep it as long as its link stays the same. */
async function sendThumbnail(ctx: Ctx<unknown>, { thumb_key, original_name }: Pick<Row, 'thumb_key' | 'original_name'>) {
  const { files } = ctx.services
  const size = thumb_key ? await files.size(thumb_key) : null
  if (size === null) throw notFound('The thumbnail of this file')
  ctx.reply.header('cache-control', 'private, max-age=600, immutable')
  await sendStream(ctx, { name: original_name, mime: 'image/jpeg', size, inline: true }, await files.read(thumb_key))
}

/** Sends what a signed link opens: the file, a part of it, or its thumbnail; throws 404 once the link has expired. */
export async function sendLinked(ctx: Ctx<{ signed: string }>): Promise<void> {
  const link = readLink(ctx, ctx.input.signed)
  const file = link ? await ctx.db.selectFrom('files').selectAll().where('id', '=', link.id).executeTakeFirst() : undefined
  if (!link || !file || !(await stillTheirs(ctx, file, link.user_id)))
    throw new HttpError(404, 'not_found', 'This link has expired. Please ask for the file again.')
  if (link.opens === 'thumb') return sendThumbnail(ctx, file)
  const inline = link.opens === 'show'
  const { name, content } = await presented(ctx, file, link.user_id)
  await sendContent(ctx, { name, mime: file.mime, rotation: file.rotation, inline }, content)
}
