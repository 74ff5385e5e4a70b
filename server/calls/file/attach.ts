import type { Sentence } from '../../../contract/effectText.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { locked } from '../../db/locked.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { type Kind, oneFile, onWire } from './fileRecord.ts'

/** Links a file to a project, with an optional kind and activity; a file of another project is refused. */
export async function attachFile(ctx: Ctx, id: number, project_id: number, activity_id: number | null, kind?: Kind) {
  await seenProject(ctx, project_id)
  const file = await oneFile(ctx, id)
  if (file.kind === 'export' || (file.project_id !== null && file.project_id !== project_id))
    throw new HttpError(409, 'not_now', 'This file belongs to something else.')
  const patch = { project_id, ...(activity_id === null ? {} : { activity_id }), ...(kind ? { kind } : {}) }
  await ctx.tx
    .updateTable('files')
    .set((eb) => onlyColumns('files', { ...patch, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
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
  return {
    data: onWire(ctx, await oneFile(ctx, id)),
    message: describeEffect(ctx, 'file.attach', { words: ['the file', 'files'] }),
  }
}

/** Deletes a file's row; its content stays while the undo (undo/changeSets.ts) or a clone needs it. */
export async function removeFile(ctx: Ctx, id: number, projectId?: number): Promise<{ message: Sentence }> {
  let query = ctx.tx.selectFrom('files').selectAll().where('id', '=', id)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  const file = await locked(ctx.services.database, query, 'remove').executeTakeFirst()
  if (!file) throw notFound('This file')
  if (file.kind === 'docsign') {
    // Locks all of them, so that two concurrent deletions can't remove both last documents.
    const signed = ctx.tx.selectFrom('files').select('id').where('project_id', '=', file.project_id).where('kind', '=', 'docsign')
    const left = await locked(ctx.services.database, signed.orderBy('id')).execute()
    if (left.length <= 1) throw new HttpError(409, 'not_now', 'The last signed document cannot be removed.')
  }
  const items = await ctx.tx.deleteFrom('user_activities').where('file_id', '=', id).returning('id').execute()
  await ctx.tx.deleteFrom('files').where('id', '=', id).execute()
  const { original_name, kind, size, project_id } = file
  await ctx.record({ subject: 'file', subject_id: id, project_id, before: { original_name, kind, size } })
  for (const item of items) ctx.emit({ noun: 'content', id: item.id, project_id, kind: 'drop' })
  ctx.emit({ noun: 'file', id, project_id, kind: 'drop' })
  return { message: describeEffect(ctx, 'file.remove', { noun: 'file' }) }
}
