import { notBehind, omit, pick } from '../../../contract/fieldKinds.ts'
import { count, counted, percent } from '../../../contract/format.ts'
import { storedFields } from '../../../contract/projectFields.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { href } from '../../routing/routes.ts'
import { WebLink } from '../../ui/WebLink.tsx'
import { type EditRow, fieldRows } from '../shared/EditRows.tsx'
import { linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import type { Project } from './ProjectHead.tsx'
import { warnOf } from './projectEdits.ts'
import { costOf, daysOf, goalOf, partnersOf, quoteOf } from './surveyFacts.ts'

const { start_dt } = storedFields
/** A project's fields as its rows have them; a family, or a project without an order, may have no order of its own. */
const fieldsOf = ({ children, goal }: Project) => ({
  ...omit(storedFields, 'client_id', 'parent_id'),
  goal: { ...storedFields.goal, min: children.length || goal === 0 ? 0 : 1 },
  start_dt: { ...start_dt, against: notBehind('end_dt') },
})
/** Fields whose place is among what else a project has; the others follow in their table's order. */
const LEADING = ['name', 'goal', 'campaign_type', 'start_dt', 'end_dt'] as const
const LENGTHS = ['loi_minutes', 'incidence'] as const
const SURVEY = ['partner_id', 'survey_url'] as const

/** A project's specifications, row by row; partners only for those who may see them. */
export function specificationRows(project: Project, seesPartners: boolean): EditRow<Project>[] {
  const days = daysOf(project)
  const { loi_minutes, incidence } = project
  const fields = fieldsOf(project)
  const edit = editsOf('project', fields, warnOf)
  const rows = (named: Partial<typeof fields>) =>
    fieldRows(named as typeof fields, project, edit, {
      name: { shown: <bdi>{project.name}</bdi> },
      goal: { shown: goalOf(project) },
      loi_minutes: { shown: loi_minutes === null ? '' : `${count(loi_minutes)} min` },
      incidence: { shown: incidence === null ? '' : percent(incidence) },
      survey_url: {
        shown: project.survey_url && (
          <>
            <WebLink url={project.survey_url} className="break-all" />
            <OtherLinks links={linksApart(project, project.survey_url)} />
          </>
        ),
      },
    })
  return [
    ...rows(pick(fields, ...LEADING)),
    { id: 'days', label: 'Field time', shown: days === null ? '' : counted(days, 'day') },
    ...rows(pick(fields, ...LENGTHS)),
    { id: 'cost', label: 'Cost', shown: costOf(project) },
    { id: 'quote', label: 'Quote', shown: quoteOf(project) },
    ...rows(pick(fields, 'partner_id')),
    ...(seesPartners ? [{ id: 'partners', label: 'Partners', shown: partnersOf(project) }] : []),
    ...rows(pick(fields, 'survey_url')),
    ...project.surveys.map(({ id, name, questions_count }) => ({
      id: `survey ${id}`,
      label: 'Survey',
      shown: (
        <>
          <bdi>{name}</bdi> · {counted(questions_count, 'question')}
        </>
      ),
      to: href('survey', { id }, { tab: 'details' }),
    })),
    ...rows(omit(fields, ...LEADING, ...LENGTHS, ...SURVEY)),
  ]
}
