import type { NewsKindId } from '../../contract/news.ts'
import type { QuotaKind } from '../../contract/quotaRules.ts'
import { id, int, small, table, text, wideId } from './tableColumns.ts'

export const versioned = {
  id: id(),
  created_at: text(),
  updated_at: text(),
  /** The optimistic lock of decisions.md 9. */
  lock_version: int().default(1),
}

/** TABLE  tables of migrations after the baseline; the types of `Schema` follow. */
export const LATER_TABLES = {
  /** Who chose to follow a project, or not to: owners and requesters follow without a row. */
  project_followers: table(
    {
      id: wideId(),
      project_id: int().references('projects'),
      user_id: int().references('users'),
      follows: small(),
      created_at: text(),
      updated_at: text(),
      lock_version: small().default(0),
    },
    { unique: [['project_id', 'user_id']] },
  ),
  /** What a person is told about a record: once for each event, in the transaction that made it. */
  news: table({
    id: wideId(),
    user_id: int().references('users'),
    subject: text<'project' | 'job'>(),
    subject_id: int(),
    kind: text<NewsKindId>(),
    /** Who did it, as they were called then; empty for the server. */
    by_name: text(),
    read_at: text().orNull(),
    /** When it is mailed; null for news that isn't, or was. */
    mail_due: text().orNull(),
    created_at: text(),
  }),
  /** What a survey wants of whom; a survey has one plan at most that hasn't ended. */
  quota_plans: table({
    ...versioned,
    project_id: int().references('projects'),
    survey_id: int().references('surveys'),
    state: text<'draft' | 'live' | 'ended'>(),
    total: int(),
    mode: text<'exact' | 'open'>(),
    overage_percent: int(),
    hold_minutes: int(),
    silent_minutes: int(),
    unknown: text<'refuse' | 'admit'>(),
    note: text().fallback(''),
    live_at: text().orNull(),
    ended_at: text().orNull(),
  }),
  quota_dimensions: table({
    id: id(),
    plan_id: int().references('quota_plans'),
    position: int(),
    name: text(),
    kind: text<QuotaKind>(),
    /** JSON: the fields of its cells' conditions. */
    fields: text(),
  }),
  quota_cells: table(
    {
      id: id(),
      plan_id: int().references('quota_plans'),
      /** Null for the plan's total. */
      dimension_id: int().orNull(),
      position: int(),
      name: text(),
      /** JSON: the codes of each field. */
      conditions: text(),
      target: int(),
      /** The target with the plan's overage. */
      ceiling: int(),
      completes: int().default(0),
      held: int().default(0),
      closed: int().default(0),
      reopened_at: text().orNull(),
    },
    { check: 'completes >= 0 and held >= 0 and completes + held <= ceiling' },
  ),
  /** The places of a person: held from admission, used by a complete. */
  quota_holds: table(
    {
      id: wideId(),
      rid: text(),
      plan_id: int(),
      survey_id: int(),
      /** 0 without a partner. */
      partner_id: int(),
      /** The sender's id of the person; empty for a complete without an admission. */
      pid: text(),
      /** The complete that uses the places, or is counted beyond them. */
      respondent_id: text().orNull(),
      /** JSON: the ids of its cells; empty beyond the plan. */
      cells: text(),
      /** JSON: what was known of the person, of the plan's fields. */
      profile: text(),
      at: text(),
      until_at: text(),
      /** The last heartbeat. */
      seen_at: text().orNull(),
      ended_at: text().orNull(),
      state: text<'held' | 'used' | 'released' | 'lapsed' | 'beyond'>(),
    },
    { unique: [['rid']] },
  ),
  /** Every arrival and why it was decided so. */
  quota_decisions: table({
    id: wideId(),
    plan_id: int(),
    /** The plan's lock at the time. */
    version: int(),
    rid: text(),
    partner_id: int(),
    outcome: text<'admitted' | 'refused'>(),
    reason: text(),
    /** The cell that had no place. */
    cell_id: int().orNull(),
    /** JSON: the free places of its cells before, by id. */
    free: text(),
    profile: text(),
    at: text(),
  }),
}

/** TABLE  what people and partners write to each other about a project (migration 0104). */
export const MESSAGE_TABLES = {
  messages: table({
    ...versioned,
    project_id: int().references('projects'),
    /** The partner whose conversation it is; 0 for the client's. */
    partner_id: int(),
    /** The client that the project was of then, as a later one doesn't read it; 0 in a partner's. */
    client_id: int(),
    side: text<'agency' | 'client' | 'partner'>(),
    /** Null for a partner, who has no account. */
    author_id: int().orNull(),
    text: text(),
  }),
}
