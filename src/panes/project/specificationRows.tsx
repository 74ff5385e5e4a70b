import { count, counted, longDate, percent } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { PROVIDERS } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { href } from '../../routing/routes.ts'
import { toast } from '../../runner/toast.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import type { EditRow, RowEdit } from '../shared/EditRows.tsx'
import { linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import type { Project } from './ProjectHead.tsx'
import { costOf, daysOf, goalOf, partnersOf, quoteOf } from './surveyFacts.ts'

/** The fields edited in place, as `project.edit` names them. */
type Field =
  | 'name'
  | 'goal'
  | 'campaign_type'
  | 'start_dt'
  | 'end_dt'
  | 'loi_minutes'
  | 'incidence'
  | 'partner_id'
  | 'survey_url'
  | 'description'
  | 'requirements'
/** Fields that may be cleared. */
const OPTIONAL: readonly Field[] = ['loi_minutes', 'incidence', 'partner_id']
const NUMBERS: readonly Field[] = ['goal', ...OPTIONAL]

type Check = (text: string, row: Project) => string | null
/** Saves one field with the version the user saw; warnings show as a notice. */
const field = (
  name: Field,
  { check, ...more }: Omit<RowEdit<Project>, 'value' | 'save'> & { check?: Check } = {},
): RowEdit<Project> => ({
  ...more,
  value: (row) => (name.endsWith('_dt') ? String(row[name] ?? '').slice(0, 10) : String(row[name] ?? '')),
  async save(row, typed) {
    const text = typed.trim()
    const wrong = check?.(text, row)
    if (wrong) throw new Error(wrong)
    const value = NUMBERS.includes(name) ? (text === '' ? null : Number(text)) : text
    const saved = await api.write('project.edit', { id: row.id, [name]: value, lock_version: row.lock_version })
    if (saved.warnings?.length) void toast(saved.warnings.join(' '))
    return saved.data
  },
})

const needed =
  (message: string): Check =>
  (text) =>
    text ? null : message
const inOrder = (start: string | null, end: string | null) =>
  start && end && start.slice(0, 10) > end.slice(0, 10) ? MESSAGES.startBeforeEnd : null
/** A family, or a project without an order, may have no order of its own. */
const goal: Check = (text, { children, goal: before }) => {
  if (!text) return MESSAGES.projectGoal
  const least = children.length || before === 0 ? 0 : 1
  return /^\d{1,8}$/.test(text) && Number(text) >= least ? null : 'Goal must be a positive whole number'
}
const whole =
  (label: string): Check =>
  (text) =>
    !text || /^\d{1,5}$/.test(text) ? null : `${label} must be a whole number`

const TYPES = ['Survey', 'Content'].map((value) => ({ value, label: value }))
const NO_PROVIDER = { value: '', label: 'None' }
const date = (at: string | null) => at && longDate(at)

/** A project's specifications, row by row; partners only for those who may see them. */
export function specificationRows(project: Project, seesPartners: boolean): EditRow<Project>[] {
  const days = daysOf(project)
  const { loi_minutes, incidence } = project
  return [
    { id: 'name', label: 'Name', shown: <bdi>{project.name}</bdi>, edit: field('name', { check: needed(MESSAGES.projectName) }) },
    { id: 'goal', label: 'Goal', shown: goalOf(project), edit: field('goal', { check: goal }) },
    {
      id: 'type',
      label: 'Type',
      shown: project.campaign_type,
      edit: field('campaign_type', { kind: 'select', options: TYPES }),
    },
    {
      id: 'start_dt',
      label: 'Start',
      shown: date(project.start_dt),
      edit: field('start_dt', {
        kind: 'date',
        check: (start, row) => (start ? inOrder(start, row.end_dt) : MESSAGES.projectStart),
      }),
    },
    {
      id: 'end_dt',
      label: 'End',
      shown: date(project.end_dt),
      edit: field('end_dt', {
        kind: 'date',
        check: (end, row) => (end ? inOrder(row.start_dt, end) : MESSAGES.projectEnd),
      }),
    },
    { id: 'days', label: 'Field time', shown: days === null ? '' : counted(days, 'day') },
    {
      id: 'loi_minutes',
      label: 'Expected length',
      shown: loi_minutes === null ? '' : `${count(loi_minutes)} min`,
      edit: field('loi_minutes', { check: whole('Length of interview') }),
    },
    {
      id: 'incidence',
      label: 'Expected incidence',
      shown: incidence === null ? '' : percent(incidence),
      edit: field('incidence', { check: whole('Incidence') }),
    },
    { id: 'cost', label: 'Cost', shown: costOf(project) },
    { id: 'quote', label: 'Quote', shown: quoteOf(project) },
    {
      id: 'partner_id',
      label: 'Reward provider',
      shown: project.reward_provider,
      edit: field('partner_id', {
        kind: 'select',
        options: [NO_PROVIDER, ...PROVIDERS.map(({ value, label }) => ({ value: String(value), label }))],
      }),
    },
    ...(seesPartners ? [{ id: 'partners', label: 'Partners', shown: partnersOf(project) }] : []),
    {
      id: 'survey_url',
      label: 'Survey URL',
      shown: project.survey_url && (
        <>
          <WebLink url={project.survey_url} className="break-all" />
          <OtherLinks links={linksApart(project, project.survey_url)} />
        </>
      ),
      edit: field('survey_url', {
        check: (text) => (!text || /^https?:\/\/\S+$/.test(text) ? null : 'Survey URL must be a web address (https://…)'),
      }),
    },
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
    {
      id: 'description',
      label: 'Description',
      shown: project.description && <Lines text={project.description} />,
      edit: field('description', { kind: 'lines' }),
    },
    {
      id: 'requirements',
      label: 'Requirements',
      shown: project.requirements && <Lines text={project.requirements} />,
      edit: field('requirements', { kind: 'lines' }),
    },
  ]
}

const Lines = ({ text }: { text: string }) => (
  <span dir="auto" className="whitespace-pre-wrap">
    {text}
  </span>
)
