import { z } from 'zod'
import {
  call,
  DayOrNull,
  Delay,
  dollarsInput,
  Effected,
  EffectSentence,
  Flag,
  Id,
  Lock,
  listOf,
  one,
  Text,
  wholeNumber,
} from './call.ts'
import { CapitalYesNo, Generation } from './enums.ts'
import { paged } from './listInput.ts'
import { Reason, StatusInput } from './projectInput.ts'
import { ProjectDetail } from './projectRecord.ts'
import { ProjectQuote } from './quoteRecord.ts'

const Proffer = z.object({
  id: z.number(),
  project_id: z.number(),
  campaign_id: z.number(),
  partner_id: z.number(),
  company_name: z.string(),
  project_name: z.string(),
  generation: Generation,
  round: z.number(),
  fill_requirements: CapitalYesNo,
  reason: z.string(),
  feasible_completes: z.number().nullable(),
  cpi_cents: z.number().nullable(),
  incidence: z.number().nullable(),
  loi_minutes: z.number().nullable(),
  field_days: z.number().nullable(),
  valid_until: z.string().nullable(),
  created_at: z.string(),
  /** When the answer was sent or last corrected; drafts aren't listed. */
  sent_at: z.string(),
})
const Cost = dollarsInput({
  blank: 'must be more than 0',
  unread: 'must be an amount, such as 12.50',
  wrong: 'must be more than 0',
})
const Answer = one(ProjectDetail).extend({ message: EffectSentence })
/** Older quote calls also send name, description and status: the status is checked, the rest must be unchanged. */
const Decision = z.object({
  project_id: Id,
  status: StatusInput.optional(),
  /** The price the caller saw; 409 if it has changed. */
  cost_cents: wholeNumber(z.number().int()).optional(),
  /** The revision the caller saw; 409 if it was replaced. */
  quote_id: Id.optional(),
  /** The revision's version if quote_id is sent, else the project's. */
  lock_version: Lock,
  reason: Reason,
})

