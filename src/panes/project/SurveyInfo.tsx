import { count, dollars, longDate } from '../../../contract/format.ts'
import { WordDifference } from '../../compare/FigureDifference.tsx'
import { useMay } from '../../data/may.ts'
import { WebLink } from '../../ui/WebLink.tsx'
import { counted, figure, words } from './compared.tsx'
import { Disclosure, type Fact, Facts } from './Disclosure.tsx'
import type { Project } from './ProjectHead.tsx'

/** The length in days, first and last included. */
const daysOf = ({ start_dt, end_dt }: Pick<Project, 'start_dt' | 'end_dt'>): number | null =>
  start_dt && end_dt ? Math.round((Date.parse(end_dt.slice(0, 10)) - Date.parse(start_dt.slice(0, 10))) / 86_400_000) + 1 : null

/** A family's goal: its own part, and the total with its children. */
const goalOf = ({ goal, ordered, children }: Project): string =>
  children.length ? `${count(goal)} of its own, ${count(ordered)} completes with its children` : `${count(ordered)} completes`

function costOf({ cost_cents: own, family_cost_cents: all, children }: Project): string {
  const sum = (cents: number | null) => (cents === null ? '' : dollars(cents))
  return children.length && all !== null
    ? `${own === null ? 'none' : dollars(own)} of its own, ${dollars(all)} with its children`
    : sum(own)
}

/** What was ordered: completes, length, cost and audience (projects-area 2). */
export function SurveyInfo({ project }: { project: Project }) {
  const seesPartners = useMay('project.proffers')
  const days = daysOf(project)
  return (
    <Disclosure title="Survey info" anchor="info">
      <Facts
        rows={[
          ['Goal', goalOf(project), figure('goal', project.ordered)],
          words('type', 'Type', project.campaign_type),
          ['Dates', `${longDate(project.start_dt)} to ${longDate(project.end_dt)}`, { wide: true }],
          ['Field time', days === null ? '' : counted(days, 'day'), figure('days', days, 'days')],
          ['Cost', costOf(project), figure('cost', project.family_cost_cents, 'cents')],
          [
            'Quote',
            project.quote_valid_until
              ? `round ${project.quote_round}, valid until ${longDate(project.quote_valid_until)}`
              : `round ${project.quote_round}`,
            { differs: <WordDifference topic="quote" text={`round ${project.quote_round}`} /> },
          ],
          words('provider', 'Reward provider', project.reward_provider),
          ...(seesPartners
            ? [
                words(
                  'partners',
                  'Partners',
                  project.partners
                    .map((partner) => partner.name)
                    .sort()
                    .join(', '),
                ),
              ]
            : []),
          [
            'Survey URL',
            project.survey_url && <WebLink key="url" url={project.survey_url} className="inline-block min-h-6 break-all" />,
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
    </Disclosure>
  )
}
