import type { Generated } from 'kysely'
import type { FieldCode } from '../../contract/errorCodes.ts'
import type { AnswerType } from '../../contract/questionRules.ts'
import type { Status } from '../../contract/status.ts'
import type { Outcome, RewardStatus, Role } from '../../contract/vocabulary.ts'

/** On both engines, dates are ISO text (civil YYYY-MM-DD, times UTC), money is integer cents, booleans are 0 or 1. */
interface Versioned {
  id: Generated<number>
  created_at: string
  updated_at: string
  /** The optimistic lock of decisions.md 9. */
  lock_version: Generated<number>
}

export interface OrganizationTable extends Versioned {
  name: string
  product: string
  support_mail: string
  settings: string
  /** Blank: the organization's name, the product's name, the support address, none, none. */
  support_team: Generated<string>
  sender_name: Generated<string>
  sender_mail: Generated<string>
  reply_to: Generated<string>
  mail_footer: Generated<string>
}
export interface UserTable extends Versioned {
  /** Lower case, trimmed, unique among users that aren't deleted. */
  email: string
  first_name: string
  last_name: string
  phone: string
  company: string
  role: Role
  birth_date: string | null
  status: 'invited' | 'active'
  password_hash: string | null
  must_change_password: Generated<number>
  password_expires_at: string | null
  invitation_hash: string | null
  invitation_expires_at: string | null
  reset_hash: string | null
  reset_expires_at: string | null
  /** A new address until it is confirmed by the link sent to it, and the hash of that link's token. */
  pending_email: Generated<string | null>
  pending_email_hash: Generated<string | null>
  pending_email_expires_at: Generated<string | null>
  /** Who asked for it. */
  pending_email_by: Generated<number | null>
  /**
   * 1 if an administrator's was asked for with their own password, or a second administrator approved it.
   * 2 if it has to be approved in any role, as they were an administrator when it was asked for, or just before.
   */
  pending_email_proven: Generated<number | null>
  /** JSON: theme, density, keys, time zone. */
  preferences: Generated<string>
  deleted_at: string | null
}
/** The browsers and programs from which somebody has signed in. */
interface DeviceTable {
  user_id: number
  /** The user agent without its version numbers. */
  agent: string
  seen_at: string
}
interface SessionTable {
  id: Generated<number>
  user_id: number
  /** The `client` header, which identifies the device. */
  client: string
  token_hash: string
  /** Set while an admin acts as this user. */
  admin_id: number | null
  reason: string | null
  user_agent: string
  created_at: string
  last_seen_at: string
  expires_at: string
}
interface ApiKeyTable {
  id: Generated<number>
  name: string
  key_hash: string
  created_by: number
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
  /** JSON: `{}` covers every survey; `{"projects":[…]}` or `{"surveys":[…]}` only those. */
  scope: Generated<string>
  expires_at: string | null
  last_address: Generated<string>
  /** 1 if it may also read the surveys it writes to, and their questions. */
  reads: Generated<number>
  /** An importer's key, or a token: of a person, or of a program that administrators are responsible for. */
  kind: Generated<'intake' | 'personal' | 'service'>
  /** JSON: a token's scopes, `["project:read"]`. */
  grants: Generated<string>
}
export interface WebhookTable extends Versioned {
  name: string
  url: string
  /** JSON: the nouns it follows. */
  nouns: string
  /** JSON: ids of the clients it is limited to; empty for no limit. */
  clients: string
  owner_id: number
  status: Generated<'active' | 'paused' | 'disabled'>
  /** Why it is not active. */
  reason: Generated<string>
  /** Sealed with the installation's key; the one before signs beside it until its time. */
  secret: string
  secret_before: string | null
  secret_before_until: string | null
  /** It follows events after this one. */
  since_event: number
  /** The first failed try since something arrived. */
  failing_since: string | null
  /** When its owner got a mail that it fails, since something arrived. */
  told_at: string | null
  last_delivered_at: string | null
  deleted_at: string | null
  /** The token that made it, with which it ends; null for a person's own. */
  token_id: Generated<number | null>
}
export interface WebhookDeliveryTable {
  id: Generated<number>
  webhook_id: number
  owner_id: number
  /** The message's id, the same in every try and replay. */
  message: string
  type: string
  noun: string
  subject_id: number
  kind: string
  audience: 'admin' | 'scope' | 'user'
  user_id: number | null
  project_id: number | null
  client_id: number | null
  /** Null for a test. */
  event_id: number | null
  action: string
  /** As in the event. */
  before: Generated<string>
  occurred_at: string
  /** `sending`: claimed until not_before; `skipped`: its owner may not see the record any more. */
  status: Generated<'queued' | 'sending' | 'delivered' | 'failed' | 'skipped'>
  attempts: Generated<number>
  not_before: string
  created_at: string
  /** When the last try was made. */
  sent_at: string | null
  ended_at: string | null
  error: Generated<string>
  /** The body of the last try, and 1 if it is what those get who see everything. */
  request: Generated<string>
  whole: Generated<number>
  response_status: number | null
  /** The beginning of the receiver's answer. */
  response: Generated<string>
  duration_ms: number | null
}
/** One row: the last event that was looked at for webhooks. */
interface WebhookCursorTable {
  id: number
  event_id: number
}
export interface ClientTable extends Versioned {
  name: string
  deleted_at: string | null
}
export interface UserClientTable {
  user_id: number
  client_id: number
  /** 1 for a named approver of the client's quotes. */
  approves: Generated<number>
}
export interface TeamTable extends Versioned {
  client_id: number
  name: string
  deleted_at: string | null
}
/** Who linked it and when; null for links made by releases before 0033. */
interface LinkMade {
  added_by: number | null
  added_at: string | null
  /** When an undo brought it back; null for any other. */
  updated_at: Generated<string | null>
}
export interface TeamUserTable extends LinkMade {
  team_id: number
  user_id: number
}
interface TeamProjectTable extends LinkMade {
  team_id: number
  project_id: number
}
/** An ended membership of a client, or with `team_id` of one of its teams, kept so that it can be restored. */
interface EndedMembershipTable {
  id: Generated<number>
  user_id: number
  client_id: number
  team_id: number | null
  /** The time of the write that ended it, such as the client's deletion. */
  ended_at: string
}
/** A project's former client, whose users get an event that the project is gone. */
interface FormerClientTable {
  project_id: number
  client_id: number
}
export interface PartnerTable extends Versioned {
  name: string
  /** The contact person. */
  contact: Generated<string>
  email: string
  phone: string
  notes: Generated<string>
  deleted_at: string | null
}
export interface ProjectTable extends Versioned {
  generation: 'campaign' | 'project'
  parent_id: number | null
  client_id: number
  name: string
  description: string
  requirements: string
  status: Status
  campaign_type: 'Survey' | 'Content'
  ordered: number
  /** Completes delivered; maintained by the intake. */
  delivered: Generated<number>
  cost_cents: number | null
  /** The quote's current round, from 1. */
  quote_round: Generated<number>
  quote_valid_until: string | null
  start_dt: string | null
  end_dt: string | null
  survey_url: string
  /** The reward provider (1 or 600); the specification calls it partner_id. */
  provider_id: number | null
  requested_by: number | null
  /** The client's purchase order; empty until they give it. */
  po_number: Generated<string>
  /** The administrator who looks after it. */
  owner_id: Generated<number | null>
  went_live_at: string | null
  /** The client's expected interview length and incidence (%), if known. */
  expected_loi_minutes: Generated<number | null>
  expected_incidence: Generated<number | null>
  deleted_at: string | null
}
export interface ActivityTable extends Versioned {
  project_id: number
  name: string
  about: string
  activity_type: 'survey' | 'social' | 'video' | 'photo'
  action_type: string
  social_type: string
  social_text: string
  social_link: string
  url: string
  start_dt: string | null
  end_dt: string | null
  /** Fields of the older generation: a place, and a notification. */
  location_id: Generated<number | null>
  notification_id: Generated<number | null>
  deleted_at: string | null
}
/** An older face of an activity, created by its first save. */
export interface OccasionTable extends Versioned {
  activity_id: number
  kind: 'event' | 'promo' | 'post'
  name: string
  description: string
  about: string
  information: string
  location: string
  address: string
  content_type: string
  url: string
  file_id: number | null
  start_date: string | null
  end_date: string | null
  /** JSON: name, start and end of each part of an event, in the order of their starts. */
  schedules: string
}
export interface TargetTable {
  id: Generated<number>
  activity_id: number
  /** Its own concurrency token, from 1 (decisions.md 9). */
  version: number
  location_based: 'yes' | 'no'
  /** Comma lists of ids, as on the wire; empty means any. */
  targeted_locations: string
  age: string
  gender: string
  hhi: string
  ethnicity: string
  marital_status: string
  children: string
  updated_at: string
}
export interface SurveyTable extends Versioned {
  project_id: number
  activity_id: number | null
  name: string
  survey_link: string
  survey_vendor: string
  vendor_survey_id: Generated<string>
  /** The file whose questions a refresh reads. */
  source_file_id: Generated<number | null>
  refreshed_at: Generated<string | null>
  questions_count: number
  deleted_at: string | null
}
export interface QuestionTable extends Versioned {
  survey_id: number
  name: string
  position: number
  question_type: 'survey' | 'profile' | 'reward'
  /** JSON: the labels of the answers. */
  options: string
  answer_type: Generated<AnswerType>
  /** The vendor's own name of the question; empty without one. */
  vendor_key: Generated<string>
  /** When it was retired; null while it is asked. */
  retired_at: Generated<string | null>
}
export interface FileTable extends Versioned {
  project_id: number | null
  activity_id: number | null
  kind: 'asset' | 'document' | 'docsign' | 'location' | 'export' | 'media'
  asset_type: string
  original_name: string
  /** The key in the file store. */
  storage_key: string
  mime: string
  size: number
  description: string
  uploaded_by: number | null
  /** JSON: the projects whose figures an export contains; null if it contains other data or isn't known. */
  holds: Generated<string | null>
  /** Pixels as a picture is displayed (after its EXIF orientation), and a video's length; null if unknown. */
  width: Generated<number | null>
  height: Generated<number | null>
  seconds: Generated<number | null>
  /** Degrees by which somebody rotated it clockwise, beyond its own orientation. */
  rotation: Generated<number>
  /** The key of its thumbnail in the file store; empty until there is one. */
  thumb_key: Generated<string>
  thumb_state: Generated<'none' | 'queued' | 'done' | 'failed'>
  /** How often its reading was begun, and why it has no thumbnail; empty unless it failed. */
  thumb_tries: Generated<number>
  thumb_fault: Generated<string>
  /** The SHA-256 of its content; empty for files of older releases. */
  sha256: Generated<string>
}
/** One act of a participant in an activity: a picture, video, comment or social act. */
export interface UserActivityTable extends Versioned {
  activity_id: number
  project_id: number
  /** 16 hex digits of the hashed address. */
  person: string
  email: string
  action: 'photo' | 'video' | 'comment' | 'social' | 'survey'
  file_id: number | null
  comment: string
  url: string
  dma: number | null
  at: string
  review: 'open' | 'accepted' | 'rejected'
  review_reason: string
  reviewed_by: number | null
  reviewed_at: string | null
  /** The sender's id, unique in its activity. */
  external_id: string | null
}
export interface NoteTable extends Versioned {
  project_id: number
  note: string
  author_id: number
}
export interface HistoryTable {
  id: Generated<number>
  /** The noun, its id, and its project if any. */
  subject: string
  subject_id: number
  project_id: number | null
  /** The call or command that wrote it. */
  action: string
  origin: 'client' | 'event' | 'channel_partner'
  actor_id: number | null
  admin_id: number | null
  /** The token used for it, if any. */
  token_id: Generated<number | null>
  partner_id: number | null
  /** JSON of the changed fields only. */
  before: string
  after: string
  reason: string
  at: string
}
export interface ProjectPartnerTable {
  project_id: number
  partner_id: number
  round: number
  assigned_at: string
  mailed_at: string | null
  /** The title that partners see instead of our project name; empty shows its code. */
  title: Generated<string>
  message: Generated<string>
  /** The civil date by which an answer is due. */
  answer_by: Generated<string | null>
  /** JSON: ids of the files the partner may open. */
  files: Generated<string>
  /** What the client requires, in the words that partners may read. */
  requirements: Generated<string>
  /** 1 if the partner may open the project's survey link. */
  shows_survey: Generated<number>
  /** Why a later round was opened, in words for partners. */
  why: Generated<string>
  /** Where a chosen partner sends respondents. */
  entry_url: Generated<string>
  invited_by: Generated<number | null>
  /** Raised by a new link and by revoking, which voids links of earlier versions. */
  link_version: Generated<number>
  link_until: Generated<string | null>
  opened_at: Generated<string | null>
  last_opened_at: Generated<string | null>
  opens: Generated<number>
  reminded_at: Generated<string | null>
  reminders: Generated<number>
  revoked_at: Generated<string | null>
  revoke_reason: Generated<string>
}
export interface ProfferTable {
  id: Generated<number>
  project_id: number
  partner_id: number
  round: number
  fill_requirements: 'Yes' | 'No'
  reason: string
  feasible_completes: number | null
  cpi_cents: number | null
  incidence: number | null
  loi_minutes: number | null
  field_days: number | null
  valid_until: string | null
  created_at: string
  /** Only the partner sees a draft, and nothing counts it. */
  state: Generated<'draft' | 'sent'>
  sent_at: Generated<string | null>
  corrections: Generated<number>
  note: Generated<string>
  /** 1 for a binding quote (partners/project/quote). */
  binding: Generated<number>
  /** JSON: the terms of the request at the time of the answer (server/domain/quote/requestTerms.ts). */
  asked: Generated<string>
  /** The administrator who entered it for the partner. */
  entered_by: Generated<number | null>
  updated_at: Generated<string>
  lock_version: Generated<number>
}
/** How many completes of a quoted order a partner's answer fills, at its price then. */
export interface QuoteShareTable {
  quote_id: number
  proffer_id: number
  completes: number
  cpi_cents: number
}
/** A price for the client to approve: a revision of a round, of which the newest is current. */
export interface QuoteTable extends Versioned {
  project_id: number
  round: number
  revision: number
  cost_cents: number
  /** Completes ordered when it was priced. */
  ordered: number
  valid_until: string | null
  /** JSON: the terms that the price covers. */
  asked: string
  state: 'prepared' | 'sent' | 'approved' | 'rejected' | 'replaced'
  sent_at: string | null
  sent_by: number | null
  opened_at: string | null
  opened_by: number | null
  decided_at: string | null
  decided_by: number | null
  reason: string
  /** When the client was reminded that the quote expires soon. */
  lapse_mailed_at: string | null
}
export interface RewardTable extends Versioned {
  project_id: number
  name: string
  amount_cents: number
  provider_id: number
  provider_code: string
  description: string
  reward_type: string
  deleted_at: string | null
}
export interface EntryTable extends Versioned {
  project_id: number
  survey_id: number | null
  reward_id: number | null
  email: string
  /** Lower case, trimmed; repeats are detected by it. */
  email_key: string
  ip: string
  amount_cents: number
  provider_id: number
  status: RewardStatus
  reason: string
  second_chances: Generated<number>
  /** Set while the row is claimed for payment. */
  claimed_at: string | null
  /** The job that claimed it; released if the job is cancelled, resumed if it died. */
  payout_job: number | null
  sent_at: string | null
  /** The upload that created it. */
  import_id: Generated<number | null>
  /** Bits: 1 an amount that can't be paid, 2 a repeated email, 4 a repeated address; kept by triggers. */
  flags: Generated<number>
}
/** Entries summed by reward, status and whether any flag is set; kept by triggers. */
interface EntryTotalTable {
  project_id: number
  /** 0 for entries without a reward. */
  reward_id: number
  status: RewardStatus
  flagged: number
  count: number
  amount_cents: number
}
/** How often the sources of lists were changed: the sum over the slots (server/core/idCache.ts). */
export interface ListVersionTable {
  kind: 'project' | 'delivered' | 'member' | 'quote' | 'venue' | 'name'
  /** The connection that counted, 0 for all closed ones; always 0 on SQLite. */
  slot: number
  n: number
}
export interface PayoutTable {
  /** The entry's id, so that a payout can't be made twice. */
  entry_id: number
  provider_id: number
  amount_cents: number
  email: string
  reference: string
  at: string
}
/** A respondent that was taken out by its id, and stays out whatever is sent. */
interface WithdrawnRespondentTable {
  survey_id: number
  respondent_id: string
  withdrawn_at: string
  /** The day it arrived, in whole days since 1970 (UTC). */
  arrived: number
  /** JSON of its row without the answers, so that it can be put back; empty once it can't be changed any more. */
  stored: string
  answers: string
}
export interface RespondentTable {
  survey_id: number
  respondent_id: string
  project_id: number
  outcome: Outcome
  at: string
  /** The demographic cell (server/domain/runtime/cells.ts). */
  cell: number
  marital: number
  children: number
  latitude: number | null
  longitude: number | null
  dma: number | null
  dwell: number | null
  notice: number | null
  /** JSON, by question id; empty without answers. */
  answers: string
  email_hash: string
  ip: string
  fraud: Generated<number>
  /** The day it arrived, in whole days since 1970 (UTC); null for rows older than this column. */
  taken_on: number | null
  /** A complete's position in the answer columns; null for other outcomes, and until it is assigned. */
  ordinal: number | null
  started_at: string | null
}
/** Counters by project day and cell; cell −1 holds the day's total. */
interface DayCellTable {
  survey_id: number
  project_id: number
  day: string
  cell: number
  completes: number
  terminates: number
  overquota: number
  partials: number
}
/** Counters by demographic cell over all days, with its completes by marital status and children. */
interface DemoCellTable {
  survey_id: number
  project_id: number
  cell: number
  completes: number
  terminates: number
  overquota: number
  partials: number
  m0: number
  m1: number
  m2: number
  m3: number
  m4: number
  c0: number
  c1: number
  c2: number
  c3: number
  c4: number
}
/** Completes by dimension and value over all cells, for an unfiltered Overview. */
interface MarginalTable {
  survey_id: number
  project_id: number
  dimension: string
  value: number
  completes: number
}
/** Completes by place (latitude and longitude in tenths of a degree) and cell; cell −1 holds the place's total. */
interface GeoCellTable {
  survey_id: number
  project_id: number
  lat: number
  lon: number
  cell: number
  completes: number
}
/**
 * Completes by half-degree square, for the unfiltered map of a big survey.
 * `lats` and `lons` sum the completes' tenths, so that a square is drawn at the center of its people.
 */
