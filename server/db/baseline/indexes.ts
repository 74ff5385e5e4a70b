import type { Kysely } from 'kysely'
import type { Engine } from '../connect.ts'
import { trigrams } from '../trigrams.ts'

/** Tables of more than a few hundred rows, whose every change sets `updated_at`. */
const UPDATED = [
  ...['clients', 'users', 'teams', 'projects', 'quotes', 'proffers', 'activities', 'rewards', 'imports', 'user_activities'],
  ...['files', 'places', 'location_groups', 'vip_experiences', 'brands', 'services'],
]
/** Tables whose rows change at several moments, of which the latest counts. */
const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  mails: ['created_at', 'not_before', 'sent_at', 'redacted_at'],
  jobs: ['created_at', 'not_before', 'started_at', 'beat_at', 'ended_at'],
  webhook_deliveries: ['created_at', 'not_before', 'sent_at', 'ended_at'],
}
/** Orders of lists of projects, with all they are searched and filtered by, so that the index alone finds rows. */
const ORDERS = ['created_at', 'end_dt', 'start_dt', 'name']
/** SQLite needs the condition's column, too. */
const FILTERED = ['id', 'parent_id', 'status', 'client_id', 'campaign_type', 'name', 'deleted_at']

/** What each index is on. `C`: PostgreSQL compares the bytes of text, so that a prefix is a range. */
const INDEXES: Readonly<Record<string, string>> = {
  ix_account_tokens_user: 'account_tokens (user_id)',
  ix_activities_11: 'activities (project_id)',
  ix_activity_location_groups_group: 'activity_location_groups (group_id)',
  ix_answer_texts_sets: "answer_texts (survey_id, question_id) where parts <> ''",
  ix_api_keys_owner: 'api_keys (created_by)',
  ix_attempts_at: 'attempts (at)',
  ix_brand_categories_category: 'brand_categories (category_id)',
  ix_brands_name_key: 'unique brands (name_key) where deleted_at is null',
  ix_change_sets_at: 'change_sets (at)',
  ix_change_sets_key: 'change_sets (user_id, key)',
  ix_confirmations_expires: 'confirmations (expires_at)',
  ix_confirmations_token: 'confirmations (token_id, expires_at)',
  ix_ended_memberships_client: 'ended_memberships (client_id, ended_at)',
  ix_ended_memberships_user: 'ended_memberships (user_id, ended_at)',
  ix_entries_22: 'entries (project_id, status, id)',
  ix_entries_23: 'entries (project_id, id)',
  ix_entries_24: 'entries (project_id, email_key)',
  ix_entries_25: 'entries (project_id, ip)',
  ix_entries_26: 'entries (status, claimed_at)',
  ix_entries_27: 'entries (payout_job, status, id)',
  ix_entries_amount: 'entries (amount_cents, id)',
  ix_entries_changed: 'entries (project_id, updated_at)',
  ix_entries_created: 'entries (created_at C, id)',
  ix_entries_email: 'entries (email_key C, id)',
  ix_entries_import: 'entries (import_id, id)',
  ix_entries_ip: 'entries (ip C, id)',
  // Serves any mix of status, flags and provider, newest first, and covers the other filters.
  ix_entries_kinds: 'entries (status, flags, provider_id, created_at C, id, amount_cents, project_id)',
  ix_entries_repeat_email: 'entries (project_id, email_key, status)',
  ix_entries_repeat_ip: 'entries (project_id, ip, status)',
  ix_entries_sent: 'entries (sent_at C, id)',
  ix_entries_survey: 'entries (survey_id, updated_at) where survey_id is not null',
  ix_entries_updated: 'entries (updated_at C, id)',
  ix_files_15: 'files (project_id)',
  ix_files_thumb_queued: "files (id) where thumb_state = 'queued'",
  ix_files_uploaded_by: 'files (uploaded_by, created_at)',
  ix_former_clients_client: 'former_clients (client_id)',
  ix_history_17: 'history (project_id, id)',
  ix_history_18: 'history (subject, subject_id, id)',
  ix_history_actor: 'history (actor_id, id) where actor_id is not null',
  ix_history_at: 'history (at, id)',
  ix_history_project_at: 'history (project_id, at) where project_id is not null',
  ix_imports_group: 'imports (group_id)',
  ix_imports_hash: 'imports (file_hash)',
  ix_imports_project: 'imports (project_id)',
  ix_jobs_29: 'jobs (status)',
  ix_jobs_30: 'jobs (created_by, id)',
  ix_location_group_places_import: 'location_group_places (import_id) where import_id is not null',
  ix_location_group_places_place: 'location_group_places (place_id, group_id)',
  ix_location_groups_32: 'location_groups (client_id)',
  ix_mails_28: 'mails (status, not_before)',
  ix_mails_about: 'mails (about, created_at)',
  ix_mails_secrets: "mails (id) where secrets is null or secrets <> '[]'",
  ix_mails_user: 'mails (user_id) where user_id is not null',
  ix_notes_16: 'notes (project_id, id)',
  ix_notices_user: 'notices (user_id, read_at)',
  ix_offers_project: 'offers (project_id, status)',
  ix_payouts_reference: 'payouts (reference)',
  ix_places_address_key: 'places (address_key, id) where deleted_at is null',
  ix_places_import: 'places (import_id) where import_id is not null',
  ix_places_not_exact: "places (position, id) where deleted_at is null and position <> 'exact'",
  ix_proffers_20: 'proffers (partner_id)',
  ix_project_categories_category: 'project_categories (category_id)',
  ix_project_partners_19: 'project_partners (partner_id)',
  ix_projects_10: 'projects (generation, end_dt, id)',
  ix_projects_5: 'projects (generation, parent_id, status)',
  ix_projects_6: 'projects (parent_id)',
  ix_projects_7: 'projects (client_id)',
  ix_projects_8: 'projects (requested_by)',
  ix_projects_9: 'projects (generation, name, id)',
  // A child of a deleted project is a row of its own in lists, which look the few of these up.
  ix_projects_deleted: 'projects (id) where deleted_at is not null',
  ix_projects_of_parent:
    'projects (parent_id, status, name, ordered, delivered, deleted_at) where parent_id is not null and deleted_at is null',
  // The desk reads projects by status; the last condition, which no other list has, keeps their plans as they are.
  ix_projects_open: "projects (status, end_dt) where deleted_at is null and status not in ('completed', 'reporting', 'rejected')",
  ix_questions_14: 'questions (survey_id, position)',
  ix_respondents_fraud: 'respondents (survey_id) where fraud = 1',
  // Rows from before the day of arrival was stored.
  ix_respondents_older: 'respondents (survey_id, at) where taken_on is null',
  ix_respondents_taken: 'respondents (survey_id, taken_on) where taken_on is not null',
  ix_rewards_21: 'rewards (project_id)',
  ix_service_users_user: 'service_users (user_id)',
  ix_services_name_key: 'unique services (brand_id, name_key) where deleted_at is null',
  ix_sessions_0: 'sessions (user_id)',
  ix_snapshots_created_by: 'snapshots (created_by)',
  ix_surveys_12: 'surveys (project_id)',
  ix_surveys_13: 'surveys (activity_id)',
  surveys_updated_at: 'surveys (updated_at)',
  ix_team_projects_4: 'team_projects (project_id)',
  ix_team_users_3: 'team_users (user_id)',
  ix_teams_2: 'teams (client_id)',
  ix_tries_full_at: 'tries (full_at)',
  ix_tombstones_at: 'tombstones (noun, deleted_at)',
  ix_user_activities_activity: 'user_activities (activity_id, at)',
  ix_user_activities_person: 'user_activities (activity_id, person)',
  ix_user_activities_project: 'user_activities (project_id, action, at)',
  ux_user_activities_external: 'unique user_activities (activity_id, external_id)',
  ux_user_activities_file: 'unique user_activities (file_id)',
  ix_user_clients_1: 'user_clients (client_id)',
  ix_users_31: 'users (role, last_name)',
  ix_users_pending_email: 'users (pending_email_hash) where pending_email_hash is not null',
  ux_users_email: 'unique users (email) where deleted_at is null',
  ix_venue_batches_service: 'venue_batches (service_id)',
  ix_venues_code: 'unique venues (service_id, code) where deleted_at is null',
  ix_venues_service: 'venues (service_id)',
  ix_views_shared: 'views (shared, screen)',
  ix_vip_awards_created: 'vip_awards (created_at)',
  ux_vip_awards: 'unique vip_awards (experience_id, email_key) where withdrawn_at is null',
  ix_vip_experiences_project: 'vip_experiences (project_id)',
  ix_visit_cells_day: 'visit_cells (day, dma, service_id)',
  ix_visit_filters_name: 'unique visit_filters (user_id, brand_id, name_key) where deleted_at is null',
  ix_webhook_deliveries_created: 'webhook_deliveries (created_at)',
  ix_webhook_deliveries_due: 'webhook_deliveries (webhook_id, status, not_before)',
  ix_webhook_deliveries_status: 'webhook_deliveries (status, not_before)',
  ix_webhook_deliveries_subject: 'webhook_deliveries (webhook_id, noun, subject_id)',
  ix_webhooks_owner: 'webhooks (owner_id)',
  ix_withdrawn_arrived: "withdrawn_respondents (arrived) where stored <> ''",
  ...Object.fromEntries(UPDATED.map((table) => [`ix_${table}_updated`, `${table} (updated_at)`])),
  ...Object.fromEntries(
    Object.entries(MOMENTS).map(([table, columns]) => [
      `ix_${table}_latest`,
      `${table} (LATEST(${columns.map((column) => `coalesce(${column}, '')`).join(', ')}))`,
    ]),
  ),
  ...Object.fromEntries(
    ORDERS.map((column) => [
      `ix_projects_listed_${column}`,
      `projects (${['generation', column, ...FILTERED.filter((other) => other !== column)].join(', ')}) where deleted_at is null`,
    ]),
  ),
}

