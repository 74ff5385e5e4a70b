import { allowedActions } from '../../../contract/access.ts'
import type { Output } from '../../../contract/calls.ts'
import { showTime } from '../../../contract/format.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { Status } from '../../../contract/status.ts'
import { FakeError } from './answers.ts'
import { byId, type Marketplace, type Project, projectRow, today } from './marketplace.ts'

type Quote = Output<'project.quote'>['data']
type Invitation = Quote['rounds'][number]['invitations'][number]

/** When all partners answered: at the same moment, so that nobody was first. */
const ANSWERED = new Date().toISOString()

/** A partner's invitation to a project as it is stored. */
export interface Invite {
  project_id: number
  partner_id: number
  message: string
  answer_by: string | null
  mailed_at: string | null
  reminded_at: string | null
  revoked_at: string | null
  revoke_reason: string
  /** The current round by default. */
  round?: number
  opened_at?: string
  silent_days?: number
  answer: {
    id: number
    yes: boolean
    completes: number | null
    cpi_cents: number | null
    field_days: number | null
    valid_until: string | null
    reason: string
    lock_version: number
  } | null
}

const ADMIN = { id: 1, role: 'admin', admin_id: null } as const
const DAY_MS = 86_400_000
const STEPS: Partial<Record<Status, Quote['step']>> = { requirements: 'invite', pricing: 'responses', submit_approval: 'cost' }

const invitesOf = (market: Marketplace, project_id: number): Invite[] => {
  const ofProject = market.invites.filter((one) => one.project_id === project_id)
  const project = byId(market.projects, project_id)!
  const others = project.partners.filter((id) => !ofProject.some(({ partner_id }) => partner_id === id))
  return [...ofProject, ...others.map((partner_id) => inviteOf(project_id, partner_id))]
}

const inviteOf = (project_id: number, partner_id: number, more: Partial<Invite> = {}): Invite => ({
  project_id,
  partner_id,
  message: '',
  answer_by: null,
  mailed_at: null,
  reminded_at: null,
  revoked_at: null,
  revoke_reason: '',
  answer: null,
  ...more,
})

function stateOf({ revoked_at, answer, silent_days, opened_at, mailed_at }: Invite): Invitation['state'] {
  if (revoked_at) return 'revoked'
  if (answer) return answer.yes ? 'yes' : 'no'
  return silent_days ? 'silent' : opened_at ? 'opened' : mailed_at ? 'mailed' : 'invited'
}

function shownInvitation(market: Marketplace, project: Project, invite: Invite): Invitation {
  const { name } = byId(market.partners, invite.partner_id)!
  const { answer } = invite
  const email = market.without_email.includes(invite.partner_id) ? '' : `partner${invite.partner_id}@mail.test`
  const next = invite.reminded_at ? new Date(Date.parse(invite.reminded_at) + DAY_MS).toISOString() : null
  const ended = answer?.valid_until != null && answer.valid_until < today()
  const facts = {
    name,
    open: project.status === 'pricing',
    priced: project.status === 'pricing' || project.status === 'submit_approval',
    revoked: invite.revoked_at !== null,
    answer: answer && (answer.yes ? ('yes' as const) : ('no' as const)),
    offered: answer?.completes != null && answer.cpi_cents !== null,
    ended: ended ? answer.valid_until : null,
    has_email: email !== '',
    remind_from: next && showTime(Date.parse(next), 'clock', 'America/New_York'),
  }
  return {
    ...allowedActions('proffer', ADMIN, facts),
    partner_id: invite.partner_id,
    name,
    email,
    deleted: false,
    title: '',
    requirements: '',
    show_survey: false,
    file_ids: [],
    why: '',
    entry_url: '',
    message: invite.message,
    answer_by: invite.answer_by,
    state: stateOf(invite),
    silent_days: invite.silent_days ?? null,
    invited_at: new Date().toISOString(),
    invited_by: null,
    mailed_at: invite.mailed_at,
    link_until: null,
    opened_at: invite.opened_at ?? null,
    last_opened_at: null,
    opens: 0,
    reminders: invite.reminded_at ? 1 : 0,
    reminded_at: invite.reminded_at,
    remind_from: next,
    revoked_at: invite.revoked_at,
    revoke_reason: invite.revoke_reason,
    answer: answer && {
      id: answer.id,
      state: 'sent',
      fill_requirements: answer.yes ? 'Yes' : 'No',
      reason: answer.reason,
      feasible_completes: answer.completes,
      cpi_cents: answer.cpi_cents,
      incidence: null,
      loi_minutes: null,
      field_days: answer.field_days,
      valid_until: answer.valid_until,
      note: '',
      binding: false,
      sent_at: ANSWERED,
      corrections: 0,
      chosen_completes: null,
      lock_version: answer.lock_version,
      total_cents: answer.completes === null || answer.cpi_cents === null ? null : answer.completes * answer.cpi_cents,
      ended,
      late: false,
      entered_by: null,
      created_at: new Date().toISOString(),
    },
  }
}

