import type { fileCalls } from '../../contract/file.ts'
import { change } from '../core/change.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { linkTo } from '../core/signedLink.ts'
import { attachFile, removeFile } from './file/attach.ts'
import { oneFile, onWire } from './file/fileRecord.ts'
import { filePage, mediaOf } from './file/list.ts'
import { sendLinked } from './file/sendFile.ts'
import { upload } from './file/upload.ts'

/** Uploads and files of projects; participants' files are listed here too, and reviewed in content.ts. */
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
    const files = await filePage(ctx, ['asset'])
    const { survey_url } = await ctx.db
      .selectFrom('projects')
      .select('survey_url')
      .where('id', '=', ctx.input.id)
      .executeTakeFirstOrThrow()
    return { ...files, survey_url }
  },
  'file.documents': (ctx) => filePage(ctx, ctx.input.kind === 'all' ? ['document', 'docsign', 'location'] : [ctx.input.kind]),
  'file.media': mediaOf,
  'file.get': async (ctx) => ({ data: onWire(ctx, await oneFile(ctx, ctx.input.id)) }),
  'file.edit': async (ctx) => {
    const { id, rotation, description, lock_version } = ctx.input
    const { project_id, mime } = await oneFile(ctx, id)
    if (rotation !== undefined && !mime.startsWith('image/')) throw invalid('rotation', 'rotation: only pictures can be rotated')
    await change(ctx, 'files', {
      subject: 'file',
      id,
      patch: { ...(rotation === undefined ? {} : { rotation }), ...(description === undefined ? {} : { description }) },
      lock: lock_version,
      line: { project_id },
      change: { noun: 'file', project_id },
    })
    return { data: onWire(ctx, await oneFile(ctx, id)), message: describeEffect(ctx, 'file.edit', { noun: 'file' }) }
  },
  'file.link': async (ctx) => ({ data: linkTo(ctx, await oneFile(ctx, ctx.input.id)) }),
  'file.download': sendLinked,
}
