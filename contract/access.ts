import { SPELLING, STEP, type Status, TRANSITIONS, type Transition } from './status.ts'
import type { Role } from './vocabulary.ts'

/** The person or key that makes the request. */
export interface Actor {
  id: number
  role: Role
  /** The admin behind a client user (act as), or null. */
  admin_id: number | null
}

/** What the rules need to know of a project. */
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
  /** Civil date the current quote is valid until, or null when it does not expire. */
  quote_valid_until: string | null
  /** Whether the current price was sent to the client; before that they neither see nor decide it. */
  quote_sent: boolean
  requested_by: number | null
  pending_rewards: number
  /** Whether it has responses or rewards, which rule out deletion. Read only where the status allows one. */
  has_results: boolean
  /** Projects below it that are not deleted. */
  has_children: boolean
  today: string
}

/** What the rules need to know of a reward entry. */
export interface EntryFacts {
  status: 'pending' | 'processing' | 'sent' | 'rejected'
  amount_cents: number
  allowed_amounts: readonly number[]
}

/** What the rules need to know of a user. */
export interface UserFacts {
  id: number
  role: Role
  status: 'invited' | 'active'
  last_admin: boolean
}

export type Verdict = string | null
type Rule<S> = (actor: Actor, subject: S) => Verdict

const adminOnly = (actor: Actor): Verdict => (actor.role === 'admin' ? null : 'only an administrator can do this')

/** The guards on data: forcing a status skips the order, never one of these (decisions.md 2). */
export function guardOf(actor: Actor, transition: Pick<Transition, 'guard'>, project: ProjectFacts): Verdict {
  switch (transition.guard) {
    case 'partner assigned':
      return project.has_partner ? null : 'no partner is assigned yet'
    case 'cost set':
      return (project.cost_cents ?? 0) > 0 ? null : 'the cost is not set yet'
    case 'round open':
      if (actor.role === 'client' && !project.quote_sent) return 'the quote has not been sent yet'
      return project.quote_valid_until && project.quote_valid_until < project.today
        ? `the quote expired on ${project.quote_valid_until}`
        : null
    case 'can go live':
      return missingForLive(project)
    case 'end not past':
      return endPast(project)
    default:
      return null
  }
}

function endPast(project: ProjectFacts): Verdict {
  if (!project.end_dt) return 'the project has no end date'
  return project.end_dt < project.today ? `the end date ${project.end_dt} is past` : null
}

function missingForLive(project: ProjectFacts): Verdict {
  if (!(project.ordered > 0)) return 'nothing is ordered yet'
  if (!project.start_dt) return 'the project has no start date'
  const past = endPast(project)
  if (past) return past
  if (!((project.cost_cents ?? 0) > 0)) return 'the cost is not set yet'
  return project.needs_survey && !project.has_survey ? 'it has no survey URL or file' : null
}

/** The row of the transitions table that leads from a project's status to another, for this caller; null when there is none. */
export function transitionFor(actor: Actor, project: ProjectFacts, to: Status): Transition | null {
  return (
    TRANSITIONS.find(
      (row) =>
        row.from.includes(project.status) &&
        row.to === to &&
        row.who.includes(actor.role) &&
        (!row.own || actor.role === 'admin' || project.requested_by === actor.id),
    ) ?? null
  )
}

/** The statuses a caller can set now without force, guards included. */
export function openTransitions(actor: Actor, project: ProjectFacts): Status[] {
  return TRANSITIONS.filter((row) => transitionFor(actor, project, row.to) === row && guardOf(actor, row, project) === null).map(
    (row) => row.to,
  )
}

const move =
  (to: Status, from: Status, otherwise: string): Rule<ProjectFacts> =>
  (actor, project) => {
    if (project.status !== from) return otherwise
    const row = transitionFor(actor, project, to)
    return row ? guardOf(actor, row, project) : 'only an administrator can do this'
  }
const PAUSE_FIRST = 'pause the project to change its price'
/** The statuses from which an approved price can be changed (decisions.md 13, Price). */
const repriced = (project: ProjectFacts) => project.status === 'approved' || project.status === 'paused'
/** The statuses in which a project that nothing came of can be deleted (decisions.md 13). */
export const removable = (status: Status): boolean => status === 'rejected' || status === 'requirements'
const notOver = (project: ProjectFacts) => !['completed', 'reporting', 'rejected'].includes(project.status)
const shown = (project: ProjectFacts) => SPELLING[project.status].shown.toLowerCase()

