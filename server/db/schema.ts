import type { BASELINE } from './baseline/baselineTables.ts'
import type { LATER_TABLES, MESSAGE_TABLES } from './laterTables.ts'
import type { SESSION_TABLES } from './sessionTables.ts'
import type { Row } from './tableColumns.ts'

type Baseline = { [Name in keyof typeof BASELINE]: Row<(typeof BASELINE)[Name]> }
/** Columns that migrations after the baseline add, and whole tables: `{ projects: { color: Generated<string> } }`. */
type Later = { [Name in keyof typeof LATER_TABLES]: Row<(typeof LATER_TABLES)[Name]> } & {
  [Name in keyof typeof SESSION_TABLES]: Row<(typeof SESSION_TABLES)[Name]>
} & {
  [Name in keyof typeof MESSAGE_TABLES]: Row<(typeof MESSAGE_TABLES)[Name]>
} & {
  /** The admission that it came by, and the partner who sent it, as its row names them. */
  respondents: { rid: string | null; partner_id: number | null }
}

/** Every table, with the types of its rows. */
export type Schema = {
  [Name in keyof (Baseline & Later)]: (Name extends keyof Baseline ? Baseline[Name] : unknown) &
    (Name extends keyof Later ? Later[Name] : unknown)
}

export type OrganizationTable = Schema['organizations']
export type UserTable = Schema['users']
export type WebhookTable = Schema['webhooks']
export type WebhookDeliveryTable = Schema['webhook_deliveries']
export type ClientTable = Schema['clients']
export type UserClientTable = Schema['user_clients']
export type TeamTable = Schema['teams']
export type TeamUserTable = Schema['team_users']
export type PartnerTable = Schema['partners']
export type ProjectTable = Schema['projects']
export type QuoteTable = Schema['quotes']
export type ActivityTable = Schema['activities']
export type TargetTable = Schema['targets']
export type OccasionTable = Schema['occasions']
export type SurveyTable = Schema['surveys']
export type QuestionTable = Schema['questions']
export type FileTable = Schema['files']
export type UserActivityTable = Schema['user_activities']
export type NoteTable = Schema['notes']
export type HistoryTable = Schema['history']
export type ProjectPartnerTable = Schema['project_partners']
export type ProfferTable = Schema['proffers']
export type QuoteShareTable = Schema['quote_shares']
export type RewardTable = Schema['rewards']
export type EntryTable = Schema['entries']
export type ListVersionTable = Schema['list_versions']
export type PayoutTable = Schema['payouts']
export type RespondentTable = Schema['respondents']
export type MailTable = Schema['mails']
export type JobTable = Schema['jobs']
export type PlaceTable = Schema['places']
export type LocationGroupTable = Schema['location_groups']
export type LocationGroupPlaceTable = Schema['location_group_places']
export type ImportTable = Schema['imports']
export type ImportRowTable = Schema['import_rows']
export type DeskMarkTable = Schema['desk_marks']
export type ChangeSetTable = Schema['change_sets']
export type ReportColumnTable = Schema['report_columns']
export type VipExperienceTable = Schema['vip_experiences']
export type VipAwardTable = Schema['vip_awards']
export type NotificationTable = Schema['notifications']
export type NoticeTable = Schema['notices']
export type VisitFilterTable = Schema['visit_filters']
