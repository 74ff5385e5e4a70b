import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { LATER_TABLES } from '../laterTables.ts'
import type { Step } from '../online.ts'
import { createTable } from '../tableColumns.ts'

/** All of them of the new tables, which are empty. */
const INDEXES: Readonly<Record<string, string>> = {
  ix_news_due: 'news (mail_due) where mail_due is not null',
  ix_news_user: 'news (user_id, subject, subject_id, id)',
  ix_quota_cells_plan: 'quota_cells (plan_id, id)',
  ix_quota_decisions_at: 'quota_decisions (at)',
  ix_quota_decisions_cell: 'quota_decisions (cell_id, at) where cell_id is not null',
  ix_quota_decisions_plan: 'quota_decisions (plan_id, at, id)',
  ix_quota_decisions_rid: 'quota_decisions (rid)',
  ix_quota_dimensions_plan: 'quota_dimensions (plan_id)',
  ix_quota_holds_due: "quota_holds (plan_id, until_at) where state = 'held'",
  ix_quota_holds_state: 'quota_holds (plan_id, state)',
  ix_quota_plans_project: 'quota_plans (project_id)',
  ix_quota_plans_updated: 'quota_plans (updated_at)',
}
const UNIQUE: Readonly<Record<string, string>> = {
  ix_quota_holds_person: "quota_holds (plan_id, pid, partner_id) where state in ('held', 'used') and pid <> ''",
  ux_quota_holds_respondent: 'quota_holds (survey_id, respondent_id, plan_id) where respondent_id is not null',
  ux_quota_plans_survey: "quota_plans (survey_id) where state <> 'ended'",
}
/** Lists of projects are filtered and sorted by their owners, too (../baseline/listVersions.ts). */
const LISTED: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['projects', ['owner_id']],
  ['users', ['first_name', 'last_name', 'email', 'role', 'deleted_at']],
]

function listed(engine: Engine, table: string, columns: readonly string[]): string {
  const created = `create trigger tr_list_${table}_owner_update after update of ${columns.join(', ')} on ${table}`
  if (engine === 'postgres') return `${created} for each statement execute function list_changed('project')`
  return `${created} when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')} begin
      update list_versions set n = n + 1 where kind = 'project' and slot = 0; end`
}

/** Followers of projects, what people are told of them, and quotas of surveys. */
export const newsAndQuotas = (engine: Engine): Step => ({
  async up(db: Kysely<unknown>) {
    const statements = [
      ...Object.entries(LATER_TABLES).map(([name, table]) => createTable(engine, name, table)),
      ...Object.entries(INDEXES).map(([name, on]) => `create index "${name}" on ${on}`),
      ...Object.entries(UNIQUE).map(([name, on]) => `create unique index "${name}" on ${on}`),
      ...LISTED.map(([table, columns]) => listed(engine, table, columns)),
      'alter table "respondents" add column "rid" text',
      `alter table "respondents" add column "partner_id" ${engine === 'postgres' ? 'bigint' : 'integer'}`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
