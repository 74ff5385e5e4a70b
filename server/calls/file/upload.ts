import { refusedTo } from '../../../contract/access.ts'
import { fileCalls, type UploadFields } from '../../../contract/file.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { assertAllowed, invalid, notFound } from '../../core/errors.ts'
import { ownTransaction } from '../../core/handler.ts'
import { CommitUnknown } from '../../db/dbErrors.ts'
import { seenProject } from '../../domain/project/detail.ts'
import { notNow } from '../../domain/project/status.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'
import { isApproved } from '../../domain/quote/decisions.ts'
import { discard, receive, type Stored } from '../../files/receiveUpload.ts'
import { isLookedAt, wantThumbnails } from '../../files/thumbnails.ts'
import { filesOf, type Kind, linksOf, onWire, type Row } from './fileRecord.ts'

/** Throws 409 unless the project's quote is approved: before, there is nothing to sign. */
export async function assertApproved(ctx: Ctx, project: ProjectRecord): Promise<void> {
  if (!isApproved(project)) throw await notNow(ctx, project, 'Signed documents are added once the quote is approved.')
}

/** Checks the target of an upload before it starts; one out of scope is a 404. */
async function checkPlace(ctx: Ctx<UploadFields>, { project_id, activity_id, kind }: UploadFields): Promise<void> {
  const project = project_id ? await seenProject(ctx, project_id) : null
  // A client user adds signed documents to an approved project; administrators may also attach one later.
  if (kind === 'docsign' && project) await assertApproved(ctx, project)
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
  const stamps = { uploaded_by: ctx.actor.id, created_at: ctx.now, updated_at: ctx.now }
  const rows = files.map((file) => ({
    ...file,
    ...stamps,
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

/** Stores a form's files for a project, for an activity, or unassigned, as assets or documents. */
export const upload = (otherwise: Kind) =>
  ownTransaction('writeIdempotent', async (ctx: Ctx<UploadFields>) => {
    const { fields, stored, sums, ignored, allowance } = await receive(ctx, {
      schema: () => fileCalls['file.upload'].input,
      file: 'file',
      json: ({ asset_type }) => asset_type === 'Survey Document',
      async ready(sentFields) {
        await checkPlace(ctx, sentFields)
        // A project's asset needs a type (projects-area 5); an upload for a request gets it with the request.
        if (
          otherwise === 'asset' &&
          !sentFields.kind &&
          !sentFields.asset_type &&
          (sentFields.project_id || sentFields.activity_id)
        )
          throw invalid('asset_type', MESSAGES.assetType)
      },
    })
    const input = [fields, stored.map((file, at) => [file.original_name, sums[at]])]
    try {
      const { answer, replayed } = await ctx.writeIdempotent(input, async (writing) => {
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
      const about = data.length === 1 ? { words: ['the file', 'files'] as const } : { count: data.length, noun: 'file' as const }
      const message = describeEffect(ctx, otherwise === 'asset' ? 'file.upload' : 'file.uploadDocument', about)
      return { data, message, ...(ignored.length ? { ignored } : {}) }
    } catch (error) {
      // If the outcome of the commit is unknown, contents without rows do less harm than rows without contents.
      if (!(error instanceof CommitUnknown)) await discard(ctx, stored)
      throw error
    } finally {
      allowance.end()
    }
  })
