import type { FileItems } from '../../../contract/projectInput.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { readLink } from '../../core/signedLink.ts'
import { heldProject } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { attachFile, removeFile } from '../file/attach.ts'
import { assertApproved } from '../file/upload.ts'

/**
 * Writes a project's file list: removes items with `_destroy`, adds new uploads, leaves the rest.
 * Throws a 422 naming the item.
 * The last signed document can be removed only if the same write adds another.
 */
export async function writeFiles(
  ctx: Ctx,
  project_id: number,
  field: 'campaign_contents_attributes' | 'project_docsigns_attributes',
  items: FileItems | undefined,
): Promise<boolean> {
  if (!items?.length) return false
  const kind = field === 'project_docsigns_attributes' ? 'docsign' : 'asset'
  const here = await ctx.tx
    .selectFrom('files')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .execute()
  const mine = new Set(here.map((file) => file.id))
  const named = items.map((item, at) => ({
    id: item.id ?? fileOf(ctx, `${field}.${at}.url`, item.url),
    at,
    destroy: item._destroy,
  }))
  if (kind === 'docsign' && named.some(({ id, destroy }) => !destroy && !mine.has(id)))
    await assertApproved(ctx, await heldProject(ctx, project_id))
  // Adds come first, so that a replaced signed document is never the last one.
  for (const { id, at, destroy } of named)
    if (!destroy && !mine.has(id)) await blaming(`${field}.${at}`, () => attachFile(ctx, id, project_id, null, kind))
  for (const { id, at, destroy } of named) {
    if (!destroy) continue
    if (!mine.has(id)) throw invalid(`${field}.${at}.id`, `${field}.${at}.id is not one of its files: ${id}`)
    await blaming(`${field}.${at}`, () => removeFile(ctx, id, project_id))
  }
  return named.some(({ id, destroy }) => destroy || !mine.has(id))
}

/** Raises the project's lock after a write to its parts, so that an edit of an older version gets 409 `stale`. */
export async function touchProject(ctx: Ctx, seen: ProjectRecord, saved: ProjectRecord, lock: number | undefined): Promise<void> {
  if (lock !== undefined && lock !== seen.lock_version)
    throw new HttpError(409, 'stale', 'This project was changed by someone else since you opened it.', {
      theirs: saved,
      clashes: [],
    })
  ctx.emit({ noun: 'project', id: saved.id, project_id: saved.id })
  if (saved.lock_version !== seen.lock_version) return
  await ctx.tx
    .updateTable('projects')
    .set({ lock_version: saved.lock_version + 1, updated_at: ctx.now })
    .where('id', '=', saved.id)
    .execute()
  saved.lock_version += 1
}

/** The upload behind one of our own links; addresses elsewhere are refused. */
function fileOf(ctx: Ctx, field: string, url: string | undefined): number {
  const signed = /\/v3\/portal\/download\/([^/?#]+)$/.exec(url ?? '')?.[1]
  const link = signed ? readLink(ctx, signed) : null
  if (!link) throw invalid(field, `${field} is not the link of an uploaded file: upload it first, then send its id`)
  return link.id
}

/** Turns the 404 of a missing file into a 422 that names its item. */
async function blaming(field: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) throw invalid(`${field}.id`, `${field}.id is not a file of yours`)
    throw error
  }
}
