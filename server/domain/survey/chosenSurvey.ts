import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'

/** The id of a project's named survey, or of its only one; throws a 422 for another, for none, and for several. */
export async function chosenSurvey(ctx: Pick<Ctx, 'tx'>, project_id: number, survey_id: number | undefined): Promise<number> {
  const surveys = await ctx.tx
    .selectFrom('surveys')
    .select('id')
    .where('project_id', '=', project_id)
    .where('deleted_at', 'is', null)
    .execute()
  const survey = survey_id === undefined ? surveys[0] : surveys.find(({ id }) => id === survey_id)
  if (!survey) throw invalid('survey_id', survey_id ? 'is not a survey of this project' : 'This project has no survey yet')
  if (survey_id === undefined && surveys.length > 1) throw invalid('survey_id', 'Choose one of the project’s surveys', 'required')
  return survey.id
}