/** A project's quote flow, without prices or documents. */
export function projectQuote(market: Marketplace, project: Project): Quote {
  const row = projectRow(market, project)
  const invites = invitesOf(market, project.id)
  const last = Math.max(1, ...invites.map(({ round = 1 }) => round))
  const held = project.status === 'requirements' || project.status === 'pricing'
  return {
    id: project.id,
    generation: 'project',
    name: project.name,
    client_id: project.client_id,
    client_name: row.client_name,
    status: project.status,
    status_shown: row.status_shown,
    step: STEPS[project.status] ?? 'documents',
    round: last,
    ordered: project.ordered,
    code: `P-${project.id}`,
    requirements: '',
    survey_url: '',
    files: [],
    asked: {
      completes: project.ordered,
      campaign_type: 'Survey',
      audience: [],
      markets: 'All DMAs',
      start: row.start_dt,
      end: row.end_dt,
      loi_minutes: null,
      incidence: null,
    },
    target_cost_cents: held ? project.cost_cents : null,
    cost_cents: held ? null : project.cost_cents,
    valid_until: project.quote_valid_until,
    usual_margin: 35,
    margin_floor: 15,
    usual_answer_by: addDays(today(), 7),
    usual_valid_until: addDays(today(), 14),
    requested_by: null,
    created_at: row.created_at,
    lock_version: project.lock_version,
    allowed_actions: row.allowed_actions,
    refused_actions: row.refused_actions,
    rounds: Array.from({ length: last }, (_, at) => last - at).map((round) => ({
      round,
      open: project.status === 'pricing' && round === last,
      reason: round === last ? '' : 'Too dear',
      changes: [],
      invitations: invites
        .filter((one) => (one.round ?? last) === round)
        .map((invite) => shownInvitation(market, project, invite)),
      quotes: [],
    })),
    last_work: [],
    documents: [],
  }
}

/** Invites partners to a project, and puts it on quote. */
export function invite(market: Marketplace, project: Project, ids: readonly number[], more: Partial<Invite>): Invite[] {
  const made = ids
    .filter((id) => !invitesOf(market, project.id).some((one) => one.partner_id === id && !one.revoked_at))
    .map((id) => inviteOf(project.id, id, more))
  market.invites.push(...made)
  project.partners = [...new Set([...project.partners, ...made.map((one) => one.partner_id)])]
  if (project.status === 'requirements') project.status = 'pricing'
  return made
}

/** A stored invitation to change; throws for one that doesn't exist. */
export function invitedTo(market: Marketplace, project_id: number, partner_id: number): Invite {
  const there = market.invites.find((one) => one.project_id === project_id && one.partner_id === partner_id)
  if (there) return there
  const made = invitesOf(market, project_id).find((one) => one.partner_id === partner_id)
  if (!made) throw new FakeError(404, 'not_found', 'This partner is not invited.')
  market.invites.push(made)
  return made
}

/** The partners of a project who would get a reminder. */
export const remindable = (market: Marketplace, project: Project, ids?: readonly number[]): Invite[] =>
  invitesOf(market, project.id).filter((one) => {
    const { allowed_actions } = shownInvitation(market, project, one)
    return allowed_actions.includes('invitation.remind') && (!ids || ids.includes(one.partner_id))
  })
