import type { Insertable } from 'kysely'
import type { ActivityTable, ProjectTable, QuestionTable, SurveyTable } from '../db/schema.ts'
import type { ActivityDraft, ProjectDraft } from './draft.ts'
import { providerOf } from './entries.ts'
import type { Market } from './market.ts'
import type { ProjectPlan } from './plan.ts'
import { rowOf } from './rowDefaults.ts'
import { aboutOf, aboutProject, requirementsOf } from './wording.ts'

/** A project's row. */
export function projectRow(
  market: Market,
  { plan, cast, story, created, linked, expected }: ProjectDraft,
): Insertable<ProjectTable> {
  return rowOf('projects', created, {
    id: plan.id,
    generation: plan.generation,
    parent_id: plan.parent,
    client_id: market.people.clients[plan.client]!.id!,
    name: plan.name,
    description: aboutProject(plan, market.brandOf(plan)),
    requirements: requirementsOf(plan),
    status: plan.status,
    campaign_type: plan.content ? 'Content' : 'Survey',
    ordered: plan.ordered,
    cost_cents: story.cost_cents,
    quote_round: story.quote_round,
    quote_valid_until: story.quote_valid_until,
    ...expected,
    start_dt: plan.start,
    end_dt: plan.end,
    survey_url: linked ? `https://surveys.example/p/${plan.id}` : '',
    provider_id: providerOf(market.seed, plan),
    requested_by: cast.requester,
    // Nobody looks after what was only just requested.
    owner_id: plan.status === 'requirements' ? null : cast.admin,
    went_live_at: story.went_live_at,
    updated_at: story.updated_at,
    lock_version: story.lock_version,
  })
}

/** An activity's row. */
export function activityRow(
  { plan, created, linked }: ProjectDraft,
  { id, type, social }: ActivityDraft,
): Insertable<ActivityTable> {
  const product = plan.product.toLowerCase()
  return rowOf('activities', created, {
    id,
    project_id: plan.id,
    name: `${plan.product} ${type}`,
    about: aboutOf(type, plan.product),
    activity_type: type,
    action_type: type === 'photo' || type === 'video' ? type : 'nothing',
    social_type: social,
    social_text: social && `Tell us about ${product}`,
    social_link: social && `https://social.example/${plan.id}`,
    url: linked ? `https://surveys.example/a/${id}` : '',
    start_dt: plan.start,
    end_dt: plan.end,
  })
}

/** The indexes among `count` further records that a project gets; only rejected ones get any, in turn. */
export function rejectedAt({ plans }: Market, plan: ProjectPlan, count: number): number[] {
  if (plan.status !== 'rejected') return []
  const rejected = plans.filter(({ status }) => status === 'rejected')
  const first = rejected.indexOf(plan)
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % rejected.length === first)
}

/** Survey vendors. */
const VENDORS = ['Northstar', 'Surveyline', 'Panelworks'] as const

/** The surveys of a project's activities. */
export const surveyRows = ({ plan, created, linked, activities }: ProjectDraft): Insertable<SurveyTable>[] =>
  activities.flatMap(({ id, survey }) =>
    survey
      ? rowOf('surveys', created, {
          id: survey.id,
          project_id: plan.id,
          activity_id: id,
          name: `${plan.name} survey`,
          survey_link: linked ? `https://surveys.example/s/${survey.id}` : '',
          survey_vendor: VENDORS[survey.id % VENDORS.length]!,
          vendor_survey_id: `${VENDORS[survey.id % VENDORS.length]![0]}-${survey.id}`,
          refreshed_at: survey.id % 3 ? created : null,
          questions_count: survey.questions,
        })
      : [],
  )

/** One question in fifty is retired. */
const isRetired = (id: number): boolean => (id * 2_654_435_761) % 50 === 7

/** Questions of a project's surveys; only survey questions have a position. */
export const questionRows = ({ created, activities }: ProjectDraft): Insertable<QuestionTable>[] =>
  activities.flatMap(({ survey, questions }) =>
    questions.map(({ name, type, options, answer }, at) =>
      rowOf('questions', created, {
        id: survey!.firstQuestion + at,
        survey_id: survey!.id,
        name,
        position: type === 'survey' ? at + 1 : 0,
        question_type: type,
        options: JSON.stringify(options),
        answer_type: answer,
        vendor_key: `q${at + 1}`,
        retired_at: isRetired(survey!.firstQuestion + at) ? created : null,
      }),
    ),
  )
