import { z } from 'zod'
import { Allowed, Flag, Id, Order, Page, Search } from './call.ts'
import { Answer } from './proffer.ts'

/** States of an invitation; `silent`: mailed, and not answered for some days or by its date. */
export const INVITATION_STATES = ['invited', 'mailed', 'opened', 'draft', 'yes', 'no', 'silent', 'revoked'] as const

/** A partner's answer as administrators compare it. */
const Offer = Answer.extend({
  id: z.number(),
  /** CPI × feasible completes; null while one of them is missing. */
  total_cents: z.number().nullable(),
  /** Its valid-until date is past: it can't be taken any more. */
  ended: z.boolean(),
  /** It came after the answer-by date. */
  late: z.boolean(),
  /** The administrator who entered it for the partner, by name. */
  entered_by: z.string().nullable(),
  created_at: z.string(),
})

const Invitation = z.object({
  partner_id: z.number(),
  name: z.string(),
  email: z.string(),
  /** The partner was deleted. */
  deleted: z.boolean(),
  title: z.string(),
  message: z.string(),
  answer_by: z.string().nullable(),
  state: z.enum(INVITATION_STATES),
  /** Whole days since the last mail, while there is no answer; null without a mail. */
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
  /** From when a reminder may be sent again; null if it may be now. */
  remind_from: z.string().nullable(),
  revoked_at: z.string().nullable(),
  revoke_reason: z.string(),
  /** The sent answer; null before. */
  answer: Offer.nullable(),
  ...Allowed,
})

const QuoteShare = z.object({
  proffer_id: z.number(),
  partner_id: z.number(),
  name: z.string(),
  completes: z.number(),
  /** The price when the share was taken. */
  cpi_cents: z.number(),
  cost_cents: z.number(),
  /** The partner corrected the answer since: the share keeps its price. */
  corrected: z.boolean(),
  /** The price in the answer now. */
  now_cpi_cents: z.number().nullable(),
})

const person = z.object({ id: z.number(), name: z.string() }).nullable()

/** A revision of a round's quote; `expired` is one that waits for the client past its date. */
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
  /** What the shares cost us; null without shares. */
  partner_cost_cents: z.number().nullable(),
  margin_cents: z.number().nullable(),
  margin_percent: z.number().nullable(),
})

/** What is asked of partners, in words. */
export const AskedShape = z.object({
  completes: z.number(),
  campaign_type: z.string(),
  audience: z.array(z.object({ label: z.string(), value: z.string() })),
  markets: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
  loi_minutes: z.number().nullable(),
  incidence: z.number().nullable(),
})
export const AskedChange = z.object({ field: z.string(), was: z.string(), is: z.string() })

/** A project's quote from invitation to signature, for administrators. */
export const ProjectQuote = z.object({
  id: z.number(),
  generation: z.enum(['campaign', 'project']),
  name: z.string(),
  client_id: z.number(),
  client_name: z.string(),
  /** The stored status, and the step of the flow that it stands for. */
  status: z.string(),
  status_shown: z.string(),
  step: z.enum(['invite', 'responses', 'cost', 'documents']),
  round: z.number(),
  ordered: z.number(),
  /** The usual name of the project for its partners. */
  code: z.string(),
  asked: AskedShape,
  /** Kept to ourselves until a quote is made of it; null without one. */
  target_cost_cents: z.number().nullable(),
  cost_cents: z.number().nullable(),
  valid_until: z.string().nullable(),
  /** The margin that a cost is proposed with, and the one below which it is shown in red, in per cent. */
  usual_margin: z.number(),
  margin_floor: z.number(),
  /** Dates that a form proposes. */
  usual_answer_by: z.string(),
  usual_valid_until: z.string(),
  requested_by: person,
  created_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
  /** The current round first. */
  rounds: z.array(
    z.object({
      round: z.number(),
      open: z.boolean(),
      /** Why the client rejected it. */
      reason: z.string(),
      /** What this round asks for otherwise than the one before. */
      changes: z.array(AskedChange),
      invitations: z.array(Invitation),
      /** The newest revision first. */
      quotes: z.array(Revision),
    }),
  ),
  /** The newest other project of this client that each partner was chosen for, with the date of its approval. */
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

/** A quote as the client of the project reads it: nothing of partners, their prices or our margin. */
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
  /** What differs from the quote before it, the price and the order among it. */
  changes: z.array(AskedChange),
})

