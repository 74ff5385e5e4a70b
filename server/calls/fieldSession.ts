import { sql } from 'kysely'
import type { z } from 'zod'
import { isAdmin } from '../../contract/actor.ts'
import type { fieldSessionCalls, SessionDetail } from '../../contract/fieldSession.ts'
import { GRACE, outcomeText, type SessionState, type SessionStepKind, whyOf } from '../../contract/sessionRules.ts'
import type { Ctx } from '../core/context.ts'
import { currentPartners } from '../core/currentPartners.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid, notFound, unauthorized } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { keyOpens } from '../core/keyScope.ts'
import { pageOf } from '../core/keyset.ts'
import { projectScope } from '../core/scope.ts'
import { inSurveyTurn } from '../core/surveyTurn.ts'
import { endSession, INTAKE, type SessionRow } from '../domain/fieldSession/endSession.ts'
import { entryUrl, type LinkRow, linkOf, surveySecrets } from '../domain/fieldSession/entryLinks.ts'
import { keepPlaces } from '../domain/fieldSession/seen.ts'
import { checkSignature } from '../domain/fieldSession/signing.ts'
import { allTraffic, countTraffic, medians, trafficFigures } from '../domain/fieldSession/traffic.ts'
import { announceTraffic } from '../domain/fieldSession/trafficNews.ts'
import { seenProject } from '../domain/project/detail.ts'
import { cellsIn } from '../domain/quota/quotaLedger.ts'
import { openReader } from '../domain/runtime/intake.ts'
import type { Respondent } from '../domain/runtime/respondent.ts'

type Input<Id extends keyof typeof fieldSessionCalls> = z.output<(typeof fieldSessionCalls)[Id]['input']>

const KEYS = {
  partner: sql<string>`cast(partner_id as text)`,
  reason: sql<string>`case when reason like 'cell:%' then 'cell' when reason = '' then state else reason end`,
  minute: sql<string>`substr(entered_at, 1, 16)`,
}
const HOUR_MS = 3_600_000

async function traffic(ctx: Ctx<Input<'fieldSession.traffic'>>) {
  const { id, by, from, to } = ctx.input
  await seenProject(ctx, id)
  const of = { project_id: id, from, to }
  const database = { engine: ctx.services.database.engine, db: ctx.db }
  const all = await allTraffic(ctx.db, of)
  const { figures, shares, epc_cents } = trafficFigures(all)
  const median_seconds = (await medians(database, of)).get('') ?? null
  if (!isAdmin(ctx.actor)) return { data: { ...figures, ...shares, median_seconds } }
  const hour = new Date(ctx.services.now().getTime() - HOUR_MS).toISOString()
  const within = by === 'minute' && from === undefined ? { ...of, from: hour } : of
  const key = KEYS[by]
  const [rows, lengths, names] = await Promise.all([
    countTraffic(ctx.db, within, key),
    medians(database, within, key),
    by === 'partner' ? ctx.db.selectFrom('partners').select(['id', 'name']).execute() : [],
  ])
  const nameOf = new Map(names.map((partner) => [String(partner.id), partner.name]))
  const { claimed, conflicts, refused, admitted } = all
  return {
    data: {
      ...{ ...figures, ...shares, median_seconds, admitted, epc_cents },
      anomalies: { claimed, conflicts, refused },
      by: rows
        .sort((a, b) => (by === 'minute' ? (a.key < b.key ? -1 : 1) : b.entrants - a.entrants || (a.key < b.key ? -1 : 1)))
        .map((row) => {
          const { figures, shares, epc_cents } = trafficFigures(row)
          const { key } = row
          return { key, name: nameOf.get(key) ?? key, ...figures, ...shares, median_seconds: lengths.get(key) ?? null, epc_cents }
        }),
    },
  }
}

