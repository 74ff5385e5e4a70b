import { type Actor, type Denial, seesAll } from './actor.ts'
import { amountList } from './decimals.ts'
import { count, counted } from './format.ts'
import type { ImportRowKind, ImportStatus } from './importWords.ts'
import { admin, adminMay, may, type Rule, signedIn } from './rule.ts'
import type { Status } from './status.ts'
import type { Role } from './vocabulary.ts'

/* Rules on single records, and the facts they read; projectAccess.ts has those of projects. */

/** The facts about a reward entry that its rules read. */
export interface EntryFacts {
  status: 'pending' | 'processing' | 'sent' | 'rejected'
  amount_cents: number
  allowed_amounts: readonly number[]
}

/** Rules on a reward entry (decisions.md 5). */
export const ENTRY_RULES = {
  'entry.redeem': adminMay((_actor, entry) => {
    if (entry.status !== 'pending') return `it is ${entry.status}, not pending`
    return entry.allowed_amounts.length === 0 || entry.allowed_amounts.includes(entry.amount_cents)
      ? null
      : `the amount is not one of ${amountList(entry.allowed_amounts)}`
  }),
  'entry.reject': adminMay((_actor, entry) => (entry.status === 'pending' ? null : `it is ${entry.status}, not pending`)),
  'entry.secondChance': adminMay((_actor, entry) => (entry.status === 'rejected' ? null : `it is ${entry.status}, not rejected`)),
} as const satisfies Record<string, Rule<EntryFacts>>

/** Rules on a reward of the catalogue. */
export const REWARD_RULES = {
  'reward.edit': admin,
  'reward.remove': admin,
} as const satisfies Record<string, Rule<never>>

/** The facts about a user that the rules read. */
export interface UserFacts {
  id: number
  role: Role
  status: 'invited' | 'active'
  last_admin: boolean
  /** A new email waits to be confirmed, or before that to be approved; who asked for it. */
  pending: boolean
  needs_approval: boolean
  asked_by: number | null
}

/** A rule about access that only client users can be given. */
const unlessSeesAll = (says: string) => adminMay((_actor: Actor, user: UserFacts) => (user.role === 'admin' ? says : null))
/** Rules on a user (decisions.md 6). */
export const USER_RULES = {
  'user.edit': admin,
  'user.setTeams': unlessSeesAll('administrators see everything already'),
  'user.addToClients': unlessSeesAll('administrators see everything already'),
  'user.services': unlessSeesAll('administrators see every service'),
  'user.remove': adminMay((actor, user) =>
    user.id === actor.id ? 'you cannot delete yourself' : user.last_admin ? 'this is the last administrator' : null,
  ),
  'user.resendActivation': adminMay((_actor, user) => (user.status === 'invited' ? null : 'the account is already active')),
  'user.resetPassword': admin,
  /** A person's decision, so no token makes it. */
  'user.approveEmail': {
    ...adminMay((actor: Actor, user: UserFacts) =>
      !user.needs_approval
        ? 'no new email waits to be approved'
        : user.asked_by === actor.id
          ? 'you asked for this email: another administrator has to approve it'
          : null,
    ),
    own: true,
  },
  'user.history': admin,
  'user.resendEmail': adminMay((_actor, user) =>
    !user.pending ? 'no new email waits' : user.needs_approval ? 'the new email isn’t approved yet' : null,
  ),
  'user.cancelEmail': adminMay((_actor, user) => (user.pending ? null : 'no new email waits')),
  'session.actAs': adminMay((actor, user) =>
    actor.admin_id
      ? 'you are already acting as a user'
      : user.role !== 'client'
        ? 'only client users can be acted as'
        : user.status !== 'active'
          ? 'the account is not active yet'
          : null,
  ),
} as const satisfies Record<string, Rule<UserFacts>>

