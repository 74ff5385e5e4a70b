import { Readable } from 'node:stream'
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, refusedTo } from '../../contract/access.ts'
import { type File, fileCalls, type UploadFields } from '../../contract/file.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { PAGE } from '../../contract/pages.ts'
import { seesAll } from '../../contract/who.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { linkTo, readLink } from '../core/link.ts'
import { matches } from '../core/listSearch.ts'
import { projectScope } from '../core/scope.ts'
import { hashToken } from '../core/secrets.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { locked } from '../db/locked.ts'
import type { FileTable } from '../db/schema.ts'
import { contentList, inDays, nameFor } from '../domain/content/list.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import type { ProjectRecord } from '../domain/project/record.ts'
import { notNow } from '../domain/project/status.ts'
import { isApproved } from '../domain/quote/decisions.ts'
import { extensionOf } from '../files/content.ts'
import { asSent } from '../files/metadata.ts'
import { bytesOf } from '../files/picture.ts'
import { sendStream } from '../files/send.ts'
import { isLookedAt, wantThumbnails } from '../files/thumbnails.ts'
import { discard, receive, type Stored } from '../files/upload.ts'
import { partAsked } from '../files/uploadPart.ts'
import { exportsSeen } from '../jobs/exportAccess.ts'

type Kind = FileTable['kind']

/** The files a caller sees: their own uploads, and those of projects they see. */
function fileScope(ctx: Pick<Ctx, 'actor' | 'db'>): Expression<SqlBool> {
  if (seesAll(ctx.actor))
    return sql<SqlBool>`(files.project_id is null or exists (select 1 from projects where projects.id = files.project_id and projects.deleted_at is null))`
  const seen = ctx.db.selectFrom('projects').select('projects.id').where(projectScope(ctx.actor))
  // Exports are opened through their job, which checks access (server/jobs/exportAccess.ts).
  // What an administrator rejected is gone for client users, link and thumbnail included.
  return sql<SqlBool>`(files.kind <> 'export'
    and not exists (select 1 from user_activities where user_activities.file_id = files.id and user_activities.review = 'rejected')
    and (files.uploaded_by = ${ctx.actor.id} or files.project_id in ${seen}))`
}

const filesOf = (ctx: Ctx) =>
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
type Row = Awaited<ReturnType<ReturnType<typeof filesOf>['execute']>>[number]

