import { z } from 'zod'
import { call, DayOrNull, Delay, Effected, EffectSentence, Flag, Id, IdIfAny, listOf, needed, Text, wholeNumber } from './call.ts'
import { plainSchema } from './fieldInput.ts'
import { field } from './fieldKinds.ts'
import { MessageText } from './message.ts'
import { Answer } from './proffer.ts'
import { AskedChange, AskedShape } from './quoteRecord.ts'

/**
 * open, draft, sent: the round is open. deciding: it is over, and the client hasn't decided.
 * newer: a later round replaced it. cancelled: the project was rejected.
 * chosen, not_chosen: the client approved. closed: the same, but no partner was chosen by name.
 */
const REQUEST_STATES = ['open', 'draft', 'sent', 'deciding', 'newer', 'chosen', 'not_chosen', 'closed', 'cancelled'] as const

/** Why a partner may be asked again, as clients choose it; anything else they write is for the agency alone. */
export const WHY_AGAIN = ['Price', 'Timing', 'Audience'] as const

const Address = plainSchema(field.url('Entry URL', { wrong: 'must be a web address (https://…)' }))

/** What the agency shows an invited partner besides the request's terms. */
const shown = {
  /** What the client requires, in words that partners may read. */
  requirements: Text.max(5000),
  /** True lets the partner open the project's survey link. */
  show_survey: Flag,
  file_ids: z.array(Id).max(50),
  message: Text.max(5000),
}

/** A request as the invited partner sees it: only these keys, nothing about other partners, the client or prices. */
const PartnerRequest = z.strictObject({
  id: z.number(),
  code: z.string(),
  title: z.string(),
  message: z.string(),
  /** What the client requires, in the words that the agency released. */
  requirements: z.string(),
  /** The survey's address, if the agency released it. */
  survey_url: z.string().nullable(),
  /** Why this round was opened; empty in the first. */
  why: z.string(),
  /** Who answers the partner's questions. */
  contact: z.object({ name: z.string(), email: z.string() }),
  ...AskedShape.shape,
  round: z.number(),
  answer_by: z.string().nullable(),
  /** ISO time when the link expires, or when its round closed; null when previewing an open round. */
  closes: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), size: z.number(), url: z.string() })),
  /** Changes to the request since this partner's last answer. */
  changes: z.array(AskedChange),
  company_name: z.string(),
  state: z.enum(REQUEST_STATES),
  /** Where the fieldwork of a chosen partner is; null for everybody else. */
  field: z.enum(['waiting', 'live', 'paused', 'ended']).nullable(),
  /** Where a chosen partner sends respondents; null until the agency sets it. */
  entry_url: z.string().nullable(),
  /** True if partners who aren't chosen are told. */
  tells: z.boolean(),
  /** The answer in this round; before one exists, the previous round's as a starting point. */
  proffer: Answer.nullable(),
})

/** A message as the invited partner reads it: nobody but the agency and they themselves. */
const PartnerMessage = z.strictObject({
  id: z.number(),
  mine: z.boolean().meta({ description: 'True for what the caller’s side wrote.' }),
  author: z.string(),
  text: z.string(),
  created_at: z.string(),
})

const NO_PARTNER = 'Please choose at least one partner'
const partners = z
  .union([Id.transform((id) => [id]), z.array(Id).min(1, NO_PARTNER).max(100)], { error: NO_PARTNER })
  .transform((ids) => [...new Set(ids)])

/** The outcome for several partners, with the reason for each one skipped. */
const Sent = z.object({
  data: z.object({
    done: z.array(z.object({ partner_id: z.number(), name: z.string() })),
    skipped: z.array(z.object({ partner_id: z.number(), name: z.string(), reason: z.string() })),
  }),
  message: EffectSentence,
})

