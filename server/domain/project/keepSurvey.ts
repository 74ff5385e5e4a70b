import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import type { ProjectRecord } from './storedProject.ts'

/** Throws a 422 if a survey project's URL is blanked while neither a file nor another link remains (projects-area 5). */
export async function keepSurvey(ctx: Ctx, project: ProjectRecord, survey_url: string | undefined): Promise<void> {
  if (survey_url !== '' || project.survey_url === '' || project.campaign_type !== 'Survey') return
  const file = await ctx.tx
    .selectFrom('files')
    .select('id')
    .where('project_id', '=', project.id)
    .where('kind', 'in', ['asset', 'document'])
    .limit(1)
    .executeTakeFirst()
  const survey = await ctx.tx
    .selectFrom('surveys')
    .select('id')
    .where('project_id', '=', project.id)
    .where('deleted_at', 'is', null)
    .where('survey_link', 'not in', ['', project.survey_url])
    .limit(1)
    .executeTakeFirst()
  if (!file && !survey) throw invalid('survey_url', MESSAGES.surveyFileOrUrl)
}
