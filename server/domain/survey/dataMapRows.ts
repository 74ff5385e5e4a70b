import { isUtf8 } from 'node:buffer'
import { losesDigits } from '../../../contract/exactNumber.ts'
import { QUESTION_LIMITS } from '../../../contract/questionRules.ts'
import { columnsOf, draftsOf, rowsOf, type SheetRow } from '../../../contract/questionSheet.ts'
import { HttpError } from '../../core/errors.ts'
import { NotATable, openTable } from '../../core/tableFile.ts'
import type { TableLine } from '../../core/tableLine.ts'

/** A data map that can't be read, with the reason as a sentence. */
export const refuseMap = (sentence: string) => new HttpError(422, 'invalid', sentence, { fields: { source_file_id: sentence } })

function textOf(value: unknown): string | undefined {
  if (losesDigits(value)) throw refuseMap(`The data map has a number of more than 15 digits. Write it as text.`)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** The rows of a JSON data map: a list, or an object with `questions`. */
export function rowsOfJson(text: string): SheetRow[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw refuseMap('The data map isn’t valid JSON.')
  }
  const list = Array.isArray(read) ? read : (read as { questions?: unknown } | null)?.questions
  if (!Array.isArray(list)) throw refuseMap('The data map has no list of questions.')
  return list.map((one: unknown) => {
    const row = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
    const answers = row.options ?? row.answers ?? row.values
    const labels = Array.isArray(answers)
      ? answers.map((answer: unknown) => textOf((answer as { label?: unknown } | null)?.label) ?? textOf(answer) ?? '')
      : textOf(answers)
    return {
      name: textOf(row.name ?? row.text ?? row.title ?? row.question),
      answer_type: textOf(row.answer_type ?? row.type),
      question_type: textOf(row.question_type ?? row.section),
      options: labels,
      vendor_key: textOf(row.vendor_key ?? row.key ?? row.variable ?? row.id),
    }
  })
}

/** More lines than any questionnaire has. */
const MOST_LINES = 20_000
/** Lines among which the headings are sought. */
const TOP = 20

/** The lines of a data map, without titles above its headings; throws 422 for a line that can't be told apart. */
async function linesOfFile(content: Buffer, name: string, workbook: boolean): Promise<TableLine[]> {
  const lines: TableLine[] = []
  try {
    const { rows } = await openTable(content, { workbook })
    for await (const line of rows()) {
      const whole = line.faults?.find(({ at }) => at < 0)
      if (whole) throw refuseMap(`“${name}”, line ${line.line}: ${whole.message}.`)
      if (lines.push(line) > MOST_LINES) throw refuseMap(`“${name}” has more than 20,000 lines.`)
    }
  } catch (error) {
    throw error instanceof NotATable ? refuseMap(workbook ? 'The workbook can’t be read.' : `“${name}” can’t be read.`) : error
  }
  const filled = ({ cells }: TableLine) => cells.filter((cell) => cell.trim()).length
  const top = lines.slice(0, TOP).findIndex(({ cells }) => columnsOf([cells]).headed)
  return top > 0 && lines.slice(0, top).every((line) => filled(line) < filled(lines[top]!)) ? lines.slice(top) : lines
}

/** The rows of a data map: CSV, XLSX or JSON by its name and content; throws 422 for anything else. */
async function dataMapRows(content: Buffer, name: string): Promise<SheetRow[]> {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (extension !== 'xlsx' && !isUtf8(content)) {
    const line =
      content
        .toString('utf8')
        .split('\n')
        .findIndex((one) => one.includes('\ufffd')) + 1
    throw refuseMap(`“${name}”, line ${line}, is not UTF-8. Save the data map as UTF-8.`)
  }
  if (extension === 'json' || (extension === 'txt' && /^\uFEFF?\s*[[{]/.test(content.toString('utf8', 0, 100))))
    return rowsOfJson(content.toString('utf8').replace(/^\uFEFF/, ''))
  if (extension !== 'csv' && extension !== 'txt' && extension !== 'xlsx')
    throw refuseMap(`“${name}” isn’t a data map. Choose a CSV, XLSX or JSON file.`)
  const lines = await linesOfFile(content, name, extension === 'xlsx')
  const grid = lines.map(({ cells }) => cells)
  const { columns, headed } = columnsOf(grid)
  for (const { line, faults = [] } of lines) {
    // What is wrong in a column that isn't taken is nobody's error.
    const fault = faults.find(({ at }) => columns[at])
    if (fault) throw refuseMap(`“${name}”, line ${line}: A cell ${fault.message}.`)
  }
  return rowsOf(grid, columns, headed)
}

/** The questions of a data map; throws 422 with what is wrong with it. */
export async function dataMapQuestions(content: Buffer, name: string): Promise<ReturnType<typeof draftsOf>['drafts']> {
  const rows = await dataMapRows(content, name)
  if (rows.length > QUESTION_LIMITS.rows) throw refuseMap(`The data map has more than ${QUESTION_LIMITS.rows} questions.`)
  const { drafts, errors } = draftsOf(rows)
  const [fault] = errors
  if (fault)
    throw refuseMap(`“${name}”, row ${fault.row}: ${fault.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}`)
  if (!drafts.length) throw refuseMap(`“${name}” has no questions.`)
  return drafts
}