/** The access table: what a caller may do with a project, or the sentence that says why not. The key is the command's and the call's id. */
export const PROJECT_RULES = {
  'project.edit': adminOnly,
  'project.setStatus': adminOnly,
  'project.goLive': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (project.status === 'active') return 'it is live already'
    return project.status === 'approved' ? missingForLive(project) : `it is ${shown(project)}: only an approved project goes live`
  },
  'project.pause': (actor, project) => move('paused', 'active', `it is ${shown(project)}, not active`)(actor, project),
  'project.resume': (actor, project) => move('active', 'paused', `it is ${shown(project)}, not paused`)(actor, project),
  'project.complete': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    return project.status === 'active' || project.status === 'paused' ? null : `it is ${shown(project)}, not in the field`
  },
  'project.clone': adminOnly,
  'project.assignPartner': (actor, project) => adminOnly(actor) ?? (notOver(project) ? null : `it is ${shown(project)}`),
  'project.mailPartner': (actor, project) => adminOnly(actor) ?? (project.has_partner ? null : 'no partner is assigned yet'),
  'project.setCost': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (SPELLING[project.status].bucket === 'pending') return null
    if (project.status === 'active') return PAUSE_FIRST
    return repriced(project) ? 'its price is approved: re-price it, which asks the client again' : `it is ${shown(project)}`
  },
  'project.reprice': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (SPELLING[project.status].bucket === 'pending') return 'its price is not approved yet: set the cost'
    if (project.status === 'active') return PAUSE_FIRST
    return repriced(project) ? null : `it is ${shown(project)}`
  },
  'project.notifyCost': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (project.status !== 'submit_approval')
      return SPELLING[project.status].bucket === 'pending'
        ? 'there is no quote yet: set the cost first'
        : `it is ${shown(project)}`
    return guardOf(actor, { guard: 'cost set' }, project) ?? guardOf(actor, { guard: 'round open' }, project)
  },
  'project.approve': (actor, project) =>
    move(
      'approved',
      'submit_approval',
      project.status === 'requirements' || project.status === 'pricing'
        ? 'no quote has been sent yet'
        : `it is ${shown(project)} already`,
    )(actor, project),
  'project.rejectQuote': (actor, project) => move('pricing', 'submit_approval', 'there is no quote to reject')(actor, project),
  'project.reject': (actor, project) => {
    if (SPELLING[project.status].bucket !== 'pending') return `it is ${shown(project)}: only a pending project can be rejected`
    return transitionFor(actor, project, 'rejected') ? null : 'only its requester or an administrator can do this'
  },
  'project.reopen': (actor, project) => move('requirements', 'rejected', `it is ${shown(project)}, not rejected`)(actor, project),
  'project.remove': (actor, project) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (!removable(project.status))
      return `it is ${STEP[project.status]}: only one that is rejected or waits for its requirements can be deleted`
    if (project.has_results) return 'it has responses or rewards'
    return project.has_children ? 'it has projects of its own: delete these first' : null
  },
  'note.create': adminOnly,
  'entry.clear': (actor, project) => adminOnly(actor) ?? (project.pending_rewards > 0 ? null : 'no reward is pending'),
  'project.export': () => null,
} as const satisfies Record<string, Rule<ProjectFacts>>
export type ProjectAction = keyof typeof PROJECT_RULES

/** What may be done with a reward entry (decisions.md 5). */
export const ENTRY_RULES = {
  'entry.redeem': (actor, entry) => {
    if (actor.role !== 'admin') return adminOnly(actor)
    if (entry.status !== 'pending') return `it is ${entry.status}, not pending`
    return entry.allowed_amounts.length === 0 || entry.allowed_amounts.includes(entry.amount_cents)
      ? null
      : `the amount is not one of ${entry.allowed_amounts.map((cents) => cents / 100).join(', ')}`
  },
  'entry.reject': (actor, entry) =>
    adminOnly(actor) ?? (entry.status === 'pending' ? null : `it is ${entry.status}, not pending`),
  'entry.secondChance': (actor, entry) =>
    adminOnly(actor) ?? (entry.status === 'rejected' ? null : `it is ${entry.status}, not rejected`),
} as const satisfies Record<string, Rule<EntryFacts>>

/** What may be done with a user (decisions.md 6). */
export const USER_RULES = {
  'user.edit': adminOnly,
  'user.remove': (actor, user) =>
    adminOnly(actor) ??
    (user.id === actor.id ? 'you cannot delete yourself' : user.last_admin ? 'this is the last administrator' : null),
  'user.resendActivation': (actor, user) =>
    adminOnly(actor) ?? (user.status === 'invited' ? null : 'the account is active already'),
  'user.resetPassword': adminOnly,
  'session.actAs': (actor, user) =>
    adminOnly(actor) ??
    (actor.admin_id
      ? 'you are acting as somebody already'
      : user.role !== 'client'
        ? 'only client users can be acted as'
        : user.status !== 'active'
          ? 'the account is not active yet'
          : null),
} as const satisfies Record<string, Rule<UserFacts>>

