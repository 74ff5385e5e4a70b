import { nounOf, wordOf } from '../../../contract/nounOf.ts'
import type { Noun, NounId } from '../../../contract/nouns.ts'
import type { Schema } from '../../db/schema.ts'
import { listsBuilt } from '../listBuilder.ts'

type Table = keyof Schema & string

/** How a table's rows are undone; the defaults suit a table with an `id` and independent columns. */
interface Rule {
  /** Its primary key. */
  key?: readonly string[]
  /** `subject`: its noun in the history. `noun`: the word people use, if another. `name`: the column with its name. */
  subject?: Noun
  noun?: NounId
  name?: string
  /** Columns compared together: a write to one can't be undone after a later write to another. */
  together?: readonly (readonly string[])[]
  /** Columns maintained by other code: never restored, and never a reason to refuse. */
  kept?: readonly string[]
  /** Columns that a job fills in later: ignored, in added rows too. */
  filled?: readonly string[]
  /** Columns of JSON objects, restored key by key. */
  json?: readonly string[]
  /** An added row is marked as not to be sent instead of deleted, because nothing else has its content. */
  withdrawn?: Readonly<Record<string, string>>
  /** Seconds after being queued again in which a row with `not_before` can still be undone. */
  waits?: number
  /** The reason to refuse once it has taken effect outside. */
  gone?: string
  /** Rows that stay valid after an undo. */
  stays?: (row: Readonly<Record<string, unknown>>) => boolean
}

/** Tables that every write or the server itself maintains; they stay valid after an undo. */
const NEVER = new Set<string>([
  'history',
  'events',
  'attempts',
  'confirmations',
  'change_sets',
  'tries',
  'meta',
  'sessions',
  'devices',
  'snapshots',
  // Kept by triggers with every entry.
  'entry_totals',
  // The log of what was sent, and how far it came.
  'webhook_deliveries',
  'webhook_cursor',
  'list_versions',
  'write_positions',
  // What happened at the doors of surveys.
  'field_sessions',
  'session_steps',
  'session_posts',
  // With every deletion and what brings its record back.
  'tombstones',
] satisfies Table[])

const QUOTE = ['status', 'cost_cents', 'quote_round', 'quote_valid_until']

/** A new address that isn't confirmed yet. */
const PENDING = [
  'pending_email',
  'pending_email_hash',
  'pending_email_expires_at',
  'pending_email_by',
  'pending_email_proven',
] as const

