import type { TemplateColumn } from '../../../contract/report.ts'
import { columnsAtFirst } from '../../domain/report/readReport.ts'
import { OWN_COLUMNS } from '../../domain/report/values.ts'
import { questionRows } from '../demoRows.ts'
import { WITH_RESULTS } from '../families.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { rowOf } from '../rowDefaults.ts'

/** Client reports: saved columns of 24 projects in 180, and three templates for every client. */
export const report = demoNoun({
  tables: ['report_columns', 'report_templates'],
  after: ['question', 'client'],
  example: (nth) => ({
    survey_id: null,
    question_id: null,
    column_key: `column_${nth}`,
    column_name: `Column ${nth}`,
    column_type: null,
    column_custom_definition: '',
    should_include: 1,
    position: nth,
  }),
})

/** The most columns of a saved report; Refresh finds the rest. */
const MOST = 60

const chosen = new WeakMap<Market, ReadonlySet<number>>()
/** Projects with a saved report: the newest with results, without children. */
function reported(market: Market): ReadonlySet<number> {
  const known = chosen.get(market)
  if (known) return known
  const count = Math.max(1, Math.round((market.amounts.project * 24) / 180))
  const alone = (plan: Market['plans'][number]) => plan.generation === 'project' && plan.parent === null && !plan.hasChildren
  const fit = market.plans.filter((plan) => WITH_RESULTS.has(plan.status))
  const ids = new Set([...fit.filter((plan) => !alone(plan)), ...fit.filter(alone)].slice(-count).map(({ id }) => id))
  chosen.set(market, ids)
  return ids
}

const own = (included: (key: string) => boolean): TemplateColumn[] =>
  OWN_COLUMNS.map(({ key, name, type }) => ({
    column_key: key,
    question_def: '',
    column_name: name,
    column_type: type,
    column_custom_definition: '',
    should_include: included(key) ? 1 : 0,
  }))
const PLACE = new Set(['record', 'end_date', 'interview_time', 'lat_long', 'market_area'])
const TEMPLATES: readonly [name: string, columns: TemplateColumn[]][] = [
  ['Standard client report', own((key) => !OWN_COLUMNS.find((column) => column.key === key)?.extra)],
  ['Raw data with demographics', own(() => true)],
  ['Store visit', own((key) => PLACE.has(key))],
]

export const rows: NounRows<'report_columns' | 'report_templates'> = {
  rows: (random, { calendar }) => ({
    report_templates: TEMPLATES.map(([name, columns]) =>
      rowOf('report_templates', calendar.office(random, calendar.today), {
        name,
        client_id: null,
        columns: JSON.stringify(columns),
      }),
    ),
  }),
  ofProject(random, market, draft) {
    if (!reported(market).has(draft.plan.id)) return { report_columns: [] }
    const questions = questionRows(draft).map(({ id, ...question }) => ({ id: id!, ...question }))
    return {
      report_columns: columnsAtFirst(draft.plan.id, questions)
        .slice(0, MOST)
        .map(({ id: _, lock_version: __, ...column }) =>
          rowOf('report_columns', draft.created, {
            ...column,
            should_include: column.question_id !== null && random.chance(0.1) ? 0 : column.should_include,
            column_custom_definition: column.question_id !== null && random.chance(0.1) ? 'As agreed with the client' : '',
          }),
        ),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly report: typeof report
  }
}