/** The quote flow (decisions.md 4). */
export const quoteCalls = {
  'project.assignPartner': call({
    method: 'POST',
    path: '/v3/portal/projects/partner',
    about: 'Invites a channel partner to answer for the current round.',
    undo: true,
    input: z.object({ project_id: Id, partner_id: Id }),
    output: Answer.extend({ message: EffectSentence }),
    refreshes: ['partner', 'history'],
  }),
  'project.assign': call({
    method: 'POST',
    path: '/v3/portal/clients/project/assign',
    about: 'Assigns the partner and puts the project on quote.',
    reads: { call: 'project.get', by: { id: 'project_id' } },
    sends: 'email',
    input: Decision.extend({ partner_id: Id }),
    output: Answer,
    refreshes: ['partner', 'history'],
  }),
  'project.approve': call({
    method: 'POST',
    path: '/v3/portal/clients/project/approve',
    about: 'Approves the quote for the client; an administrator who does it on their behalf says why.',
    reads: { call: 'project.get', by: { id: 'project_id' } },
    sends: 'email',
    input: Decision,
    output: Answer.extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'project.reject': call({
    method: 'POST',
    path: '/v3/portal/clients/project/reject',
    about: 'Rejects the quote (status OnQuote) or the project (status Rejected), with a reason.',
    reads: { call: 'project.get', by: { id: 'project_id' } },
    undo: true,
    sends: 'email',
    input: Decision,
    output: Answer.extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'project.waiting': call({
    method: 'GET',
    path: '/v3/portal/quotes/waiting',
    about: 'Lists every quote that the caller may approve now, the first to lapse first.',
    input: z.object({}),
    output: listOf(z.object({ id: z.number(), name: z.string(), generation: Generation, valid_until: z.string().nullable() })),
  }),
  'project.quote': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/quote',
    about:
      'Returns a project’s quote flow: rounds with invitations and answers, quotes with their shares and margin, signed documents.',
    input: z.object({ id: Id }),
    output: one(ProjectQuote),
  }),
  'project.quoteOpened': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/quote/opened',
    about: 'Records that the client opened the quote that waits for them; an administrator’s visit isn’t recorded.',
    passing: true,
    input: z.object({ id: Id }),
    output: Effected,
  }),
  'project.askQuote': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/quote/ask',
    about: 'Asks the administrators for a new quote in place of one that expired: emails them, at most once a day.',
    undo: true,
    sends: 'email',
    input: z.object({ id: Id, message: Text.max(2000).default('') }),
    output: Effected,
    refreshes: ['history', 'outbox'],
  }),
  'project.proffers': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/proffers',
    about: 'Lists the feasibility answers of a project, every round.',
    input: z.object({ id: Id }),
    output: listOf(Proffer),
  }),
  'proffer.list': call({
    method: 'GET',
    path: '/v1/proffers',
    about: 'Lists feasibility answers, newest first, 50 a page: all, those of one project or partner, or those in one state.',
    input: z.object({
      ...paged(50),
      campaign_id: Id.optional(),
      /** Another name for campaign_id. */
      project_id: Id.optional(),
      partner_id: Id.optional(),
      /** `ended`: yes, but its valid-until date has passed. */
      state: z.enum(['', 'yes', 'no', 'ended'], { error: 'state is not one of yes, no, ended' }).default(''),
    }),
    output: z.object({
      data: z.object({ count: z.number(), page: z.number(), per_page: z.number(), proffers: z.array(Proffer) }),
    }),
  }),
  'project.setCost': call({
    method: 'PUT',
    path: '/v3/portal/projects_cost/{id}',
    about:
      'Sets the cost, in dollars (cost) or cents (cost_cents); a project on quote becomes quoted. Re-prices an approved project, with a reason: it is quoted again, and the client decides again.',
    reads: 'project.get',
    undo: true,
    sends: 'email',
    input: z
      .object({
        id: Id,
        cost: Cost.optional(),
        cost_cents: wholeNumber(z.number().int().positive('must be more than 0').max(1_000_000_000)).optional(),
        /** Today or later; blank removes it. */
        valid_until: DayOrNull.optional(),
        /** Sets a target cost that the client doesn't see; the project's status stays. */
        hold: Flag.default(false),
        /** The partners' parts of the order at current prices; defaults to the earlier price's parts. */
        shares: z
          .array(z.object({ proffer_id: Id, completes: wholeNumber(z.number().int().min(1).max(10_000_000)) }))
          .max(100)
          .optional(),
        /** Mails the quote to the client; the mail waits 8 seconds. */
        notify: Flag.default(false),
        /** Why an approved price changes, or why the cost is below the partners'. */
        reason: Reason,
        lock_version: Lock,
      })
      .refine((input) => input.cost !== undefined || input.cost_cents !== undefined, {
        message: 'cost is required',
        path: ['cost'],
      }),
    output: Answer,
    refreshes: ['history', 'outbox'],
  }),
  'project.notifyCost': call({
    method: 'GET',
    path: '/v3/portal/projects_cost_notification/{id}',
    unsafe: true,
    about: 'Emails the client about the cost; accepts token headers only.',
    sends: 'email',
    input: z.object({ id: Id, delay_seconds: Delay }),
    output: Effected,
  }),
  'project.mailPartner': call({
    method: 'GET',
    path: '/v3/portal/partner/send_mail/{partner_id}/{project_id}',
    unsafe: true,
    about: 'Emails a partner the signed link to the feasibility page; accepts token headers only.',
    sends: 'email',
    input: z.object({ partner_id: Id, project_id: Id, delay_seconds: Delay }),
    output: Effected,
  }),
  'campaign.mailPartner': call({
    method: 'GET',
    path: '/v1/partner/send_mail/{partner_id}/{project_id}',
    unsafe: true,
    about: 'Emails a partner the signed link to the feasibility page, older spelling.',
    sends: 'email',
    input: z.object({ partner_id: Id, project_id: Id, delay_seconds: Delay }),
    output: Effected,
  }),
}