interface GeoSquareTable {
  survey_id: number
  project_id: number
  lat: number
  lon: number
  completes: number
  lats: number
  lons: number
}
/** Completes by question, answer, age and gender. */
interface AnswerCellTable {
  survey_id: number
  project_id: number
  question_id: number
  value: string
  age: number
  gender: number
  completes: number
}
/** The size of a survey's answer columns: positions assigned, and completes that still have one. */
interface AnswerSizeTable {
  survey_id: number
  ordinals: number
  completes: number
  /** Completes without those in no market-area column, whose positions an older release assigned. */
  areas: Generated<number>
}
/**
 * A piece of a column: codes of completes in order of arrival, from the position `first` on.
 * Question 0 holds demographic cells; negative ones are listed in COLUMNS (server/domain/responses/answerColumns.ts).
 */
interface AnswerColumnTable {
  survey_id: number
  question_id: number
  first: number
  /** Bytes of a code: 1, 2 or 4, little-endian; 0 means no answer. */
  width: number
  codes: Uint8Array
}
/** The meaning of a question's code: an answer, or several given together. */
interface AnswerTextTable {
  survey_id: number
  question_id: number
  text_id: number
  /** What intake looks it up by: the text, or a hash of a long one. */
  lookup: string
  /** Empty for several answers, and for an answer that is no longer in use. */
  text: string
  /** The codes of several answers given together, comma-separated and sorted; empty for a single one. */
  parts: string
}
/** Partials by the last question they answered. */
interface QuestionStopTable {
  survey_id: number
  question_id: number
  partials: number
}
/** Questions with answers from respondents who aren't completes. */
interface QuestionGivenTable {
  survey_id: number
  question_id: number
}
interface EventTable {
  id: Generated<number>
  noun: string
  subject_id: number
  project_id: number | null
  client_id: number | null
  /** 'admin' reaches only admins, 'scope' also client users who see the project or client, 'user' only that user. */
  audience: 'admin' | 'scope' | 'user'
  user_id: number | null
  /** put, drop, or counters. */
  kind: string
  /** The session that caused it, so that a workspace recognizes its own changes. */
  session_id: number | null
  at: string
  /** The call or job that it came from; empty in events of older releases. */
  action: Generated<string>
  /** The columns of its record that were changed, with their former values, as JSON; empty without any. */
  before: Generated<string>
}
export interface MailTable {
  id: Generated<number>
  to_address: string
  subject: string
  body: string
  html: string
  /** `sending`: claimed by a dispatcher until not_before; `withdrawn`: cancelled before it was sent. */
  status: 'queued' | 'sending' | 'sent' | 'outbox' | 'failed' | 'withdrawn'
  error: string
  attempts: Generated<number>
  about: string
  not_before: string
  created_at: string
  sent_at: string | null
  /** JSON: the exact secrets in body and html; null in rows older than this column. */
  secrets: string | null
  /** When they expire and are removed from the text. */
  secrets_until: string | null
  /** When they were removed. */
  redacted_at: string | null
  /** The account they open. */
  user_id: number | null
}
/** An account's links beside the newest, whose hash is in `users`; they are valid only while that hash is there. */
interface AccountTokenTable {
  id: Generated<number>
  user_id: number
  kind: 'reset' | 'invitation'
  token_hash: string
  created_at: string
  expires_at: string
}
export interface JobTable {
  id: Generated<number>
  kind: string
  title: string
  input: string
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  done: Generated<number>
  total: Generated<number>
  result: string
  error: string
  created_by: number | null
  /** The token that started it, if any. */
  token_id: Generated<number | null>
  /** The role of who started it, and the project or service that its title names. */
  made_as: Generated<Role>
  project_id: Generated<number | null>
  service_id: Generated<number | null>
  created_at: string
  started_at: string | null
  /** It doesn't start before this time: the undo window of a payout. */
  not_before: string
  /** The worker that runs it, and its number of starts; a worker that lost its claim writes nothing. */
  worker: string | null
  attempts: Generated<number>
  /** A worker's last heartbeat; a running job without one is started again. */
  beat_at: string | null
  ended_at: string | null
}
interface SnapshotTable {
  id: string
  layout: string
  created_by: number
  created_at: string
}
interface DmaTable {
  code: number
  name: string
  rank: number | null
}
export interface PlaceTable {
  id: Generated<number>
  name: string
  address: string
  city: Generated<string>
  /** A two-letter code, or the text as typed. */
  state: Generated<string>
  zip: Generated<string>
  latitude: number | null
  longitude: number | null
  /** The import that created it; null for one created by hand. */
  import_id: Generated<number | null>
  /** The source of its coordinates: its own, the center of its ZIP or city, or none. */
  position: Generated<'exact' | 'zip' | 'city' | 'none'>
  /** The market area whose main city is nearest; null without a position. */
  dma: number | null
  /** The normalized address and ZIP that duplicates are found by (contract/address.ts). */
  address_key: Generated<string>
  name_fold: Generated<string | null>
  city_fold: Generated<string | null>
  address_fold: Generated<string | null>
  deleted_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  lock_version: Generated<number>
}
export interface LocationGroupTable extends Versioned {
  client_id: number
  name: string
  deleted_at: string | null
}
/** A deleted place leaves its groups; a deleted group keeps its places. */
export interface LocationGroupPlaceTable {
  group_id: number
  place_id: number
  added_at: string | null
  added_by: number | null
  /** The import that added it, and its line in the file. */
  import_id: number | null
  line: number | null
}
/** A file whose rows become records. */
export interface ImportTable extends Versioned {
  kind: 'location' | 'reward'
  /** The group's name. */
  name: Generated<string>
  file_id: number
  /** SHA-256 of the content, to recognize the same file. */
  file_hash: string
  project_id: number | null
  client_id: number | null
  group_id: number | null
  activity_id: number | null
  /** 1 if it created its group, which an undo then deletes. */
  makes_group: Generated<number>
  /** JSON: `Mapping` of server/imports/fileColumns.ts. */
  mapping: string
  rows: Generated<number>
  created: Generated<number>
  reused: Generated<number>
  repeated: Generated<number>
  failed: Generated<number>
  /** The last line that was written, after which a resumed job continues. */
  done_line: Generated<number>
  status: 'checked' | 'running' | 'done' | 'undone' | 'failed'
  error: Generated<string>
  job_id: number | null
  errors_file_id: number | null
  created_by: number | null
  ended_at: string | null
}
/** A note or an error about a line of an import. */
export interface ImportRowTable {
  id: Generated<number>
  import_id: number
  line: number
  kind: 'error' | 'repeat' | 'approximate'
  column: Generated<string>
  value: Generated<string>
  /** Of an error, one of FIELD_CODES; otherwise empty. */
  code: Generated<FieldCode | ''>
  message: Generated<string>
  place_id: Generated<number | null>
  entry_id: Generated<number | null>
  /** JSON: all cells of the line; empty unless it is an error. */
  raw: Generated<string>
}
interface ActivityLocationGroupTable {
  activity_id: number
  group_id: number
  linked_at: string | null
  linked_by: number | null
}
/** An industry, seeded by its migration. */
interface CategoryTable {
  id: Generated<number>
  name: string
  sic_code: string
}
interface ProjectCategoryTable {
  project_id: number
  category_id: number
}
/** What people decided about a line of the desk. A line is derived, so this outlives it and waits for the next one. */
export interface DeskMarkTable extends Versioned {
  rule: string
  subject_id: number
  /** Whom it was handed to; null leaves it with its record's owner. */
  owner_id: number | null
  acknowledged_by: number | null
  acknowledged_at: string | null
  /** The line's cause then: a line whose cause has changed is open again. */
  acknowledged_cause: string | null
  snoozed_by: number | null
  /** Until when it is snoozed; with a cause instead, until that changes. */
  snoozed_until: string | null
  snoozed_cause: string | null
}
/** A list's state with a name: private, for colleagues, or for everybody who may open the screen. */
interface ViewTable extends Versioned {
  user_id: number
  /** A screen of the routes table, with its tab: `client.users`. */
  screen: string
  name: string
  /** The name in lower case, unique for a user and screen. */
  name_key: string
  /** The query of the list's link. */
  query: string
  shared: Generated<'own' | 'colleagues' | 'everyone'>
}
/** Values that describe the whole database, such as its seed and origin. */
interface MetaTable {
  key: string
  value: string
}