/** Tables that need more than the default rule of a noun's list. */
const RULES: Partial<Record<string, Rule>> = {
  user_clients: { key: ['user_id', 'client_id'] },
  team_users: { key: ['team_id', 'user_id'] },
  team_projects: { key: ['team_id', 'project_id'] },
  project_partners: {
    key: ['project_id', 'partner_id', 'round'],
    together: [['link_version', 'revoked_at']],
    kept: ['opened_at', 'last_opened_at', 'opens'],
  },
  quote_shares: { key: ['quote_id', 'proffer_id'] },
  former_clients: { key: ['project_id', 'client_id'] },
  location_group_places: { key: ['group_id', 'place_id'] },
  activity_location_groups: { key: ['activity_id', 'group_id'] },
  project_categories: { key: ['project_id', 'category_id'] },
  brand_categories: { key: ['brand_id', 'category_id'] },
  service_users: { key: ['service_id', 'user_id'] },
  visits: { key: ['venue_id', 'at', 'device'] },
  visit_cells: { key: ['service_id', 'dma', 'day'] },
  visit_leaves: { key: ['service_id', 'dma', 'day'] },
  visit_days: { key: ['service_id', 'day'] },
  visit_venue_days: { key: ['venue_id', 'day'] },
  visit_rollups: { key: ['scope', 'scope_id', 'market', 'period', 'start_day'] },
  visit_packs: { key: ['scope', 'scope_id', 'period', 'start_day'] },
  venue_batches: { key: ['job_id', 'first'] },
  visit_stale: { key: ['service_id', 'day'] },
  visit_stale_months: { key: ['scope', 'scope_id', 'month'] },
  payouts: { key: ['entry_id'] },
  dmas: { key: ['code'] },
  respondents: { key: ['survey_id', 'respondent_id'] },
  withdrawn_respondents: { key: ['survey_id', 'respondent_id'] },
  day_cells: { key: ['survey_id', 'cell', 'day'] },
  demo_cells: { key: ['survey_id', 'cell'] },
  marginals: { key: ['survey_id', 'dimension', 'value'] },
  geo_cells: { key: ['survey_id', 'cell', 'lat', 'lon'] },
  geo_squares: { key: ['survey_id', 'lat', 'lon'] },
  answer_cells: { key: ['survey_id', 'question_id', 'value', 'age', 'gender'] },
  answer_sizes: { key: ['survey_id'] },
  answer_columns: { key: ['survey_id', 'question_id', 'first'] },
  answer_texts: { key: ['survey_id', 'question_id', 'text_id'] },
  question_stops: { key: ['survey_id', 'question_id'] },
  question_given: { key: ['survey_id', 'question_id'] },
  organizations: { subject: 'organization', name: 'name', json: ['settings'] },
  users: {
    subject: 'user',
    name: 'email',
    together: [
      ['email', 'reset_hash', 'invitation_hash', 'deleted_at', ...PENDING],
      ['role', 'deleted_at'],
      ['status', 'password_hash', 'deleted_at'],
    ],
    json: ['preferences'],
  },
  places: {
    subject: 'location',
    name: 'name',
    together: [
      ['name', 'name_fold'],
      ['address', 'city', 'state', 'zip', 'address_key', 'city_fold', 'address_fold', 'latitude', 'longitude', 'position', 'dma'],
    ],
  },
  projects: { subject: 'project', name: 'name', together: [QUOTE], kept: ['delivered'] },
  notes: { subject: 'note' },
  messages: { subject: 'message' },
  activities: { subject: 'activity' },
  targets: { subject: 'target' },
  occasions: { subject: 'occasion', name: 'name' },
  proffers: { subject: 'proffer' },
  files: {
    subject: 'file',
    name: 'original_name',
    filled: ['width', 'height', 'seconds', 'thumb_key', 'thumb_state', 'thumb_tries', 'thumb_fault'],
  },
  user_activities: { subject: 'content', together: [['review', 'review_reason', 'reviewed_by', 'reviewed_at']] },
  views: { subject: 'view', name: 'name', together: [['name', 'name_key']] },
  api_keys: { subject: 'key', name: 'name', kept: ['last_used_at'] },
  entries: {
    subject: 'entry',
    name: 'email',
    together: [['status', 'reason', 'second_chances', 'claimed_at', 'payout_job', 'sent_at']],
    // Triggers set it, on this entry and on those with the same address.
    filled: ['flags'],
  },
  webhooks: { json: [], kept: ['failing_since', 'told_at', 'last_delivered_at'] },
  mails: {
    subject: 'outbox',
    noun: 'mail',
    name: 'subject',
    withdrawn: { status: 'withdrawn', error: 'withdrawn before it was sent' },
    together: [['status', 'error']],
    kept: ['not_before', 'attempts', 'secrets', 'secrets_until', 'redacted_at'],
    waits: 8,
    gone: 'The email was already sent.',
    // What they tell an account's owner has happened, and what their link opens ends with the row that it is of.
    stays: ({ about }) => /^(?:security|email change|new address) user:/.test(String(about)),
  },
  report_columns: { subject: 'report', name: 'column_name' },
  report_templates: { subject: 'report', name: 'name' },
  landing_options: { subject: 'landing' },
  audience_options: {
    subject: 'audience',
    together: [
      ['facebook_active', 'facebook_changed_at', 'facebook_changed_by'],
      ['fulcrum_active', 'fulcrum_changed_at', 'fulcrum_changed_by'],
      ['active', 'changed_at', 'changed_by'],
    ],
  },
  quota_plans: { subject: 'quota' },
  // Admission changes these, and an undo that leaves too few places for them is refused (calls/undo/restoreRows.ts).
  quota_cells: { subject: 'quota', noun: 'quota', name: 'name', together: [['target', 'ceiling']], kept: ['completes', 'held'] },
  entry_links: { subject: 'entryLink', name: 'name' },
  brands: { subject: 'brand', name: 'name', together: [['name', 'name_key']] },
  services: {
    subject: 'service',
    name: 'name',
    together: [['name', 'name_key']],
    // Intake maintains them; a restored term is recounted (calls/undo/restore.ts).
    kept: ['completed', 'first_day', 'last_at'],
  },
  visit_filters: {
    subject: 'filter',
    name: 'name',
    together: [
      ['name', 'name_key'],
      ['date_type', 'start_dt', 'end_dt', 'dmas', 'query', 'service_id'],
    ],
  },
  desk_marks: {
    subject: 'desk',
    name: 'rule',
    together: [
      ['acknowledged_by', 'acknowledged_at', 'acknowledged_cause'],
      ['snoozed_by', 'snoozed_until', 'snoozed_cause'],
    ],
  },
  vip_experiences: { subject: 'vip', name: 'name' },
  vip_awards: { subject: 'vip', noun: 'award', name: 'email' },
  notifications: { subject: 'notification', name: 'name', together: [['sent_at', 'sent_by', 'audience', 'job_id']] },
  notices: { subject: 'notice', key: ['notification_id', 'user_id'] },
  imports: {
    subject: 'import',
    name: 'name',
    kept: ['done_line'],
  },
  import_rows: { subject: 'import', noun: 'fileLine', name: 'value' },
  jobs: { subject: 'job', name: 'title', waits: 8, gone: 'It has already started.' },
}

