import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { stripBidi } from '../../../contract/bidi.ts'
import { spellingsOfId } from '../../../contract/externalId.ts'
import { counted } from '../../../contract/format.ts'
import type { runtimeCalls } from '../../../contract/runtime.ts'
import type { Ctx } from '../../core/context.ts'
import { currentPartners } from '../../core/currentPartners.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { Tx } from '../../db/connect.ts'
import { lockMarks } from '../../db/entryMarks.ts'
import { emitCounted } from '../../domain/quota/quotaEvents.ts'
import { giveBackPlaces, takePlaces } from '../../domain/quota/quotaPlaces.ts'
import { type IntakeSurvey, lockSurvey, openReader, store, take } from '../../domain/runtime/intake.ts'
import { moveAnswers, recount, removeRow, type StoredRespondent } from '../../domain/runtime/replaceRow.ts'
import { type Respondent, storedRespondent } from '../../domain/runtime/respondent.ts'
import { arrivedOn, CHANGEABLE_DAYS, isChangeable, keepOut, withdrawnOf } from '../../domain/runtime/withdrawn.ts'
import { byKey } from '../batch.ts'
import { intakeSurvey } from './receive.ts'

type Correct = z.output<(typeof runtimeCalls)['runtime.correct']['input']>
type PutBack = z.output<(typeof runtimeCalls)['runtime.putBack']['input']>
type Withdraw = z.output<(typeof runtimeCalls)['runtime.withdraw']['input']>

/** The reason of rewards that are rejected with their respondent. */
const WITHDRAWN = 'The respondent was withdrawn'
const NO_COMPLETE = 'The respondent was corrected and is not a complete'

const respondent = (id: string) => ({ name: `Respondent ${id}`, kind: 'user' })

/** Replaces a respondent; counters and unpaid rewards follow. */
export async function correct(ctx: Ctx<Correct>) {
  const { surveyId, respondentId, ...fields } = ctx.input
  const survey = await intakeSurvey(ctx as Ctx, surveyId)
  const old = await held(ctx as Ctx, survey, respondentId)
  const sentId = fields.respondent_id ?? fields.id
  // A key may correct the row of a partner that it couldn't name.
  const scope = fields.partner_id === undefined ? null : (ctx.caller.apiKey?.scope ?? null)
  const reader = await openReader(ctx.tx, survey, { now: new Date(ctx.now), strict: true, scope })
  // A correction without a time keeps the original one, because nothing new has arrived.
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const timed = 'at' in named || 'time' in named ? named : { ...named, at: old.at }
  // How it came to us stays, too.
  const origin = { rid: old.rid, partner_id: old.partner_id }
  await reader.readPartners()
  const fresh = reader.read({ ...origin, ...timed, respondent_id: sentId ?? respondentId }, 1)
  if (!fresh) {
    const errors = Object.fromEntries(reader.errors.map(({ field, message }) => [field, message]))
    throw new HttpError(422, 'invalid', Object.values(errors)[0]!, { fields: errors })
  }
  if (fresh.id !== old.id.normalize())
    throw new HttpError(422, 'invalid', 'respondent_id must match the one in the address: a respondent’s ID can’t change', {
      fields: { respondent_id: 'respondent_id must match the one in the address' },
    })
  const { taken_on: arrived } = old
  await recount(ctx.services.database, ctx.tx, survey, { old, fresh, timeZone: ctx.services.settings.timeZone })
  const first = await moveAnswers(ctx.services.database, ctx.tx, survey, old, fresh)
  await removeRow(ctx.tx, survey, old.id)
  await store(ctx.services.database, ctx.tx, survey, [fresh], { arrived, first })
  const formerPlan = await giveBackPlaces(ctx.services.database, ctx.tx, survey, old.id, {
    now: ctx.services.now(),
    stays: fresh.outcome === 'completes',
  })
  const placed = await takePlaces(ctx.services.database, ctx.tx, survey, [fresh], ctx.services.now())
  emitPlan(ctx as Ctx, survey, placed?.plan_id ?? formerPlan)
  const rewards = await followRewards(ctx as Ctx, survey, old, fresh)
  await note(ctx as Ctx, survey, traceOf(old), traceOf(fresh), rewards)
  return {
    data: { respondent_id: respondentId, ...rewards },
    message: describeEffect(ctx, 'runtime.correct', {
      ...respondent(respondentId),
      also: [...rewardNotes(rewards), placed?.beyond ? BEYOND : ''],
    }),
  }
}