/** What the rules need to know of a client. */
export interface ClientFacts {
  /** Its projects that are neither over nor rejected. */
  running_projects: number
}
/** What may be done with a client. */
export const CLIENT_RULES = {
  'client.edit': adminOnly,
  'client.addUser': adminOnly,
  'client.remove': (actor, client) =>
    adminOnly(actor) ??
    (client.running_projects === 0
      ? null
      : `${client.running_projects === 1 ? 'one of its projects is' : `${client.running_projects} of its projects are`} under way`),
} as const satisfies Record<string, Rule<ClientFacts>>

/** What the rules need to know of a channel partner. */
export interface PartnerFacts {
  /** Projects that wait for its answer. */
  awaited: number
}
/** What may be done with a channel partner. */
export const PARTNER_RULES = {
  'partner.edit': adminOnly,
  'partner.remove': (actor, partner) =>
    adminOnly(actor) ??
    (partner.awaited === 0
      ? null
      : `${partner.awaited === 1 ? 'a project waits' : `${partner.awaited} projects wait`} for its answer`),
} as const satisfies Record<string, Rule<PartnerFacts>>

/** What the rules need to know of a saved view. */
export interface ViewFacts {
  mine: boolean
}
const owner = (actor: Actor, view: ViewFacts): Verdict =>
  view.mine || actor.role === 'admin' ? null : 'only who saved it or an administrator can do this'
/** What may be done with a saved view; what an administrator sees of others' is what they share. */
export const VIEW_RULES = {
  'view.edit': owner,
  'view.remove': owner,
} as const satisfies Record<string, Rule<ViewFacts>>

/** What may be done with a note. */
export const NOTE_RULES = {
  'note.edit': adminOnly,
  'note.remove': adminOnly,
} as const satisfies Record<string, Rule<null>>

/** What the rules need to know of a file. */
export interface FileFacts {
  kind: string
  /** Signed documents of its project, itself among them. */
  signed: number
}
/** What may be done with a file. */
export const FILE_RULES = {
  'file.link': () => null,
  'file.remove': (actor, file) =>
    adminOnly(actor) ??
    (file.kind === 'docsign' && file.signed <= 1 ? 'the last signed document of a project can’t be removed' : null),
} as const satisfies Record<string, Rule<FileFacts>>

/** What may be done with an activity. */
export const ACTIVITY_RULES = { 'file.attachToActivity': adminOnly } as const satisfies Record<string, Rule<null>>

/** What may be done with a survey. */
export const SURVEY_RULES = {
  'runtime.ingest': adminOnly,
  'runtime.clearFraud': adminOnly,
} as const satisfies Record<string, Rule<null>>

/** What the rules need to know of a job. */
export interface JobFacts {
  kind: string
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Of a kind that can be stopped until it starts alone, and of one that may be begun again. */
  until_start: boolean
  again: boolean
  /** The caller made the file and may see what is in it. */
  made_file: boolean
  theirs: boolean
}
/** What may be done with a job; whose it is the scope says. */
export const JOB_RULES = {
  'job.link': (_actor, job) => {
    if (job.status !== 'done') return 'there is no file yet'
    if (!job.made_file) return 'it made no file'
    return job.theirs ? null : 'what you may see has changed since: please export it again'
  },
  'job.cancel': (_actor, job) => {
    if (job.status === 'queued') return null
    if (job.status !== 'running') return 'it is over'
    return job.until_start ? 'it can’t be stopped half way' : null
  },
  'job.retry': (_actor, job) => {
    if (job.status === 'done') return 'it is done'
    if (job.status === 'queued' || job.status === 'running') return 'it is on its way already'
    return job.again ? null : `a ${job.kind} is never begun again`
  },
} as const satisfies Record<string, Rule<JobFacts>>

/** What the rules need to know of a mail; whether it holds a link, and whose, is known of its text alone. */
export interface MailFacts {
  status: 'queued' | 'sending' | 'sent' | 'outbox' | 'failed' | 'withdrawn'
}
/** What may be done with a mail. */
export const MAIL_RULES = {
  'outbox.reveal': adminOnly,
  'outbox.retry': (actor, { status }) =>
    adminOnly(actor) ??
    (status === 'sent' ? 'it was sent already' : status === 'queued' || status === 'sending' ? 'it is on its way already' : null),
  'outbox.withdraw': (actor, { status }) => adminOnly(actor) ?? (status === 'queued' ? null : 'it does not wait to be sent'),
} as const satisfies Record<string, Rule<MailFacts>>

/** Every rule of a table for one subject: what is allowed, and why the rest is not. */
export function allowedActions<S, K extends string>(
  rules: Record<K, Rule<S>>,
  actor: Actor,
  subject: S,
): { allowed_actions: K[]; refused_actions: Partial<Record<K, string>> } {
  const allowed_actions: K[] = []
  const refused_actions: Partial<Record<K, string>> = {}
  for (const key of Object.keys(rules) as K[]) {
    const verdict = rules[key](actor, subject)
    if (verdict === null) allowed_actions.push(key)
    else refused_actions[key] = verdict
  }
  return { allowed_actions, refused_actions }
}
