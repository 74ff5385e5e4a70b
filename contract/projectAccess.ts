import { type Actor, ADMIN_ONLY, type Denial, isAdmin, refusedAt } from './actor.ts'
import { closedProject } from './recordAccess.ts'
import { admin, adminMay, may, type Rule, signedIn } from './rule.ts'
import { SPELLING, STEP, type Status, TRANSITIONS, type Transition } from './status.ts'

/** The facts about a project that its rules read. */
export interface ProjectFacts {
  id: number
  generation: 'campaign' | 'project'
  status: Status
  ordered: number
  start_dt: string | null
  end_dt: string | null
  cost_cents: number | null
  has_partner: boolean
  /** A survey project goes live only with a survey URL or file. */
  needs_survey: boolean
  has_survey: boolean
  /** Civil date the current quote is valid until; null if it doesn't expire. */
  quote_valid_until: string | null
  /** True if the client was sent the current price; before that they can neither see nor decide it. */
  quote_sent: boolean
  /** An earlier quote, of this round or a previous one, was replaced by the current one. */
  quote_again: boolean
  requested_by: number | null
  /** False if the client has named approvers and the caller, a client user, isn't one. */
  approves: boolean
  pending_rewards: number
  /** True if responses or rewards prevent deletion; read only in statuses that allow deletion. */
  has_results: boolean
  has_team: boolean
  /** True if it has children that aren't deleted. */
  has_children: boolean
  today: string
}

/** The denial for a client user whose client has named others to decide. */
const APPROVERS_ONLY = 'only the named approvers of its client decide on quotes'

/** The guards on data: forcing a status skips the order, never one of these (decisions.md 2). */
export function guardOf(actor: Actor, transition: Pick<Transition, 'guard'>, project: ProjectFacts): Denial {
  switch (transition.guard) {
    case 'partner assigned':
      return project.has_partner ? null : 'no partner is invited yet'
    case 'cost set':
      return (project.cost_cents ?? 0) > 0 ? null : 'the cost is not set yet'
    case 'decides':
      return isAdmin(actor) || project.approves ? null : APPROVERS_ONLY
    case 'round open':
      if (!isAdmin(actor) && !project.approves) return APPROVERS_ONLY
      if (!isAdmin(actor) && !project.quote_sent) return unsent(project)
      return project.quote_valid_until && project.quote_valid_until < project.today
        ? `the quote expired on ${project.quote_valid_until}`
        : null
    case 'can go live':
      return missingForLive(project)
    default:
      return null
  }
}

/** Returns why there is no quote to decide on. */
const unsent = ({ quote_again }: ProjectFacts): string =>
  quote_again ? 'a new quote is being prepared' : 'no quote has been sent yet'

function endPast(project: ProjectFacts): Denial {
  if (!project.end_dt) return 'the project has no end date'
  return project.end_dt < project.today ? `the end date ${project.end_dt} is past` : null
}

function missingForLive(project: ProjectFacts): Denial {
  if (!(project.ordered > 0)) return 'nothing is ordered yet'
  if (!project.start_dt) return 'the project has no start date'
  const past = endPast(project)
  if (past) return past
  if (!((project.cost_cents ?? 0) > 0)) return 'the cost is not set yet'
  return project.needs_survey && !project.has_survey ? 'it has no survey URL or file' : null
}

/** Returns the transition to a status that applies to this caller; null if there is none. */
export function transitionFor(actor: Actor, project: ProjectFacts, to: Status): Transition | null {
  return (
    TRANSITIONS.find(
      (row) =>
        row.from.includes(project.status) &&
        row.to === to &&
        row.who.includes(actor.role) &&
        (!row.own || isAdmin(actor) || project.requested_by === actor.id),
    ) ?? null
  )
}

/** Returns the statuses a caller can set now without force, guards included. */
export function openTransitions(actor: Actor, project: ProjectFacts): Status[] {
  return TRANSITIONS.filter((row) => transitionFor(actor, project, row.to) === row && guardOf(actor, row, project) === null).map(
    (row) => row.to,
  )
}

const move =
  (to: Status, from: Status, otherwise: string): ((actor: Actor, project: ProjectFacts) => Denial) =>
  (actor, project) => {
    if (project.status !== from) return otherwise
    const row = transitionFor(actor, project, to)
    return row ? guardOf(actor, row, project) : ADMIN_ONLY
  }
/** The denial for a client user who didn't request the project. */
export const REQUESTER_ONLY = 'only its requester or an administrator can do this'
const PAUSE_FIRST = 'pause the project to change its price'
/** True in statuses where an approved price can be changed (decisions.md 13, Price). */
const repriced = (project: ProjectFacts) => project.status === 'approved' || project.status === 'paused'
/** True in statuses where a project without results can be deleted (decisions.md 13). */
export const removable = (status: Status): boolean => status === 'rejected' || status === 'requirements'
const shown = (project: ProjectFacts) => SPELLING[project.status].shown.toLowerCase()

/** The denial for administrators, who write notes instead of requirements. */
export const NOT_A_CLIENT = 'administrators add a note instead'

