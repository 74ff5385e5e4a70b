import { denialOf } from '../../../contract/access.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { projectFacts } from '../project/projectRows.ts'
import { assertNow, moveProject, notNow } from '../project/status.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { usualAnswerBy } from './answerBy.ts'
import { type Invitation, invitationOf, writeInvitation } from './invitations.ts'

/** The parts of an invitation besides the request's terms. */
export interface InvitationInput {
  title?: string
  message?: string
  answer_by?: string | null | undefined
  requirements?: string
  show_survey?: boolean
  file_ids?: readonly number[]
}

/** A partner who may be invited. */
export interface Invitee {
  id: number
  name: string
  email: string
}

/** Partners by id, in the order of the ids; throws a 422 that names missing ones. */
export async function inviteesOf(ctx: Ctx, ids: readonly number[], field: string): Promise<Invitee[]> {
  const rows = await ctx.db
    .selectFrom('partners')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [0, ...ids])
    .where('deleted_at', 'is', null)
    .execute()
  const missing = ids.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length) throw invalid(field, `${field} is not a partner: ${missing.join(', ')}`)
  return ids.map((id) => rows.find((row) => row.id === id)!)
}

/**
 * Invites a partner to the project's current round, and puts a waiting project on quote; needs the row locked.
 * Throws 409 if the partner is already invited; renews a revoked invitation with a new link.
 */
export async function invitePartner(
  ctx: Ctx,
  record: ProjectRecord,
  partner: Invitee,
  input: InvitationInput = {},
): Promise<Invitation> {
  await assertNow(ctx, record, denialOf('project.assignPartner', ctx.actor, await projectFacts(ctx, record)))
  const key = { project_id: record.id, partner_id: partner.id, round: record.quote_round }
  const before = await invitationOf(ctx, key)
  if (before && !before.revoked_at) throw await notNow(ctx, record, `${partner.name} is invited already.`)
  const files = await filesFor(ctx, record, input.file_ids ?? [])
  const values = {
    title: input.title ?? '',
    message: input.message ?? '',
    answer_by: input.answer_by === undefined ? await usualAnswerBy(ctx) : input.answer_by,
    files: JSON.stringify(files),
    requirements: input.requirements ?? '',
    shows_survey: input.show_survey ? 1 : 0,
    why: '',
    entry_url: '',
    invited_by: ctx.actor.id,
  }
  if (before) await writeInvitation(ctx, key, { ...values, assigned_at: ctx.now, revoked_at: null, revoke_reason: '' })
  else
    await ctx.tx
      .insertInto('project_partners')
      .values(onlyColumns('project_partners', { ...key, ...values, assigned_at: ctx.now, mailed_at: null }))
      .execute()
  await ctx.record({
    subject: 'project',
    subject_id: record.id,
    partner_id: partner.id,
    after: { partner: partner.name, ...(values.answer_by ? { answer_by: values.answer_by } : {}) },
  })
  ctx.emit({ noun: 'project', id: record.id, project_id: record.id })
  if (record.status === 'requirements') await moveProject(ctx, record, { to: 'pricing', reason: '' })
  return (await invitationOf(ctx, key))!
}

/** The files of a project that partners may be shown, each once an administrator releases it. */
export async function releasableFiles(
  ctx: Pick<Ctx, 'db'>,
  project_id: number,
): Promise<{ id: number; name: string; size: number }[]> {
  const rows = await ctx.db
    .selectFrom('files')
    .select(['id', 'original_name', 'size'])
    .where('project_id', '=', project_id)
    .where('kind', 'not in', ['export', 'docsign'])
    .orderBy('id')
    .execute()
  return rows.map(({ original_name, ...file }) => ({ ...file, name: original_name }))
}

/** Checks that files belong to the project, so that partners may open them; throws a 422 that names others. */
export async function filesFor(ctx: Ctx, record: ProjectRecord, ids: readonly number[]): Promise<number[]> {
  if (!ids.length) return []
  const rows = await releasableFiles(ctx, record.id)
  const missing = ids.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length) throw invalid('file_ids', `file_ids has a file that isn’t this project’s: ${missing.join(', ')}`)
  return [...new Set(ids)]
}