/**
 * Hundreds of thousands of places, as `server/domain/place/list.ts` spells their folded texts.
 * Searches within words read trigrams on PostgreSQL, every row without them; SQLite reads covering indexes.
 */
function placeIndexes(engine: Engine, trigramHome: string | null): Record<string, string> {
  const sqlite = engine === 'sqlite'
  const folded = (fold: string, plain: string) =>
    sqlite ? `coalesce(${fold}, lower(${plain}))` : `(coalesce(${fold}, lower(${plain} collate "C")) collate "C")`
  const words = `name || ' ' || address || ' ' || city || ' ' || zip`
  const name = folded('name_fold', 'name')
  const searched = `(${name} || ' ' || ${folded('address_fold', `(address || ' ' || city || ' ' || zip)`)})`
  const alive = 'where deleted_at is null'
  const covered = (search: string) => (sqlite ? `, ${search}, deleted_at` : '')
  const gin = (search: string) => `places using gin (${search} "${trigramHome}".gin_trgm_ops) with (fastupdate = off) ${alive}`
  return {
    ix_places_name: `places (lower(name), id${covered(`lower(${words})`)}) ${alive}`,
    ix_places_state: `places (state, lower(name), id) ${alive}`,
    ix_places_city: `places (lower(city), id) ${alive}`,
    ix_places_name_fold: `places (${name}, id${covered(searched)}) ${alive}`,
    ix_places_state_fold: `places (state, ${name}, id) ${alive}`,
    ix_places_city_fold: `places (${folded('city_fold', 'city')}, id) ${alive}`,
    ...(trigramHome && { ix_places_search: gin(`(lower(${words}))`), ix_places_text_fold: gin(searched) }),
  }
}

/** The statements that create the baseline's indexes. */
export async function indexStatements(db: Kysely<unknown>, engine: Engine): Promise<string[]> {
  const [text, latest] = engine === 'postgres' ? [' collate "C"', 'greatest'] : ['', 'max']
  const indexes = { ...INDEXES, ...placeIndexes(engine, engine === 'postgres' ? await trigrams(db) : null) }
  return Object.entries(indexes).map(([name, on]) => {
    const unique = on.startsWith('unique ') ? 'unique ' : ''
    const target = on.slice(unique.length).replaceAll(/ C\b/g, text).replace('LATEST', latest)
    return `create ${unique}index "${name}" on ${target}`
  })
}
