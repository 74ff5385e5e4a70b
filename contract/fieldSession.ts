import { z } from 'zod'
import { call, EffectSentence, Id, listOf, wholeNumber } from './call.ts'
import { oneOf } from './enums.ts'
import { Moment, paged } from './listInput.ts'
import { RespondentRow } from './respondent.ts'
import { SESSION_OUTCOMES, SESSION_PROOFS, SESSION_STATES, SESSION_STEPS } from './sessionRules.ts'

const Rid = z
  .string()
  .trim()
  .regex(/^[\w-]{8,40}$/, 'must be 8 to 40 letters, digits, _ or -')
const Signature = {
  t: wholeNumber(z.number().int().min(0)).optional().meta({ description: 'Seconds since 1970, as they were signed.' }),
  sig: z.string().trim().max(100).optional().meta({ description: 'The signature with the link’s secret, in base64url.' }),
}
const REASON = 'Why it ended so: a check of ours, or the survey’s own words.'

/** A person at the door of a survey, without what only the detail shows. */
const SessionRow = z.object({
  id: z.number(),
  rid: z.string(),
  pid: z.string(),
  project_id: z.number(),
  survey_id: z.number(),
  link_id: z.number(),
  partner_id: z.number(),
  partner: z.string(),
  test: z.boolean(),
  state: oneOf(SESSION_STATES),
  reason: z.string().meta({ description: REASON }),
  proof: oneOf(SESSION_PROOFS),
  /** An unsigned complete came. */
  claimed: z.boolean(),
  /** Outcomes that contradict the one that counts. */
  conflicts: z.number(),
  entered_at: z.string(),
  ended_at: z.string().nullable(),
  seconds: z.number().nullable().meta({ description: 'How long the person took; null while they are inside.' }),
})
const SessionDetail = SessionRow.extend({
  why: z.string().meta({ description: 'Why it is as it is, in a sentence.' }),
  admitted_at: z.string().nullable(),
  until_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  entries: z.number().meta({ description: 'How often the link was opened.' }),
  ip: z.string(),
  cpi_cents: z.number().nullable(),
  respondent_id: z.string().nullable(),
  profile: z.record(z.string(), z.string()).meta({ description: 'What the link said of the person.' }),
  cells: z.array(z.object({ id: z.number(), name: z.string() })).meta({ description: 'The quota cells whose places it has.' }),
  steps: z.array(
    z.object({
      kind: oneOf(SESSION_STEPS),
      reason: z.string().meta({ description: REASON }),
      proof: oneOf(SESSION_PROOFS),
      at: z.string(),
    }),
  ),
})
export type SessionDetail = z.output<typeof SessionDetail>

/** A session as the partner who sent it reads it. */
const OwnRow = z.object({
  rid: z.string(),
  pid: z.string(),
  state: oneOf(SESSION_STATES),
  reason: z.string().meta({ description: REASON }),
  entered_at: z.string(),
  ended_at: z.string().nullable(),
})

const figures = {
  entrants: z.number(),
  in_survey: z.number(),
  complete: z.number(),
  terminate: z.number(),
  quota_full: z.number(),
  security: z.number(),
  abandoned: z.number(),
}
const shares = {
  incidence: z.number().nullable().meta({ description: 'Per cent of entrants who weren’t screened out.' }),
  incidence_screened: z.number().nullable().meta({ description: 'Per cent completes of completes and screened out.' }),
  conversion: z.number().nullable().meta({ description: 'Per cent completes of entrants.' }),
  drop_off: z.number().nullable().meta({ description: 'Per cent of those who stayed or left that left.' }),
}
/** Traffic as client users see it has no more than entrants and outcomes in sum. */
const Traffic = z.object({
  ...figures,
  ...shares,
  median_seconds: z.number().nullable(),
  admitted: z.number().optional().meta({ description: 'People who were let in.' }),
  epc_cents: z.number().nullable().optional().meta({ description: 'Earnings per click: the cost of completes by entrants.' }),
  anomalies: z
    .object({ claimed: z.number(), conflicts: z.number(), refused: z.number() })
    .optional()
    .meta({ description: 'Unsigned completes, contradicting outcomes, and arrivals refused before the person was known.' }),
  by: z
    .array(
      z.object({
        key: z.string().meta({ description: 'The partner’s id, the reason, or the minute in UTC.' }),
        name: z.string(),
        ...figures,
        ...shares,
        median_seconds: z.number().nullable(),
        epc_cents: z.number().nullable(),
      }),
    )
    .optional(),
})
const period = {
  from: Moment.optional().meta({ description: 'Only who came since this moment.' }),
  to: Moment.optional().meta({ description: 'Only who came before this moment.' }),
}
const base = '/v3/portal/sessions/{rid}'

