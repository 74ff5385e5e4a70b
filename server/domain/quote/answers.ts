import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../contract/actor.ts'
import { ANSWER, answerWarnings } from '../../../contract/answer.ts'
import type { Answer, answerFields } from '../../../contract/proffer.ts'
import { stale } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { ProfferTable } from '../../db/schema.ts'
import { heldProject, moveProject, notNow } from '../project/status.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { closedAt, type Invitation, isRoundOpen, type OpenRequest } from './invitations.ts'
import { currentTerms } from './requestTerms.ts'

export type Proffer = Selectable<ProfferTable>
type Fields = z.output<z.ZodObject<typeof answerFields>>

/** An answer as it was sent. */
export interface SentAnswer extends Fields {
  draft: boolean
  binding: boolean
  on_behalf: string
  lock_version?: number | undefined
}

/** The outcome of an answer; `closed`: the round is over, so it was stored as a draft. */
export type Outcome = { answer: Proffer; warnings: string[]; closed: boolean; quoted: boolean }

/** A partner's answer in a round, drafts included; null without one. */
export const answerOf = async (
  ctx: Pick<Ctx, 'db'>,
  { project_id, partner_id, round }: Pick<Invitation, 'project_id' | 'partner_id' | 'round'>,
): Promise<Proffer | null> =>
  (await ctx.db
    .selectFrom('proffers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('partner_id', '=', partner_id)
    .where('round', '=', round)
    .executeTakeFirst()) ?? null

/** An answer as its partner sees it; a draft may leave accepting or declining open. */
export const shownAnswer = (row: Proffer, chosen_completes: number | null = null): z.input<typeof Answer> => ({
  state: row.state,
  fill_requirements: row.state === 'draft' && !isDecided(row) ? null : row.fill_requirements,
  reason: row.reason,
  feasible_completes: row.feasible_completes,
  cpi_cents: row.cpi_cents,
  incidence: row.incidence,
  loi_minutes: row.loi_minutes,
  field_days: row.field_days,
  valid_until: row.valid_until,
  note: row.note,
  binding: row.binding === 1,
  sent_at: row.sent_at,
  corrections: row.corrections,
  chosen_completes,
  lock_version: row.lock_version,
})

/** Whether a draft accepts or declines; the column can't be null, so `asked` marks an open choice. */
const isDecided = (row: Proffer): boolean => (JSON.parse(row.asked) as { undecided?: true }).undecided !== true

/**
 * Stores a partner's answer, one for each project, partner and round; a closed round keeps it as a draft (`closed`).
 * Throws 409 `already_submitted` for a second answer without `lock_version`, and 409 `stale` for an older version.
 * Throws 422 by field if something is missing.
 */
export async function keepAnswer(ctx: Ctx, request: OpenRequest, sent: SentAnswer): Promise<Outcome> {
  if (!request.byPartner && !sent.on_behalf) throw invalid('on_behalf', 'Say why you answer for the partner')
  const record = await heldProject(ctx, request.record.id)
  const { invitation } = request
  const before = await answerOf(ctx, invitation)
  const open = isRoundOpen(record, invitation.round)
  // Only a partner's own late answer is kept as a draft; an administrator would lose nothing.
  if (!request.byPartner && !open) throw await notNow(ctx, record, 'This round is closed.')
  const sends = !sent.draft && open
  if (!sent.draft) checkComplete(ctx, sent)
  if (before?.state === 'sent') {
    if (sent.draft || sent.lock_version === undefined)
      throw new HttpError(409, 'already_submitted', 'This request has been answered already.', { sent_at: before.sent_at })
    if (!open)
      throw new HttpError(409, 'round_closed', 'This round is closed.', { date: await closedAt(ctx, record, invitation.round) })
  }
  if (before && sent.lock_version !== undefined && sent.lock_version !== before.lock_version)
    throw stale('answer', before, fieldsOf(sent))
  const answer = await write(ctx, { record, invitation, before, sent, sends, byPartner: request.byPartner })
  if (!sends) return { answer, warnings: [], closed: !sent.draft, quoted: false }
  await notifyAnswer(ctx, request, before, answer, sent)
  const quoted = sent.binding && (await quoteWithin(ctx, record, answer))
  return { answer, warnings: Object.values(answerWarnings(orderOf(record), answer)), closed: false, quoted }
}

/** An answer's fields as columns; missing ones are null. */
const fieldsOf = (sent: SentAnswer) => ({
  fill_requirements: sent.fill_requirements ?? ('No' as const),
  reason: sent.reason,
  feasible_completes: sent.feasible_completes ?? null,
  cpi_cents: sent.cpi_cents ?? null,
  incidence: sent.incidence ?? null,
  loi_minutes: sent.loi_minutes ?? null,
  field_days: sent.field_days ?? null,
  valid_until: sent.valid_until ?? null,
  note: sent.note,
})

/** Throws a 422 with a message for each missing field. */
function checkComplete(ctx: Ctx, sent: SentAnswer): void {
  const fields = {
    ...(sent.fill_requirements ? {} : { fill_requirements: ANSWER.choose }),
    ...(sent.fill_requirements === 'No' && !sent.reason ? { reason: ANSWER.reason } : {}),
    ...(sent.valid_until && sent.valid_until < ctx.today ? { valid_until: ANSWER.valid } : {}),
  }
  const [first] = Object.values(fields)
  if (first) throw new HttpError(422, 'invalid', first, { fields })
}

/** The project's values that an answer is compared with for warnings. */
const orderOf = ({ ordered, start_dt, end_dt }: ProjectRecord) => ({ completes: ordered, start: start_dt, end: end_dt })

async function write(
  ctx: Ctx,
  {
    record,
    invitation: { project_id, partner_id, round },
    before,
    sent,
    sends,
    byPartner,
  }: {
    record: ProjectRecord
    invitation: Invitation
    before: Proffer | null
    sent: SentAnswer
    sends: boolean
    byPartner: boolean
  },
): Promise<Proffer> {
  const terms = { ...(await currentTerms(ctx, record)), ...(sent.fill_requirements ? {} : { undecided: true }) }
  const values = {
    ...fieldsOf(sent),
    asked: JSON.stringify(terms),
    state: sends ? ('sent' as const) : ('draft' as const),
    sent_at: sends ? ctx.now : null,
    binding: sent.binding ? 1 : 0,
    entered_by: byPartner ? null : ctx.actor.id,
    updated_at: ctx.now,
  }
  if (!before)
    return await ctx.tx
      .insertInto('proffers')
      .values(onlyColumns('proffers', { ...values, project_id, partner_id, round, created_at: ctx.now }))
      .returningAll()
      .executeTakeFirstOrThrow()
  const corrections = before.corrections + (before.state === 'sent' ? 1 : 0)
  return await ctx.tx
    .updateTable('proffers')
    .set(onlyColumns('proffers', { ...values, corrections, lock_version: before.lock_version + 1 }))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The columns of a partner's answer. */
export const ANSWER_COLUMNS = [
  'fill_requirements',
  'reason',
  'feasible_completes',
  'cpi_cents',
  'incidence',
  'loi_minutes',
  'field_days',
  'valid_until',
] as const

/** Writes a sent answer's history line and emits it to administrators only: clients never see partners' prices. */
async function notifyAnswer(
  ctx: Ctx,
  request: OpenRequest,
  before: Proffer | null,
  answer: Proffer,
  sent: SentAnswer,
): Promise<void> {
  const was = before?.state === 'sent' ? before : null
  const differs = ANSWER_COLUMNS.filter((name) =>
    was ? was[name] !== answer[name] : answer[name] !== null && answer[name] !== '',
  )
  const pick = (row: Proffer | null) => (row ? Object.fromEntries(differs.map((name) => [name, row[name]])) : {})
  await ctx.record({
    subject: 'project',
    subject_id: answer.project_id,
    partner_id: answer.partner_id,
    before: pick(was),
    after: { partner: request.partner.name, ...pick(answer) },
    reason: sent.on_behalf,
  })
  ctx.emit({ noun: 'proffer', id: answer.id, project_id: answer.project_id, audience: 'admin' })
}

/** Stands for the administrator who set the target cost that a binding answer meets (decisions.md 13, Price). */
const BY_TARGET_COST: Actor = { id: 0, role: 'admin', admin_id: null }

/** Quotes the project if a binding answer fills the order within its target cost. */
async function quoteWithin(ctx: Ctx, record: ProjectRecord, answer: Proffer): Promise<boolean> {
  const { feasible_completes, cpi_cents } = answer
  if (answer.fill_requirements !== 'Yes' || feasible_completes === null || cpi_cents === null) return false
  if (record.cost_cents === null || record.ordered <= 0) return false
  if (feasible_completes < record.ordered || cpi_cents * record.ordered > record.cost_cents) return false
  // The partner isn't a user, so the quote is made as the administrator who set the target cost.
  const acting: Ctx = Object.create(ctx, { actor: { value: BY_TARGET_COST } })
  await moveProject(acting, record, { to: 'submit_approval', reason: '' })
  return true
}
