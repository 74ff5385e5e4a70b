import { type Kysely, sql } from 'kysely'
import { listTrigger } from '../baseline/listVersions.ts'
import type { Engine } from '../connect.ts'
import { LATER_TABLES } from '../laterTables.ts'
import { addOnline, createIndexes, indexesOnline, isPrepared, type Step } from '../online.ts'
import { createIndex, createTable } from '../tableColumns.ts'

/** Of the new tables, which are empty. */
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
  ix_quota_holds_partner: 'quota_holds (partner_id) where partner_id <> 0',
  ix_quota_holds_state: 'quota_holds (plan_id, state)',
  ix_quota_plans_project: 'quota_plans (project_id)',
  ix_quota_plans_updated: 'quota_plans (updated_at)',
}
const UNIQUE: Readonly<Record<string, string>> = {
  ix_quota_holds_person: "quota_holds (plan_id, pid, partner_id) where state in ('held', 'used') and pid <> ''",
  ux_quota_holds_respondent: 'quota_holds (survey_id, respondent_id, plan_id) where respondent_id is not null',
  ux_quota_plans_survey: "quota_plans (survey_id) where state <> 'ended'",
}
/** A merge of partners moves their respondents. */
const OF_RESPONDENTS = { ix_respondents_partner: '"respondents" ("partner_id") where "partner_id" is not null' }
/** Who owns a project, by whom lists are filtered and sorted, too. */
const OWNERS = ['first_name', 'last_name', 'email', 'role', 'deleted_at']

/** Followers of projects, news for them, and quotas of surveys. */
export const newsAndQuotas = (engine: Engine): Step => {
  const columns = ['"rid" text', `"partner_id" ${engine === 'postgres' ? 'bigint' : 'integer'}`]
  return {
    async prepare(db) {
      await addOnline(db, 'respondents', columns)
      await indexesOnline(db, OF_RESPONDENTS)
    },
    async up(db: Kysely<unknown>) {
      const statements = [
        ...Object.entries(LATER_TABLES).map(([name, table]) => createTable(engine, name, table)),
        ...Object.entries(INDEXES).map(([name, on]) => createIndex(name, on)),
        ...Object.entries(UNIQUE).map(([name, on]) => createIndex(name, on, 'unique')),
        listTrigger(engine, ['projects', 'project', 'update', ['owner_id']], 'owner'),
        listTrigger(engine, ['users', 'project', 'update', OWNERS], 'owner'),
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
      if (!(await isPrepared(db, engine, 'respondents', 'partner_id')))
        for (const column of columns) await sql.raw(`alter table "respondents" add column ${column}`).execute(db)
      await createIndexes(db, engine, OF_RESPONDENTS)
    },
  }
}
