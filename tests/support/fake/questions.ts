import { allowedActions } from '../../../contract/access.ts'
import type { ActivityRow } from '../../../contract/activityRecord.ts'
import type { Question } from '../../../contract/question.ts'
import { QUESTION_TYPES, type QuestionType } from '../../../contract/questionRules.ts'
import { draftsOf, type SheetRow } from '../../../contract/questionSheet.ts'
import type { Survey } from '../../../contract/survey.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { blanksOf } from './blanks.ts'
import type { Marketplace } from './marketplace.ts'

/** A question as it is stored. */
export type StoredQuestion = Omit<Question, 'allowed_actions' | 'refused_actions'>

const LONG_AGO = '2026-01-05T09:00:00.000Z'
const actorOf = ({ me }: Marketplace) => ({ id: me.id, role: me.role, admin_id: null })

const stored = (id: number, order: number, name: string, more: Partial<StoredQuestion> = {}): StoredQuestion => ({
  id,
  survey_id: 71,
  name,
  order,
  question_type: 'survey',
  answer_type: 'single',
  options: ['Yes', 'No'],
  vendor_key: `q${order}`,
  answered: 0,
  retired_at: null,
  updated_at: LONG_AGO,
  lock_version: 0,
  ...more,
})

/** Five questions of survey 71: four in order, and a profile question. */
export const newQuestions = (): StoredQuestion[] => [
  stored(301, 1, 'How often?', { answered: 412, options: ['Daily', 'Weekly', 'Monthly', 'Less often', 'Never'] }),
  stored(302, 2, 'Which brands?', { answer_type: 'multiple', answered: 398 }),
  stored(303, 3, 'How many packs?', { answer_type: 'number', options: [] }),
  stored(304, 4, 'Why?', { answer_type: 'open', options: [] }),
  stored(305, 0, 'What is your job?', { question_type: 'profile', vendor_key: 'job' }),
]

/** Survey activities of a project that have no survey. */
export const freeActivities = (project_id: number): ActivityRow[] =>
  [31, 32].map((id) => ({
    ...{ id, project_id, name: `Wave ${id - 30}`, about: '', activity_type: 'survey', action_type: 'nothing' },
    ...{ social_type: '', social_text: '', social_link: '', url: '', start_dt: null, end_dt: null, survey_id: null },
    ...{ assets: [], location_groups: [], lock_version: 0, project_name: 'Alder snack tracker 1', client_id: 101 },
    ...{ client_name: 'Acorn Foods', project_status: 'active', survey_name: null, target_version: null, audience: '' },
    ...{ completes: 0, responses: 0, content_count: 0, results: 0, created_at: LONG_AGO, updated_at: LONG_AGO },
    ...{ allowed_actions: [], refused_actions: {} },
  }))

/** A question as the server sends it. */
export function questionRow(market: Marketplace, one: StoredQuestion): Question {
  const { question_type, retired_at } = one
  const allowed = allowedActions('question', actorOf(market), { question_type, retired: retired_at !== null })
  return { ...one, ...(allowed as Pick<Question, 'allowed_actions' | 'refused_actions'>) }
}

const placeOf = ({ question_type, order }: StoredQuestion): number =>
  QUESTION_TYPES.findIndex(({ value }) => value === question_type) * 10_000 + order
/** Active questions by section and position. */
export const inUse = ({ questions }: Marketplace): StoredQuestion[] =>
  questions.filter(({ retired_at }) => retired_at === null).sort((a, b) => placeOf(a) - placeOf(b))

export function countsOf(market: Marketplace) {
  const of = (type: QuestionType) => inUse(market).filter(({ question_type }) => question_type === type).length
  const retired = market.questions.length - inUse(market).length
  return { survey: of('survey'), profile: of('profile'), reward: of('reward'), retired }
}

/** Adds the rows of a sheet. */
export function addRows(market: Marketplace, rows: readonly SheetRow[]): StoredQuestion[] {
  let order = countsOf(market).survey
  const added = draftsOf(rows).drafts.map(({ options, ...draft }) =>
    stored(++market.last, 0, draft.name, {
      ...draft,
      options: [...options],
      order: draft.question_type === 'survey' ? ++order : 0,
    }),
  )
  market.questions.push(...added)
  return added
}

/** The survey of the questions. */
export function surveyRow(market: Marketplace): Survey {
  const { length } = inUse(market)
  const { allowed_actions, refused_actions } = allowedActions('survey', actorOf(market), { responses: 500 })
  return {
    ...blanksOf<Pick<Survey, keyof typeof surveyFields & keyof Survey>>(surveyFields),
    id: 71,
    name: 'Alder snack tracker',
    project_id: 530,
    survey_project_id: 530,
    project_name: 'Alder snack tracker 1',
    project_status: 'active',
    client_id: 101,
    client_name: 'Acorn Foods',
    activity_id: null,
    activity_name: '',
    survey_link: 'https://survey.test/1',
    survey_vendor: '',
    vendor_survey_id: '',
    questions_count: length,
    own_questions: length,
    completes: 412,
    responses: 500,
    source_file_id: null,
    source_file_name: '',
    refreshed_at: null,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    lock_version: 0,
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
  }
}