/** Partner invitations to a round, and the page behind their links (decisions.md 4, screens-quote-flow.md). */
export const invitationCalls = {
  'invitation.get': call({
    method: 'GET',
    path: '/v1/campaigns_info/{id}',
    about: 'Returns a request as an invited partner sees it; an administrator previews it, for a named partner or for any.',
    input: z.object({ id: Id, partner_id: Id.optional() }),
    output: z.object({ data: PartnerRequest }),
  }),
  'invitation.opened': call({
    method: 'POST',
    path: '/v1/campaigns_info/{id}/opened',
    about: 'Records that the partner opened the request, once a visit; an administrator’s preview isn’t recorded.',
    passing: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['project'],
  }),
  'invitation.messages': call({
    method: 'GET',
    path: '/v1/campaigns_info/{id}/messages',
    about: 'Lists what an invited partner and the agency wrote to each other about a request, oldest first: the newest 200.',
    input: z.object({ id: Id, partner_id: IdIfAny }),
    output: listOf(PartnerMessage),
  }),
  'invitation.ask': call({
    method: 'POST',
    path: '/v1/campaigns_info/{id}/messages',
    about:
      'Asks or answers as an invited partner, by the signed link; the agency is emailed. An administrator answers the partner.',
    sends: 'email',
    input: z.object({
      id: Id,
      partner_id: IdIfAny,
      text: MessageText,
      after: wholeNumber(z.number().int().min(0)).optional().meta({
        description:
          'The newest message that its sender has read, 0 for none. If they wrote the same text after it, that message is returned and none is written: so it can be sent again after a lost response.',
      }),
    }),
    output: z.object({ data: PartnerMessage, message: EffectSentence }),
    refreshes: ['message', 'history', 'outbox'],
  }),
  'invitation.requestLink': call({
    method: 'POST',
    path: '/v1/campaigns_info/{id}/link',
    about:
      'Emails the partner a new link in place of a genuine one that has expired, at most one in 24 hours; the response is always the same.',
    sends: 'email',
    input: z.object({ id: Id }),
    output: Effected,
    limit: 10,
  }),
  'invitation.create': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/invitations',
    about: 'Invites partners to answer for the current round, and emails them their links unless mail is 0.',
    undo: true,
    sends: 'email',
    credential: { limits: ['answer_by', 'file_ids', 'show_survey'], extras: true },
    input: z.object({
      id: Id,
      partner_ids: partners,
      /** The title partners see instead of the project's name. */
      title: Text.max(200).default(''),
      message: shown.message.default(''),
      requirements: shown.requirements.default(''),
      show_survey: shown.show_survey.default(false),
      /** Today or later; defaults to five working days from today. */
      answer_by: DayOrNull.optional(),
      file_ids: shown.file_ids.default([]),
      mail: Flag.default(true),
      /** Seconds before the mail is sent; undo withdraws it in that time. */
      delay_seconds: Delay,
    }),
    output: Sent.extend({ message: EffectSentence }),
    refreshes: ['project', 'partner', 'history', 'outbox'],
  }),
  'invitation.edit': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/invitations',
    about:
      'Changes what invited partners see: requirements, files, the survey link, why a round was opened, and where the chosen send respondents. Without partner_ids, for all of the round.',
    undo: true,
    input: z
      .object({
        id: Id,
        partner_ids: partners.optional(),
        ...z.object(shown).partial().shape,
        /** Why this round was opened. */
        why: Text.max(500).optional(),
        entry_url: Address.optional(),
      })
      .refine(({ id: _, partner_ids: __, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        message: 'Send what should change: requirements, show_survey, file_ids, message, why or entry_url',
        path: ['id'],
      }),
    output: Sent,
    refreshes: ['project', 'history'],
  }),
  'invitation.remind': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/invitations/remind',
    about: 'Reminds invited partners without an answer, each at most once in 24 hours; without partner_ids all of them.',
    undo: true,
    sends: 'email',
    input: z.object({
      id: Id,
      partner_ids: partners.optional(),
      delay_seconds: Delay,
    }),
    output: Sent.extend({ message: EffectSentence }),
    refreshes: ['project', 'history', 'outbox'],
  }),
  'invitation.link': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/invitations/link',
    about:
      'Creates a new link for a partner, shown once; earlier links stop working. With renew 0 it returns the link of the last email, which stays valid.',
    secret: true,
    credential: { limits: ['renew'] },
    input: z.object({
      id: Id,
      partner_id: Id,
      /** True revokes earlier links; otherwise they stay valid. */
      renew: Flag.default(true),
    }),
    output: z.object({ data: z.object({ url: z.string(), expires_at: z.string() }), message: EffectSentence }),
    refreshes: ['project', 'history'],
  }),
  'invitation.revoke': call({
    method: 'DELETE',
    path: '/v3/portal/projects/{id}/invitations',
    about: 'Revokes a partner’s invitation, with a reason: its links stop working, and who was emailed or answered is told.',
    undo: true,
    sends: 'email',
    input: z.object({
      id: Id,
      partner_id: Id,
      reason: needed('Give a reason', 2000),
    }),
    output: Effected,
    refreshes: ['project', 'partner', 'history'],
  }),
}