/** A rate limit's bucket: the moment (milliseconds since the epoch) when it is full again. */
interface TriesTable {
  key: string
  full_at: number
}

/** A write sent with a key, and its response as JSON, which repeats get without another write. */
interface AttemptTable {
  user_id: number
  key: string
  call: string
  /** A hash of its input. */
  said: string
  answer: Generated<string>
  /** JSON: the records that the response holds, and whether its caller saw everything; '' if unknown. */
  holds: Generated<string>
  at: string
}

/** A review that an assistant may confirm once (server/domain/token/confirmations.ts). */
interface ConfirmationTable {
  /** A hash of the word that confirms it. */
  key_hash: string
  token_id: number
  /** A hash of the command and its input. */
  digest: string
  /** The versions of what its review read, as JSON (`Reviewed` of verbs/request.ts). */
  versions: Generated<string>
  expires_at: string
}

/** The changes of one write, so that its author can undo it within a day (server/core/undo/). */
export interface ChangeSetTable {
  id: Generated<number>
  user_id: number
  /** Set while an administrator acted as the user. */
  admin_id: number | null
  /** The call that made the change. */
  call: string
  /** Its idempotency key in `attempts`; empty without one. */
  key: Generated<string>
  /** JSON: `RowChange[]`, `HistoryLine[]` and `Change[]`, in the order they were made. */
  rows: string
  lines: string
  events: string
  /** JSON: file-store keys in its rows, whose contents must be kept as long as this row. Empty without any. */
  contents: Generated<string>
  undone: Generated<number>
  at: string
  /** A deletion that can be restored: kept for longer than a day. */
  removes: Generated<number>
  /** The token that made it, which may undo it; null for a person. */
  token_id: Generated<number | null>
}
/** A column of a project's client report; those of the respondent have no question. */
export interface ReportColumnTable extends Versioned {
  project_id: number
  survey_id: number | null
  question_id: number | null
  /** Unique in its project. */
  column_key: string
  column_name: string
  /** The kind of value in the column (contract/report.ts); null for the answer itself. */
  column_type: string | null
  column_custom_definition: string
  should_include: number
  /** Its position in the file, from 1. */
  position: number
}
interface ReportTemplateTable extends Versioned {
  name: string
  /** Null for every client. */
  client_id: number | null
  /** JSON: columns as `TemplateColumn` of contract/report.ts. */
  columns: string
}
/** The text that recruits see before a project's survey. */
interface LandingTable extends Versioned {
  project_id: number
  survey_url: string
  facebook_question: string
  fulcrum_question: string
  facebook_disqualify_text: string
  fulcrum_disqualify_text: string
  facebook_landing_url: string
  fulcrum_landing_url: string
}
/** The channels a project recruits through: 1 is enabled. */
interface AudienceOptionTable extends Versioned {
  project_id: number
  facebook_active: Generated<number>
  facebook_changed_at: string | null
  facebook_changed_by: number | null
  fulcrum_active: Generated<number>
  fulcrum_changed_at: string | null
  fulcrum_changed_by: number | null
  active: Generated<number>
  changed_at: string | null
  changed_by: number | null
}
/** A channel's offer to the respondents of a project. */
interface OfferTable extends Versioned {
  project_id: number
  name: string
  channel: 'facebook' | 'fulcrum'
  amount_cents: number
  starts: string
  ends: string | null
  status: 'scheduled' | 'running' | 'paused' | 'ended'
}

