import { type ExpressionBuilder, sql } from 'kysely'
import type { JobKind, Services } from '../core/context.ts'
import type { KeepName } from '../core/keepDays.ts'
import { type Db, transact } from '../db/connect.ts'
import type { Schema } from '../db/schema.ts'

/** Rows deleted in one transaction. */
const AT_ONCE = 2000
const DAY_MS = 86_400_000

/** How the rows of a table end: by a name of KEEP_DAYS, by another rule, or never, as they are records or counts. */
type Ending =
  | KeepName
  | 'HISTORY_YEARS'
  | 'EVENT_MONTHS'
  | 'as many months as the organization sets'
  | 'a day'
  | '30 days'
  | 'its parent'
  | '90 days'
  | '24 months'
  | 'its use'
  | 'a record'
  | 'a count'

/**
 * TABLE  how the rows of every table end, so that a new table that grows by itself isn't forgotten.
 * A record is what people made, which only they delete; a count has as many rows as what it counts allows.
 */
export const ENDINGS: Readonly<Record<keyof Schema, Ending>> = {
  mails: 'mails',
  jobs: 'jobs',
  webhook_deliveries: '30 days',
  tombstones: '90 days',
  notices: 'notices',
  news: 'notices',
  imports: 'imports',
  import_rows: 'imports',
  sessions: 'sessions',
  history: 'HISTORY_YEARS',
  events: 'EVENT_MONTHS',
  visits: 'as many months as the organization sets',
  attempts: 'a day',
  change_sets: 'a day',
  tries: 'its use',
  confirmations: 'its use',
  account_tokens: 'its use',
  write_positions: 'its use',
  venue_batches: 'its use',
  visit_stale: 'its use',
  visit_stale_months: 'its use',
  devices: 'its parent',
  user_clients: 'its parent',
  team_users: 'its parent',
  team_projects: 'its parent',
  ended_memberships: 'its parent',
  former_clients: 'its parent',
  location_group_places: 'its parent',
  activity_location_groups: 'its parent',
  project_categories: 'its parent',
  brand_categories: 'its parent',
  service_users: 'its parent',
  quote_shares: 'its parent',
  quota_dimensions: 'its parent',
  quota_cells: 'its parent',
  quota_holds: 'its parent',
  quota_decisions: '24 months',
  entry_links: 'a record',
  field_sessions: 'a record',
  session_steps: '24 months',
  session_posts: '30 days',
  visit_filters: 'its parent',
  messages: 'a record',
  organizations: 'a record',
  users: 'a record',
  api_keys: 'a record',
  webhooks: 'a record',
  clients: 'a record',
  teams: 'a record',
  partners: 'a record',
  projects: 'a record',
  quotes: 'a record',
  activities: 'a record',
  targets: 'a record',
  occasions: 'a record',
  surveys: 'a record',
  questions: 'a record',
  files: 'a record',
  user_activities: 'a record',
  notes: 'a record',
  project_partners: 'a record',
  proffers: 'a record',
  rewards: 'a record',
  entries: 'a record',
  payouts: 'a record',
  respondents: 'a record',
  withdrawn_respondents: 'a record',
  snapshots: 'a record',
  places: 'a record',
  location_groups: 'a record',
  views: 'a record',
  desk_marks: 'a record',
  project_followers: 'a record',
  quota_plans: 'a record',
  categories: 'a record',
  report_columns: 'a record',
  report_templates: 'a record',
  landing_options: 'a record',
  audience_options: 'a record',
  offers: 'a record',
  vip_experiences: 'a record',
  vip_awards: 'a record',
  notifications: 'a record',
  brands: 'a record',
  services: 'a record',
  venues: 'a record',
  webhook_cursor: 'a count',
  entry_totals: 'a count',
  list_versions: 'a count',
  day_cells: 'a count',
  demo_cells: 'a count',
  marginals: 'a count',
  geo_cells: 'a count',
  geo_squares: 'a count',
  answer_cells: 'a count',
  answer_sizes: 'a count',
  answer_columns: 'a count',
  answer_texts: 'a count',
  question_stops: 'a count',
  question_given: 'a count',
  dmas: 'a count',
  meta: 'a count',
  visit_cells: 'a count',
  visit_leaves: 'a count',
  visit_days: 'a count',
  visit_venue_days: 'a count',
  visit_rollups: 'a count',
  visit_packs: 'a count',
}

