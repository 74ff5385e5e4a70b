import type { Input, Output } from '../../../../contract/calls.ts'
import { type Parted, usePartOf } from '../../../data/batched.ts'
import { type Answer, type CallOptions, useCall } from '../../../data/useCall.ts'
import type { Project } from '../ProjectHead.tsx'
import type { Chart } from './chart.ts'

/** Where a tab's figures come from: a survey, one of a project's surveys, or a whole project. */
export type FigureSource =
  | { by: 'survey'; input: { surveyId: number; scope: 'survey' | 'project' } & Record<string, string | number> }
  | { by: 'project'; input: { id: number } & Record<string, string | number> }

/**
 * Returns the source of a project's figures: all surveys together unless one is chosen.
 * Older projects, and parents without a survey of their own, are read as a whole project.
 */
export function sourceOf(
  project: Pick<Project, 'id' | 'generation' | 'surveys'>,
  survey: number | null,
  filters: Record<string, string>,
): FigureSource {
  const own = project.surveys[0]
  if (survey !== null) return { by: 'survey', input: { surveyId: survey, scope: 'survey', ...filters } }
  return own && project.generation !== 'campaign'
    ? { by: 'survey', input: { surveyId: own.id, scope: 'project', ...filters } }
    : { by: 'project', input: { id: project.id, ...filters } }
}

const FRESH: CallOptions = { fresh: true }
type Listed = Output<'runtime.questions'>

/** Loads questions without answers, and the bases under the filters; a null source loads nothing. */
export function useQuestions(source: FigureSource | null): Answer<Listed> {
  const bySurvey = useCall('runtime.questions', source?.by === 'survey' ? (source.input as Input<'runtime.questions'>) : null)
  const byProject = useCall(
    'runtime.questionsV1',
    source?.by === 'project' ? (source.input as Input<'runtime.questionsV1'>) : null,
  )
  return source?.by === 'project' ? byProject : bySurvey
}

const byId = (charts: readonly Chart[]) => new Map(charts.map((chart) => [chart.question_id, chart]))
const OF_SURVEY: Parted<'runtime.userResponses', Chart> = {
  call: 'runtime.userResponses',
  ask: (input, parts) => ({ ...input, questions: parts.join() }),
  parts: ({ data }) => byId(data),
}
const OF_PROJECT: Parted<'runtime.userResponsesV1', Chart> = {
  call: 'runtime.userResponsesV1',
  ask: (input, parts) => ({ ...input, questions: parts.join() }),
  parts: ({ data }) => byId(data.user_responses),
}

/** Loads a question's figures while `wanted`; calls made at the same moment are batched. */
export function useChart(source: FigureSource, question: number, wanted: boolean): Answer<Chart | null> {
  const bySurvey = usePartOf(
    OF_SURVEY,
    wanted && source.by === 'survey' ? (source.input as Input<'runtime.userResponses'>) : null,
    question,
  )
  const byProject = usePartOf(
    OF_PROJECT,
    wanted && source.by === 'project' ? (source.input as Input<'runtime.userResponsesV1'>) : null,
    question,
  )
  return source.by === 'survey' ? bySurvey : byProject
}

/** Loads a question's crosstab with another question or a demographic. */
export function useCrosstab(source: FigureSource, question: number, by: string) {
  const crossing = { question, by }
  const bySurvey = useCall('runtime.crosstab', source.by === 'survey' ? { ...source.input, ...crossing } : null, FRESH)
  const byProject = useCall('runtime.crosstabV1', source.by === 'project' ? { ...source.input, ...crossing } : null, FRESH)
  return source.by === 'survey' ? bySurvey : byProject
}

/** Loads a page of an open question's answers. */
export function useOpenAnswers(source: FigureSource, wanted: { question: number; search: string; page: number }) {
  const bySurvey = useCall('runtime.openAnswers', source.by === 'survey' ? { ...source.input, ...wanted } : null)
  const byProject = useCall('runtime.openAnswersV1', source.by === 'project' ? { ...source.input, ...wanted } : null)
  return source.by === 'survey' ? bySurvey : byProject
}