/** A reward other than money. */
export interface VipExperienceTable extends Versioned {
  project_id: number
  name: string
  deleted_at: string | null
}
export interface VipAwardTable {
  id: Generated<number>
  experience_id: number
  email: string
  /** The address trimmed and in lower case; unique in an experience unless withdrawn. */
  email_key: string
  awarded_by: number | null
  created_at: string
  withdrawn_at: string | null
}
/** A message from administrators to every account. */
export interface NotificationTable extends Versioned {
  name: string
  message: string
  message_action: 'map' | 'feed' | 'web'
  url: string
  notification_type: 'all'
  /** Text that only programs read. */
  custom: string
  sent_at: string | null
  sent_by: number | null
  /** How many users it goes or went to. */
  audience: Generated<number>
  /** The job that sends it, once sending was requested. */
  job_id: number | null
  deleted_at: string | null
}
/** A notification in a user's inbox. */
export interface NoticeTable {
  notification_id: number
  user_id: number
  read_at: string | null
  created_at: string
}

/** A brand whose visits are counted; `name_key` is its name trimmed and in lower case. */
interface BrandTable extends Versioned {
  name: string
  name_key: string
  status: Generated<'active' | 'inactive'>
  /** Civil dates. */
  start_dt: string
  end_dt: string | null
  deleted_at: string | null
}
/** A set of venues whose visits are counted for a brand, with a term and an order. */
interface ServiceTable extends Versioned {
  brand_id: number
  name: string
  name_key: string
  category_id: number | null
  /** Where its visit files come from: a note, nothing is fetched. */
  s3_bucket: Generated<string>
  start_dt: string
  end_dt: string | null
  /** Visits expected within the term; 0 for none. */
  ordered: Generated<number>
  /** Visits within the term, maintained by intake and by changes of the term. */
  completed: Generated<number>
  /** Its first day with visits (days since 1970), and the time of its last visit in seconds. */
  first_day: number | null
  last_at: number | null
  status: Generated<'active' | 'inactive'>
  deleted_at: string | null
}
/** A place that devices visit. */
interface VenueTable extends Versioned {
  service_id: number
  /** The sender's code for it, unique in its service. */
  code: string
  name: Generated<string>
  address: Generated<string>
  latitude: number | null
  longitude: number | null
  /** Its market area, 0 if unknown. */
  dma: Generated<number>
  /** The source of its position: given, from its first visit, or the market's main city. */
  placed: 'given' | 'visits' | 'market'
  /** The civil day of its first visit, or on which it was added. */
  since: string
  deleted_at: string | null
}
interface BrandCategoryTable {
  brand_id: number
  category_id: number
}
/** Grants a client user access to a service; there is no other way. */
interface ServiceUserTable {
  service_id: number
  user_id: number
  added_at: string
  added_by: number | null
}
/** A user's saved filter of a brand; a relative date type stores no dates. */
export interface VisitFilterTable extends Versioned {
  user_id: number
  brand_id: number
  service_id: number | null
  name: string
  name_key: string
  date_type: string
  start_dt: string | null
  end_dt: string | null
  /** Codes of market areas, joined with commas. */
  dmas: Generated<string>
  /** The query of its link. */
  query: Generated<string>
  deleted_at: string | null
}
/** A device at a venue in a second. Numbers, not ISO text, because a billion rows are kept. */
interface VisitTable {
  venue_id: number
  /** Seconds since 1970. */
  at: number
  /** The first 48 bits of a salted hash. */
  device: number
}
/** Exact counts of a service in a market area on a civil day (days since 1970). */
interface VisitCellTable {
  service_id: number
  dma: number
  day: number
  visits: number
  uniques: number
  /** Visits by hour: 24 varints. */
  hours: Uint8Array
}
/** A cell's devices, stored separately so that sums read no blobs (server/domain/visit/deviceSet.ts). */
interface VisitLeafTable {
  service_id: number
  dma: number
  day: number
  devices: Uint8Array
}
interface VisitDayTable {
  service_id: number
  day: number
  visits: number
}
interface VisitVenueDayTable {
  venue_id: number
  day: number
  visits: number
  uniques: number
}
/** Counts and devices of a day or month, which a job builds from leaves. */
interface VisitRollupTable {
  scope: 'all' | 'brand' | 'service'
  scope_id: number
  /** 0 for all, -1 for unknown, -10, -25 and -50 for the presets, else a market area's code. */
  market: number
  period: 'd' | 'm'
  start_day: number
  visits: number
  uniques: number
  /** 1 if `uniques` is a number of devices, 0 if it is an estimate. */
  exact: number
  /** Visits by hour: 24 varints of a day, 168 of a month from Monday. */
  hours: Uint8Array | null
  sketch: Uint8Array | null
}
/** Days of a service whose roll-ups don't include its latest visits yet. */
interface VisitStaleTable {
  service_id: number
  day: number
}
/** Months of a scope whose roll-ups miss some days, or still include a service that left (`removed`). */
interface VisitStaleMonthTable {
  scope: 'all' | 'brand' | 'service' | 'venues'
  scope_id: number
  /** The first day of the month (days since 1970). */
  month: number
  removed: Generated<number>
}
/** The counts of a day or month in every market area, as one row (server/domain/visit/packs.ts). */
interface VisitPackTable {
  scope: 'all' | 'service' | 'venues'
  scope_id: number
  period: 'd' | 'm'
  start_day: number
  bytes: Uint8Array
}