/** Returns whether a respondent has arrived, and how it ended. */
export async function received(ctx: Ctx<{ surveyId: number; respondentId: string }>) {
  const { surveyId, respondentId } = ctx.input
  const { id } = await intakeSurvey(ctx as Ctx, surveyId)
  const row = await ctx.db
    .selectFrom('respondents')
    .select(['respondent_id', 'outcome', 'at', 'taken_on'])
    .where('survey_id', '=', id)
    .where('respondent_id', 'in', spellingsOfId(respondentId))
    .executeTakeFirst()
  if (row) {
    const { taken_on, ...data } = row
    return { data: { ...data, arrived_on: taken_on === null ? null : dayText(taken_on), withdrawn_at: null } }
  }
  const out = await withdrawnOf(ctx.db, id, respondentId)
  if (!out) throw notFound(`Respondent ${respondentId}`)
  const { respondent_id, withdrawn_at, arrived, stored } = out
  const was = stored === '' ? null : (JSON.parse(stored) as Pick<StoredRespondent, 'outcome' | 'at'>)
  return {
    data: {
      ...{ respondent_id, withdrawn_at, outcome: was?.outcome ?? null, at: was?.at ?? null },
      arrived_on: arrived ? dayText(arrived) : null,
    },
  }
}
const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Removes a respondent from the results; counters and unpaid rewards follow. */
export async function withdraw(ctx: Ctx<Withdraw>) {
  const { surveyId, respondentId } = ctx.input
  const survey = await intakeSurvey(ctx as Ctx, surveyId)
  const old = await held(ctx as Ctx, survey, respondentId)
  await recount(ctx.services.database, ctx.tx, survey, { old, fresh: null, timeZone: ctx.services.settings.timeZone })
  await moveAnswers(ctx.services.database, ctx.tx, survey, old, null)
  await keepOut(ctx as Ctx, survey.id, old.id)
  await removeRow(ctx.tx, survey, old.id)
  emitPlan(ctx as Ctx, survey, await giveBackPlaces(ctx.services.database, ctx.tx, survey, old.id, { now: ctx.services.now() }))
  const rewards = await followRewards(ctx as Ctx, survey, old, null)
  await note(ctx as Ctx, survey, traceOf(old), {}, rewards)
  return {
    data: { respondent_id: respondentId, ...rewards },
    message: describeEffect(ctx, 'runtime.withdraw', { ...respondent(respondentId), also: rewardNotes(rewards) }),
  }
}

/** Puts a withdrawn respondent back as it was, if it is still kept; else it is accepted when it is sent again. */
export async function putBack(ctx: Ctx<PutBack>) {
  const { surveyId, respondentId } = ctx.input
  const survey = await intakeSurvey(ctx as Ctx, surveyId)
  const { database, settings } = ctx.services
  await lockSurvey(database, ctx.tx, survey)
  const out = await withdrawnOf(ctx.tx, survey.id, respondentId)
  if (!out) throw notFound(`Withdrawn respondent ${respondentId}`)
  await ctx.tx
    .deleteFrom('withdrawn_respondents')
    .where('survey_id', '=', survey.id)
    .where('respondent_id', '=', out.respondent_id)
    .execute()
  const is_back = out.stored !== '' && isChangeable(ctx.now, out.arrived)
  let rewards: Rewards = { rewards_rejected: 0, rewards_restored: 0, rewards_paid: 0 }
  if (is_back) {
    const was = storedRespondent({ ...(JSON.parse(out.stored) as Parameters<typeof storedRespondent>[0]), answers: out.answers })
    const back = { ...was, partner_id: await partnerNow(ctx.tx, was.partner_id) }
    const now = ctx.services.now()
    const { placed } = await take(database, ctx.tx, survey, [back], settings.timeZone, out.arrived, now)
    if (placed?.beyond && !ctx.input.beyond) throw noPlace(respondentId, placed.full)
    emitPlan(ctx as Ctx, survey, placed?.plan_id ?? null)
    rewards = await followRewards(ctx as Ctx, survey, null, back)
    await note(ctx as Ctx, survey, {}, traceOf(back), rewards)
  } else await note(ctx as Ctx, survey, {}, { respondent_id: respondentId }, rewards)
  return {
    data: { respondent_id: respondentId, is_back, ...rewards },
    message: is_back
      ? describeEffect(ctx, 'runtime.putBack', { ...respondent(respondentId), also: rewardNotes(rewards) })
      : describeEffect(ctx, 'runtime.accept', { ...respondent(respondentId), also: ['Nothing of it is kept any more.'] }),
  }
}

const BEYOND = 'It counts beyond the quotas, as they have no place for it.'

/** The 409 for a complete that would come back to a quota that is full by now. */
const noPlace = (id: string, cell: string | null) =>
  new HttpError(
    409,
    'not_now',
    `${cell === null ? 'No quota takes' : `“${stripBidi(cell)}” is full, so it can’t take`} respondent ${id} back. Send beyond=1 to count it beyond the quotas.`,
  )

function emitPlan(ctx: Ctx, { project_id }: IntakeSurvey, plan_id: number | null): void {
  if (plan_id !== null) emitCounted(ctx, plan_id, project_id)
}

/** The partner that a withdrawn respondent's stands for by now. */
const partnerNow = async (tx: Tx, id: number | null): Promise<number | null> =>
  id === null ? null : ((await currentPartners(tx)).get(id) ?? id)