function onWire(ctx: Pick<Ctx, 'services' | 'actor'>, row: Row): File {
  const {
    id,
    project_id,
    activity_id,
    kind,
    asset_type,
    original_name,
    mime,
    size,
    description,
    uploaded_by,
    created_at,
    lock_version,
    width,
    height,
    seconds,
    rotation,
    thumb_state,
  } = row
  return {
    id,
    project_id,
    activity_id,
    kind,
    asset_type,
    original_name,
    mime,
    size,
    description,
    uploaded_by,
    created_at,
    lock_version,
    width,
    height,
    seconds,
    rotation,
    thumb_state,
    name: original_name,
    original_file: original_name,
    file_type: extensionOf(original_name),
    ...linksOf(ctx, row),
    uploaded_by_name: `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim(),
    ...(allowedActions('file', ctx.actor, { kind, signed: Number(row.signed) }) as Pick<
      File,
      'allowed_actions' | 'refused_actions'
    >),
  }
}

const linksOf = (
  ctx: Pick<Ctx, 'services' | 'actor'>,
  file: { id: number; original_name: string; mime: string; thumb_state?: string },
) => ({
  url: linkTo(ctx, file).url,
  // Until its thumbnail is made, a picture is shown as a whole.
  thumbnail: file.mime.startsWith('image/') ? linkTo(ctx, file, file.thumb_state === 'done' ? 'thumb' : 'show').url : '',
})

/** A page of a project's files of some kinds, newest first. */
async function list(ctx: Ctx<{ id: number; page: number; search: string }>, kinds: readonly Kind[], pageSize: number, mime = '') {
  const { id, page, search } = ctx.input
  await seenProject(ctx, id)
  let files = filesOf(ctx).where('files.project_id', '=', id).where('files.kind', 'in', kinds)
  if (mime) files = files.where('files.mime', 'like', `${mime}/%`)
  if (search) files = files.where(matches(ctx.services.database, ['files.original_name', 'files.description'], search))
  const { count } = await files
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await files
    .orderBy('files.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { data: rows.map((row) => onWire(ctx, row)), count: Number(count), page, page_size: pageSize }
}

/** A page of a project's and its children's photos or videos, newest first, with whose they are and their review. */
async function mediaOf(ctx: Ctx<z.output<(typeof fileCalls)['file.media']['input']>>) {
  const { id, file_type, page, per_page, search, review, activity_id, from, to, column, order } = ctx.input
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
  const by = {
    '': at,
    at,
    id: sql`files.id`,
    person: sql`user_activities.person`,
    activity: sql`lower(activities.name)`,
    review: sql`user_activities.review`,
  }
  const way = column ? order : 'desc'
  const [{ count }, named] = await Promise.all([
    found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    found
      .select(['files.id', 'user_activities.id as content_id'])
      .orderBy(by[column], way)
      .orderBy('files.id', way)
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
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

/** Throws 409 unless the project's quote is approved: before, there is nothing to sign. */
export async function mustBeApproved(ctx: Ctx, project: ProjectRecord): Promise<void> {
  if (!isApproved(project)) throw await notNow(ctx, project, 'Signed documents are added once the quote is approved.')
}

/** Checks the target of an upload before it starts; one out of scope is a 404. */
async function checkPlace(ctx: Ctx<UploadFields>, { project_id, activity_id, kind }: UploadFields): Promise<void> {
  const project = project_id ? await seenProject(ctx, project_id) : null
  // A client user adds signed documents to an approved project; administrators may also attach one later.
  if (kind === 'docsign' && project) await mustBeApproved(ctx, project)
  else if (kind === 'docsign') assertAllowed(refusedTo('file.addSigned', ctx.actor))
  if (!activity_id) return
  const activity = await ctx.db
    .selectFrom('activities')
    .select('project_id')
    .where('id', '=', activity_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!activity) throw notFound('This activity')
  if (project_id && activity.project_id !== project_id)
    throw invalid('activity_id', 'activity_id is not an activity of this project')
  await seenProject(ctx, activity.project_id)
}

type NewFile = Stored & Pick<Row, 'project_id' | 'activity_id' | 'kind' | 'asset_type' | 'description'>

/** Writes rows for stored contents, with history and live events; returns their ids. */
export async function addFiles(ctx: Ctx, files: readonly NewFile[]): Promise<number[]> {
  if (!files.length) return []
  const kept = { uploaded_by: ctx.actor.id, created_at: ctx.now, updated_at: ctx.now }
  const rows = files.map((file) => ({
    ...file,
    ...kept,
    thumb_state: isLookedAt(file.mime) ? ('queued' as const) : ('none' as const),
  }))
  if (rows.some(({ thumb_state }) => thumb_state === 'queued')) ctx.after(() => wantThumbnails(ctx.services))
  const ids = await ctx.tx.insertInto('files').values(rows).returning('id').execute()
  for (const [at, { id }] of ids.entries()) {
    const { original_name, size, kind, project_id } = files[at]!
    await ctx.record({ subject: 'file', subject_id: id, project_id, after: { original_name, size, kind } })
    ctx.emit({ noun: 'file', id, project_id, ...(project_id ? {} : { audience: 'user', user_id: ctx.actor.id }) })
  }
  return ids.map(({ id }) => id)
}

const upload = (otherwise: Kind) =>
  ownTransaction('writeIdempotent', async (ctx: Ctx<UploadFields>) => {
    const { fields, stored, sums, ignored, allowance } = await receive(ctx, {
      schema: () => fileCalls['file.upload'].input,
      file: 'file',
      async ready(given) {
        await checkPlace(ctx, given)
        // A project's asset needs a type (projects-area 5); an upload for a request gets it with the request.
        if (otherwise === 'asset' && !given.kind && !given.asset_type && (given.project_id || given.activity_id))
          throw invalid('asset_type', MESSAGES.assetType)
      },
    })
    const said = [fields, stored.map((file, at) => [file.original_name, sums[at]])]
    try {
      const { answer, replayed } = await ctx.writeIdempotent(said, async (writing) => {
        const { tx } = writing
        await allowance.settle(writing as Ctx, stored)
        const { activity_id = null, asset_type, description } = fields
        const project_id =
          fields.project_id ??
          (activity_id
            ? (await tx.selectFrom('activities').select('project_id').where('id', '=', activity_id).executeTakeFirstOrThrow())
                .project_id
            : null)
        const kind = fields.kind ?? (asset_type === 'Location List' ? 'location' : otherwise)
        const rows = stored.map((file) => ({
          ...file,
          project_id,
          activity_id,
          kind,
          asset_type,
          description,
        }))
        const ids = await addFiles(writing as Ctx, rows)
        const added = await filesOf(writing).where('files.id', 'in', ids).orderBy('files.id').execute()
        return added.map((row) => onWire(ctx, row))
      })
      // The first attempt stored these already, but its links may have expired.
      if (replayed) await discard(ctx, stored)
      const data = replayed ? answer.map((file) => ({ ...file, ...linksOf(ctx, file) })) : answer
      const message = data.length === 1 ? 'The file was added.' : `${data.length} files were added.`
      return { data, message, ...(ignored.length ? { ignored } : {}) }
    } catch (error) {
      // If the commit is in doubt, contents without rows do less harm than rows without contents.
      if (!(error instanceof CommitUnknown)) await discard(ctx, stored)
      throw error
    } finally {
      allowance.end()
    }
  })

/** Deletes a file's row; its content stays while the undo (undo/keep.ts) or a clone needs it. */
export async function removeFile(ctx: Ctx, id: number, projectId?: number): Promise<{ message: string }> {
  let query = ctx.tx.selectFrom('files').selectAll().where('id', '=', id)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  const file = await locked(ctx.services.database, query).executeTakeFirst()
  if (!file) throw notFound('This file')
  if (file.kind === 'docsign') {
    // Locks all of them, so that two concurrent deletions can't remove both last documents.
    const signed = ctx.tx.selectFrom('files').select('id').where('project_id', '=', file.project_id).where('kind', '=', 'docsign')
    const left = await locked(ctx.services.database, signed.orderBy('id')).execute()
    if (left.length <= 1) throw new HttpError(409, 'not_now', 'The last signed document cannot be removed.')
  }
  await ctx.tx.deleteFrom('user_activities').where('file_id', '=', id).execute()
  await ctx.tx.deleteFrom('files').where('id', '=', id).execute()
  const { original_name, kind, size, project_id } = file
  await ctx.record({ subject: 'file', subject_id: id, project_id, before: { original_name, kind, size } })
  ctx.emit({ noun: 'file', id, project_id, kind: 'drop' })
  return { message: 'The file was deleted.' }
}

async function oneFile(ctx: Ctx, id: number): Promise<Row> {
  const row = await filesOf(ctx).where('files.id', '=', id).where(fileScope(ctx)).executeTakeFirst()
  if (!row) throw notFound('This file')
  return row
}

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

/**
 * What a participant sent, as a reader gets it: turned, and for client users without metadata and its own name.
 * Null for any other file, which is sent as it is.
 */
async function presented(ctx: Pick<Ctx, 'db' | 'services'>, file: Selectable<FileTable>, user_id: number) {
  if (file.kind !== 'media') return null
  const user = await ctx.db.selectFrom('users').select('role').where('id', '=', user_id).executeTakeFirst()
  const all = user !== undefined && seesAll(user)
  if (all && !file.rotation) return null
  const item = await ctx.db.selectFrom('user_activities').select('id').where('file_id', '=', file.id).executeTakeFirst()
  const bytes = await bytesOf(await ctx.services.files.read(file.storage_key))
  const name = item ? nameFor(all, { id: item.id, original_name: file.original_name }) : file.original_name
  return { name, bytes: asSent(bytes, { ...file, plain: !all }) }
}

/** Links a file to a project, with an optional kind and activity; a file of another project is refused. */
export async function attachFile(ctx: Ctx, id: number, project_id: number, activity_id: number | null, kind?: Kind) {
  await seenProject(ctx, project_id)
  const file = await oneFile(ctx, id)
  if (file.kind === 'export' || (file.project_id !== null && file.project_id !== project_id))
    throw new HttpError(409, 'not_now', 'This file belongs to something else.')
  const patch = { project_id, ...(activity_id === null ? {} : { activity_id }), ...(kind ? { kind } : {}) }
  await ctx.tx
    .updateTable('files')
    .set((eb) => ({ ...patch, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await ctx.record({
    subject: 'file',
    subject_id: id,
    project_id,
    before: { project_id: file.project_id, activity_id: file.activity_id, ...(kind ? { kind: file.kind } : {}) },
    after: { ...patch, original_name: file.original_name },
  })
  ctx.emit({ noun: 'file', id, project_id })
  return { data: onWire(ctx, await oneFile(ctx, id)), message: 'The file was added.' }
}

/** Sends a file's content, or the part of it that was asked for. */
export async function sendFile(
  ctx: Ctx<unknown>,
  file: Pick<Row, 'original_name' | 'storage_key' | 'mime'>,
  inline = false,
): Promise<void> {
  const size = await ctx.services.files.size(file.storage_key)
  if (size === null) throw notFound('The content of this file')
  // A key is never written twice, so it identifies the content.
  const etag = `"${hashToken(file.storage_key).slice(0, 24)}"`
  const part = partAsked(ctx.request.headers, size, etag)
  if (part === 'none') {
    ctx.reply.header('content-range', `bytes */${size}`)
    throw new HttpError(416, 'no_such_part', 'The file has no such part.')
  }
  await sendStream(
    ctx,
    { name: file.original_name, mime: file.mime, size, inline, part, etag },
    await ctx.services.files.read(file.storage_key, part ?? undefined),
  )
}

/** Sends a file's thumbnail; browsers keep it as long as its link stays the same. */
async function sendThumbnail(ctx: Ctx<unknown>, { thumb_key, original_name }: Pick<Row, 'thumb_key' | 'original_name'>) {
  const { files } = ctx.services
  const size = thumb_key ? await files.size(thumb_key) : null
  if (size === null) throw notFound('The thumbnail of this file')
  ctx.reply.header('cache-control', 'private, max-age=600, immutable')
  await sendStream(ctx, { name: original_name, mime: 'image/jpeg', size, inline: true }, await files.read(thumb_key))
}

export const fileHandlers: HandlersOf<typeof fileCalls> = {
  'file.upload': upload('asset'),
  'file.uploadDocument': upload('document'),
  'file.remove': (ctx) => removeFile(ctx, ctx.input.id),
  'file.attach': (ctx) => attachFile(ctx, ctx.input.file_id, ctx.input.project_id, null),
  'file.attachToActivity': async (ctx) => {
    const { activity_id, file_id } = ctx.input
    const activity = await ctx.db
      .selectFrom('activities')
      .select('project_id')
      .where('id', '=', activity_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!activity) throw notFound('This activity')
    return attachFile(ctx, file_id, activity.project_id, activity_id)
  },
  'file.detach': (ctx) => removeFile(ctx, ctx.input.file_id, ctx.input.project_id),
  'file.assets': async (ctx) => {
    const files = await list(ctx, ['asset'], PAGE.small)
    const { survey_url } = await ctx.db
      .selectFrom('projects')
      .select('survey_url')
      .where('id', '=', ctx.input.id)
      .executeTakeFirstOrThrow()
    return { ...files, survey_url }
  },
  'file.documents': (ctx) =>
    list(ctx, ctx.input.kind === 'all' ? ['document', 'docsign', 'location'] : [ctx.input.kind], PAGE.small),
  'file.media': mediaOf,
  'file.get': async (ctx) => ({ data: onWire(ctx, await oneFile(ctx, ctx.input.id)) }),
  'file.edit': async (ctx) => {
    const { id, rotation, description, lock_version } = ctx.input
    const { project_id, mime } = await oneFile(ctx, id)
    if (rotation !== undefined && !mime.startsWith('image/')) throw invalid('rotation', 'rotation: only pictures can be turned')
    await change(ctx, 'files', {
      subject: 'file',
      id,
      patch: { ...(rotation === undefined ? {} : { rotation }), ...(description === undefined ? {} : { description }) },
      lock: lock_version,
      line: { project_id },
      change: { noun: 'file', project_id },
    })
    return { data: onWire(ctx, await oneFile(ctx, id)), message: 'File updated.' }
  },
  'file.link': async (ctx) => ({ data: linkTo(ctx, await oneFile(ctx, ctx.input.id)) }),
  'file.download': async (ctx) => {
    const link = readLink(ctx, ctx.input.signed)
    const file = link ? await ctx.db.selectFrom('files').selectAll().where('id', '=', link.id).executeTakeFirst() : undefined
    if (!link || !file || !(await stillTheirs(ctx, file, link.user_id)))
      throw new HttpError(404, 'not_found', 'This link has expired. Please ask for the file again.')
    if (link.opens === 'thumb') return sendThumbnail(ctx, file)
    const inline = link.opens === 'show'
    const shown = await presented(ctx, file, link.user_id)
    if (!shown) return sendFile(ctx, file, inline)
    const { name, bytes } = shown
    await sendStream(ctx, { name, mime: file.mime, size: bytes.length, inline }, Readable.from([bytes]))
  },
}
