import { z } from 'zod'
import { Allowed, Flag, Id, Order, Search } from './call.ts'
import { Generation, ProjectType, StoredStatus } from './enums.ts'
import { paged } from './listInput.ts'
import { Answer } from './proffer.ts'

/** States of an invitation; `silent`: mailed, but not answered for some days or by its date. */
export const INVITATION_STATES = ['invited', 'mailed', 'opened', 'draft', 'yes', 'no', 'silent', 'revoked'] as const

/** A partner's answer as administrators compare it. */
const Offer = Answer.extend({
  id: z.number(),
  /** CPI × feasible completes; null if either is missing. */
  total_cents: z.number().nullable(),
  /** Its valid-until date has passed, so it can't be taken. */
  ended: z.boolean(),
  /** It was sent after the answer-by date. */
  late: z.boolean(),
  /** The administrator who entered it for the partner; null if the partner did. */
  entered_by: z.string().nullable(),
  created_at: z.string(),
})

const Invitation = z.object({
  partner_id: z.number(),
  name: z.string(),
  email: z.string(),
  /** True if the partner was deleted. */
  deleted: z.boolean(),
  title: z.string(),
  message: z.string(),
  /** What the agency released to the partner. */
  requirements: z.string(),
  show_survey: z.boolean(),
  file_ids: z.array(z.number()),
  /** Why this round was opened, in words for the partner. */
  why: z.string(),
  /** Where the partner sends respondents if chosen; empty until it is set. */
  entry_url: z.string(),
  answer_by: z.string().nullable(),
  state: z.enum(INVITATION_STATES),
  /** Whole days since the last mail without an answer; null without a mail. */
  silent_days: z.number().nullable(),
  invited_at: z.string(),
  invited_by: z.object({ id: z.number(), name: z.string() }).nullable(),
  mailed_at: z.string().nullable(),
  link_until: z.string().nullable(),
  opened_at: z.string().nullable(),
  last_opened_at: z.string().nullable(),
  opens: z.number(),
  reminders: z.number(),
  reminded_at: z.string().nullable(),
  /** When a reminder can be sent again; null if it can be now. */
  remind_from: z.string().nullable(),
  revoked_at: z.string().nullable(),
  revoke_reason: z.string(),
  /** The sent answer; null before it is sent. */
  answer: Offer.nullable(),
  ...Allowed,
})

const QuoteShare = z.object({
  proffer_id: z.number(),
  partner_id: z.number(),
  name: z.string(),
  completes: z.number(),
  /** The price at the time the share was taken. */
  cpi_cents: z.number(),
  cost_cents: z.number(),
  /** The partner has corrected the answer since; the share keeps its price. */
  corrected: z.boolean(),
  /** The answer's current price. */
  now_cpi_cents: z.number().nullable(),
})

const person = z.object({ id: z.number(), name: z.string() }).nullable()

/** A revision of a round's quote; `expired` ones wait for the client past their date. */
const Revision = z.object({
  id: z.number(),
  round: z.number(),
  revision: z.number(),
  state: z.enum(['prepared', 'sent', 'approved', 'rejected', 'replaced', 'expired']),
  cost_cents: z.number(),
  cost_per_complete_cents: z.number().nullable(),
  ordered: z.number(),
  valid_until: z.string().nullable(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  sent_by: person,
  opened_at: z.string().nullable(),
  opened_by: person,
  decided_at: z.string().nullable(),
  decided_by: person,
  reason: z.string(),
  lock_version: z.number(),
  shares: z.array(QuoteShare),
  /** The cost of the shares; null without shares. */
  partner_cost_cents: z.number().nullable(),
  margin_cents: z.number().nullable(),
  margin_percent: z.number().nullable(),
})

/** What partners are asked for, as text. */
export const AskedShape = z.object({
  completes: z.number(),
  campaign_type: ProjectType,
  audience: z.array(z.object({ label: z.string(), value: z.string() })),
  markets: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
  loi_minutes: z.number().nullable(),
  incidence: z.number().nullable(),
})
export const AskedChange = z.object({ field: z.string(), was: z.string(), is: z.string() })

/** A project's quote from invitation to approval, for administrators. */
export const ProjectQuote = z.object({
  id: z.number(),
  generation: Generation,
  name: z.string(),
  client_id: z.number(),
  client_name: z.string(),
  /** The stored status, and the step of the flow it belongs to. */
  status: StoredStatus,
  stored_status: StoredStatus,
  status_shown: z.string(),
  step: z.enum(['invite', 'responses', 'cost', 'documents']),
  round: z.number(),
  ordered: z.number(),
  /** The default name that partners see for the project. */
  code: z.string(),
  asked: AskedShape,
  /** What the client wrote and attached, which partners see only as far as it is released to them. */
  requirements: z.string(),
  survey_url: z.string(),
  files: z.array(z.object({ id: z.number(), name: z.string(), size: z.number() })),
  /** An internal target until a quote is made; null without one. */
  target_cost_cents: z.number().nullable(),
  cost_cents: z.number().nullable(),
  valid_until: z.string().nullable(),
  /** The default margin, and the floor below which one is shown in red, in percent. */
  usual_margin: z.number(),
  margin_floor: z.number(),
  /** Default dates for forms. */
  usual_answer_by: z.string(),
  usual_valid_until: z.string(),
  requested_by: person,
  created_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
  /** Rounds, current first. */
  rounds: z.array(
    z.object({
      round: z.number(),
      open: z.boolean(),
      /** Why the client rejected it. */
      reason: z.string(),
      /** How this round's request differs from the previous round's. */
      changes: z.array(AskedChange),
      invitations: z.array(Invitation),
      /** Revisions, newest first. */
      quotes: z.array(Revision),
    }),
  ),
  /** For each partner, this client's newest other project that chose them, with its approval date. */
  last_work: z.array(z.object({ partner_id: z.number(), project_id: z.number(), name: z.string(), on: z.string() })),
  documents: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      size: z.number(),
      mime: z.string(),
      created_at: z.string(),
      by: z.string(),
      url: z.string(),
      ...Allowed,
    }),
  ),
})