/** The facts about a client that its rules read. */
export interface ClientFacts {
  /** Its projects that are neither completed nor rejected. */
  running_projects: number
}
/** Rules on a client. */
export const CLIENT_RULES = {
  'client.edit': admin,
  'client.addUser': admin,
  'client.setApprovers': admin,
  'client.remove': adminMay((_actor, client) =>
    client.running_projects === 0
      ? null
      : `${client.running_projects === 1 ? 'one of its projects is' : `${client.running_projects} of its projects are`} under way`,
  ),
} as const satisfies Record<string, Rule<ClientFacts>>

export const TEAM_RULES = {
  'team.edit': admin,
  'team.remove': admin,
  'team.addUsers': admin,
  'team.addProjects': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on a user as a member of a team. */
export const MEMBER_RULES = { 'team.removeUsers': admin } as const satisfies Record<string, Rule<null>>

/** The facts about a project that a team opens. */
export interface TeamProjectFacts {
  /** Its parent's team opens it, so it has no link of its own. */
  inherits: boolean
}

export const TEAM_PROJECT_RULES = {
  'team.removeProjects': adminMay((_actor, { inherits }) => (inherits ? 'it uses its parent’s team: unlink the parent' : null)),
} as const satisfies Record<string, Rule<TeamProjectFacts>>

/** The facts about a channel partner that its rules read. */
export interface PartnerFacts {
  /** Projects that wait for its answer. */
  awaited: number
}
/** Rules on a channel partner. */
export const PARTNER_RULES = {
  'partner.edit': admin,
  'partner.merge': admin,
  'partner.remove': adminMay((_actor, partner) =>
    partner.awaited === 0
      ? null
      : `${partner.awaited === 1 ? 'a project waits' : `${partner.awaited} projects wait`} for its answer`,
  ),
} as const satisfies Record<string, Rule<PartnerFacts>>

/** The facts about an invitation and its answer that the rules read. */
export interface ProfferFacts {
  name: string
  /** Its round accepts answers. */
  open: boolean
  /** Its round can be priced. */
  priced: boolean
  revoked: boolean
  answer: 'yes' | 'no' | null
  /** The answer is yes, with completes and a price. */
  offered: boolean
  /** The civil date on which the offer ended; null while it is valid. */
  ended: string | null
  has_email: boolean
  /** When a reminder can be sent again; null if it can be now. */
  remind_from: string | null
}
const ROUND_CLOSED = 'its round is closed'
const INVITATION_REVOKED = 'its invitation is revoked'
const whileOpen = ({ open, revoked }: ProfferFacts): Denial => (revoked ? INVITATION_REVOKED : open ? null : ROUND_CLOSED)
/** What the rules on a quota plan read. */
interface QuotaFacts {
  state: 'draft' | 'live' | 'ended'
}
const whileOpenPlan = ({ state }: QuotaFacts): Denial => (state === 'ended' ? 'the quota plan has ended' : null)
export const QUOTA_RULES = {
  'quota.edit': adminMay((_actor, plan: QuotaFacts) => whileOpenPlan(plan)),
  'quota.cells': adminMay((_actor, plan: QuotaFacts) => whileOpenPlan(plan)),
  'quota.live': adminMay((_actor, plan: QuotaFacts) =>
    plan.state === 'live' ? 'the quota plan is live already' : whileOpenPlan(plan),
  ),
  'quota.end': adminMay((_actor, plan: QuotaFacts) => whileOpenPlan(plan)),
} as const satisfies Record<string, Rule<QuotaFacts>>

/** What the rules on an entry link read. */
interface EntryLinkFacts {
  state: 'test' | 'active' | 'paused'
}
export const ENTRY_LINK_RULES = {
  'entryLink.edit': admin,
  'entryLink.remove': admin,
  'entryLink.rotate': admin,
  'entryLink.test': admin,
  'entryLink.pause': adminMay((_actor, link: EntryLinkFacts) =>
    link.state === 'paused' ? 'the entry link is paused already' : null,
  ),
  'entryLink.resume': adminMay((_actor, link: EntryLinkFacts) =>
    link.state === 'active' ? 'the entry link is active already' : null,
  ),
} as const satisfies Record<string, Rule<EntryLinkFacts>>

/** Rules on an invitation and its answer (screens-quote-flow.md, Approval). */
export const PROFFER_RULES = {
  'invitation.remind': adminMay((_actor, proffer) => {
    const closed = whileOpen(proffer)
    if (closed) return closed
    if (proffer.answer) return `${proffer.name} has answered`
    if (!proffer.has_email) return `${proffer.name} has no email address: copy the link instead`
    return proffer.remind_from && `reminded today, next from ${proffer.remind_from}`
  }),
  'invitation.edit': adminMay((_actor, proffer) => (proffer.revoked ? INVITATION_REVOKED : null)),
  'invitation.link': adminMay((_actor, proffer) => whileOpen(proffer)),
  'invitation.revoke': adminMay((_actor, proffer) => whileOpen(proffer)),
  /** Enters an answer that the partner gave by phone. */
  'proffer.enter': adminMay((_actor, proffer) => whileOpen(proffer)),
  /** Makes a quote from its offer. */
  'proffer.take': adminMay((_actor, proffer) => {
    if (proffer.revoked) return INVITATION_REVOKED
    if (!proffer.priced) return ROUND_CLOSED
    if (!proffer.answer) return `${proffer.name} has not answered yet`
    if (proffer.answer === 'no') return `${proffer.name} declined`
    if (!proffer.offered) return `${proffer.name} offered no completes at a price`
    return proffer.ended && `${proffer.name}’s offer ended on ${proffer.ended}`
  }),
} as const satisfies Record<string, Rule<ProfferFacts>>

/** The facts about a saved view that its rules read. */
export interface ViewFacts {
  mine: boolean
}
/** The denial for users who don't own a view. */
export const OWNER_ONLY = 'only its owner or an administrator can do this'
const owned = may((actor: Actor, view: ViewFacts): Denial => (view.mine || seesAll(actor) ? null : OWNER_ONLY))
/** Rules on a saved view. Administrators see other users' views only if they are shared. */
export const VIEW_RULES = {
  'view.edit': owned,
  'view.remove': owned,
} as const satisfies Record<string, Rule<ViewFacts>>

/** The facts about a token that its rules read. */
export interface TokenFacts {
  owner_id: number
  status: string
}

/** Rules on a token: its owner and every administrator may manage it. */
export const TOKEN_RULES = {
  'token.revoke': may((actor, token) =>
    token.owner_id !== actor.id && !seesAll(actor) ? OWNER_ONLY : token.status === 'revoked' ? 'it is revoked already' : null,
  ),
} as const satisfies Record<string, Rule<TokenFacts>>

/** What the rules read of a webhook. */
export interface WebhookFacts {
  owner_id: number
  status: string
}
export const OTHERS_WEBHOOK = 'only who made it can do this, as it is sent what they see'
/** The owner's alone: an administrator's change could send elsewhere what the owner sees. */
const ownWebhook = (actor: Actor, webhook: WebhookFacts): Denial => (webhook.owner_id === actor.id ? null : OTHERS_WEBHOOK)
const anyWebhook = (actor: Actor, webhook: WebhookFacts): Denial =>
  webhook.owner_id === actor.id || seesAll(actor) ? null : OTHERS_WEBHOOK

/** Actions on a webhook: its owner's, and what ends it every administrator's. */
export const WEBHOOK_RULES = {
  'webhook.edit': { ...may(ownWebhook), own: true },
  'webhook.rotate': { ...may(ownWebhook), own: true },
  'webhook.test': may(
    (actor, webhook) => anyWebhook(actor, webhook) ?? (webhook.status === 'active' ? null : 'it is not active'),
  ),
  'webhook.pause': may(
    (actor, webhook) => anyWebhook(actor, webhook) ?? (webhook.status === 'active' ? null : 'it is not active'),
  ),
  // A new password pauses them, and only the person knows which are theirs.
  'webhook.resume': {
    ...may(
      (actor: Actor, webhook: WebhookFacts) =>
        ownWebhook(actor, webhook) ?? (webhook.status === 'active' ? 'it is active' : null),
    ),
    own: true,
  },
  'webhook.replayFailed': may(
    (actor, webhook) => anyWebhook(actor, webhook) ?? (webhook.status === 'active' ? null : 'it is not active'),
  ),
  'webhook.remove': may(anyWebhook),
} as const satisfies Record<string, Rule<WebhookFacts>>

/** Actions on a webhook's message. */
export const DELIVERY_RULES = {
  'delivery.replay': may(
    (actor, { webhook_status, status, ...delivery }) =>
      anyWebhook(actor, { ...delivery, status }) ??
      (webhook_status !== 'active'
        ? 'the webhook is not active'
        : status === 'queued' || status === 'sending'
          ? 'it is on its way already'
          : null),
  ),
} as const satisfies Record<string, Rule<WebhookFacts & { webhook_status: string }>>

/** Rules on a note. */
export const NOTE_RULES = {
  'note.edit': admin,
  'note.remove': admin,
} as const satisfies Record<string, Rule<null>>

/** The facts about a file that its rules read. */
export interface FileFacts {
  kind: string
  /** How many signed documents its project has, including this file. */
  signed: number
}
/** Rules on a file. */
export const FILE_RULES = {
  'file.link': signedIn,
  'file.rotate': admin,
  'file.remove': adminMay((_actor, file) =>
    file.kind === 'docsign' && file.signed <= 1 ? 'the last signed document cannot be removed' : null,
  ),
} as const satisfies Record<string, Rule<FileFacts>>

/** The facts about submitted content that its rules read. */
export interface ContentFacts {
  action: string
  review: 'open' | 'accepted' | 'rejected'
  /** It has a file, and the file is a picture. */
  filed: boolean
  picture: boolean
}
/** Rules on submitted content (screens-projects.md, User Content). */
export const CONTENT_RULES = {
  'content.reject': adminMay((_actor, item) => (item.review === 'rejected' ? 'it is rejected already' : null)),
  'content.accept': adminMay((_actor, item) => (item.review === 'accepted' ? 'it is accepted already' : null)),
  'content.restore': adminMay((_actor, item) => (item.review === 'open' ? 'it is neither accepted nor rejected' : null)),
  'content.rotate': adminMay((_actor, item) => (item.picture ? null : 'only photos can be rotated')),
  'content.preview': may((_actor, item) => (item.filed || item.action === 'comment' ? null : 'there is nothing to preview')),
  'content.download': may((_actor, item) => (item.filed ? null : 'it has no file')),
} as const satisfies Record<string, Rule<ContentFacts>>

/** The facts about an activity that its rules read. */
export interface ActivityFacts {
  type: string
  survey_id: number | null
  /** Completes and all responses of its survey. */
  completes: number
  responses: number
  project_status: Status
}
/** Returns why a project can't have more activities, or null. */
export const closedProject = (status: Status): Denial =>
  status === 'completed' || status === 'reporting'
    ? 'the project is completed'
    : status === 'rejected'
      ? 'the project is rejected'
      : null
/** True if a project recruits now, or will once it is resumed. */
const inField = (status: Status): boolean => status === 'active' || status === 'paused'
const answered = ({ completes, responses }: ActivityFacts): Denial => {
  if (completes) return completes === 1 ? 'it has one complete' : `it has ${count(completes)} completes`
  if (responses) return responses === 1 ? 'it has one response' : `it has ${count(responses)} responses`
  return null
}
/** Rules on an activity (screens-projects.md, Activities). */
export const ACTIVITY_RULES = {
  'activity.edit': admin,
  'activity.remove': adminMay((_actor, activity) => answered(activity)),
  'activity.duplicate': adminMay((_actor, { project_status }) => closedProject(project_status)),
  'activity.convert': adminMay((_actor, activity) => {
    const taken = answered(activity)
    if (taken) return taken
    return activity.survey_id ? `survey S-${activity.survey_id} is linked to it: unlink it first` : null
  }),
  'activity.linkSurvey': adminMay((_actor, { type }) => (type === 'survey' ? null : 'only a survey activity has a survey')),
  'activity.unlinkSurvey': adminMay((_actor, { survey_id, project_status }) => {
    if (!survey_id) return 'no survey is linked'
    return inField(project_status) ? "it's in field" : null
  }),
  'activity.editTarget': admin,
  'activity.editMarket': admin,
  'activity.addAsset': admin,
  'activity.openUsers': admin,
  'file.attachToActivity': admin,
} as const satisfies Record<string, Rule<ActivityFacts>>

/** The facts about a survey that its rules read. */
export interface SurveyFacts {
  /** Respondents of every outcome. */
  responses: number
}
/** Rules on a survey. */
export const SURVEY_RULES = {
  'survey.edit': admin,
  'survey.refresh': admin,
  'survey.checkLink': admin,
  'survey.link': admin,
  'survey.attachSource': admin,
  'survey.cloneProject': admin,
  'survey.remove': adminMay((_actor, { responses }) => (responses === 0 ? null : `it has ${counted(responses, 'response')}`)),
  'runtime.ingest': { ...admin, key: true },
  'runtime.clearFraud': admin,
} as const satisfies Record<string, Rule<SurveyFacts>>

/** The facts about a question that its rules read. */
export interface QuestionFacts {
  question_type: string
  retired: boolean
}
const whileOrdered = (_actor: Actor, { question_type, retired }: QuestionFacts): Denial =>
  retired ? 'it is retired' : question_type === 'survey' ? null : `${question_type} questions have no order`
/** Rules on a question. */
export const QUESTION_RULES = {
  'question.edit': adminMay((_actor, { retired }) => (retired ? 'it is retired' : null)),
  'question.moveUp': adminMay(whileOrdered),
  'question.moveDown': adminMay(whileOrdered),
  'question.moveTo': adminMay(whileOrdered),
  'question.remove': adminMay((_actor, { retired }) => (retired ? 'it is retired already' : null)),
} as const satisfies Record<string, Rule<QuestionFacts>>

/** The facts about a job that its rules read. */
export interface JobFacts {
  kind: string
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** until_start: its kind can be cancelled only before it starts. again: its kind can run again. */
  until_start: boolean
  again: boolean
  /** made_file: it produced a file. theirs: the caller may see the file's content. */
  made_file: boolean
  theirs: boolean
}
/** The denial for an export with records that the caller no longer sees. */
export const SCOPE_CHANGED = 'your access has changed since: export it again'
/** A token may do it to the jobs that it started itself. */
const ownJob = (when: (actor: Actor, job: JobFacts) => Denial) => ({ ...may(when), token: 'own' }) as const
/** Rules on a job; the scope decides whose jobs a caller sees. */
export const JOB_RULES = {
  'job.link': ownJob((_actor, job) => {
    if (job.status !== 'done') return 'there is no file yet'
    if (!job.made_file) return 'it has no file'
    return job.theirs ? null : SCOPE_CHANGED
  }),
  'job.cancel': ownJob((_actor, job) => {
    if (job.status === 'queued') return null
    if (job.status !== 'running') return 'it has ended'
    return job.until_start ? 'it can’t be stopped halfway' : null
  }),
  'job.retry': may((_actor, job) => {
    if (job.status === 'done') return 'it is done'
    if (job.status === 'queued' || job.status === 'running') return 'it is already on its way'
    return job.again ? null : `a ${job.kind} can’t be retried`
  }),
} as const satisfies Record<string, Rule<JobFacts>>

/** The facts about an import that its rules read. */
export interface ImportFacts {
  kind: 'location' | 'reward'
  /** failed: also an import whose job died. */
  status: ImportStatus
  /** How many records it created. */
  created: number
  /** How many lines were refused. */
  failed: number
}
const runs = (_actor: Actor, { status }: ImportFacts): Denial =>
  status === 'running' ? 'it is already on its way' : status === 'done' ? 'it is done' : null
/** Rules on an import. */
export const IMPORT_RULES = {
  'import.map': adminMay((_actor, { kind, status }) => {
    if (kind === 'reward') return 'upload the file again for other columns'
    return status === 'checked' || status === 'failed' ? null : 'its rows are already written'
  }),
  'import.run': adminMay(runs),
  /** Runs it again. A location import that still has its columns to map is run from there. */
  'import.again': adminMay((actor, file) =>
    file.status === 'checked' && file.kind === 'location' ? 'map its columns first' : runs(actor, file),
  ),
  'import.show': adminMay((_actor, { kind, status, created }) => {
    if (kind === 'location') return status === 'done' ? null : 'it created no group'
    return created && status !== 'undone' ? null : 'it created no entries'
  }),
  'import.errors': adminMay((_actor, { failed }) => (failed ? null : 'it has no errors')),
  'import.undo': adminMay((_actor, { status }) => {
    if (status === 'running') return 'it is still running: cancel it instead'
    return status === 'done' || status === 'failed' ? null : 'there is nothing to undo'
  }),
} as const satisfies Record<string, Rule<ImportFacts>>

/** The facts about a line of an imported file that its rules read. */
export interface FileLineFacts {
  kind: ImportRowKind
  /** The status of its import. */
  status: ImportStatus
  /** True if the import’s locations are in a group. */
  grouped: boolean
}
/** Rules on a line of an imported file. */
export const FILE_LINE_RULES = {
  'import.correct': adminMay((_actor, { kind, status, grouped }) => {
    if (kind !== 'error') return 'nothing is wrong with it'
    return status === 'done' && grouped ? null : 'the lines of its file aren’t in a group'
  }),
} as const satisfies Record<string, Rule<FileLineFacts>>

/** The facts about a mail that its rules read. */
export interface MailFacts {
  status: 'queued' | 'sending' | 'sent' | 'outbox' | 'failed' | 'withdrawn'
  about?: string
  /** Its link or password. Lists leave it out because only the text shows it. */
  secret?: {
    state: 'none' | 'kept' | 'over'
    /** The role of the account it opens: `admin`, too, for one that was an administrator's lately. */
    opens: Role | null
  }
}
/** The denial for a link to an administrator's account, which would let a reader sign in as that administrator. */
export const ADMIN_SECRET = 'this link opens an administrator’s account, so nobody can see it. You can send the email again'
const SECRET_OVER = 'the link or password in this email was used or has expired'
/** What letters are about that tell an account's owner what happened to it: nobody could take it in silence. */
const TELLS_OWNER = /^(?:security|email change|temporary password) user:/
/** Rules on a mail. */
export const MAIL_RULES = {
  'outbox.reveal': adminMay((_actor, { secret }) => {
    if (secret?.state === 'over') return SECRET_OVER
    return secret?.state === 'kept' && secret.opens === 'admin' ? ADMIN_SECRET : null
  }),
  'outbox.retry': adminMay((_actor, { status, secret }) => {
    if (status === 'sent') return 'it was already sent'
    if (status === 'queued' || status === 'sending') return 'it is already on its way'
    return secret?.state === 'over' ? `${SECRET_OVER}. Send a new one` : null
  }),
  'outbox.withdraw': adminMay((_actor, { status, about = '' }) => {
    if (status !== 'queued') return 'it isn’t waiting to be sent'
    return TELLS_OWNER.test(about) ? 'it tells the owner of an account what happened to it' : null
  }),
} as const satisfies Record<string, Rule<MailFacts>>

/** Rules on a project's client report; its columns have none. */
export const REPORT_RULES = {
  'report.save': admin,
  'report.removeTemplate': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on a landing page. */
export const LANDING_RULES = { 'landing.save': admin } as const satisfies Record<string, Rule<null>>

/** Rules on a channel of a project's audience. */
export const AUDIENCE_RULES = {
  'audience.edit': admin,
  'audience.enable': admin,
  'audience.disable': admin,
  'audience.switch': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on a VIP experience. */
export const VIP_RULES = {
  'vip.edit': admin,
  'vip.rename': admin,
  'vip.award': admin,
  'vip.remove': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on a brand. */
export const BRAND_RULES = {
  'brand.edit': admin,
  'brand.remove': admin,
  'brand.setActive': admin,
} as const satisfies Record<string, Rule<null>>
/** Rules on a service. */
export const SERVICE_RULES = {
  'service.edit': admin,
  'service.remove': admin,
  'service.setActive': admin,
  'service.users': admin,
  'service.takeUsers': admin,
  'visit.import': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on an award. */
export const AWARD_RULES = { 'award.withdraw': admin, 'vip.withdraw': admin } as const satisfies Record<string, Rule<null>>

/** The facts about a notification that its rules read. */
export interface NotificationFacts {
  status: 'draft' | 'sending' | 'sent'
  /** The day it was sent, "Nov 3"; empty for a draft. */
  sent_on: string
}
const SENDING = 'it is being sent'
/** Rules on a notification (screens-people-places-rewards.md, Notifications). */
export const NOTIFICATION_RULES = {
  'notification.edit': adminMay((_actor, { status }) =>
    status === 'sent' ? 'it is sent. Copy it to send a changed one' : status === 'sending' ? SENDING : null,
  ),
  'notification.send': adminMay((_actor, { status, sent_on }) =>
    status === 'sent' ? `it was sent on ${sent_on}` : status === 'sending' ? SENDING : null,
  ),
  'notification.copy': admin,
  'notification.remove': adminMay((_actor, { status }) => (status === 'sending' ? SENDING : null)),
} as const satisfies Record<string, Rule<NotificationFacts>>

/** Rules on a notification in the caller's inbox. */
export const NOTICE_RULES = {
  'notice.open': signedIn,
  'notice.read': { ...signedIn, own: true },
  'notice.toggleRead': { ...signedIn, own: true },
} as const satisfies Record<string, Rule<null>>

/** The facts about a line of the desk that its rules read. */
export interface DeskFacts {
  state: 'open' | 'acknowledged' | 'snoozed'
}
/** Rules on a line of the desk; what settles it has the rules of its own record. */
export const DESK_RECORD_RULES = {
  'desk.acknowledge': may((_actor: Actor, { state }: DeskFacts) =>
    state === 'acknowledged' ? 'it is acknowledged already' : null,
  ),
  'desk.snooze': signedIn,
  'desk.reopen': may((_actor: Actor, { state }: DeskFacts) => (state === 'open' ? 'it is open' : null)),
  'desk.handOver': admin,
  'desk.settle': signedIn,
  'desk.review': signedIn,
} as const satisfies Record<string, Rule<DeskFacts>>

/** Rules on a location. */
export const LOCATION_RULES = {
  'location.edit': admin,
  'location.addToGroups': admin,
  'location.merge': admin,
  'location.remove': admin,
} as const satisfies Record<string, Rule<null>>

/** Rules on a location group. */
export const GROUP_RULES = {
  'group.edit': admin,
  'group.addLocations': admin,
  'group.removeLocations': admin,
  'group.moveLocations': admin,
  'group.merge': admin,
  'group.copy': admin,
  'group.remove': admin,
} as const satisfies Record<string, Rule<null>>
