import { counted, longDate } from '../../../contract/format.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { WordDifference } from '../../compare/FigureDifference.tsx'
import { useMay } from '../../data/permissions.ts'
import { WebLink } from '../../ui/WebLink.tsx'
import { usePart } from '../../workspace/compareRole.ts'
import { EditRows } from '../shared/EditRows.tsx'
import { linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import { figure, words } from './comparedFacts.tsx'
import { Disclosure, type Fact, Facts } from './Disclosure.tsx'
import type { Project } from './ProjectHead.tsx'
import { specificationRows } from './specificationRows.tsx'
import { costOf, daysOf, goalOf, partnersOf, quoteOf } from './surveyFacts.ts'

/** The order: completes, length and cost (projects-area 2), edited in place by those who may. */
export function SurveyInfo({ project }: { project: Project }) {
  const seesPartners = useMay('project.proffers')
  const edits = useMay('project.edit')
  // In a comparison, facts line up and differences are marked, which editable rows can't do.
  const compared = usePart() !== null
  return (
    <Disclosure title="Survey info" anchor="info">
      {edits && !compared ? (
        <EditRows label="Survey info" record={project} rows={specificationRows(project, seesPartners)} />
      ) : (
        <SurveyFacts project={project} seesPartners={seesPartners} />
      )}
    </Disclosure>
  )
}

function SurveyFacts({ project, seesPartners }: { project: Project; seesPartners: boolean }) {
  const days = daysOf(project)
  return (
    <Facts
      rows={[
        ['Goal', goalOf(project), figure('goal', project.ordered)],
        words('type', 'Type', project.campaign_type),
        ['Dates', `${longDate(project.start_dt)} to ${longDate(project.end_dt)}`, { wide: true }],
        ['Field time', days === null ? '' : counted(days, 'day'), figure('days', days, 'days')],
        ['Cost', costOf(project), figure('cost', project.family_cost_cents, 'cents')],
        ['Quote', quoteOf(project), { differs: <WordDifference topic="quote" text={`Round ${project.quote_round}`} /> }],
        words('provider', projectFields.partner_id.label, project.reward_provider),
        ...(seesPartners ? [words('partners', 'Partners', partnersOf(project))] : []),
        [
          projectFields.survey_url.label,
          project.survey_url && (
            <span key="url">
              <WebLink url={project.survey_url} className="inline-block min-h-6 break-all" />
              <OtherLinks links={linksApart(project, project.survey_url)} />
            </span>
          ),
          { wide: true },
        ],
        ...project.surveys.map(
          (survey, at): Fact => [
            'Survey',
            <span key={survey.id}>
              <bdi>{survey.name}</bdi> · {counted(survey.questions_count, 'question')}
            </span>,
            { wide: true, ...figure(`questions ${at}`, survey.questions_count) },
          ],
        ),
        ['Description', project.description, { wide: true }],
        [
          'Requirements',
          <span key="requirements" className="whitespace-pre-wrap">
            {project.requirements}
          </span>,
          { wide: true },
        ],
      ]}
    />
  )
}