/** Venues of a new service that a job adds, several in a row; `added` is null until then. */
interface VenueBatchTable {
  job_id: number
  /** The index of its first venue in the request. */
  first: number
  service_id: number
  size: number
  venues: string
  added: number | null
}

/** How far a read replica must be to show a user their own last write; empty without replicas. */
interface WritePositionTable {
  user_id: number
  /** A place in PostgreSQL's log, as text. */
  lsn: string
  at: string
}

/** A record that was deleted; `for_admins`: client users never saw it. */
interface TombstoneTable {
  noun: string
  subject_id: number
  deleted_at: string
  project_id: number | null
  client_id: number | null
  for_admins: Generated<number>
}

/** Every table; migrations create them, and a test compares the two. */
export interface Schema {
  organizations: OrganizationTable
  users: UserTable
  sessions: SessionTable
  devices: DeviceTable
  api_keys: ApiKeyTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_cursor: WebhookCursorTable
  clients: ClientTable
  user_clients: UserClientTable
  teams: TeamTable
  team_users: TeamUserTable
  team_projects: TeamProjectTable
  ended_memberships: EndedMembershipTable
  former_clients: FormerClientTable
  partners: PartnerTable
  projects: ProjectTable
  quotes: QuoteTable
  activities: ActivityTable
  targets: TargetTable
  occasions: OccasionTable
  surveys: SurveyTable
  questions: QuestionTable
  files: FileTable
  user_activities: UserActivityTable
  notes: NoteTable
  history: HistoryTable
  project_partners: ProjectPartnerTable
  proffers: ProfferTable
  quote_shares: QuoteShareTable
  rewards: RewardTable
  entries: EntryTable
  entry_totals: EntryTotalTable
  list_versions: ListVersionTable
  write_positions: WritePositionTable
  tombstones: TombstoneTable
  payouts: PayoutTable
  respondents: RespondentTable
  withdrawn_respondents: WithdrawnRespondentTable
  day_cells: DayCellTable
  demo_cells: DemoCellTable
  marginals: MarginalTable
  geo_cells: GeoCellTable
  geo_squares: GeoSquareTable
  answer_cells: AnswerCellTable
  answer_sizes: AnswerSizeTable
  answer_columns: AnswerColumnTable
  answer_texts: AnswerTextTable
  question_stops: QuestionStopTable
  question_given: QuestionGivenTable
  events: EventTable
  mails: MailTable
  jobs: JobTable
  snapshots: SnapshotTable
  dmas: DmaTable
  places: PlaceTable
  location_groups: LocationGroupTable
  location_group_places: LocationGroupPlaceTable
  imports: ImportTable
  import_rows: ImportRowTable
  activity_location_groups: ActivityLocationGroupTable
  views: ViewTable
  desk_marks: DeskMarkTable
  categories: CategoryTable
  project_categories: ProjectCategoryTable
  meta: MetaTable
  tries: TriesTable
  attempts: AttemptTable
  confirmations: ConfirmationTable
  account_tokens: AccountTokenTable
  change_sets: ChangeSetTable
  report_columns: ReportColumnTable
  report_templates: ReportTemplateTable
  landing_options: LandingTable
  audience_options: AudienceOptionTable
  offers: OfferTable
  vip_experiences: VipExperienceTable
  vip_awards: VipAwardTable
  notifications: NotificationTable
  notices: NoticeTable
  brands: BrandTable
  services: ServiceTable
  venues: VenueTable
  brand_categories: BrandCategoryTable
  service_users: ServiceUserTable
  visit_filters: VisitFilterTable
  visits: VisitTable
  visit_cells: VisitCellTable
  visit_leaves: VisitLeafTable
  visit_days: VisitDayTable
  visit_venue_days: VisitVenueDayTable
  visit_rollups: VisitRollupTable
  visit_stale: VisitStaleTable
  visit_stale_months: VisitStaleMonthTable
  visit_packs: VisitPackTable
  venue_batches: VenueBatchTable
}
