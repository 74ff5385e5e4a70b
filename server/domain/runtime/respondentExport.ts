import { minutesOf } from '../../../contract/interview.ts'
import { knownPosition } from '../../../contract/position.ts'
import {
  agesOf,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  OUTCOMES,
  type Term,
} from '../../../contract/vocabulary.ts'
import type { Cell } from '../../core/csv.ts'
import type { Db } from '../../db/connect.ts'
import { type AnswerColumn, answerColumns } from '../responses/answerCells.ts'
import { TOTAL, unpackCell } from './cells.ts'

const PAGE = 1000
const PLAIN = [
  'Respondent',
  'Survey',
  'Outcome',
  'Time (UTC)',
  'Age',
  'Gender',
  'Household income',
  'Ethnicity',
  'Marital status',
  'Children',
  'DMA',
  'Minutes',
  'Interview (minutes)',
  'Noticed',
] as const
/** TABLE  columns whose cells in a workbook aren't what they look like. */
const KINDS: Partial<Record<(typeof PLAIN)[number], 'text' | 'moment'>> = { Respondent: 'text', 'Time (UTC)': 'moment' }
/** Personal data, for administrators only (decisions.md 6). */
const PERSONAL = ['Latitude', 'Longitude', 'Email hash', 'IP', 'Fraud flag'] as const

export interface ResponseExport {
  /** The number of respondents. */
  count: number
  columns: string[]
  kinds: ('plain' | 'text' | 'number' | 'moment')[]
  /** Pages of rows by survey and respondent, each with the key to resume from; starts after `from`. */
  pages(from?: string): AsyncGenerator<{ rows: Cell[][]; next: string }>
}

/**
 * Exports the respondents of projects the caller has checked, a column for each question.
 * `personal` adds what only administrators see; `apart` a column for each option of several answers.
 */
export async function openResponseExport(
  db: Db,
  projectIds: readonly number[],
  { personal, apart }: { personal: boolean; apart: boolean },
): Promise<ResponseExport> {
  const surveys = await db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .select(['surveys.id', 'surveys.name', 'projects.generation'])
    // Includes deleted surveys, whose respondents were delivered and count in the Overview.
    .where('surveys.project_id', 'in', projectIds.length ? projectIds : [0])
    .orderBy('surveys.id')
    .execute()
  const ids = surveys.length ? surveys.map((survey) => survey.id) : [0]
  const questions = await db
    .selectFrom('questions')
    .select(['id', 'name', 'answer_type', 'options'])
    .where('survey_id', 'in', ids)
    .orderBy('survey_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const answered = questions.flatMap(({ id, name, answer_type, options }) => {
    const offered = (JSON.parse(options) as unknown[]).map(String)
    return answerColumns({ name, answer_type, offered }, apart).map((column) => ({ id, ...column }))
  })
  const counted = await db
    .selectFrom('demo_cells')
    .select((eb) => [
      eb.fn.sum<number>('completes').as('a'),
      eb.fn.sum<number>('terminates').as('b'),
      eb.fn.sum<number>('overquota').as('c'),
      eb.fn.sum<number>('partials').as('d'),
    ])
    .where('survey_id', 'in', ids)
    .where('cell', '=', TOTAL)
    .executeTakeFirst()
  return {
    count: Number(counted?.a ?? 0) + Number(counted?.b ?? 0) + Number(counted?.c ?? 0) + Number(counted?.d ?? 0),
    columns: [...PLAIN, ...(personal ? PERSONAL : []), ...answered.map(({ heading }) => heading)],
    kinds: [
      ...PLAIN.map((name) => KINDS[name] ?? 'plain'),
      ...(personal ? PERSONAL.map(() => 'plain' as const) : []),
      ...answered.map(({ isNumber }) => (isNumber ? ('number' as const) : ('text' as const))),
    ],
    async *pages(from) {
      let [start, after] = from ? (JSON.parse(from) as [number, string]) : [0, '']
      for (const survey of surveys) {
        if (survey.id < start) continue
        if (survey.id > start) [start, after] = [survey.id, '']
        for (;;) {
          const page = await db
            .selectFrom('respondents')
            .select(READ)
            .where('survey_id', '=', survey.id)
            .where('respondent_id', '>', after)
            .orderBy('respondent_id')
            .limit(PAGE)
            .execute()
          if (!page.length) break
          after = page.at(-1)!.respondent_id
          yield {
            rows: page.map((row) => rowOf(row, survey, answered, personal)),
            next: JSON.stringify([survey.id, after]),
          }
          if (page.length < PAGE) break
        }
      }
    },
  }
}

/** The columns that the export reads; each one adds to the cost of a row. */
const READ = [
  ...(['respondent_id', 'outcome', 'at', 'started_at', 'cell', 'marital', 'children', 'latitude', 'longitude', 'dma'] as const),
  ...(['dwell', 'notice', 'answers', 'email_hash', 'ip', 'fraud'] as const),
] as const

interface Stored {
  respondent_id: string
  outcome: string
  at: string
  started_at: string | null
  cell: number
  marital: number
  children: number
  latitude: number | null
  longitude: number | null
  dma: number | null
  dwell: number | null
  notice: number | null
  answers: string
  email_hash: string
  ip: string
  fraud: number
}

type Answered = Pick<AnswerColumn, 'textOf'> & { id: number }
function rowOf(
  row: Stored,
  survey: { name: string; generation: string },
  answered: readonly Answered[],
  personal: boolean,
): Cell[] {
  const who = unpackCell(row.cell)
  const position = knownPosition(row)
  const word = (terms: readonly Term[], value: unknown) => labelOf(terms, value, '')
  const answers = row.answers ? (JSON.parse(row.answers) as Record<string, unknown>) : {}
  return [
    row.respondent_id,
    survey.name,
    word(OUTCOMES, row.outcome),
    row.at,
    word(agesOf(survey.generation), who.age),
    word(GENDERS, GENDERS[who.gender - 1]?.value),
    word(INCOMES, who.hhi),
    word(ETHNICITIES, ETHNICITIES[who.ethnicity - 1]?.value),
    MARITAL[row.marital]?.label ?? '',
    word(CHILDREN, row.children),
    row.dma,
    row.dwell,
    minutesOf(row),
    row.notice === null ? '' : row.notice === 1 ? 'yes' : 'no',
    ...(personal
      ? [position?.latitude ?? null, position?.longitude ?? null, row.email_hash, row.ip, row.fraud === 1 ? 'yes' : '']
      : []),
    ...answered.map(({ id, textOf }) => textOf(textsOf(answers[id]))),
  ]
}

const textsOf = (answer: unknown): string[] => (answer === undefined || answer === null ? [] : [answer].flat().map(String))
