import { sql } from 'kysely'
import type { Filters } from '../../../contract/runtime.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { type CellFilter, DWELL_INDEX, ETHNICITY_INDEX, GENDER_INDEX } from './cells.ts'

/** What figures need of a project. */
const COLUMNS = ['id', 'generation', 'name', 'status', 'ordered', 'delivered', 'start_dt', 'end_dt'] as const
type Part = Pick<ProjectRecord, (typeof COLUMNS)[number]>

/** The results to read: one survey's, or a project's with its children's. */
export interface Range {
  project: Part
  children: Part[]
  /** The requested survey; null for whole projects. */
  survey_id: number | null
  /** The surveys to read counters of, including deleted ones, whose respondents were delivered. */
  surveys: number[]
}

/** One survey of a project the caller sees; throws 404. */
export async function surveyRange(ctx: Ctx, surveyId: number, scope: 'survey' | 'project'): Promise<Range> {
  const survey = await ctx.db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .select(['surveys.id', 'surveys.project_id'])
    .where('surveys.id', '=', surveyId)
    .where('surveys.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!survey) throw notFound(`Survey ${surveyId}`)
  const range = await projectRange(ctx, survey.project_id)
  return scope === 'survey' ? { ...range, survey_id: survey.id, surveys: [survey.id] } : range
}

/** A project with the children the caller can see, like the lists' sums (server/domain/project/family.ts). */
export async function projectRange(ctx: Ctx, id: number): Promise<Range> {
  // One statement, as every figure waits for it; a part without surveys is one row.
  const rows = await ctx.db
    .selectFrom('projects')
    .leftJoin('surveys', 'surveys.project_id', 'projects.id')
    .select(COLUMNS.map((name) => `projects.${name}` as const))
    .select('surveys.id as survey_id')
    .where((eb) => eb.or([eb('projects.id', '=', id), eb('projects.parent_id', '=', id)]))
    .where(projectScope(ctx.actor))
    .orderBy('projects.id')
    .execute()
  const parts = new Map(rows.map(({ survey_id: _, ...part }): [number, Part] => [part.id, part]))
  const project = parts.get(id)
  if (!project) throw notFound(`Project ${id}`)
  parts.delete(id)
  const surveys = rows.flatMap(({ survey_id }) => survey_id ?? []).sort((a, b) => a - b)
  return { project, children: [...parts.values()], survey_id: null, surveys }
}

/** What figures are of: a survey or its project; in an older call the project that it names. */
export const rangeOf = (ctx: Ctx<{ surveyId: number; scope: 'survey' | 'project' } | { id: number }>): Promise<Range> =>
  'id' in ctx.input ? projectRange(ctx as Ctx, ctx.input.id) : surveyRange(ctx as Ctx, ctx.input.surveyId, ctx.input.scope)

/** SQL that is true for counters of the range. */
export const inRange = (range: Range) => sql<boolean>`survey_id in (${sql.join(range.surveys.length ? range.surveys : [0])})`

/** Converts a call's filters to the numbers of cells. */
export function cellFilter(input: Filters): CellFilter {
  const numbers = (values: string[] | undefined, unknown: number, known: (value: string) => number | undefined) =>
    values?.map((value) => (value === 'unknown' ? unknown : (known(value) ?? -1)))
  const filter: CellFilter = {
    age: numbers(input.ageRange ?? input.age, 0, Number),
    gender: numbers(input.gender, 0, (word) => GENDER_INDEX.get(word)),
    hhi: numbers(input.hhi, 7, Number),
    ethnicity: numbers(input.ethnicity, 0, (word) => ETHNICITY_INDEX.get(word)),
    dwell: numbers(input.dwellRange, 0, (word) => DWELL_INDEX.get(word)),
    notice: numbers(input.notice, 0, (word) => (word === 'yes' ? 1 : 2)),
  }
  return filter
}