/** A quote as the client sees it, without partners, their prices or our margin. */
export const ClientQuote = z.object({
  id: z.number(),
  round: z.number(),
  revision: z.number(),
  state: z.enum(['sent', 'approved', 'rejected', 'replaced', 'expired']),
  cost_cents: z.number(),
  cost_per_complete_cents: z.number().nullable(),
  ordered: z.number(),
  valid_until: z.string().nullable(),
  sent_at: z.string().nullable(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
  reason: z.string(),
  lock_version: z.number(),
  asked: AskedShape.nullable(),
  /** How it differs from the previous quote, including price and order. */
  changes: z.array(AskedChange),
})

/** A request's step from the client's point of view. */
const CLIENT_STEPS = ['requirements', 'pricing', 'approval', 'expired', 'approved', 'rejected'] as const
/** A request's step from our point of view: `waiting` for answers, `answers` received, `quoted` to the client. */
const CHANNEL_STEPS = ['invite', 'waiting', 'answers', 'quoted', 'expired'] as const
export type ClientStep = (typeof CLIENT_STEPS)[number]
export type ChannelStep = (typeof CHANNEL_STEPS)[number]
/** Steps at which a request waits for us: to invite, to price, or to renew the quote. */
export const OUR_STEPS = ['invite', 'answers', 'expired'] as const satisfies readonly ChannelStep[]
const STEPS = ['', 'all', 'ours', ...new Set([...CLIENT_STEPS, ...CHANNEL_STEPS])] as const

/** What a row of the request list shows of its quote to everyone. */
export const requestShape = {
  generation: Generation,
  step: z.enum(CLIENT_STEPS),
  cost_cents: z.number().nullable(),
  cost_per_complete_cents: z.number().nullable(),
  /** The same in dollars, for the older spelling. */
  cost_per_complete: z.number().nullable(),
  valid_until: z.string().nullable(),
  quote_round: z.number(),
  quote_id: z.number().nullable(),
  quote_lock_version: z.number().nullable(),
  /** Whether any user of the client has opened the quote. */
  opened: z.boolean(),
  ordered: z.number(),
  /** ISO time since which the request has waited for its next step. */
  since: z.string(),
}

/** A partner invited in the current round with its answer; `waiting` until it is sent. */
const InvitedPartner = z.object({
  partner_id: z.number(),
  name: z.string(),
  answer: z.enum(['yes', 'no', 'waiting']),
  /** Why it declined. */
  reason: z.string(),
  completes: z.number().nullable(),
  cpi_cents: z.number().nullable(),
  field_days: z.number().nullable(),
  valid_until: z.string().nullable(),
  /** Its valid-until date has passed, so it can't be taken. */
  ended: z.boolean(),
  answer_by: z.string().nullable(),
  invited_at: z.string(),
  mailed_at: z.string().nullable(),
  opened_at: z.string().nullable(),
  reminded_at: z.string().nullable(),
  answered_at: z.string().nullable(),
})

/** What a row shows to administrators in addition. */
export const Channel = z.object({
  step: z.enum(CHANNEL_STEPS).nullable(),
  invited: z.number(),
  answered: z.number(),
  yes: z.number(),
  declined: z.number(),
  opened: z.number(),
  /** Invited partners without an answer. */
  silent: z.number(),
  /** The cost of the cheapest mix of valid offers; null without one. */
  best_cents: z.number().nullable(),
  best_completes: z.number().nullable(),
  /** How much of the order that mix fills, in percent. */
  fills: z.number().nullable(),
  /** The partners' cost in the quote, or in the cheapest mix before there is a quote. */
  partner_cost_cents: z.number().nullable(),
  margin_cents: z.number().nullable(),
  margin_percent: z.number().nullable(),
  /** The margin is below the organization's floor. */
  low_margin: z.boolean(),
  /** The cost is a target that the client doesn't see. */
  held: z.boolean(),
  /** The quote was mailed to the client. */
  sent: z.boolean(),
  answer_by: z.string().nullable(),
  overdue: z.boolean(),
  lapsing: z.boolean(),
  waiting_since: z.string().nullable(),
  waiting_days: z.number().nullable(),
  /** It has waited longer than the settings allow for its step. */
  aged: z.boolean(),
  owner: person,
  /** In order of invitation. */
  partners: z.array(InvitedPartner),
})

/** Filters and order of the request list. */
export const RequestListInput = z.object({
  /** A status bucket of the older lists; `all` by default. */
  sort: z.string().max(40).default('all'),
  /**
   * Blank means pending requests for administrators, and all for client users.
   * `ours`: those that wait for us. `all`: every one.
   */
  step: z.enum(STEPS, { error: `step is not one of ${STEPS.filter(Boolean).join(', ')}` }).default(''),
  search: Search,
  ...paged(500),
  /** Blank sorts by longest wait. For client users: those waiting for them by valid-until date, then the newest. */
  column: z.string().max(40).default(''),
  order: Order,
  client: Id.optional(),
  /** For administrators: only requests that invited this partner in the current round. */
  partner: Id.optional(),
  overdue: Flag.default(false),
  /** Only requests whose quote expires within two days. */
  lapsing: Flag.default(false),
  /** Requests that the caller owns; for client users, the ones they made. */
  mine: Flag.default(false),
})
