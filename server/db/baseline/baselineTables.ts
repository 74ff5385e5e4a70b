import type { FieldCode } from '../../../contract/errorCodes.ts'
import type { AnswerType } from '../../../contract/questionRules.ts'
import type { Status } from '../../../contract/status.ts'
import type { Outcome, RewardStatus, Role } from '../../../contract/vocabulary.ts'
import { bytes, id, int, real, small, table, text, wideId } from '../tableColumns.ts'

/*
 * On both engines, dates are ISO text (civil YYYY-MM-DD, times UTC), money is integer cents, booleans are 0 or 1.
 * Release 0.2 was shipped with these tables: what changes later is a migration.
 */

const stamps = {
  created_at: text(),
  updated_at: text(),
  /** The optimistic lock of decisions.md 9. */
  lock_version: int().default(1),
}
const versioned = { id: id(), ...stamps }

/** TABLE  tables of the baseline, with their columns; the types of `Schema` follow. */
export const BASELINE = {
  organizations: table({
    ...versioned,
    name: text(),
    product: text(),
    support_mail: text(),
    settings: text().fallback('{}'),
    /** Blank: the organization's name, the product's name, the support address, none, none. */
    support_team: text().default(''),
    sender_name: text().default(''),
    sender_mail: text().default(''),
    reply_to: text().default(''),
    mail_footer: text().default(''),
  }),
  users: table({
    ...versioned,
    /** Lower case, trimmed, unique among users that aren't deleted. */
    email: text(),
    first_name: text(),
    last_name: text(),
    phone: text().fallback(''),
    company: text().fallback(''),
    role: text<Role>(),
    birth_date: text().orNull(),
    status: text<'invited' | 'active'>(),
    password_hash: text().orNull(),
    must_change_password: int().default(0),
    password_expires_at: text().orNull(),
    invitation_hash: text().orNull(),
    invitation_expires_at: text().orNull(),
    reset_hash: text().orNull(),
    reset_expires_at: text().orNull(),
    /** JSON: theme, density, keys, time zone. */
    preferences: text().default('{}'),
    deleted_at: text().orNull(),
    /** A new address until it is confirmed by the link sent to it, and the hash of that link's token. */
    pending_email: text().orNull(),
    pending_email_hash: text().orNull(),
    pending_email_expires_at: text().orNull(),
    /** Who asked for it. */
    pending_email_by: int().orNull(),
    /**
     * 1 if an administrator's was asked for with their own password, or a second administrator approved it.
     * 2 if it has to be approved in any role, as they were an administrator when it was asked for, or just before.
     */
    pending_email_proven: int().orNull(),
  }),
  sessions: table(
    {
      id: wideId(),
      user_id: int().references('users'),
      /** The `client` header, which identifies the device. */
      client: text(),
      token_hash: text(),
      /** Set while an admin acts as this user. */
      admin_id: int().orNull().references('users'),
      reason: text().orNull(),
      user_agent: text().fallback(''),
      created_at: text(),
      last_seen_at: text(),
      expires_at: text(),
    },
    { unique: [['token_hash']] },
  ),
  /** The browsers and programs from which somebody has signed in. */
  devices: table(
    {
      user_id: int().references('users'),
      /** The user agent without its version numbers. */
      agent: text(),
      seen_at: text(),
    },
    { primary: ['user_id', 'agent'], rowid: true },
  ),
  api_keys: table(
    {
      id: id(),
      name: text(),
      key_hash: text(),
      created_by: int().references('users'),
      created_at: text(),
      last_used_at: text().orNull(),
      revoked_at: text().orNull(),
      /** JSON: `{}` covers every survey; `{"projects":[…]}` or `{"surveys":[…]}` only those. */
      scope: text().default('{}'),
      expires_at: text().orNull(),
      last_address: text().default(''),
      /** 1 if it may also read the surveys it writes to, and their questions. */
      reads: int().default(0),
      /** An importer's key, or a token: of a person, or of a program that administrators are responsible for. */
      kind: text<'intake' | 'personal' | 'service'>().default('intake'),
      /** JSON: a token's scopes, `["project:read"]`. */
      grants: text().default('[]'),
    },
    { unique: [['key_hash']] },
  ),
  webhooks: table({
    ...versioned,
    name: text(),
    url: text(),
    /** JSON: the nouns it follows. */
    nouns: text(),
    /** JSON: ids of the clients it is limited to; empty for no limit. */
    clients: text().fallback('[]'),
    owner_id: int().references('users'),
    status: text<'active' | 'paused' | 'disabled'>().default('active'),
    /** Why it is not active. */
    reason: text().default(''),
    /** Sealed with the installation's key; the one before signs beside it until its time. */
    secret: text(),
    secret_before: text().orNull(),
    secret_before_until: text().orNull(),
    /** It follows events after this one. */
    since_event: int(),
    /** The first failed try since something arrived. */
    failing_since: text().orNull(),
    /** When its owner got a mail that it fails, since something arrived. */
    told_at: text().orNull(),
    last_delivered_at: text().orNull(),
    deleted_at: text().orNull(),
    /** The token that made it, with which it ends; null for a person's own. */
    token_id: int().orNull(),
  }),
  webhook_deliveries: table({
    id: wideId(),
    webhook_id: int(),
    owner_id: int(),
    /** The message's id, the same in every try and replay. */
    message: text(),
    type: text(),
    noun: text(),
    subject_id: int(),
    kind: text(),
    audience: text<'admin' | 'scope' | 'user'>(),
    user_id: int().orNull(),
    project_id: int().orNull(),
    client_id: int().orNull(),
    /** Null for a test. */
    event_id: int().orNull(),
    action: text(),
    /** As in the event. */
    before: text().default(''),
    occurred_at: text(),
    /** `sending`: claimed until not_before; `skipped`: its owner may not see the record any more. */
    status: text<'queued' | 'sending' | 'delivered' | 'failed' | 'skipped'>().default('queued'),
    attempts: int().default(0),
    not_before: text(),
    created_at: text(),
    /** When the last try was made. */
    sent_at: text().orNull(),
    ended_at: text().orNull(),
    error: text().default(''),
    /** The body of the last try, and 1 if it is what those get who see everything. */
    request: text().default(''),
    response_status: int().orNull(),
    /** The beginning of the receiver's answer. */
    response: text().default(''),
    duration_ms: int().orNull(),
    whole: small().default(1),
  }),
  /** One row: the last event that was looked at for webhooks. */
  webhook_cursor: table(
    {
      id: int(),
      event_id: int(),
    },
    { primary: ['id'], rowid: true },
  ),
  clients: table({
    ...versioned,
    name: text(),
    deleted_at: text().orNull(),
  }),
  user_clients: table(
    {
      user_id: int().references('users'),
      client_id: int().references('clients'),
      /** 1 for a named approver of the client's quotes. */
      approves: small().default(0),
    },
    { primary: ['user_id', 'client_id'] },
  ),
  teams: table({
    ...versioned,
    client_id: int().references('clients'),
    name: text(),
    deleted_at: text().orNull(),
  }),
  /** Who linked it and when; null if nobody is known. */
  team_users: table(
    {
      team_id: int().references('teams'),
      user_id: int().references('users'),
      added_by: int().orNull(),
      added_at: text().orNull(),
      /** When an undo brought it back; null for any other. */
      updated_at: text().orNull(),
    },
    { primary: ['team_id', 'user_id'] },
  ),
  projects: table({
    ...versioned,
    generation: text<'campaign' | 'project'>(),
    parent_id: int().orNull().references('projects'),
    client_id: int().references('clients'),
    name: text(),
    description: text().fallback(''),
    requirements: text().fallback(''),
    status: text<Status>(),
    campaign_type: text<'Survey' | 'Content'>().fallback('Survey'),
    ordered: int().fallback(0),
    /** Completes delivered; maintained by the intake. */
    delivered: int().default(0),
    cost_cents: int().orNull(),
    /** The quote's current round, from 1. */
    quote_round: int().default(1),
    quote_valid_until: text().orNull(),
    start_dt: text().orNull(),
    end_dt: text().orNull(),
    survey_url: text().fallback(''),
    /** The reward provider (1 or 600); the specification calls it partner_id. */
    provider_id: int().orNull(),
    requested_by: int().orNull().references('users'),
    went_live_at: text().orNull(),
    deleted_at: text().orNull(),
    /** The client's expected interview length and incidence (%), if known. */
    expected_loi_minutes: int().orNull(),
    expected_incidence: int().orNull(),
    /** The administrator who looks after it. */
    owner_id: int().orNull(),
    /** The client's purchase order; empty until they give it. */
    po_number: text().default(''),
  }),
  /** Who linked it and when; null if nobody is known. */
  team_projects: table(
    {
      team_id: int().references('teams'),
      project_id: int().references('projects'),
      added_by: int().orNull(),
      added_at: text().orNull(),
      /** When an undo brought it back; null for any other. */
      updated_at: text().orNull(),
    },
    { primary: ['team_id', 'project_id'] },
  ),
  /** An ended membership of a client, or with `team_id` of one of its teams, kept so that it can be restored. */
  ended_memberships: table({
    id: wideId(),
    user_id: int().references('users'),
    client_id: int().references('clients'),
    team_id: int().orNull().references('teams'),
    /** The time of the write that ended it, such as the client's deletion. */
    ended_at: text(),
  }),
  /** A project's former client, whose users get an event that the project is gone. */
  former_clients: table(
    {
      project_id: int().references('projects'),
      client_id: int().references('clients'),
    },
    { primary: ['project_id', 'client_id'] },
  ),
  partners: table({
    ...versioned,
    name: text(),
    email: text().fallback(''),
    phone: text().fallback(''),
    deleted_at: text().orNull(),
    /** The contact person. */
    contact: text().default(''),
    notes: text().default(''),
  }),
  /** A price for the client to approve: a revision of a round, of which the newest is current. */
  quotes: table(
    {
      ...versioned,
      project_id: int().references('projects'),
      round: int(),
      revision: int(),
      cost_cents: int(),
      /** Completes ordered when it was priced. */
      ordered: int(),
      valid_until: text().orNull(),
      /** JSON: the terms that the price covers. */
      asked: text().fallback('{}'),
      state: text<'prepared' | 'sent' | 'approved' | 'rejected' | 'replaced'>(),
      sent_at: text().orNull(),
      sent_by: int().orNull(),
      opened_at: text().orNull(),
      opened_by: int().orNull(),
      decided_at: text().orNull(),
      decided_by: int().orNull(),
      reason: text().fallback(''),
      /** When the client was reminded that the quote expires soon. */
      lapse_mailed_at: text().orNull(),
    },
    { unique: [['project_id', 'round', 'revision']] },
  ),
  activities: table({
    ...versioned,
    project_id: int().references('projects'),
    name: text(),
    about: text().fallback(''),
    activity_type: text<'survey' | 'social' | 'video' | 'photo'>(),
    action_type: text().fallback('nothing'),
    social_type: text().fallback(''),
    social_text: text().fallback(''),
    social_link: text().fallback(''),
    url: text().fallback(''),
    start_dt: text().orNull(),
    end_dt: text().orNull(),
    deleted_at: text().orNull(),
    /** Fields of the older generation: a place, and a notification. */
    location_id: int().orNull(),
    notification_id: int().orNull(),
  }),
  targets: table(
    {
      id: id(),
      activity_id: int().references('activities'),
      /** Its own concurrency token, from 1 (decisions.md 9). */
      version: int().fallback(1),
      location_based: text<'yes' | 'no'>().fallback('no'),
      /** Comma lists of ids, as on the wire; empty means any. */
      targeted_locations: text().fallback(''),
      age: text().fallback(''),
      gender: text().fallback(''),
      hhi: text().fallback(''),
      ethnicity: text().fallback(''),
      marital_status: text().fallback(''),
      children: text().fallback(''),
      updated_at: text(),
    },
    { unique: [['activity_id']] },
  ),
  /** An older face of an activity, created by its first save. */
  occasions: table(
    {
      ...versioned,
      activity_id: int().references('activities'),
      kind: text<'event' | 'promo' | 'post'>(),
      name: text().fallback(''),
      description: text().fallback(''),
      about: text().fallback(''),
      information: text().fallback(''),
      location: text().fallback(''),
      address: text().fallback(''),
      content_type: text().fallback(''),
      url: text().fallback(''),
      file_id: int().orNull(),
      start_date: text().orNull(),
      end_date: text().orNull(),
      /** JSON: name, start and end of each part of an event, in the order of their starts. */
      schedules: text().fallback('[]'),
    },
    { unique: [['activity_id', 'kind']] },
  ),
  surveys: table({
    ...versioned,
    project_id: int().references('projects'),
    activity_id: int().orNull().references('activities'),
    name: text(),
    survey_link: text().fallback(''),
    survey_vendor: text().fallback(''),
    questions_count: int().fallback(0),
    deleted_at: text().orNull(),
    vendor_survey_id: text().default(''),
    /** The file whose questions a refresh reads. */
    source_file_id: int().orNull(),
    refreshed_at: text().orNull(),
  }),
  questions: table({
    ...versioned,
    survey_id: int().references('surveys'),
    name: text(),
    position: int(),
    question_type: text<'survey' | 'profile' | 'reward'>().fallback('survey'),
    /** JSON: the labels of the answers. */
    options: text().fallback('[]'),
    answer_type: text<AnswerType>().default('single'),
    /** The vendor's own name of the question; empty without one. */
    vendor_key: text().default(''),
    /** When it was retired; null while it is asked. */
    retired_at: text().orNull(),
  }),
  files: table({
    id: wideId(),
    ...stamps,
    project_id: int().orNull().references('projects'),
    activity_id: int().orNull().references('activities'),
    kind: text<'asset' | 'document' | 'docsign' | 'location' | 'export' | 'media'>(),
    asset_type: text().fallback(''),
    original_name: text(),
    /** The key in the file store. */
    storage_key: text(),
    mime: text(),
    size: int(),
    description: text().fallback(''),
    uploaded_by: int().orNull().references('users'),
    /** JSON: the projects whose figures an export contains; null if it contains other data or isn't known. */
    holds: text().orNull(),
    /** Pixels as a picture is displayed (after its EXIF orientation), and a video's length; null if unknown. */
    width: int().orNull(),
    height: int().orNull(),
    seconds: int().orNull(),
    /** Degrees by which somebody rotated it clockwise, beyond its own orientation. */
    rotation: int().default(0),
    /** The key of its thumbnail in the file store; empty until there is one. */
    thumb_key: text().default(''),
    thumb_state: text<'none' | 'queued' | 'done' | 'failed'>().default('none'),
    /** The SHA-256 of its content. */
    sha256: text().default(''),
    /** How often its reading was begun, and why it has no thumbnail; empty unless it failed. */
    thumb_tries: int().default(0),
    thumb_fault: text().default(''),
  }),
  /** One act of a participant in an activity: a picture, video, comment or social act. */
  user_activities: table({
    id: wideId(),
    activity_id: int().references('activities'),
    project_id: int().references('projects'),
    /** 16 hex digits of the hashed address. */
    person: text(),
    email: text().fallback(''),
    action: text<'photo' | 'video' | 'comment' | 'social' | 'survey'>(),
    file_id: int().orNull().references('files'),
    comment: text().fallback(''),
    url: text().fallback(''),
    dma: int().orNull(),
    at: text(),
    review: text<'open' | 'accepted' | 'rejected'>().fallback('open'),
    review_reason: text().fallback(''),
    reviewed_by: int().orNull().references('users'),
    reviewed_at: text().orNull(),
    /** The sender's id, unique in its activity. */
    external_id: text().orNull(),
    ...stamps,
  }),
  notes: table({
    ...versioned,
    project_id: int().references('projects'),
    note: text(),
    author_id: int().references('users'),
  }),
  history: table({
    id: wideId(),
    /** The noun, its id, and its project if any. */
    subject: text(),
    subject_id: int(),
    project_id: int().orNull(),
    /** The call or command that wrote it. */
    action: text(),
    origin: text<'client' | 'event' | 'channel_partner'>(),
    actor_id: int().orNull(),
    admin_id: int().orNull(),
    partner_id: int().orNull(),
    /** JSON of the changed fields only. */
    before: text().fallback('{}'),
    after: text().fallback('{}'),
    reason: text().fallback(''),
    at: text(),
    /** The token used for it, if any. */
    token_id: int().orNull(),
  }),
  project_partners: table(
    {
      project_id: int().references('projects'),
      partner_id: int().references('partners'),
      round: int().fallback(1),
      assigned_at: text(),
      mailed_at: text().orNull(),
      /** The title that partners see instead of our project name; empty shows its code. */
      title: text().default(''),
      message: text().default(''),
      /** The civil date by which an answer is due. */
      answer_by: text().orNull(),
      /** JSON: ids of the files the partner may open. */
      files: text().default('[]'),
      invited_by: int().orNull(),
      /** Raised by a new link and by revoking, which voids links of earlier versions. */
      link_version: int().default(1),
      link_until: text().orNull(),
      opened_at: text().orNull(),
      last_opened_at: text().orNull(),
      opens: int().default(0),
      reminded_at: text().orNull(),
      reminders: int().default(0),
      revoked_at: text().orNull(),
      revoke_reason: text().default(''),
      /** What the client requires, in the words that partners may read. */
      requirements: text().default(''),
      /** 1 if the partner may open the project's survey link. */
      shows_survey: small().default(0),
      /** Why a later round was opened, in words for partners. */
      why: text().default(''),
      /** Where a chosen partner sends respondents. */
      entry_url: text().default(''),
    },
    { primary: ['project_id', 'partner_id', 'round'] },
  ),
  proffers: table(
    {
      id: id(),
      project_id: int().references('projects'),
      partner_id: int().references('partners'),
      round: int(),
      fill_requirements: text<'Yes' | 'No'>(),
      reason: text().fallback(''),
      feasible_completes: int().orNull(),
      cpi_cents: int().orNull(),
      incidence: int().orNull(),
      loi_minutes: int().orNull(),
      field_days: int().orNull(),
      valid_until: text().orNull(),
      created_at: text(),
      /** Only the partner sees a draft, and nothing counts it. */
      state: text<'draft' | 'sent'>().default('sent'),
      sent_at: text().orNull(),
      corrections: int().default(0),
      note: text().default(''),
      /** 1 for a binding quote (partners/project/quote). */
      binding: int().default(0),
      /** JSON: the terms of the request at the time of the answer (server/domain/quote/requestTerms.ts). */
      asked: text().default('{}'),
      /** The administrator who entered it for the partner. */
      entered_by: int().orNull(),
      updated_at: text().default(''),
      lock_version: int().default(1),
    },
    { unique: [['project_id', 'partner_id', 'round']] },
  ),
  /** How many completes of a quoted order a partner's answer fills, at its price then. */
  quote_shares: table(
    {
      quote_id: int().references('quotes'),
      proffer_id: int().references('proffers'),
      completes: int(),
      cpi_cents: int(),
    },
    { primary: ['quote_id', 'proffer_id'] },
  ),
  rewards: table({
    ...versioned,
    project_id: int().references('projects'),
    name: text(),
    amount_cents: int(),
    provider_id: int(),
    provider_code: text().fallback(''),
    description: text().fallback(''),
    reward_type: text().fallback('gift_card'),
    deleted_at: text().orNull(),
  }),
  entries: table({
    id: wideId(),
    ...stamps,
    project_id: int().references('projects'),
    survey_id: int().orNull(),
    reward_id: int().orNull().references('rewards'),
    email: text(),
    /** Lower case, trimmed; repeats are detected by it. */
    email_key: text(),
    ip: text().fallback(''),
    amount_cents: int(),
    provider_id: int(),
    status: text<RewardStatus>(),
    reason: text().fallback(''),
    second_chances: int().default(0),
    /** Set while the row is claimed for payment. */
    claimed_at: text().orNull(),
    /** The job that claimed it; released if the job is cancelled, resumed if it died. */
    payout_job: int().orNull(),
    sent_at: text().orNull(),
    /** The upload that created it. */
    import_id: int().orNull(),
    /** Bits: 1 an amount that can't be paid, 2 a repeated email, 4 a repeated address; kept by triggers. */
    flags: small().default(0),
  }),
  /** Entries summed by reward, status and whether any flag is set; kept by triggers. */
  entry_totals: table(
    {
      project_id: int(),
      /** 0 for entries without a reward. */
      reward_id: int(),
      status: text<RewardStatus>(),
      flagged: small(),
      count: int(),
      amount_cents: int(),
    },
    { primary: ['project_id', 'reward_id', 'status', 'flagged'] },
  ),
  /** How often the sources of lists were changed: the sum over the slots (server/core/idCache.ts). */
  list_versions: table(
    {
      kind: text<'project' | 'delivered' | 'member' | 'quote' | 'venue' | 'name'>(),
      /** The connection that counted, 0 for all closed ones; always 0 on SQLite. */
      slot: int(),
      n: int(),
    },
    { primary: ['kind', 'slot'] },
  ),
  /** How far a read replica must be to show a user their own last write; empty without replicas. */
  /** A record that was deleted; `for_admins`: client users never saw it. A restored one loses its row. */
  tombstones: table(
    {
      noun: text(),
      subject_id: int(),
      deleted_at: text(),
      project_id: int().orNull(),
      client_id: int().orNull(),
      for_admins: int().default(0),
    },
    { primary: ['noun', 'subject_id'] },
  ),
  write_positions: table(
    {
      user_id: int(),
      /** A place in PostgreSQL's log, as text. */
      lsn: text(),
      at: text(),
    },
    { primary: ['user_id'], rowid: true },
  ),
  payouts: table(
    {
      /** The entry's id, so that a payout can't be made twice. */
      entry_id: int(),
      provider_id: int(),
      amount_cents: int(),
      email: text(),
      reference: text(),
      at: text(),
    },
    { primary: ['entry_id'] },
  ),
  respondents: table(
    {
      survey_id: int(),
      respondent_id: text(),
      project_id: int(),
      outcome: text<Outcome>(),
      at: text(),
      /** The demographic cell (server/domain/runtime/cells.ts). */
      cell: int(),
      marital: int(),
      children: int(),
      latitude: real().orNull(),
      longitude: real().orNull(),
      dma: int().orNull(),
      dwell: real().orNull(),
      notice: int().orNull(),
      /** JSON, by question id; empty without answers. */
      answers: text().fallback(''),
      email_hash: text().fallback(''),
      ip: text().fallback(''),
      fraud: int().default(0),
      /** The day it arrived, in whole days since 1970 (UTC). */
      taken_on: small().orNull(),
      /** A complete's position in the answer columns; null for other outcomes, and until it is assigned. */
      ordinal: int().orNull(),
      started_at: text().orNull(),
    },
    { primary: ['survey_id', 'respondent_id'] },
  ),
  /** A respondent that was taken out by its id, and stays out whatever is sent. */
  withdrawn_respondents: table(
    {
      survey_id: int().references('surveys'),
      respondent_id: text(),
      withdrawn_at: text(),
      /** The day it arrived, in whole days since 1970 (UTC). */
      arrived: small(),
      /** JSON of its row without the answers, so that it can be put back; empty once it can't be changed any more. */
      stored: text(),
      answers: text(),
    },
    { primary: ['survey_id', 'respondent_id'], rowid: true },
  ),
  /** Counters by project day and cell; cell −1 holds the day's total. */
  day_cells: table(
    {
      survey_id: int(),
      day: text(),
      cell: int(),
      project_id: int(),
      completes: int().fallback(0),
      terminates: int().fallback(0),
      overquota: int().fallback(0),
      partials: int().fallback(0),
    },
    { primary: ['survey_id', 'cell', 'day'] },
  ),
  /** Counters by demographic cell over all days, with its completes by marital status and children. */
  demo_cells: table(
    {
      survey_id: int(),
      cell: int(),
      project_id: int(),
      completes: int().fallback(0),
      terminates: int().fallback(0),
      overquota: int().fallback(0),
      partials: int().fallback(0),
      m0: int().fallback(0),
      m1: int().fallback(0),
      m2: int().fallback(0),
      m3: int().fallback(0),
      m4: int().fallback(0),
      c0: int().fallback(0),
      c1: int().fallback(0),
      c2: int().fallback(0),
      c3: int().fallback(0),
      c4: int().fallback(0),
    },
    { primary: ['survey_id', 'cell'] },
  ),
  /** Completes by dimension and value over all cells, for an unfiltered Overview. */
  marginals: table(
    {
      survey_id: int(),
      dimension: text(),
      value: int(),
      project_id: int(),
      completes: int().fallback(0),
    },
    { primary: ['survey_id', 'dimension', 'value'] },
  ),
  /** Completes by place (latitude and longitude in tenths of a degree) and cell; cell −1 holds the place's total. */
  geo_cells: table(
    {
      survey_id: int(),
      cell: int(),
      lat: int(),
      lon: int(),
      project_id: int(),
      completes: int().fallback(0),
    },
    { primary: ['survey_id', 'cell', 'lat', 'lon'] },
  ),
  /**
   * Completes by half-degree square, for the unfiltered map of a big survey.
   * `lats` and `lons` sum the completes' tenths, so that a square is drawn at the center of its people.
   */
  geo_squares: table(
    {
      survey_id: int(),
      lat: int(),
      lon: int(),
      project_id: int(),
      completes: int().fallback(0),
      lats: int().fallback(0),
      lons: int().fallback(0),
    },
    { primary: ['survey_id', 'lat', 'lon'] },
  ),
  /** Completes by question, answer, age and gender. */
  answer_cells: table(
    {
      survey_id: int(),
      question_id: int(),
      value: text(),
      age: int(),
      gender: int(),
      project_id: int(),
      completes: int().fallback(0),
    },
    { primary: ['survey_id', 'question_id', 'value', 'age', 'gender'] },
  ),
  /** The size of a survey's answer columns: positions assigned, and completes that still have one. */
  answer_sizes: table(
    {
      survey_id: int(),
      ordinals: int(),
      completes: int(),
    },
    { primary: ['survey_id'] },
  ),
  /**
   * A piece of a column: codes of completes in order of arrival, from the position `first` on.
   * Question 0 holds demographic cells; negative ones are listed in COLUMNS (server/domain/responses/answerColumns.ts).
   */
  answer_columns: table(
    {
      survey_id: int(),
      question_id: int(),
      first: int(),
      /** Bytes of a code: 1, 2 or 4, little-endian; 0 means no answer. */
      width: int(),
      codes: bytes(),
    },
    { primary: ['survey_id', 'question_id', 'first'], rowid: true },
  ),
  /** The meaning of a question's code: an answer, or several given together. */
  answer_texts: table(
    {
      survey_id: int(),
      question_id: int(),
      text_id: int(),
      /** What intake looks it up by: the text, or a hash of a long one. */
      lookup: text(),
      /** Empty for several answers, and for an answer that is no longer in use. */
      text: text(),
      /** The codes of several answers given together, comma-separated and sorted; empty for a single one. */
      parts: text().fallback(''),
    },
    { primary: ['survey_id', 'question_id', 'text_id'], unique: [['survey_id', 'question_id', 'lookup']] },
  ),
  /** Partials by the last question they answered. */
  question_stops: table(
    {
      survey_id: int(),
      question_id: int(),
      partials: int().fallback(0),
    },
    { primary: ['survey_id', 'question_id'] },
  ),
  /** Questions with answers from respondents who aren't completes. */
  question_given: table(
    {
      survey_id: int(),
      question_id: int(),
    },
    { primary: ['survey_id', 'question_id'] },
  ),
  events: table({
    id: wideId(),
    noun: text(),
    subject_id: int(),
    project_id: int().orNull(),
    client_id: int().orNull(),
    /** 'admin' reaches only admins, 'scope' also client users who see the project or client, 'user' only that user. */
    audience: text<'admin' | 'scope' | 'user'>(),
    user_id: int().orNull(),
    /** put, drop, or counters. */
    kind: text().fallback('put'),
    /** The session that caused it, so that a workspace recognizes its own changes. */
    session_id: int().orNull(),
    at: text(),
    /** The call or job that it came from. */
    action: text().default(''),
    /** The columns of its record that were changed, with their former values, as JSON; empty without any. */
    before: text().default(''),
  }),
  mails: table({
    id: wideId(),
    to_address: text(),
    subject: text(),
    body: text(),
    html: text().fallback(''),
    /** `sending`: claimed by a dispatcher until not_before; `withdrawn`: cancelled before it was sent. */
    status: text<'queued' | 'sending' | 'sent' | 'outbox' | 'failed' | 'withdrawn'>(),
    error: text().fallback(''),
    attempts: int().default(0),
    about: text().fallback(''),
    not_before: text(),
    created_at: text(),
    sent_at: text().orNull(),
    /** JSON: the exact secrets in body and html. */
    secrets: text().orNull(),
    /** When they expire and are removed from the text. */
    secrets_until: text().orNull(),
    /** When they were removed. */
    redacted_at: text().orNull(),
    /** The account they open. */
    user_id: int().orNull(),
  }),
  jobs: table({
    id: wideId(),
    kind: text(),
    title: text(),
    input: text().fallback('{}'),
    status: text<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>(),
    done: int().default(0),
    total: int().default(0),
    result: text().fallback('{}'),
    error: text().fallback(''),
    created_by: int().orNull(),
    created_at: text(),
    started_at: text().orNull(),
    /** It doesn't start before this time: the undo window of a payout. */
    not_before: text(),
    /** The worker that runs it, and its number of starts; a worker that lost its claim writes nothing. */
    worker: text().orNull(),
    attempts: int().default(0),
    /** A worker's last heartbeat; a running job without one is started again. */
    beat_at: text().orNull(),
    ended_at: text().orNull(),
    /** The token that started it, if any. */
    token_id: int().orNull(),
    /** The role of who started it, and the project or service that its title names. */
    made_as: text<Role>().default('admin'),
    project_id: int().orNull(),
    service_id: int().orNull(),
  }),
  snapshots: table(
    {
      id: text(),
      layout: text(),
      created_by: int().references('users'),
      created_at: text(),
    },
    { primary: ['id'] },
  ),
  dmas: table(
    {
      code: int(),
      name: text(),
      rank: int().orNull(),
    },
    { primary: ['code'] },
  ),
  places: table({
    id: id(),
    name: text(),
    address: text().fallback(''),
    latitude: real().orNull(),
    longitude: real().orNull(),
    deleted_at: text().orNull(),
    city: text().default(''),
    /** A two-letter code, or the text as typed. */
    state: text().default(''),
    zip: text().default(''),
    /** The normalized address and ZIP that duplicates are found by (contract/address.ts). */
    address_key: text().default(''),
    created_at: text().default(''),
    updated_at: text().default(''),
    /** The source of its coordinates: its own, the center of its ZIP or city, or none. */
    position: text<'exact' | 'zip' | 'city' | 'none'>().default('none'),
    /** The market area whose main city is nearest; null without a position. */
    dma: int().orNull(),
    lock_version: int().default(1),
    /** The import that created it; null for one created by hand. */
    import_id: int().orNull(),
    name_fold: text().orNull(),
    city_fold: text().orNull(),
    address_fold: text().orNull(),
  }),
  location_groups: table({
    ...versioned,
    client_id: int().references('clients'),
    name: text(),
    deleted_at: text().orNull(),
  }),
  /** A deleted place leaves its groups; a deleted group keeps its places. */
  location_group_places: table(
    {
      group_id: int().references('location_groups'),
      place_id: int().references('places'),
      added_at: text().orNull(),
      added_by: int().orNull(),
      /** The import that added it, and its line in the file. */
      import_id: int().orNull(),
      line: int().orNull(),
    },
    { primary: ['group_id', 'place_id'] },
  ),
  /** A file whose rows become records. */
  imports: table({
    id: id(),
    kind: text<'location' | 'reward'>(),
    /** The group's name. */
    name: text().default(''),
    file_id: int().references('files'),
    /** SHA-256 of the content, to recognize the same file. */
    file_hash: text(),
    project_id: int().orNull().references('projects'),
    client_id: int().orNull().references('clients'),
    group_id: int().orNull(),
    activity_id: int().orNull().references('activities'),
    /** 1 if it created its group, which an undo then deletes. */
    makes_group: int().default(0),
    /** JSON: `Mapping` of server/imports/fileColumns.ts. */
    mapping: text(),
    rows: int().default(0),
    created: int().default(0),
    reused: int().default(0),
    repeated: int().default(0),
    failed: int().default(0),
    /** The last line that was written, after which a resumed job continues. */
    done_line: int().default(0),
    status: text<'checked' | 'running' | 'done' | 'undone' | 'failed'>(),
    error: text().default(''),
    job_id: int().orNull(),
    errors_file_id: int().orNull(),
    created_by: int().orNull(),
    ended_at: text().orNull(),
    ...stamps,
  }),
  /** A note or an error about a line of an import. */
  import_rows: table(
    {
      id: wideId(),
      import_id: int().references('imports'),
      line: int(),
      kind: text<'error' | 'repeat' | 'approximate'>(),
      column: text().default(''),
      value: text().default(''),
      message: text().default(''),
      /** The code of an error; empty in other remarks. */
      code: text<FieldCode | ''>().default(''),
      place_id: int().orNull(),
      entry_id: int().orNull(),
      /** JSON: all cells of the line; empty unless it is an error. */
      raw: text().default(''),
    },
    { unique: [['import_id', 'kind', 'line', 'column']] },
  ),
  activity_location_groups: table(
    {
      activity_id: int().references('activities'),
      group_id: int().references('location_groups'),
      linked_at: text().orNull(),
      linked_by: int().orNull(),
    },
    { primary: ['activity_id', 'group_id'] },
  ),
  /** A list's state with a name: private, for colleagues, or for everybody who may open the screen. */
  views: table(
    {
      ...versioned,
      user_id: int().references('users'),
      /** A screen of the routes table, with its tab: `client.users`. */
      screen: text(),
      name: text(),
      /** The name in lower case, unique for a user and screen. */
      name_key: text(),
      /** The query of the list's link. */
      query: text(),
      shared: text<'own' | 'colleagues' | 'everyone'>().default('own'),
    },
    { unique: [['user_id', 'screen', 'name_key']] },
  ),
  /** What people decided about a line of the desk. Lines are derived, so this outlives one and waits for the next. */
  desk_marks: table(
    {
      id: wideId(),
      rule: text(),
      subject_id: int(),
      /** Whom it was handed to; null leaves it with its record's owner. */
      owner_id: int().orNull(),
      acknowledged_by: int().orNull(),
      acknowledged_at: text().orNull(),
      /** The line's cause then: a line whose cause has changed is open again. */
      acknowledged_cause: text().orNull(),
      snoozed_by: int().orNull(),
      /** Until when it is snoozed; with a cause instead, until that changes. */
      snoozed_until: text().orNull(),
      snoozed_cause: text().orNull(),
      created_at: text(),
      updated_at: text(),
      /** The optimistic lock of decisions.md 9. */
      lock_version: small().default(0),
    },
    { unique: [['rule', 'subject_id']] },
  ),
  /** An industry, seeded by its migration. */
  categories: table(
    {
      id: id(),
      name: text(),
      sic_code: text(),
    },
    { unique: [['sic_code']] },
  ),
  project_categories: table(
    {
      project_id: int().references('projects'),
      category_id: int().references('categories'),
    },
    { primary: ['project_id', 'category_id'] },
  ),
  /** Values that describe the whole database, such as its seed and origin. */
  meta: table(
    {
      key: text(),
      value: text(),
    },
    { primary: ['key'] },
  ),
  /** A rate limit's bucket: the moment (milliseconds since the epoch) when it is full again. */
  tries: table(
    {
      key: text(),
      full_at: int(),
    },
    { primary: ['key'] },
  ),
  /** A write sent with a key, and its response as JSON, which repeats get without another write. */
  attempts: table(
    {
      user_id: int().references('users'),
      key: text(),
      call: text(),
      /** A hash of its input. */
      said: text(),
      answer: text().default(''),
      at: text(),
      /** JSON: the records that the response holds, and whether its caller saw everything; '' if unknown. */
      holds: text().default(''),
    },
    { primary: ['user_id', 'key'] },
  ),
  /** A review that an assistant may confirm once (server/domain/token/confirmations.ts). */
  confirmations: table(
    {
      /** A hash of the word that confirms it. */
      key_hash: text(),
      token_id: int().references('api_keys'),
      /** A hash of the command and its input. */
      digest: text(),
      expires_at: text(),
      /** The versions of what its review read, as JSON (`Reviewed` of verbs/request.ts). */
      versions: text().default('{}'),
    },
    { primary: ['key_hash'], rowid: true },
  ),
  /** An account's links beside the newest, whose hash is in `users`; they are valid only while that hash is there. */
  account_tokens: table(
    {
      id: wideId(),
      user_id: int().references('users'),
      kind: text<'reset' | 'invitation'>(),
      token_hash: text(),
      created_at: text(),
      expires_at: text(),
    },
    { unique: [['token_hash']] },
  ),
  /** The changes of one write, so that its author can undo it within a day (server/core/undo/). */
  change_sets: table({
    id: wideId(),
    user_id: int().references('users'),
    /** Set while an administrator acted as the user. */
    admin_id: int().orNull().references('users'),
    /** The call that made the change. */
    call: text(),
    /** Its idempotency key in `attempts`; empty without one. */
    key: text().default(''),
    /** JSON: `RowChange[]`, `HistoryLine[]` and `Change[]`, in the order they were made. */
    rows: text(),
    lines: text(),
    events: text(),
    /** JSON: file-store keys in its rows, whose contents must be kept as long as this row. Empty without any. */
    contents: text().default(''),
    undone: int().default(0),
    at: text(),
    /** A deletion that can be restored: kept for longer than a day. */
    removes: small().default(0),
    /** The token that made it, which may undo it; null for a person. */
    token_id: int().orNull(),
  }),
  /** A column of a project's client report; those of the respondent have no question. */
  report_columns: table(
    {
      ...versioned,
      project_id: int().references('projects'),
      survey_id: int().orNull().references('surveys'),
      question_id: int().orNull(),
      /** Unique in its project. */
      column_key: text(),
      column_name: text(),
      /** The kind of value in the column (contract/report.ts); null for the answer itself. */
      column_type: text().orNull(),
      column_custom_definition: text().fallback(''),
      should_include: int().fallback(1),
      /** Its position in the file, from 1. */
      position: int(),
    },
    { unique: [['project_id', 'column_key']] },
  ),
  report_templates: table({
    ...versioned,
    name: text(),
    /** Null for every client. */
    client_id: int().orNull().references('clients'),
    /** JSON: columns as `TemplateColumn` of contract/report.ts. */
    columns: text(),
  }),
  /** The text that recruits see before a project's survey. */
  landing_options: table(
    {
      ...versioned,
      project_id: int().references('projects'),
      survey_url: text().fallback(''),
      facebook_question: text().fallback(''),
      fulcrum_question: text().fallback(''),
      facebook_disqualify_text: text().fallback(''),
      fulcrum_disqualify_text: text().fallback(''),
      facebook_landing_url: text().fallback(''),
      fulcrum_landing_url: text().fallback(''),
    },
    { unique: [['project_id']] },
  ),
  /** The channels a project recruits through: 1 is enabled. */
  audience_options: table(
    {
      ...versioned,
      project_id: int().references('projects'),
      facebook_active: int().default(0),
      facebook_changed_at: text().orNull(),
      facebook_changed_by: int().orNull(),
      fulcrum_active: int().default(0),
      fulcrum_changed_at: text().orNull(),
      fulcrum_changed_by: int().orNull(),
      active: int().default(0),
      changed_at: text().orNull(),
      changed_by: int().orNull(),
    },
    { unique: [['project_id']] },
  ),
  /** A channel's offer to the respondents of a project. */
  offers: table({
    ...versioned,
    project_id: int().references('projects'),
    name: text(),
    channel: text<'facebook' | 'fulcrum'>(),
    amount_cents: int(),
    starts: text(),
    ends: text().orNull(),
    status: text<'scheduled' | 'running' | 'paused' | 'ended'>(),
  }),
  /** A reward other than money. */
  vip_experiences: table({
    ...versioned,
    project_id: int().references('projects'),
    name: text(),
    deleted_at: text().orNull(),
  }),
  vip_awards: table({
    id: id(),
    experience_id: int().references('vip_experiences'),
    email: text(),
    /** The address trimmed and in lower case; unique in an experience unless withdrawn. */
    email_key: text(),
    awarded_by: int().orNull().references('users'),
    created_at: text(),
    withdrawn_at: text().orNull(),
  }),
  /** A message from administrators to every account. */
  notifications: table({
    ...versioned,
    name: text(),
    message: text(),
    message_action: text<'map' | 'feed' | 'web'>().fallback('feed'),
    url: text().fallback(''),
    notification_type: text<'all'>().fallback('all'),
    /** Text that only programs read. */
    custom: text().fallback(''),
    sent_at: text().orNull(),
    sent_by: int().orNull().references('users'),
    /** How many users it goes or went to. */
    audience: int().default(0),
    /** The job that sends it, once sending was requested. */
    job_id: int().orNull(),
    deleted_at: text().orNull(),
  }),
  /** A notification in a user's inbox. */
  notices: table(
    {
      notification_id: int().references('notifications'),
      user_id: int().references('users'),
      read_at: text().orNull(),
      created_at: text(),
    },
    { primary: ['notification_id', 'user_id'], rowid: true },
  ),
  /** A brand whose visits are counted; `name_key` is its name trimmed and in lower case. */
  brands: table({
    id: id(),
    name: text(),
    name_key: text(),
    status: text<'active' | 'inactive'>().default('active'),
    /** Civil dates. */
    start_dt: text(),
    end_dt: text().orNull(),
    deleted_at: text().orNull(),
    ...stamps,
  }),
  /** A set of venues whose visits are counted for a brand, with a term and an order. */
  services: table({
    id: id(),
    brand_id: int().references('brands'),
    name: text(),
    name_key: text(),
    category_id: int().orNull().references('categories'),
    /** Where its visit files come from: a note, nothing is fetched. */
    s3_bucket: text().default(''),
    start_dt: text(),
    end_dt: text().orNull(),
    /** Visits expected within the term; 0 for none. */
    ordered: int().default(0),
    /** Visits within the term, maintained by intake and by changes of the term. */
    completed: int().default(0),
    /** Its first day with visits (days since 1970), and the time of its last visit in seconds. */
    first_day: int().orNull(),
    last_at: int().orNull(),
    status: text<'active' | 'inactive'>().default('active'),
    deleted_at: text().orNull(),
    ...stamps,
  }),
  /** A place that devices visit. */
  venues: table({
    id: id(),
    service_id: int().references('services'),
    /** The sender's code for it, unique in its service. */
    code: text(),
    name: text().default(''),
    address: text().default(''),
    latitude: real().orNull(),
    longitude: real().orNull(),
    /** Its market area, 0 if unknown. */
    dma: int().default(0),
    /** The source of its position: given, from its first visit, or the market's main city. */
    placed: text<'given' | 'visits' | 'market'>(),
    /** The civil day of its first visit, or on which it was added. */
    since: text(),
    deleted_at: text().orNull(),
    ...stamps,
  }),
  brand_categories: table(
    {
      brand_id: int().references('brands'),
      category_id: int().references('categories'),
    },
    { primary: ['brand_id', 'category_id'] },
  ),
  /** Grants a client user access to a service; there is no other way. */
  service_users: table(
    {
      service_id: int().references('services'),
      user_id: int().references('users'),
      added_at: text(),
      added_by: int().orNull(),
    },
    { primary: ['service_id', 'user_id'] },
  ),
  /** A user's saved filter of a brand; a relative date type stores no dates. */
  visit_filters: table({
    id: id(),
    user_id: int().references('users'),
    brand_id: int().references('brands'),
    service_id: int().orNull().references('services'),
    name: text(),
    name_key: text(),
    date_type: text(),
    start_dt: text().orNull(),
    end_dt: text().orNull(),
    /** Codes of market areas, joined with commas. */
    dmas: text().default(''),
    /** The query of its link. */
    query: text().default(''),
    deleted_at: text().orNull(),
    ...stamps,
  }),
  /** A device at a venue in a second. Numbers, not ISO text, because a billion rows are kept. */
  visits: table(
    {
      venue_id: small(),
      /** Seconds since 1970. */
      at: small(),
      /** The first 48 bits of a salted hash. */
      device: int(),
    },
    { primary: ['venue_id', 'at', 'device'], partitionBy: 'range ("at")' },
  ),
  /** Exact counts of a service in a market area on a civil day (days since 1970). */
  visit_cells: table(
    {
      service_id: int(),
      dma: int(),
      day: int(),
      visits: int(),
      uniques: int(),
      /** Visits by hour: 24 varints. */
      hours: bytes(),
    },
    { primary: ['service_id', 'dma', 'day'] },
  ),
  /** A cell's devices, stored separately so that sums read no blobs (server/domain/visit/deviceSet.ts). */
  visit_leaves: table(
    {
      service_id: int(),
      dma: int(),
      day: int(),
      devices: bytes(),
    },
    { primary: ['service_id', 'dma', 'day'], rowid: true },
  ),
  visit_days: table(
    {
      service_id: int(),
      day: int(),
      visits: int(),
    },
    { primary: ['service_id', 'day'] },
  ),
  visit_venue_days: table(
    {
      venue_id: int(),
      day: int(),
      visits: int(),
      uniques: int(),
    },
    { primary: ['venue_id', 'day'] },
  ),
  /** Counts and devices of a day or month, which a job builds from leaves. */
  visit_rollups: table(
    {
      scope: text<'all' | 'brand' | 'service'>(),
      scope_id: int(),
      /** 0 for all, -1 for unknown, -10, -25 and -50 for the presets, else a market area's code. */
      market: int(),
      period: text<'d' | 'm'>(),
      start_day: int(),
      visits: int(),
      uniques: int(),
      /** 1 if `uniques` is a number of devices, 0 if it is an estimate. */
      exact: int(),
      /** Visits by hour: 24 varints of a day, 168 of a month from Monday. */
      hours: bytes().orNull(),
      sketch: bytes().orNull(),
    },
    { primary: ['scope', 'scope_id', 'market', 'period', 'start_day'], rowid: true },
  ),
  /** Days of a service whose roll-ups don't include its latest visits yet. */
  visit_stale: table(
    {
      service_id: int(),
      day: int(),
    },
    { primary: ['service_id', 'day'] },
  ),
  /** Months of a scope whose roll-ups miss some days, or still include a service that left (`removed`). */
  visit_stale_months: table(
    {
      scope: text<'all' | 'brand' | 'service' | 'venues'>(),
      scope_id: int(),
      /** The first day of the month (days since 1970). */
      month: int(),
      removed: int().default(0),
    },
    { primary: ['scope', 'scope_id', 'month'] },
  ),
  /** The counts of a day or month in every market area, as one row (server/domain/visit/packs.ts). */
  visit_packs: table(
    {
      scope: text<'all' | 'service' | 'venues'>(),
      scope_id: int(),
      period: text<'d' | 'm'>(),
      start_day: int(),
      bytes: bytes(),
    },
    { primary: ['scope', 'scope_id', 'period', 'start_day'], rowid: true },
  ),
  /** Venues of a new service that a job adds, several in a row; `added` is null until then. */
  venue_batches: table(
    {
      job_id: int(),
      /** The index of its first venue in the request. */
      first: int(),
      service_id: int().references('services'),
      size: int(),
      venues: text(),
      added: int().orNull(),
    },
    { primary: ['job_id', 'first'], rowid: true },
  ),
}