/** Sessions: people that partners sent into surveys, and how each ended. */
export const fieldSessionCalls = {
  'fieldSession.traffic': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/traffic',
    about: 'Returns a project’s entrants and outcomes, for administrators also by partner, reason or minute of the last hour.',
    input: z.object({
      id: Id,
      by: z.enum(['partner', 'reason', 'minute']).default('partner').meta({ description: 'What its rows are.' }),
      ...period,
    }),
    output: z.object({ data: Traffic }),
  }),
  'fieldSession.list': call({
    method: 'GET',
    path: '/v3/portal/sessions',
    about: 'Lists sessions, the newest first: of a project, a partner, an outcome, a proof, or a person’s pid.',
    input: z.object({
      ...paged(50),
      project_id: Id.optional(),
      partner_id: Id.optional(),
      pid: z.string().trim().max(100).optional(),
      outcome: z.enum(SESSION_STATES).optional().meta({ description: 'Only sessions in this state.' }),
      proof: z.enum(SESSION_PROOFS).optional(),
    }),
    output: listOf(SessionRow),
  }),
  'fieldSession.get': call({
    method: 'GET',
    path: base,
    about: 'Returns a session with every step, and the check that decided.',
    input: z.object({ rid: Rid }),
    output: z.object({ data: SessionDetail }),
  }),
  'fieldSession.own': call({
    method: 'GET',
    path: '/v3/portal/partner/sessions',
    about:
      'Returns the entry links of a partner’s project, their traffic and their last 200 sessions, by the partner’s own link.',
    input: z.object({}),
    output: z.object({
      data: z.object({
        links: z.array(z.object({ name: z.string(), state: oneOf(['test', 'active', 'paused']), url: z.string() })),
        traffic: z.object({ ...figures, ...shares }),
        sessions: z.array(OwnRow).meta({ description: 'The newest first.' }),
      }),
    }),
  }),
  'fieldSession.ownOne': call({
    method: 'GET',
    path: '/v3/portal/partner/sessions/{rid}',
    about: 'Returns a session that the partner of the link sent, and why it ended so.',
    input: z.object({ rid: Rid }),
    output: z.object({ data: OwnRow.extend({ why: z.string().meta({ description: 'Why it is as it is, in a sentence.' }) }) }),
  }),
  'fieldSession.outcome': call({
    method: 'POST',
    path: `${base}/outcome`,
    about:
      'Ends a session from server to server, by an intake key or signed with its link’s secret. The same outcome again changes nothing; another one is a 409.',
    input: z.object({
      rid: Rid,
      outcome: z.enum(SESSION_OUTCOMES).meta({ description: 'How it ended.' }),
      reason: z.string().trim().max(100, 'needs at most 100 characters').default('').meta({ description: REASON }),
      seconds: wholeNumber(z.number().int().min(0).max(604_800)).optional().meta({ description: 'How long the person took.' }),
      respondent: RespondentRow.optional(),
      ...Signature,
    }),
    output: z.object({
      data: z.object({
        rid: z.string(),
        state: oneOf(SESSION_STATES),
        proof: oneOf(SESSION_PROOFS),
        repeated: z.boolean().meta({ description: 'True if the outcome was known already.' }),
        beyond: z.boolean().meta({ description: 'True if the complete found no place in the quotas.' }),
        respondent_id: z.string().nullable(),
      }),
      message: EffectSentence,
    }),
  }),
  'fieldSession.seen': call({
    method: 'POST',
    path: `${base}/seen`,
    about: 'Records that somebody is still in the survey, which keeps their places: signed as outcomes are, with the word seen.',
    input: z.object({ rid: Rid, ...Signature }),
    output: z.object({ data: z.object({ until_at: z.string().nullable() }) }),
  }),
}
