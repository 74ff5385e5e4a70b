import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Paging } from '../../../contract/listInput.ts'
import { statusesOf } from '../../../contract/status.ts'
import type { Survey, surveyCalls } from '../../../contract/survey.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { searchedColumns } from '../../core/fieldColumns.ts'
import { listOf } from '../../core/listBuilder.ts'
import { matches } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'

type Filter = Omit<z.output<(typeof surveyCalls)['survey.list']['input']>, Paging>
type Row = Omit<Survey, 'allowed_actions' | 'refused_actions' | 'survey_project_id'>

/** Active questions; retired ones are kept only for charts. */
const OWN = sql<number>`(select count(*) from questions where questions.survey_id = surveys.id and questions.retired_at is null)`
/** Cell −1 of a day holds its total. */
const counted = (outcomes: string) =>
  sql<number>`(select coalesce(sum(${sql.raw(outcomes)}), 0) from day_cells where day_cells.survey_id = surveys.id and day_cells.cell = -1)`
const RESPONSES = counted('day_cells.completes + day_cells.terminates + day_cells.overquota + day_cells.partials')
const FOUND = [...searchedColumns(surveyFields).map((column) => `surveys.${column}`), 'projects.name']

/** Applies a yes-no filter to a condition. */
const yesNo = (answer: '' | 'yes' | 'no', condition: string) =>
  answer !== '' && (answer === 'yes' ? sql<SqlBool>`${sql.raw(condition)}` : sql<SqlBool>`not (${sql.raw(condition)})`)

/** The surveys of the projects a caller can see. */
export const surveyList = listOf<'survey', Filter, Row, Survey>('survey', {
  table: 'surveys',
  join: `join projects on projects.id = surveys.project_id join clients on clients.id = projects.client_id
    left join activities on activities.id = surveys.activity_id and activities.deleted_at is null
    left join files on files.id = surveys.source_file_id`,
  scope: ({ actor }) => sql<SqlBool>`(surveys.deleted_at is null and ${projectScope(actor)})`,
  where: ({ vendor, has_link, has_questions, activity, status, project_id }) => [
    vendor !== '' && sql<SqlBool>`surveys.survey_vendor = ${vendor}`,
    yesNo(has_link, `surveys.survey_link <> ''`),
    yesNo(
      has_questions,
      'exists (select 1 from questions where questions.survey_id = surveys.id and questions.retired_at is null)',
    ),
    yesNo(activity, 'activities.id is not null'),
    status !== '' && status !== 'all' && sql<SqlBool>`projects.status in (${sql.join(statusesOf(status))})`,
    project_id !== undefined && sql<SqlBool>`surveys.project_id = ${project_id}`,
  ],
  columns: () => ({
    project_name: sql`projects.name`,
    activity_name: sql`coalesce(activities.name, '')`,
    questions_count: sql`coalesce(nullif(${OWN}, 0), surveys.questions_count)`,
    completes: counted('day_cells.completes'),
  }),
  empty: ['refreshed_at'],
  finds: ({ services }, word) => matches(services.database, FOUND, word),
  also: () => [
    sql`surveys.project_id`,
    sql`projects.status as project_status`,
    sql`projects.client_id`,
    sql`clients.name as client_name`,
    sql`activities.id as activity_id`,
    sql`${OWN} as own_questions`,
    sql`${RESPONSES} as responses`,
    sql`surveys.source_file_id`,
    sql`coalesce(files.original_name, '') as source_file_name`,
    sql`surveys.created_at`,
    sql`surveys.lock_version`,
  ],
  shown: ({ actor }, rows) =>
    rows.map((row) => {
      const responses = Number(row.responses)
      const { allowed_actions, refused_actions } = allowedActions('survey', actor, { responses })
      return {
        ...row,
        survey_project_id: row.project_id,
        own_questions: Number(row.own_questions),
        responses,
        allowed_actions,
        refused_actions: refused_actions as Record<string, string>,
      }
    }),
  file: { title: () => 'Surveys' },
})