const shown = ({ claimed_at, test, ...row }: SessionRow & { partner: string }) => ({
  ...{ id: row.id, rid: row.rid, pid: row.pid, project_id: row.project_id, survey_id: row.survey_id, link_id: row.link_id },
  ...{ partner_id: row.partner_id, partner: row.partner, test: test === 1, state: row.state, reason: row.reason },
  ...{ proof: row.proof, claimed: claimed_at !== null, conflicts: row.conflicts, entered_at: row.entered_at },
  ...{ ended_at: row.ended_at, seconds: row.seconds },
})

const seenSessions = (ctx: Pick<Ctx, 'db' | 'actor'>) =>
  ctx.db
    .selectFrom('field_sessions')
    .innerJoin('projects', 'projects.id', 'field_sessions.project_id')
    .innerJoin('partners', 'partners.id', 'field_sessions.partner_id')
    .where(projectScope(ctx.actor))

async function list(ctx: Ctx<Input<'fieldSession.list'>>) {
  const { page, per_page, updated_since, project_id, partner_id, pid, outcome, proof } = ctx.input
  let query = seenSessions(ctx)
  if (project_id !== undefined) query = query.where('field_sessions.project_id', '=', project_id)
  if (partner_id !== undefined) query = query.where('field_sessions.partner_id', '=', partner_id)
  if (pid) query = query.where('field_sessions.pid', '=', pid)
  if (outcome) query = query.where('field_sessions.state', '=', outcome)
  if (proof) query = query.where('field_sessions.proof', '=', proof)
  if (updated_since) query = query.where('field_sessions.updated_at', '>=', updated_since)
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  // What changed is found by its moment, and sorted then: an index by id would be read from its end to its beginning.
  const by = updated_since ? sql`(field_sessions.id + 0)` : sql.ref('field_sessions.id')
  const rows = await pageOf(
    ctx,
    query.selectAll('field_sessions').select('partners.name as partner'),
    [{ by, way: 'desc', full: true }],
    { page, per_page },
  )
  return { data: rows.map(shown), count: Number(count), page }
}

async function get(ctx: Ctx<Input<'fieldSession.get'>>): Promise<{ data: SessionDetail }> {
  const row = await seenSessions(ctx)
    .selectAll('field_sessions')
    .select('partners.name as partner')
    .where('rid', '=', ctx.input.rid)
    .executeTakeFirst()
  if (!row) throw notFound(`Session ${ctx.input.rid}`)
  const hold = ctx.db.selectFrom('quota_holds').select(['cells', 'until_at', 'state']).where('rid', '=', row.rid)
  const held = await hold.executeTakeFirst()
  const ids = held && held.state !== 'released' && held.state !== 'lapsed' ? cellsIn(held.cells) : []
  const blocking = row.reason.startsWith('cell:') ? [Number(row.reason.slice(5))] : []
  const wanted = [...ids, ...blocking]
  const cells = wanted.length
    ? await ctx.db.selectFrom('quota_cells').select(['id', 'name']).where('id', 'in', wanted).execute()
    : []
  const steps = await ctx.db.selectFrom('session_steps').selectAll().where('rid', '=', row.rid).orderBy('id').execute()
  const cell = cells.find(({ id }) => id === blocking[0])?.name ?? null
  return {
    data: {
      ...shown(row),
      why: whyOf({ ...row, cell }),
      ...{ admitted_at: row.admitted_at, last_seen_at: row.last_seen_at, entries: row.entries, ip: row.ip },
      until_at: row.state === 'admitted' ? (held?.until_at ?? row.until_at) : null,
      ...{ cpi_cents: row.cpi_cents, respondent_id: row.respondent_id },
      profile: JSON.parse(row.profile) as Record<string, string>,
      cells: cells.filter(({ id }) => ids.includes(id)),
      steps: steps.map(({ kind, reason, proof, at }) => ({ kind: kind as SessionStepKind, reason, proof, at })),
    },
  }
}