/** Where a request stands for its client. */
const CLIENT_STEPS = ['requirements', 'pricing', 'approval', 'expired', 'approved', 'rejected'] as const
/** Where a request stands for us: `waiting` for answers, `answers` in, `quoted` to the client. */
const CHANNEL_STEPS = ['invite', 'waiting', 'answers', 'quoted', 'expired'] as const
export type ClientStep = (typeof CLIENT_STEPS)[number]
export type ChannelStep = (typeof CHANNEL_STEPS)[number]
/** Steps at which a request waits for us: to invite, to price the answers, to renew the quote. */
export const OUR_STEPS = ['invite', 'answers', 'expired'] as const satisfies readonly ChannelStep[]
const STEPS = ['', 'all', 'ours', ...new Set([...CLIENT_STEPS, ...CHANNEL_STEPS])] as const

/** What a row of the request list says of its quote, for everybody. */
export const requestShape = {
  generation: z.enum(['campaign', 'project']),
  step: z.enum(CLIENT_STEPS),
  cost_cents: z.number().nullable(),
  cost_per_complete_cents: z.number().nullable(),
  /** The same in dollars, as the older spelling has it. */
  cost_per_complete: z.number().nullable(),
  valid_until: z.string().nullable(),
  quote_round: z.number(),
  quote_id: z.number().nullable(),
  quote_lock_version: z.number().nullable(),
  /** Whether somebody of the client has opened the quote. */
  opened: z.boolean(),
  ordered: z.number(),
  /** ISO time from which the request has waited for the next person. */
  since: z.string(),
}

/** A partner invited in the current round, with its answer; `waiting` until one is sent. */
const Asked = z.object({
  partner_id: z.number(),
  name: z.string(),
  answer: z.enum(['yes', 'no', 'waiting']),
  /** Why it declined. */
  reason: z.string(),
  completes: z.number().nullable(),
  cpi_cents: z.number().nullable(),
  field_days: z.number().nullable(),
  valid_until: z.string().nullable(),
  /** Its valid-until date is past: it can't be taken any more. */
  ended: z.boolean(),
  answer_by: z.string().nullable(),
  invited_at: z.string(),
  mailed_at: z.string().nullable(),
  opened_at: z.string().nullable(),
  reminded_at: z.string().nullable(),
  answered_at: z.string().nullable(),
})

/** What it says besides to administrators. */
export const Channel = z.object({
  step: z.enum(CHANNEL_STEPS).nullable(),
  invited: z.number(),
  answered: z.number(),
  yes: z.number(),
  declined: z.number(),
  opened: z.number(),
  /** Invited, and without an answer. */
  silent: z.number(),
  /** The cheapest mix of the offers that can be taken; null without one. */
  best_cents: z.number().nullable(),
  best_completes: z.number().nullable(),
  /** How much of the order it fills, in per cent. */
  fills: z.number().nullable(),
  /** Of the cost, or of the cheapest mix at the usual margin before there is one. */
  partner_cost_cents: z.number().nullable(),
  margin_cents: z.number().nullable(),
  margin_percent: z.number().nullable(),
  /** The margin is below the least one of the organization's settings. */
  low_margin: z.boolean(),
  /** The cost is a target that the client does not see. */
  held: z.boolean(),
  /** The quote was mailed to the client. */
  sent: z.boolean(),
  answer_by: z.string().nullable(),
  overdue: z.boolean(),
  lapsing: z.boolean(),
  waiting_since: z.string().nullable(),
  waiting_days: z.number().nullable(),
  /** It has waited as long as the settings allow for its step. */
  aged: z.boolean(),
  owner: person,
  /** In the order of their invitations. */
  partners: z.array(Asked),
})

/** How the request list is asked for. */
export const RequestListInput = z.object({
  /** A status bucket of the older lists; `all` by default. */
  sort: z.string().max(40).default('all'),
  /**
   * Blank: what is pending for administrators, everything for client users.
   * `ours`: what waits for us. `all`: everything.
   */
  step: z.enum(STEPS, { error: `step is not one of ${STEPS.filter(Boolean).join(', ')}` }).default(''),
  search: Search,
  page: Page,
  per_page: z.coerce.number().int().min(1).max(500).default(500),
  /** Blank: what has waited longest first, for client users what waits for them by valid until, then the newest. */
  column: z.string().max(40).default(''),
  order: Order,
  client: Id.optional(),
  /** Administrators only: invited in the current round. */
  partner: Id.optional(),
  overdue: Flag.default(false),
  /** Its quote ends within two days. */
  lapsing: Flag.default(false),
  /** Whom I invited partners for; for client users what I requested. */
  mine: Flag.default(false),
})
