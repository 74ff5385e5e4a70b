import { denialOf } from '../../../contract/access.ts'
import { drop } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed, HttpError, notFound } from '../../core/errors.ts'
import { locked } from '../../db/locked.ts'
import { assertWhole } from '../../domain/project/family.ts'
import { projectFacts } from '../../domain/project/projectRows.ts'
import { heldProject } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'

/** Emits a change for each of a project's surveys, which have palette entries of their own. */
async function emitParts(ctx: Ctx, project: ProjectRecord, kind: 'put' | 'drop'): Promise<void> {
  const surveys = await ctx.tx
    .selectFrom('surveys')
    .select('id')
    .where('project_id', '=', project.id)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { id } of surveys) ctx.emit({ noun: 'survey', id, project_id: project.id, kind })
  ctx.emit({ noun: 'client', id: project.client_id, client_id: project.client_id, audience: 'admin' })
}

/** Deletes a project softly (decisions.md 13, Deleting a project); throws 409 with the rule's reason. */
export async function removeProject(ctx: Ctx, seen: ProjectRecord): Promise<ProjectRecord> {
  const record = await heldProject(ctx, seen.id)
  if (record.deleted_at) throw notFound(`Project ${record.id}`)
  assertAllowed(denialOf('project.remove', ctx.actor, await projectFacts(ctx, record)))
  const { id } = record
  await drop(ctx, 'projects', { subject: 'project', id, held: record, change: { noun: 'project', project_id: id } })
  await emitParts(ctx, record, 'drop')
  return record
}

/** Restores a deleted project; throws 404 if it isn't deleted, 409 if its client or parent is, or no family fits. */
export async function restoreProject(ctx: Ctx, id: number): Promise<ProjectRecord> {
  const query = ctx.tx.selectFrom('projects').selectAll().where('id', '=', id).where('deleted_at', 'is not', null)
  const record = await locked(ctx.services.database, query).executeTakeFirst()
  if (!record) throw notFound(`Deleted project ${id}`)
  const gone = async (table: 'clients' | 'projects', of: number) =>
    (await ctx.tx.selectFrom(table).select('id').where('id', '=', of).where('deleted_at', 'is not', null).executeTakeFirst()) !==
    undefined
  if (await gone('clients', record.client_id))
    throw new HttpError(409, 'not_now', 'Its client is deleted: restore the client first.')
  if (record.parent_id && (await gone('projects', record.parent_id)))
    throw new HttpError(409, 'not_now', 'Its parent is deleted: restore the parent first.')
  await ctx.tx
    .updateTable('projects')
    .set({ deleted_at: null, updated_at: ctx.now, lock_version: record.lock_version + 1 })
    .where('id', '=', id)
    .execute()
  await assertWhole(ctx, id)
  await ctx.record({ subject: 'project', subject_id: id, before: { deleted_at: record.deleted_at }, after: { deleted_at: null } })
  ctx.emit({ noun: 'project', id, project_id: id })
  await emitParts(ctx, record, 'put')
  return record
}
