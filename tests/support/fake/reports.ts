import type { Output } from '../../../contract/calls.ts'
import type { ReportColumn, ReportTemplate, SentColumn } from '../../../contract/report.ts'
import { placed } from '../../../contract/reportColumns.ts'

type Landing = Output<'landing.get'>['data']
type Audience = Output<'audience.get'>['data']
/** The client report, landing page and channels of every project. */
export interface FakeReports {
  columns: ReportColumn[]
  saved: boolean
  templates: ReportTemplate[]
  landing: Omit<Landing, 'cid' | 'project_id' | 'project_name'>
  /** The reason a landing page can’t be saved, if it is set to fail. */
  away?: string
  audience: Omit<Audience, 'project_id' | 'project_name' | 'rows'>
}

const ASKED = ['How often do you eat snacks?', 'Which brands do you know?', 'What is your ZIP code?']
const ALLOWED = { allowed_actions: [], refused_actions: {} }

const column = (order: number, given: Partial<ReportColumn> & { column_key: string; column_name: string }): ReportColumn => ({
  id: order,
  project_id: 0,
  survey_id: null,
  question_id: null,
  question_def: given.column_name,
  question_type: '',
  column_type: '',
  column_custom_definition: '',
  should_include: 1,
  order,
  examples: ['One', 'Two'],
  misfits: [],
  gone: false,
  lock_version: 1,
  ...given,
})

/** A saved report of two own columns and three questions, a template, and no landing page. */
export const newReports = (): FakeReports => ({
  columns: [
    column(1, { column_key: 'record', column_name: 'Record', column_type: 'record' }),
    column(2, { column_key: 'end_date', column_name: 'End date', column_type: 'end_date' }),
    ...ASKED.map((name, at) =>
      column(at + 3, {
        column_key: `q_${at + 1}`,
        column_name: name,
        question_id: at + 1,
        survey_id: 1,
        question_type: 'survey',
      }),
    ),
  ],
  saved: true,
  templates: [
    {
      id: 1,
      name: 'Standard client report',
      client_id: null,
      client_name: '',
      columns: [
        {
          column_key: 'record',
          question_def: '',
          column_name: 'Respondent',
          column_type: 'record',
          column_custom_definition: '',
          should_include: 1,
        },
      ],
      created_at: '2026-01-05T09:00:00.000Z',
      lock_version: 1,
      ...ALLOWED,
    },
  ],
  landing: {
    survey_url: '',
    facebook_q1_text: { question: '' },
    fulcrum_q1_text: { question: '' },
    facebook_disqualify_text: '',
    fulcrum_disqualify_text: '',
    facebook_landing_url: '',
    fulcrum_landing_url: '',
    project_survey_url: 'https://survey.test/own',
    in_field: false,
    lock_version: 0,
    ...ALLOWED,
  },
  audience: { in_field: false, facebook_active: 1, fulcrum_active: 0, active: 1, lock_version: 1, ...ALLOWED },
})

/** The sent columns that somebody else has changed since. */
export function staleRows({ columns }: FakeReports, sent: readonly SentColumn[]) {
  return sent.flatMap(({ column_key, lock_version, ...mine }) => {
    const theirs = columns.find((one) => one.column_key === column_key)
    if (!theirs || lock_version === undefined || lock_version === null || theirs.lock_version === lock_version) return []
    return [{ column_key, theirs, mine, clashes: Object.keys(mine).filter((field) => field !== 'lock_version') }]
  })
}

/** Saves columns like the server: fields first, then positions. */
export function saveColumns(reports: FakeReports, sent: readonly SentColumn[]): ReportColumn[] {
  const wanted = new Map<ReportColumn, number>()
  const changed = sent.flatMap(({ column_key, order, column_name, column_type, column_custom_definition, should_include }) => {
    const found = reports.columns.find((one) => one.column_key === column_key)
    if (!found) return []
    if (order) wanted.set(found, order)
    if (column_name !== undefined) found.column_name = column_name
    if (column_type !== undefined) found.column_type = column_type
    if (column_custom_definition !== undefined) found.column_custom_definition = column_custom_definition
    if (should_include !== undefined) found.should_include = Number(should_include)
    found.lock_version++
    return [found]
  })
  reports.columns = placed(reports.columns, wanted)
  for (const [at, one] of reports.columns.entries()) one.order = at + 1
  return changed
}

/** The rows of the Audience tab. */
export function audienceOf({ audience }: FakeReports, project: { id: number; name: string }): Audience {
  const row = (field: 'facebook_active' | 'fulcrum_active' | 'active', name: string) => ({
    field,
    name,
    active: audience[field],
    changed_at: null,
    changed_by_name: '',
    running_offers: field === 'fulcrum_active' ? 0 : 2,
    landing_ready: true,
  })
  return {
    ...audience,
    project_id: project.id,
    project_name: project.name,
    rows: [row('facebook_active', 'Facebook'), row('fulcrum_active', 'Fulcrum'), row('active', 'Audience as a whole')],
  }
}
