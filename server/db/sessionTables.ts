import type { SessionProof, SessionState, SessionStepKind } from '../../contract/sessionRules.ts'
import { versioned } from './laterTables.ts'
import { int, table, text, wideId } from './tableColumns.ts'

/** TABLE  entry links and the sessions that come by them (migration 0106). */
export const SESSION_TABLES = {
  /** The address by which a partner sends people into a survey. */
  entry_links: table(
    {
      ...versioned,
      project_id: int().references('projects'),
      survey_id: int().references('surveys'),
      partner_id: int().references('partners'),
      /** The last part of its address. */
      token: text(),
      name: text(),
      state: text<'test' | 'active' | 'paused'>(),
      return_complete: text().fallback(''),
      return_terminate: text().fallback(''),
      return_quota_full: text().fallback(''),
      return_security: text().fallback(''),
      s2s_url: text().fallback(''),
      /** JSON: what the partner calls each of our parameters. */
      param_map: text().fallback('{}'),
      /** JSON: ids of projects whose completes aren’t let in. */
      exclude_project_ids: text().fallback('[]'),
      require_signature: int().fallback(0),
      max_entrants_minute: int().fallback(600),
      /** Sealed: the survey signs outcomes with the first, the partner entries with the second. */
      secret: text(),
      secret_before: text().orNull(),
      secret_before_until: text().orNull(),
      partner_secret: text(),
      partner_secret_before: text().orNull(),
      partner_secret_before_until: text().orNull(),
      deleted_at: text().orNull(),
    },
    { unique: [['token']] },
  ),
  /** A person at the door of a survey: one row for each, whatever was decided. */
  field_sessions: table(
    {
      id: wideId(),
      rid: text(),
      survey_id: int(),
      project_id: int(),
      link_id: int(),
      partner_id: int(),
      pid: text(),
      /** The check that refused it before the person was known; empty otherwise. Such a row takes nobody’s place. */
      early: text().fallback(''),
      test: int().fallback(0),
      state: text<SessionState>(),
      reason: text().fallback(''),
      proof: text<SessionProof>().fallback('none'),
      entered_at: text(),
      admitted_at: text().orNull(),
      until_at: text().orNull(),
      last_seen_at: text().orNull(),
      ended_at: text().orNull(),
      updated_at: text(),
      seconds: int().orNull(),
      ip: text().fallback(''),
      device_hash: text().fallback(''),
      /** JSON: what its link had about the person. */
      profile: text().fallback('{}'),
      /** How often it was opened. */
      entries: int().fallback(1),
      /** When an unsigned complete came, and how many outcomes contradicted the one that counts. */
      claimed_at: text().orNull(),
      conflicts: int().fallback(0),
      cpi_cents: int().orNull(),
      respondent_id: text().orNull(),
    },
    { unique: [['rid']] },
  ),
  /** What happened to a session, in order. */
  session_steps: table({
    id: wideId(),
    rid: text(),
    kind: text<SessionStepKind>(),
    /** The check or reason that decided, and what was sent. */
    reason: text().fallback(''),
    proof: text<SessionProof>().fallback('none'),
    at: text(),
  }),
  /** Outcomes on their way to a partner's server. */
  session_posts: table({
    id: wideId(),
    rid: text(),
    link_id: int(),
    body: text(),
    status: text<'queued' | 'sending' | 'delivered' | 'failed' | 'skipped'>().default('queued'),
    attempts: int().default(0),
    not_before: text(),
    error: text().default(''),
    response_status: int().orNull(),
    created_at: text(),
    ended_at: text().orNull(),
  }),
}
