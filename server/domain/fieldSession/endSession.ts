import type { Selectable } from 'kysely'
import { effectOf, type OutcomeEffect, type SessionOutcome, type SessionProof } from '../../../contract/sessionRules.ts'
import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { Db } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import type { Schema } from '../../db/schema.ts'
import { emitCounted } from '../quota/quotaEvents.ts'
import { type Placed, takePlaces } from '../quota/quotaPlaces.ts'
import { dayNumber, lockSurvey, take } from '../runtime/intake.ts'
import { packRespondent, type Respondent } from '../runtime/respondent.ts'
import { addSteps } from './entries.ts'
import type { LinkRow } from './entryLinks.ts'

export type SessionRow = Selectable<Schema['field_sessions']>

export interface Outcome {
  outcome: SessionOutcome
  proof: SessionProof
  reason: string
  seconds: number | null
  /** The interview as intake reads it; null if none came. */
  respondent: Respondent | null
}
export interface Ended {
  effect: OutcomeEffect
  session: SessionRow
  /** What it did to the quotas. */
  placed: Placed | null
}

/** The outcome that intake calls each of these. */
export const INTAKE = { complete: 'completes', terminate: 'terminates', quota_full: 'overquota' } as const
/** Steps of contradictions that a session keeps; later ones are only counted. */
const MOST_CONTRADICTIONS = 20

/**
 * Gives a session its outcome, in one transaction with its respondent and its places.
 * The survey's lock comes first, as for batches. An unsigned complete is only noted.
 */
export async function endSession(ctx: Ctx, link: LinkRow, rid: string, sent: Outcome): Promise<Ended> {
  const { services, tx, now } = ctx
  const { database, settings } = services
  const survey = { id: link.survey_id, project_id: link.project_id }
  await lockSurvey(database, tx, survey)
  const row = tx.selectFrom('field_sessions').selectAll().where('rid', '=', rid)
  const session = await locked(database, row).executeTakeFirstOrThrow()
  const { outcome, proof, reason, respondent } = sent
  const effect = effectOf(session, outcome, proof)
  const save = async (patch: Partial<SessionRow>, kind: 'outcome' | 'proven' | 'contradicted' | 'claimed' | null) => {
    await tx
      .updateTable('field_sessions')
      .set(onlyColumns('field_sessions', { ...patch, updated_at: now }))
      .where('id', '=', session.id)
      .execute()
    if (kind) await addSteps(database, tx, [[rid, kind, kind === 'claimed' ? reason : reason || outcome, proof, now]])
    return { ...session, ...patch }
  }
  if (effect === 'repeats') return { effect, session, placed: null }
  if (effect === 'claims') {
    const isFirst = session.claimed_at === null
    return { effect, session: isFirst ? await save({ claimed_at: now }, 'claimed') : session, placed: null }
  }
  if (effect === 'contradicts') {
    const { conflicts } = session
    const saved = await save({ conflicts: conflicts + 1 }, conflicts < MOST_CONTRADICTIONS ? 'contradicted' : null)
    return { effect, session: saved, placed: null }
  }
  if (effect === 'proves') {
    const named = respondent && !session.test ? await storeInstead(ctx, survey, session, respondent) : null
    return { effect, session: await save({ proof, ...named }, 'proven'), placed: null }
  }
  const stored = session.test ? null : await store(ctx, survey, session, sent)
  const began = session.admitted_at ?? session.entered_at
  const ended: Partial<SessionRow> = {
    ...{ state: outcome, reason, proof, ended_at: now, respondent_id: stored?.respondent_id ?? null },
    seconds: sent.seconds ?? Math.max(0, Math.round((services.now().getTime() - Date.parse(began)) / 1000)),
  }
  const saved = await save(ended, 'outcome')
  if (link.s2s_url) await queuePost(ctx, link, saved)
  if (stored?.placed) emitCounted(ctx, stored.placed.plan_id, survey.project_id)
  return { effect, session: saved, placed: stored?.placed ?? null }

  async function store(ctx: Ctx, survey: { id: number; project_id: number }, session: SessionRow, { respondent }: Outcome) {
    const at = services.now()
    if (outcome === 'security') {
      // Intake has no such outcome, so only the places come back.
      const left = packRespondent({ respondent_id: rid, outcome: 'terminates', at: now } as Parameters<typeof packRespondent>[0])
      return { respondent_id: null, placed: await takePlaces(database, ctx.tx, survey, [{ ...left, rid }], at) }
    }
    const bare = () =>
      packRespondent({
        ...{ respondent_id: rid, outcome: INTAKE[outcome as keyof typeof INTAKE], at: now },
        ...(session.admitted_at === null ? {} : { started_at: session.admitted_at }),
      } as Parameters<typeof packRespondent>[0])
    const own = { ...(respondent ?? bare()), rid, partner_id: session.partner_id }
    const { placed } = await take(database, ctx.tx, survey, [own], settings.timeZone, dayNumber(at), at)
    return { respondent_id: own.id, placed }
  }
}

/** Stores an interview in place of the bare respondent that a redirect left; an interview that is there stays. */
async function storeInstead(
  ctx: Ctx,
  survey: { id: number; project_id: number },
  session: SessionRow,
  respondent: Respondent,
): Promise<{ respondent_id: string } | null> {
  if (session.respondent_id !== session.rid || respondent.id === session.rid) return null
  const { database, settings, now } = ctx.services
  const own = { ...respondent, rid: session.rid, partner_id: session.partner_id }
  await take(database, ctx.tx, survey, [own], settings.timeZone, dayNumber(now()), now())
  return { respondent_id: own.id }
}

/** True if an outcome waits for a partner's server. */
export async function anyPost(db: Db): Promise<boolean> {
  const row = await db.selectFrom('session_posts').select('id').where('status', '=', 'queued').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Queues the outcome for the partner's server. */
async function queuePost(ctx: Ctx, link: LinkRow, session: SessionRow): Promise<void> {
  const { rid, pid, state, reason, cpi_cents, test } = session
  const cost = state === 'complete' ? { cpi_cents } : {}
  const body = JSON.stringify({ rid, pid, outcome: state, reason, ...cost, ...(test ? { test: true } : {}) })
  await ctx.tx
    .insertInto('session_posts')
    .values({
      ...{ rid, link_id: link.id, body, not_before: ctx.now, created_at: ctx.now, response_status: null, ended_at: null },
    })
    .execute()
}