/** The ids that a partner's sessions may have: its own, and those of partners that were merged into it. */
async function ownIds(ctx: Ctx): Promise<{ project_id: number; ids: number[] }> {
  const { partner } = ctx.caller
  if (!partner) throw notFound('A partner’s link')
  if (partner.expired_at !== null) throw unauthorized('This link has expired. Please ask for a new one.')
  const current = await currentPartners(ctx.db)
  const ids = [...current].flatMap(([id, now]) => (now === partner.partner_id ? id : []))
  return { project_id: partner.project_id, ids }
}

const ownSessions = (ctx: Pick<Ctx, 'db'>, { project_id, ids }: { project_id: number; ids: readonly number[] }) =>
  ctx.db
    .selectFrom('field_sessions')
    .where('project_id', '=', project_id)
    .where('partner_id', 'in', [...ids])
    .where('test', '=', 0)

/** The most sessions that a partner's page has. */
const MOST_OWN = 200

async function own(ctx: Ctx<Input<'fieldSession.own'>>) {
  const mine = await ownIds(ctx as Ctx)
  const rows = await ownSessions(ctx, mine)
    .select(['rid', 'pid', 'state', 'reason', 'entered_at', 'ended_at'])
    .orderBy('id', 'desc')
    .limit(MOST_OWN)
    .execute()
  const links = await ctx.db
    .selectFrom('entry_links')
    .select(['name', 'state', 'token'])
    .where('project_id', '=', mine.project_id)
    .where('partner_id', 'in', mine.ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const counts = await allTraffic(ctx.db, { project_id: mine.project_id, partner_ids: mine.ids })
  const { figures, shares } = trafficFigures(counts)
  return {
    data: {
      links: links.map(({ name, state, token }) => ({ name, state, url: entryUrl(ctx.services, { token }) })),
      traffic: { ...figures, ...shares },
      sessions: rows.map((row) => ({ ...row, reason: withoutCell(row.reason) })),
    },
  }
}

/** A partner doesn't learn which quota it was. */
const withoutCell = (reason: string): string => (reason.startsWith('cell:') ? 'full' : reason)

async function ownOne(ctx: Ctx<Input<'fieldSession.ownOne'>>) {
  const mine = await ownIds(ctx as Ctx)
  const row = await ownSessions(ctx, mine)
    .select(['rid', 'pid', 'state', 'reason', 'entered_at', 'ended_at'])
    .where('rid', '=', ctx.input.rid)
    .executeTakeFirst()
  if (!row) throw notFound(`Session ${ctx.input.rid}`)
  const reason = withoutCell(row.reason)
  return { data: { ...row, reason, why: whyOf({ state: row.state, reason }) } }
}

/** A session and its link, for who may speak for it: a key of its survey, an administrator, or its link's signature. */
async function spokenFor(
  ctx: Ctx<{ rid: string; t?: number | undefined; sig?: string | undefined }>,
  word: Parameters<typeof outcomeText>[1],
): Promise<{ session: SessionRow; link: LinkRow; status: string }> {
  const { rid, t, sig } = ctx.input
  const session = await ctx.db.selectFrom('field_sessions').selectAll().where('rid', '=', rid).executeTakeFirst()
  const link = session && (await linkOf(ctx.db, session.link_id))
  const survey = session
    ? await ctx.db
        .selectFrom('projects')
        .select(['status', 'parent_id', 'client_id', 'deleted_at'])
        .where('id', '=', session.project_id)
        .executeTakeFirst()
    : undefined
  const unknown = notFound(`Session ${rid}`)
  if (!session || !link || !survey || survey.deleted_at !== null || session.early !== '') throw unknown
  const { apiKey, actor } = ctx.caller
  if (apiKey) {
    if (!keyOpens(apiKey.scope, { id: session.survey_id, project_id: session.project_id, ...survey })) throw unknown
  } else if (!(actor && isAdmin(actor))) {
    const secrets = surveySecrets(ctx.services, link, ctx.now)
    const now = ctx.services.now()
    const signed = checkSignature(secrets, (at) => outcomeText(rid, word, at), { t, sig, now, grace: GRACE.s2s })
    if (signed !== 'fine') {
      const wrong = signed === 'stale' ? `The signature is older than ${GRACE.s2s} seconds; here it is ${ctx.now}.` : undefined
      throw new HttpError(401, 'signature', wrong ?? 'This needs an intake key of the survey, or its link’s signature.')
    }
  }
  return { session, link, status: survey.status }
}

/** Throws 422 unless the respondent is a row of intake with the session's outcome. */
async function readInterview(ctx: Ctx, session: SessionRow, sent: unknown, outcome: string): Promise<Respondent | null> {
  if (sent === undefined) return null
  const survey = { id: session.survey_id, project_id: session.project_id }
  const reader = await openReader(ctx.db, survey, { now: new Date(ctx.now), strict: true })
  const own =
    sent && typeof sent === 'object' && !Array.isArray(sent) ? { outcome: INTAKE[outcome as 'complete'], ...sent } : sent
  if (reader.needsPartners(own)) await reader.readPartners()
  const row = reader.read(own, 1)
  if (!row) {
    const fields = Object.fromEntries(reader.errors.map(({ field, message }) => [`respondent.${field}`, message]))
    throw new HttpError(422, 'invalid', Object.values(fields)[0] ?? 'respondent is not a row of intake', { fields })
  }
  if (row.outcome !== INTAKE[outcome as 'complete'])
    throw invalid(
      'respondent.outcome',
      `respondent.outcome must be ${INTAKE[outcome as 'complete'] ?? 'missing'}, as the outcome is ${outcome}`,
    )
  if (row.rid !== null && row.rid !== session.rid) throw invalid('respondent.rid', `respondent.rid must be ${session.rid}`)
  return row
}

async function outcome(ctx: Ctx<Input<'fieldSession.outcome'>>) {
  const { rid, outcome, reason, seconds, respondent: sent } = ctx.input
  const { session, link, status } = await spokenFor(ctx, outcome)
  if (sent !== undefined && outcome === 'security') throw invalid('respondent', 'A person who was refused has no interview')
  const respondent = await readInterview(ctx as Ctx, session, sent, outcome)
  if (session.state === 'abandoned' && (status === 'completed' || status === 'rejected'))
    throw new HttpError(410, 'expired', 'This person left, and the survey has closed since.')
  const ended = await inSurveyTurn(ctx.services, session.survey_id, () =>
    ctx.write((writing) =>
      endSession(writing as Ctx, link, rid, { outcome, reason, seconds: seconds ?? null, proof: 's2s', respondent }),
    ),
  )
  if (!ctx.dry) announceTraffic(ctx.services, session)
  const { state, proof, respondent_id } = ended.session
  if (ended.effect === 'contradicts')
    throw new HttpError(409, 'ended', `This session ended as ${state} already, so it can’t end as ${outcome}.`, {
      ended: { state, proof },
      sent: { outcome },
    })
  const beyond = ended.placed !== null && ended.placed.beyond > 0
  return {
    data: { rid, state: state as SessionState, proof, repeated: ended.effect !== 'ends', beyond, respondent_id },
    message: describeEffect(ctx, 'fieldSession.outcome', { name: `Session ${rid}`, kind: 'user' }),
  }
}

async function seen(ctx: Ctx<Input<'fieldSession.seen'>>) {
  const { session } = await spokenFor(ctx, 'seen')
  if (session.state !== 'admitted') throw new HttpError(409, 'ended', `This session ended as ${session.state}.`)
  return { data: { until_at: ctx.dry ? session.until_at : await keepPlaces(ctx.services, session) } }
}

export const fieldSessionHandlers: HandlersOf<typeof fieldSessionCalls> = {
  'fieldSession.traffic': traffic,
  'fieldSession.list': list,
  'fieldSession.get': get,
  'fieldSession.own': own,
  'fieldSession.ownOne': ownOne,
  'fieldSession.outcome': ownTransaction({ noKey: 'a session has one outcome' }, outcome),
  'fieldSession.seen': ownTransaction({ noKey: 'it says that somebody is still there' }, seen),
}