/** Rules on a project (decisions.md 2). An action that isn't a call sets a status or price through one. */
export const PROJECT_RULES = {
  'project.edit': admin,
  /** Client users change a status only by deciding on a quote; setting one is for administrators. */
  'project.setStatus': may((actor) => refusedAt('admin', actor)),
  'project.goLive': adminMay((_actor, project) => {
    if (project.status === 'active') return 'it is already live'
    return project.status === 'approved' ? missingForLive(project) : `it is ${shown(project)}: only an approved project goes live`
  }),
  'project.pause': adminMay((actor, project) => move('paused', 'active', `it is ${shown(project)}, not active`)(actor, project)),
  'project.resume': adminMay((actor, project) => move('active', 'paused', `it is ${shown(project)}, not paused`)(actor, project)),
  'project.complete': adminMay((_actor, project) =>
    project.status === 'active' || project.status === 'paused' ? null : `it is ${shown(project)}, not in field`,
  ),
  'project.clone': admin,
  'project.assignPartner': adminMay((_actor, project) => {
    if (project.status === 'requirements' || project.status === 'pricing') return null
    return project.status === 'submit_approval' ? 'its round is closed: the quote is with the client' : `it is ${shown(project)}`
  }),
  'project.showPartners': adminMay((_actor, project) => (project.has_partner ? null : 'no partner is invited yet')),
  'project.mailPartner': adminMay((_actor, project) => {
    if (!project.has_partner) return 'no partner is invited yet'
    return project.status === 'pricing' ? null : 'partners answer only while the project is on quote'
  }),
  'project.setCost': adminMay((_actor, project) => {
    if (SPELLING[project.status].bucket === 'pending') return null
    if (project.status === 'active') return PAUSE_FIRST
    return repriced(project) ? 'its price is approved: re-price it, which asks the client again' : `it is ${shown(project)}`
  }),
  'project.reprice': adminMay((_actor, project) => {
    if (SPELLING[project.status].bucket === 'pending') return 'its price is not approved yet: set the cost'
    if (project.status === 'active') return PAUSE_FIRST
    return repriced(project) ? null : `it is ${shown(project)}`
  }),
  'project.takeOffers': adminMay((_actor, project) => {
    if (project.status === 'requirements') return 'no partner is invited yet'
    if (project.status === 'pricing') return project.has_partner ? null : 'no partner is invited yet'
    if (project.status === 'active') return PAUSE_FIRST
    if (repriced(project)) return 'its price is approved: re-price it, which asks the client again'
    return project.status === 'submit_approval' ? null : `it is ${shown(project)}`
  }),
  'project.notifyCost': adminMay((actor, project) => {
    if (project.status !== 'submit_approval')
      return SPELLING[project.status].bucket === 'pending'
        ? 'there is no quote yet: set the cost first'
        : `it is ${shown(project)}`
    return guardOf(actor, { guard: 'cost set' }, project) ?? guardOf(actor, { guard: 'round open' }, project)
  }),
  'project.approve': may((actor, project) =>
    move(
      'approved',
      'submit_approval',
      project.status === 'requirements' || project.status === 'pricing' ? unsent(project) : `it is ${shown(project)} already`,
    )(actor, project),
  ),
  /** Asks for a new quote when the current one has expired. */
  'project.askQuote': may((_actor, project) => {
    const expired = project.quote_sent && (project.quote_valid_until ?? project.today) < project.today
    return project.status === 'submit_approval' && expired ? null : 'its quote has not expired'
  }),
  'project.rejectQuote': may((actor, project) =>
    move('pricing', 'submit_approval', 'there is no quote to reject')(actor, project),
  ),
  'project.reject': may((actor, project) => {
    if (SPELLING[project.status].bucket !== 'pending') return `it is ${shown(project)}: only a pending project can be rejected`
    return transitionFor(actor, project, 'rejected') ? null : REQUESTER_ONLY
  }),
  /** Until a partner is asked, a correction changes no offer; clients don't know of partners. */
  'request.correct': may((actor, project) => {
    if (project.status !== 'requirements')
      return SPELLING[project.status].bucket === 'pending'
        ? 'it is being priced already: write to the administrators'
        : `it is ${shown(project)}`
    return project.requested_by === actor.id ? null : REQUESTER_ONLY
  }),
  'request.setPo': may((_actor, project) => (project.status === 'rejected' ? 'it is rejected' : null)),
  /** Signed documents belong to an approved project (decisions.md 13). */
  'docsign.add': may((_actor, project) =>
    SPELLING[project.status].bucket === 'pending' || project.status === 'rejected'
      ? 'documents are signed once the quote is approved'
      : null,
  ),
  'project.reopen': adminMay((actor, project) =>
    move('requirements', 'rejected', `it is ${shown(project)}, not rejected`)(actor, project),
  ),
  'project.remove': adminMay((_actor, project) => {
    if (!removable(project.status))
      return `it is ${STEP[project.status]}: only one that is rejected or waits for its requirements can be deleted`
    if (project.has_results) return 'it has responses or rewards'
    return project.has_children ? 'it has child projects: delete them first' : null
  }),
  'project.removeTeam': adminMay((_actor, project) => (project.has_team ? null : 'it has no team')),
  'note.create': admin,
  'category.set': signedIn,
  'activity.create': adminMay((_actor, project) => closedProject(project.status)),
  'project.ask': may((actor) => (isAdmin(actor) ? NOT_A_CLIENT : null)),
  'entry.clear': adminMay((_actor, project) => (project.pending_rewards > 0 ? null : 'no reward is pending')),
  'project.export': signedIn,
} as const satisfies Record<string, Rule<ProjectFacts>>
