import { type Noun, type NounId, nounOf, wordOf } from '../../../contract/nouns.ts'
import type { Schema } from '../../db/schema.ts'
import { listsBuilt } from '../list.ts'

type Table = keyof Schema & string

/** How a table's rows are undone; what is left out is as for a table with an `id` whose columns have nothing to do with each other. */
interface Rule {
  /** Its primary key. */
  key?: readonly string[]
  /** The noun that history calls its records; the one that people do, where that differs; and the column that names one. */
  subject?: Noun
  noun?: NounId
  name?: string
  /** Columns that are judged together: where one of them was changed by the write and another since, the write can't be undone any more. */
  together?: readonly (readonly string[])[]
  /** Columns that others keep up to date: never put back, never a reason to refuse. */
  kept?: readonly string[]
  /** Columns of JSON objects, changed and put back name by name. */
  json?: readonly string[]
  /** A row that was added is not deleted but marked as not to be sent: what it holds is nowhere else. */
  withdrawn?: Readonly<Record<string, string>>
  /** Starts at `not_before`: once it is queued again, it can be undone for a few more seconds. */
  waits?: number
  /** What to say where the world has seen it already. */
  gone?: string
}

/** Written by every write, or by the server for itself: what they say stays true. */
const NEVER = new Set<string>([
  'history',
  'events',
  'attempts',
  'change_sets',
  'tries',
  'meta',
  'sessions',
  'snapshots',
] satisfies Table[])

const QUOTE = ['status', 'cost_cents', 'quote_round', 'quote_valid_until']

/** Tables of which more is to be said than that their rows are the records of a noun's list, by a name. */
const RULES: Partial<Record<string, Rule>> = {
  user_clients: { key: ['user_id', 'client_id'] },
  team_users: { key: ['team_id', 'user_id'] },
  team_projects: { key: ['team_id', 'project_id'] },
  project_partners: { key: ['project_id', 'partner_id', 'round'] },
  former_clients: { key: ['project_id', 'client_id'] },
  location_group_places: { key: ['group_id', 'place_id'] },
  activity_location_groups: { key: ['activity_id', 'group_id'] },
  payouts: { key: ['entry_id'] },
  dmas: { key: ['code'] },
  respondents: { key: ['survey_id', 'respondent_id'] },
  day_cells: { key: ['survey_id', 'cell', 'day'] },
  demo_cells: { key: ['survey_id', 'cell'] },
  marginals: { key: ['survey_id', 'dimension', 'value'] },
  geo_cells: { key: ['survey_id', 'cell', 'lat', 'lon'] },
  geo_squares: { key: ['survey_id', 'lat', 'lon'] },
  answer_cells: { key: ['survey_id', 'question_id', 'value', 'age', 'gender'] },
  organizations: { subject: 'organization', name: 'name', json: ['settings'] },
  users: {
    subject: 'user',
    name: 'email',
    together: [
      ['email', 'reset_hash', 'invitation_hash', 'deleted_at'],
      ['role', 'deleted_at'],
      ['status', 'password_hash', 'deleted_at'],
    ],
    json: ['preferences'],
  },
  projects: { subject: 'project', name: 'name', together: [QUOTE], kept: ['delivered'] },
  notes: { subject: 'note' },
  activities: { subject: 'activity' },
  surveys: { subject: 'survey' },
  targets: { subject: 'target' },
  proffers: { subject: 'proffer' },
  files: { subject: 'file', name: 'original_name' },
  views: { subject: 'view', name: 'name', together: [['name', 'name_key']] },
  api_keys: { subject: 'key', name: 'name', kept: ['last_used_at'] },
  entries: {
    subject: 'entry',
    name: 'email',
    together: [['status', 'reason', 'second_chances', 'claimed_at', 'payout_job', 'sent_at']],
  },
  mails: {
    subject: 'outbox',
    noun: 'mail',
    name: 'subject',
    withdrawn: { status: 'withdrawn', error: 'withdrawn before it was sent' },
    together: [['status', 'error']],
    kept: ['not_before', 'attempts', 'secrets', 'secrets_until', 'redacted_at'],
    waits: 8,
    gone: 'The mail has left already.',
  },
  jobs: { subject: 'job', name: 'title', waits: 8, gone: 'It has begun already.' },
}

/** Raised or set by every change: never put back. */
const STAMPS: readonly string[] = ['updated_at', 'lock_version', 'version']

/** What a noun's list says of its table. */
function listed(table: string): Rule | null {
  const noun = listsBuilt().find((list) => list.table === table)?.noun
  if (!noun) return null
  const { of } = nounOf(noun) ?? {}
  return { subject: (of ?? noun) as Noun, name: 'name', ...(of ? { noun } : {}) }
}

/** How rows of a table are undone, or null where they never are. */
export function ruleOf(table: string): (Rule & { key: readonly string[] }) | null {
  if (NEVER.has(table)) return null
  const rule = RULES[table] ?? listed(table) ?? {}
  return { ...rule, key: rule.key ?? ['id'] }
}

/** True for a column that is neither put back nor compared; of a row that was added, what others keep up to date is compared: it has come into use. */
export const isStamp = (rule: Rule, column: string, added = false): boolean =>
  STAMPS.includes(column) ||
  (!added && rule.kept?.includes(column) === true) ||
  (rule.waits !== undefined && column === 'not_before')

/** What people call a row of a table: "reward". */
export const wordFor = ({ subject, noun }: Pick<Rule, 'subject' | 'noun'>): string => wordOf(noun ?? subject ?? 'record')

/** The table whose rows events of a noun are about; null for a noun that has none, or parts of several. */
export const tableOf = (subject: string): string | null =>
  Object.entries(RULES).find(([, rule]) => rule?.subject === subject)?.[0] ??
  listsBuilt().find(({ noun }) => (nounOf(noun)?.of ?? noun) === subject)?.table ??
  null
