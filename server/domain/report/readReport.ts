import type { Selectable } from 'kysely'
import { nameKey } from '../../../contract/foldText.ts'
import type { ReportColumn } from '../../../contract/report.ts'
import type { Db } from '../../db/connect.ts'
import type { QuestionTable, ReportColumnTable } from '../../db/schema.ts'
import type { ReportQuestion } from './values.ts'
import { OWN_COLUMNS } from './values.ts'

/** The columns of a question that a report needs. */
export type Question = Pick<Selectable<QuestionTable>, 'id' | 'survey_id' | 'name' | 'question_type' | 'options'> & {
  retired_at?: string | null
}
/** A stored column, or a default one of a project without saved ones (id and lock 0). */
export type Column = Omit<Selectable<ReportColumnTable>, 'created_at' | 'updated_at'>

/** A project's report: its surveys, its questions, and its columns in order. */
export interface Report {
  project_id: number
  /** Surveys of the project and its children, including deleted ones, whose respondents were delivered. */
  surveys: number[]
  saved: boolean
  columns: Column[]
  /** The question of each column by id, with the ids under which its answers are stored. */
  questions: ReadonlyMap<number, Question>
  byColumn: ReadonlyMap<number, ReportQuestion>
  /** Questions without a column. */
  missing: Question[]
}

/** Reads a project's report; `parts` are the ids of its family. */
export async function readReport(db: Db, project_id: number, parts: readonly number[]): Promise<Report> {
  const surveys = (
    await db
      .selectFrom('surveys')
      .select('id')
      .where('project_id', 'in', parts.length ? parts : [0])
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)
  const [questions, stored] = await Promise.all([
    db
      .selectFrom('questions')
      .selectAll()
      .where('survey_id', 'in', surveys.length ? surveys : [0])
      .orderBy('survey_id')
      .orderBy('position')
      .orderBy('id')
      .execute() as Promise<Question[]>,
    db.selectFrom('report_columns').selectAll().where('project_id', '=', project_id).orderBy('position').orderBy('id').execute(),
  ])
  const alike = groupAlike(questions)
  const firsts = [...new Set(alike.values())]
  const byColumn = new Map(
    questions.map((question) => {
      const group = alike.get(question.id)!
      return [question.id, { ids: [question.id, ...group.ids.filter((id) => id !== question.id)], offered: group.offered }]
    }),
  )
  const saved = stored.length > 0
  const columns = saved ? stored : usualColumns(project_id, firsts)
  const taken = new Set(columns.flatMap(({ question_id }) => (question_id === null ? [] : (alike.get(question_id) ?? []))))
  const missing = firsts.filter((group) => !taken.has(group)).map(({ question }) => question)
  return { project_id, surveys, saved, columns, questions: new Map(questions.map((one) => [one.id, one])), byColumn, missing }
}

interface Group {
  question: Question
  ids: number[]
  offered: ReadonlySet<string>
}

/** Groups questions of a family with the same text, type and options into one column, like the charts. */
function groupAlike(questions: readonly Question[]): Map<number, Group> {
  const groups = new Map<string, Group>()
  const alike = new Map<number, Group>()
  const nth = new Map<string, number>()
  for (const question of questions) {
    const text = JSON.stringify([question.name, question.question_type, question.options])
    // Two like questions of the same survey stay separate.
    const inSurvey = `${question.survey_id} ${text}`
    const time = (nth.get(inSurvey) ?? 0) + 1
    nth.set(inSurvey, time)
    const key = `${time} ${text}`
    const group = groups.get(key) ?? {
      question,
      ids: [],
      offered: new Set((JSON.parse(question.options) as unknown[]).map(String)),
    }
    groups.set(key, group)
    group.ids.push(question.id)
    alike.set(question.id, group)
  }
  return alike
}

/** The key of a question's column. */
const keyOf = (question_id: number): string => `q_${question_id}`

/** The default columns for these questions, in their order. */
export const columnsAtFirst = (project_id: number, questions: readonly Question[]): Column[] =>
  usualColumns(project_id, [...new Set(groupAlike(questions).values())])

/** The default columns of a report: dates, place, the questionnaire, and demographics, which aren't included. */
function usualColumns(project_id: number, groups: readonly Group[]): Column[] {
  const named = nameGiver()
  const own = (extra: boolean) =>
    OWN_COLUMNS.filter((column) => (column.extra ?? false) === extra).map((column) => ({
      survey_id: null,
      question_id: null,
      column_key: column.key,
      column_name: named(column.name),
      column_type: column.type || null,
      should_include: extra ? 0 : 1,
    }))
  const questionColumns = () => groups.map(({ question }) => ofQuestion(question, named))
  return [...own(false), ...questionColumns(), ...own(true)].map((column, at) => ({
    id: 0,
    project_id,
    column_custom_definition: '',
    lock_version: 0,
    position: at + 1,
    ...column,
  }))
}

/** The initial column of a question. */
export const ofQuestion = (question: Question, named: (name: string) => string) => ({
  survey_id: question.survey_id,
  question_id: question.id,
  column_key: keyOf(question.id),
  column_name: named(question.name),
  column_type: null,
  should_include: question.retired_at ? 0 : 1,
})

/** Makes names unique: a second "Age" becomes "Age (2)". */
export function nameGiver(taken: Iterable<string> = []): (name: string) => string {
  const known = new Set([...taken].map(nameKey))
  return (name) => {
    const short = name.slice(0, 480)
    for (let nth = 1; ; nth++) {
      const tried = nth === 1 ? short : `${short} (${nth})`
      if (known.has(nameKey(tried))) continue
      known.add(nameKey(tried))
      return tried
    }
  }
}

/** A column as its list returns it, without examples. */
export function columnRead(report: Report, column: Column): Omit<ReportColumn, 'examples' | 'misfits'> {
  const question = column.question_id === null ? undefined : report.questions.get(column.question_id)
  const own = OWN_COLUMNS.find(({ key }) => key === column.column_key)
  return {
    id: column.id || null,
    project_id: column.project_id,
    survey_id: column.survey_id,
    question_id: column.question_id,
    question_def: question?.name ?? own?.definition ?? '',
    question_type: question?.question_type ?? '',
    column_key: column.column_key,
    column_name: column.column_name,
    column_type: column.column_type ?? '',
    column_custom_definition: column.column_custom_definition,
    should_include: column.should_include,
    order: column.position,
    gone: column.question_id !== null && (!question || Boolean(question.retired_at)),
    lock_version: column.lock_version,
  }
}
