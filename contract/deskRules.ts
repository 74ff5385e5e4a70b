import type { Role } from './vocabulary.ts'

/** What it costs to let a line wait: an amount of money, or nothing that can be counted. */
type Cost = 'price' | 'completes short' | 'rewards' | 'none'

export interface DeskRule {
  /** Its part of a line's id; never used for another rule. */
  readonly number: number
  /** Whose desk it is a line of. */
  readonly who: Role
  /** What a line says, before its figures. */
  readonly line: string
  /** The noun of its record; `project` also for survey projects, which have the same commands. */
  readonly subject: string
  /** The command that settles it, on the record, or on the line itself if it begins with `desk.`. */
  readonly command: string
  readonly cost: Cost
  /** Calls whose line in the history means that somebody settled one. */
  readonly settledBy: readonly string[]
}

/**
 * TABLE  what needs somebody. A line is derived from the records and goes with its cause.
 * The SQL of each is in server/domain/desk/lines.ts, by the same id. Numbers from 36 on are free for alerts.
 */
export const DESK_RULES = {
  invite: {
    number: 1,
    who: 'admin',
    line: 'Request without partners',
    subject: 'project',
    command: 'project.invitePartners',
    cost: 'price',
    settledBy: ['invitation.create', 'project.assignPartner'],
  },
  silent: {
    number: 2,
    who: 'admin',
    line: 'Partner late with an answer',
    subject: 'project',
    command: 'project.remind',
    cost: 'price',
    settledBy: ['invitation.remind'],
  },
  answers: {
    number: 3,
    who: 'admin',
    line: 'Partners answered',
    subject: 'project',
    command: 'project.takeOffers',
    cost: 'price',
    settledBy: ['project.setCost'],
  },
  declined: {
    number: 4,
    who: 'admin',
    line: 'Every partner declined',
    subject: 'project',
    command: 'project.invitePartners',
    cost: 'price',
    settledBy: [],
  },
  unsent: {
    number: 5,
    who: 'admin',
    line: 'Quote to send',
    subject: 'project',
    command: 'project.sendQuote',
    cost: 'price',
    settledBy: ['project.notifyCostNow', 'project.notifyCost'],
  },
  lapsing: {
    number: 6,
    who: 'admin',
    line: 'Quote expires soon',
    subject: 'project',
    command: 'project.setCost',
    cost: 'price',
    settledBy: [],
  },
  lapsed: {
    number: 7,
    who: 'admin',
    line: 'Quote expired',
    subject: 'project',
    command: 'project.setCost',
    cost: 'price',
    settledBy: [],
  },
  launch: {
    number: 8,
    who: 'admin',
    line: 'Approved, not live',
    subject: 'project',
    command: 'project.goLive',
    cost: 'price',
    settledBy: ['project.goLive'],
  },
  lateStart: {
    number: 9,
    who: 'admin',
    line: 'Start date passed, not live',
    subject: 'project',
    command: 'project.goLive',
    cost: 'price',
    settledBy: [],
  },
  missed: {
    number: 10,
    who: 'admin',
    line: 'End date passed, never live',
    subject: 'project',
    command: 'project.setEnd',
    cost: 'price',
    settledBy: [],
  },
  behindRed: {
    number: 11,
    who: 'admin',
    line: 'Far behind pace',
    subject: 'project',
    command: 'project.setEnd',
    cost: 'completes short',
    settledBy: ['project.edit'],
  },
  behindOrange: {
    number: 12,
    who: 'admin',
    line: 'Behind pace',
    subject: 'project',
    command: 'project.setEnd',
    cost: 'completes short',
    settledBy: [],
  },
  ended: {
    number: 13,
    who: 'admin',
    line: 'Field ended, not completed',
    subject: 'project',
    command: 'project.complete',
    cost: 'price',
    settledBy: ['project.setStatus'],
  },
  rewards: {
    number: 14,
    who: 'admin',
    line: 'Rewards pending',
    subject: 'project',
    command: 'entry.redeem',
    cost: 'rewards',
    settledBy: ['entry.redeem'],
  },
  flagged: {
    number: 15,
    who: 'admin',
    line: 'Flagged rewards pending',
    subject: 'project',
    command: 'project.showReceivers',
    cost: 'rewards',
    settledBy: ['entry.reject'],
  },
  importLines: {
    number: 16,
    who: 'admin',
    line: 'Import with errors',
    subject: 'import',
    command: 'show.locationFile',
    cost: 'none',
    settledBy: ['import.correct'],
  },
  job: {
    number: 17,
    who: 'admin',
    line: 'Job failed',
    subject: 'job',
    command: 'job.retry',
    cost: 'none',
    settledBy: ['job.retry'],
  },
  mail: {
    number: 18,
    who: 'admin',
    line: 'Email failed',
    subject: 'mail',
    command: 'outbox.retry',
    cost: 'none',
    settledBy: ['outbox.retry'],
  },
  webhook: {
    number: 19,
    who: 'admin',
    line: 'Webhook messages failed',
    subject: 'webhook',
    command: 'webhook.replayFailed',
    cost: 'none',
    settledBy: ['webhook.replayFailed'],
  },
  webhookOff: {
    number: 20,
    who: 'admin',
    line: 'Webhook disabled',
    subject: 'webhook',
    command: 'webhook.resume',
    cost: 'none',
    settledBy: ['webhook.resume'],
  },
  unowned: {
    number: 21,
    who: 'admin',
    line: 'Project without an owner',
    subject: 'project',
    command: 'project.setOwner',
    cost: 'none',
    settledBy: ['project.setOwner'],
  },
  clientAsks: {
    number: 22,
    who: 'admin',
    line: 'Client waits for an answer',
    subject: 'project',
    command: 'project.writeClient',
    cost: 'price',
    settledBy: ['message.send'],
  },
  partnerAsks: {
    number: 23,
    who: 'admin',
    line: 'Partner waits for an answer',
    subject: 'project',
    command: 'project.writePartner',
    cost: 'price',
    settledBy: [],
  },
  decide: {
    number: 30,
    who: 'client',
    line: 'Quote to decide on',
    subject: 'project',
    command: 'project.approve',
    cost: 'price',
    settledBy: ['project.approve', 'project.reject'],
  },
  renew: {
    number: 31,
    who: 'client',
    line: 'Quote expired',
    subject: 'project',
    command: 'project.askQuote',
    cost: 'price',
    settledBy: ['project.askQuote'],
  },
  incomplete: {
    number: 32,
    who: 'client',
    line: 'Request without a survey',
    subject: 'project',
    command: 'project.ask',
    cost: 'none',
    settledBy: ['message.send', 'project.ask'],
  },
  results: {
    number: 33,
    who: 'client',
    line: 'Results ready',
    subject: 'project',
    command: 'project.open',
    cost: 'none',
    settledBy: [],
  },
  agencyWrote: {
    number: 35,
    who: 'client',
    line: 'Message from the agency',
    subject: 'project',
    command: 'project.ask',
    cost: 'none',
    settledBy: ['message.send'],
  },
  ownJob: {
    number: 34,
    who: 'client',
    line: 'Job failed',
    subject: 'job',
    command: 'job.retry',
    cost: 'none',
    settledBy: ['job.retry'],
  },
} as const satisfies Readonly<Record<string, DeskRule>>

export type DeskRuleId = keyof typeof DESK_RULES

/** The rules' ids, in the order of the table. */
export const DESK_RULE_IDS = Object.keys(DESK_RULES) as [DeskRuleId, ...DeskRuleId[]]
/** A rule with its optional parts. */
export const deskRule = (id: DeskRuleId): DeskRule => DESK_RULES[id]
/** The words of each rule, for a list's column. */
export const DESK_LINES = Object.fromEntries(DESK_RULE_IDS.map((id) => [id, DESK_RULES[id].line])) as Record<DeskRuleId, string>

/** A line's id has its record's, and the number of its rule in the last two digits. */
const RULES_MOST = 100
export const deskIdOf = (rule: DeskRuleId, subject: number): number => subject * RULES_MOST + DESK_RULES[rule].number
/** Returns the rule and the record of a line's id; null if no rule has its number. */
export function readDeskId(id: number): { rule: DeskRuleId; subject: number } | null {
  const rule = DESK_RULE_IDS.find((one) => DESK_RULES[one].number === id % RULES_MOST)
  return rule ? { rule, subject: Math.floor(id / RULES_MOST) } : null
}