/** Locks the survey and returns the stored respondent; throws 404, or 409 if it arrived too long ago. */
async function held(ctx: Ctx, survey: IntakeSurvey, id: string): Promise<StoredRespondent> {
  await lockSurvey(ctx.services.database, ctx.tx, survey)
  const row = await ctx.tx
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', survey.id)
    .where('respondent_id', 'in', spellingsOfId(id))
    .executeTakeFirst()
  if (!row && (await withdrawnOf(ctx.tx, survey.id, id)))
    throw new HttpError(
      409,
      'withdrawn',
      `Respondent ${id} was withdrawn. Put it back before you change it: POST …/responses/{id}/put_back.`,
    )
  if (!row) throw notFound(`Respondent ${id}`)
  if (!isChangeable(ctx.now, arrivedOn(row)))
    throw new HttpError(409, 'too_late', `Respondent ${id} arrived more than ${CHANGEABLE_DAYS} days ago and can’t be changed.`)
  return { ...storedRespondent(row), taken_on: row.taken_on, ordinal: row.ordinal === null ? null : Number(row.ordinal) }
}

/** Rewards of a respondent by outcome: rejected, made pending again, or kept because of a payment. */
interface Rewards {
  rewards_rejected: number
  rewards_restored: number
  rewards_paid: number
}

/** Updates unpaid rewards whose address has the respondent's hash: rejected, or pending again after a complete. */
async function followRewards(ctx: Ctx, survey: IntakeSurvey, old: Respondent | null, fresh: Respondent | null): Promise<Rewards> {
  const result: Rewards = { rewards_rejected: 0, rewards_restored: 0, rewards_paid: 0 }
  const [was, is] = [old?.outcome === 'completes', fresh?.outcome === 'completes']
  const hash = old?.email_hash || fresh?.email_hash
  if (was === is || !hash) return result
  await lockMarks(ctx.services.database, ctx.tx, [survey.project_id])
  const entries = await ctx.tx
    .selectFrom('entries')
    .select(['id', 'email_key', 'status', 'reason', 'lock_version'])
    .where('project_id', '=', survey.project_id)
    .where((eb) => eb.or([eb('survey_id', '=', survey.id), eb('survey_id', 'is', null)]))
    .execute()
  for (const entry of entries.filter(({ email_key }) => hashesOf(email_key).includes(hash))) {
    const change =
      is && entry.status === 'rejected' && [WITHDRAWN, NO_COMPLETE].includes(entry.reason)
        ? { status: 'pending' as const, reason: '' }
        : !is && entry.status === 'pending'
          ? { status: 'rejected' as const, reason: fresh ? NO_COMPLETE : WITHDRAWN }
          : null
    if (!change) {
      if (!is && (entry.status === 'sent' || entry.status === 'processing')) result.rewards_paid++
      continue
    }
    const done = await ctx.tx
      .updateTable('entries')
      .set((eb) => onlyColumns('entries', { ...change, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
      .where('id', '=', entry.id)
      .where('status', '=', entry.status)
      .executeTakeFirst()
    if (!Number(done.numUpdatedRows)) continue
    if (is) result.rewards_restored++
    else result.rewards_rejected++
    await ctx.record({
      subject: 'entry',
      subject_id: entry.id,
      project_id: survey.project_id,
      before: { reward_status: entry.status },
      after: { reward_status: change.status, ...byKey(ctx.caller) },
      reason: change.reason,
    })
    ctx.emit({ noun: 'entry', id: entry.id, project_id: survey.project_id, audience: 'admin' })
  }
  return result
}

/** The hashes of an address that a sender may have used. */
const hashesOf = (email: string): string[] => {
  const of = (name: string) => createHash(name).update(email).digest()
  return ['sha256', 'sha1', 'md5'].flatMap((name) => {
    const digest = of(name)
    return [digest.toString('hex'), digest.toString('base64').toLowerCase(), digest.toString('base64url').toLowerCase()]
  })
}

const rewardNotes = ({ rewards_rejected, rewards_restored, rewards_paid }: Rewards): readonly string[] => [
  rewards_rejected ? `${counted(rewards_rejected, 'reward is', 'rewards are')} rejected.` : '',
  rewards_restored ? `${counted(rewards_restored, 'reward is', 'rewards are')} pending again.` : '',
  rewards_paid ? `${counted(rewards_paid, 'reward was already paid and stays', 'rewards were already paid and stay')} paid.` : '',
]

/** A respondent in the history, without personal data. */
const traceOf = ({ id, outcome, at }: Respondent) => ({ respondent_id: id, outcome, at })

async function note(ctx: Ctx, survey: IntakeSurvey, before: object, after: object, rewards: Rewards): Promise<void> {
  const { id, project_id } = survey
  const followed = Object.fromEntries(Object.entries(rewards).filter(([, many]) => many))
  await ctx.record({
    subject: 'survey',
    subject_id: id,
    project_id,
    before,
    after: { ...after, ...followed, ...byKey(ctx.caller) },
  })
  ctx.emit({ noun: 'runtime', id, project_id, kind: 'counters' })
  ctx.emit({ noun: 'project', id: project_id, project_id, kind: 'counters' })
}