/** Changed by every write, and never restored. */
const STAMPS: readonly string[] = ['updated_at', 'lock_version', 'version']

/** The default rule of a noun's list for its table. */
function listed(table: string): Rule | null {
  const noun = listsBuilt().find((list) => list.table === table)?.noun
  if (!noun) return null
  const { of } = nounOf(noun) ?? {}
  return { subject: (of ?? noun) as Noun, name: 'name', ...(of ? { noun } : {}) }
}

/** How a table's rows are undone; null if they never are. */
export function ruleOf(table: string): (Rule & { key: readonly string[] }) | null {
  if (NEVER.has(table)) return null
  const rule = RULES[table] ?? listed(table) ?? {}
  return { ...rule, key: rule.key ?? ['id'] }
}

/**
 * True for a column that is neither restored nor compared.
 * In added rows `kept` columns are compared: a difference means the row is in use.
 */
export const isStamp = (rule: Rule, column: string, added = false): boolean =>
  STAMPS.includes(column) ||
  (!added && rule.kept?.includes(column) === true) ||
  rule.filled?.includes(column) === true ||
  (rule.waits !== undefined && column === 'not_before')

/** The word for a table's row: "reward". */
export const wordFor = ({ subject, noun }: Pick<Rule, 'subject' | 'noun'>): string => wordOf(noun ?? subject ?? 'record')

/** The table of a noun's events; null for a noun without one, or with parts of several. */
export const tableOf = (subject: string): string | null =>
  Object.entries(RULES).find(([, rule]) => rule?.subject === subject)?.[0] ??
  listsBuilt().find(({ noun }) => (nounOf(noun)?.of ?? noun) === subject)?.table ??
  null

/** The noun of which each row of a table is one record; null for parts of records and for other tables. */
export function recordOf(table: string): string | null {
  const { subject, noun, key } = ruleOf(table) ?? {}
  return subject && !noun && key?.length === 1 && tableOf(subject) === table ? subject : null
}
