import { isAboutCaller, refusedTo } from '../../../contract/access.ts'
import { WHY_AGAIN } from '../../../contract/invitation.ts'
import { guardOf, openTransitions, type ProjectFacts, transitionFor } from '../../../contract/projectAccess.ts'
import { SPELLING, STEP, type Status, type TRANSITIONS } from '../../../contract/status.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed, HttpError, invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { locked } from '../../db/locked.ts'
import { usualAnswerBy } from '../quote/answerBy.ts'
import { projectFacts } from './projectRows.ts'
import { askAgain, decideQuote, nextRound, type QuotePatch } from './quotes.ts'
import type { ProjectRecord } from './storedProject.ts'

export interface Move {
  to: Status
  reason: string
  force?: boolean
  lock?: number | undefined
  /** The columns of a price that changes with the status (server/domain/project/quotes.ts). */
  patch?: QuotePatch
}

/** Guards on a status, however it is reached: forcing skips the order, but never one of these (decisions.md 2). */
const DEMANDS: Partial<Record<Status, (typeof TRANSITIONS)[number]['guard']>> = {
  active: 'can go live',
  pricing: 'partner assigned',
  submit_approval: 'cost set',
  approved: 'cost set',
}

/** Completes "It can't …" in an error. */
const INTO: Record<Status, string> = {
  requirements: 'be reopened',
  pricing: 'go on quote',
  submit_approval: 'be quoted',
  approved: 'be approved',
  active: 'go live',
  paused: 'be paused',
  completed: 'be completed',
  reporting: 'be reported',
  rejected: 'be rejected',
}

/**
 * Moves a project to a status along decisions.md 2, or to any by force (administrators only, with a reason).
 * Throws 409 `not_now` with the transitions allowed now, or 422 if a reason is missing.
 */
export async function moveProject(ctx: Ctx, seen: ProjectRecord, move: Move): Promise<ProjectRecord> {
  const record = await heldProject(ctx, seen.id)
  if (record.status === move.to)
    throw new HttpError(409, 'not_now', `The project is already ${STEP[move.to]}.`, {
      ...(await allowedNow(ctx, record)),
    })
  const facts = await projectFacts(ctx, { ...record, ...move.patch })
  const row = transitionFor(ctx.actor, facts, move.to)
  if (!row && !move.force) {
    throw new HttpError(409, 'not_now', `A project that is ${STEP[record.status]} can't become ${STEP[move.to]} now.`, {
      ...(await allowedNow(ctx, record)),
    })
  }
  if (!row) assertAllowed(refusedTo('project.force', ctx.actor))
  const obstacle = guardOf(ctx.actor, row ?? { guard: DEMANDS[move.to] }, facts)
  if (obstacle)
    throw new HttpError(409, 'not_now', `It can't ${INTO[move.to]}: ${obstacle}.`, {
      ...(await allowedNow(ctx, record)),
      guard: obstacle,
    })
  const needsReason = !row || row.reason || (row.adminReason && refusedTo('project.approveForClient', ctx.actor) === null)
  if (needsReason && !move.reason)
    throw invalid(
      'reason',
      row?.adminReason
        ? 'Please note why you approve on the client’s behalf'
        : row
          ? 'Give a reason'
          : 'Give a reason for a status outside the order',
    )
  await settleQuote(ctx, record, move)
  const patch = { status: move.to, ...move.patch, ...sideEffects(ctx, record, move.to) }
  const next = await change(ctx, 'projects', {
    subject: 'project',
    id: record.id,
    held: record,
    patch,
    lock: move.lock,
    change: { noun: 'project', project_id: record.id },
    line: { reason: row ? move.reason : `Forced: ${move.reason}` },
  })
  // Quotes of a rejected round stay readable; the next round keeps its partners.
  if (next.quote_round > record.quote_round) await openRound(ctx, record, next.quote_round, move.reason)
  return next
}

/** Throws a 409 if a project that is active now lacks what going live asks, as after an undo. */
export async function assertLive(ctx: Ctx, id: number): Promise<void> {
  const record = await heldProject(ctx, id)
  if (record.status !== 'active') return
  const obstacle = guardOf(ctx.actor, { guard: DEMANDS.active }, await projectFacts(ctx, record))
  if (obstacle) throw new HttpError(409, 'not_now', `It can't ${INTO.active}: ${obstacle}.`, { guard: obstacle })
}

/** Decides the current quote or asks the client again, as the new status requires. */
async function settleQuote(ctx: Ctx, record: ProjectRecord, move: Move): Promise<void> {
  if (move.to === 'approved') await decideQuote(ctx, record, 'approved', move.reason)
  const isRefused = record.status === 'submit_approval' && (move.to === 'pricing' || move.to === 'rejected')
  if (isRefused) await decideQuote(ctx, record, 'rejected', move.reason)
  if (move.to === 'submit_approval' && !move.patch) await askAgain(ctx, record)
}

/** Locks and returns the project, so that the second of two concurrent decisions sees the first. */
export async function heldProject(ctx: Ctx, id: number): Promise<ProjectRecord> {
  const query = ctx.tx.selectFrom('projects').selectAll().where('id', '=', id)
  return await locked(ctx.services.database, query).executeTakeFirstOrThrow()
}

function sideEffects(ctx: Ctx, record: ProjectRecord, to: Status): Partial<ProjectRecord> {
  if (to === 'active' && !record.went_live_at) return { went_live_at: ctx.now }
  if (to === 'pricing' && record.status === 'submit_approval') return nextRound(record)
  return {}
}

async function openRound(ctx: Ctx, record: ProjectRecord, round: number, reason: string): Promise<void> {
  // What else a client wrote may name them or our price.
  const why = WHY_AGAIN.find((one) => reason === one || reason.startsWith(`${one}:`)) ?? ''
  const partners = await ctx.tx
    .selectFrom('project_partners')
    .select(['partner_id', 'title', 'message', 'files', 'requirements', 'shows_survey', 'invited_by'])
    .where('project_id', '=', record.id)
    .where('round', '=', record.quote_round)
    .where('revoked_at', 'is', null)
    .execute()
  const answer_by = await usualAnswerBy(ctx)
  for (const partner of partners) {
    await ctx.tx
      .insertInto('project_partners')
      .values(
        onlyColumns('project_partners', {
          ...partner,
          project_id: record.id,
          round,
          why,
          answer_by,
          assigned_at: ctx.now,
          mailed_at: null,
        }),
      )
      .onConflict((oc) => oc.doNothing())
      .execute()
  }
}

/** Throws an access rule's denial: 403 for the wrong caller, else 409 with the transitions allowed now. */
export async function assertNow(ctx: Ctx, record: ProjectRecord, denial: string | null): Promise<void> {
  if (denial === null) return
  if (isAboutCaller(denial)) assertAllowed(denial)
  throw await notNow(ctx, record, `${denial[0]!.toUpperCase()}${denial.slice(1)}.`)
}

/** A 409 `not_now` with the transitions allowed now. */
export const notNow = async (ctx: Ctx, record: ProjectRecord, sentence: string): Promise<HttpError> =>
  new HttpError(409, 'not_now', sentence, await allowedNow(ctx, record))

/** The transitions allowed now, in the spelling of v3 and under their common name. */
async function allowedNow(ctx: Ctx, record: ProjectRecord) {
  const facts: ProjectFacts = await projectFacts(ctx, record)
  const open = openTransitions(ctx.actor, facts)
  return { allowed: open.map((status) => SPELLING[status].v3), stored_transitions: open }
}