/** Deletes a batch of what ended before a time; returns how many rows. */
type Sweep = (db: Db, before: string) => Promise<number>

const deleted = (result: { numDeletedRows: bigint }): number => Number(result.numDeletedRows)

/** A job that an import or notification names stays, because its pane shows how that went. */
const isNamed = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
  eb.or([
    eb.exists(eb.selectFrom('imports').select(sql`1`.as('one')).whereRef('imports.job_id', '=', 'jobs.id')),
    eb.exists(eb.selectFrom('notifications').select(sql`1`.as('one')).whereRef('notifications.job_id', '=', 'jobs.id')),
  ])

const SWEEPS: Readonly<Record<KeepName, Sweep>> = {
  async mails(db, before) {
    const old = db
      .selectFrom('mails')
      .select('id')
      .where('status', 'in', ['sent', 'failed', 'withdrawn', 'outbox'])
      .where('created_at', '<', before)
      .limit(AT_ONCE)
    return deleted(await db.deleteFrom('mails').where('id', 'in', old).executeTakeFirstOrThrow())
  },
  async jobs(db, before) {
    const old = db
      .selectFrom('jobs')
      .select('id')
      .where('status', 'in', ['done', 'failed', 'cancelled'])
      .where('created_at', '<', before)
      .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '<', before)]))
      .where((eb) => eb.not(isNamed(eb)))
      .limit(AT_ONCE)
    return deleted(await db.deleteFrom('jobs').where('id', 'in', old).executeTakeFirstOrThrow())
  },
  async notices(db, before) {
    const counts = [
      await db.deleteFrom('notices').where('created_at', '<', before).executeTakeFirstOrThrow(),
      await db.deleteFrom('news').where('created_at', '<', before).executeTakeFirstOrThrow(),
    ]
    return counts.reduce((sum, count) => sum + deleted(count), 0)
  },
  async imports(db, before) {
    const old = await db
      .selectFrom('imports')
      .select('id')
      .where('status', '=', 'checked')
      .where('updated_at', '<', before)
      .limit(AT_ONCE)
      .execute()
    const ids = old.map(({ id }) => id)
    if (!ids.length) return 0
    await db.deleteFrom('import_rows').where('import_id', 'in', ids).execute()
    return deleted(await db.deleteFrom('imports').where('id', 'in', ids).executeTakeFirstOrThrow())
  },
  sessions: async (db, before) =>
    deleted(await db.deleteFrom('sessions').where('expires_at', '<', before).executeTakeFirstOrThrow()),
}

/** Deletes what is past its days, in short transactions; returns how many rows of each name. */
export async function deleteExpired(services: Services, signal?: AbortSignal): Promise<Partial<Record<KeepName, number>>> {
  const counts: Partial<Record<KeepName, number>> = {}
  for (const [name, sweep] of Object.entries(SWEEPS) as [KeepName, Sweep][]) {
    const days = services.settings.keepDays[name]
    if (!days) continue
    const before = new Date(services.now().getTime() - days * DAY_MS).toISOString()
    for (let rows = AT_ONCE; rows >= AT_ONCE && !signal?.aborted; ) {
      rows = await transact(services.database, (tx) => sweep(tx, before))
      if (rows) counts[name] = (counts[name] ?? 0) + rows
    }
  }
  return counts
}

/** When a process last looked. */
const looked = new WeakMap<Services, number>()

/** Has no jobs of its own; once a day its tick deletes what is past its days. */
export const retentionKind: JobKind = {
  run: async () => ({}),
  async tick(services, signal) {
    const now = services.now().getTime()
    if (now - (looked.get(services) ?? 0) < DAY_MS) return
    const counts = await deleteExpired(services, signal)
    // Set last, so that a failure is tried again.
    looked.set(services, now)
    for (const [name, rows] of Object.entries(counts)) services.log.info(`${rows} ${name} past KEEP_DAYS were deleted`)
  },
}
