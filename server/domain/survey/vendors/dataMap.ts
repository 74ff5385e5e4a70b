import type { Readable } from 'node:stream'
import { QUESTION_LIMITS } from '../../../../contract/questionRules.ts'
import { columnsOf, draftsOf, gridOf, rowsOf, type SheetRow } from '../../../../contract/questionSheet.ts'
import { HttpError } from '../../../core/errors.ts'
import { sheetOf } from '../sheetFile.ts'
import type { SurveyVendor } from '../vendor.ts'

/** The largest data map in bytes; a questionnaire of 500 questions takes a hundredth of it. */
const LARGEST = 5 * 1024 * 1024
const refuse = (sentence: string) => new HttpError(422, 'invalid', sentence, { fields: { source_file_id: sentence } })

async function contentOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST) throw refuse('The data map is larger than 5 MB.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** The rows of a JSON data map: a list, or an object with `questions`. */
export function rowsOfJson(text: string): SheetRow[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw refuse('The data map isn’t valid JSON.')
  }
  const list = Array.isArray(read) ? read : (read as { questions?: unknown } | null)?.questions
  if (!Array.isArray(list)) throw refuse('The data map has no list of questions.')
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

/** Reads the data map file of any survey: CSV, XLSX or JSON. */
export const dataMap: SurveyVendor = {
  name: '',
  async questions({ db, files }, { source_file_id }) {
    const file =
      source_file_id === null
        ? undefined
        : await db
            .selectFrom('files')
            .select(['original_name', 'storage_key'])
            .where('id', '=', source_file_id)
            .executeTakeFirst()
    if (!file) return null
    const content = await contentOf(await files.read(file.storage_key))
    const extension = /\.(\w+)$/.exec(file.original_name)?.[1]?.toLowerCase()
    let rows: SheetRow[]
    if (extension === 'json' || (extension === 'txt' && /^\uFEFF?\s*[[{]/.test(content.toString('utf8', 0, 100))))
      rows = rowsOfJson(content.toString('utf8').replace(/^\uFEFF/, ''))
    else if (extension === 'csv' || extension === 'txt' || extension === 'xlsx') {
      const grid = extension === 'xlsx' ? await sheetOf(content) : gridOf(content.toString('utf8'))
      const { columns, headed } = columnsOf(grid)
      rows = rowsOf(grid, columns, headed)
    } else throw refuse(`“${file.original_name}” isn’t a data map. Choose a CSV, XLSX or JSON file.`)
    if (rows.length > QUESTION_LIMITS.rows) throw refuse(`The data map has more than ${QUESTION_LIMITS.rows} questions.`)
    const { drafts, errors } = draftsOf(rows)
    const [fault] = errors
    if (fault)
      throw refuse(
        `“${file.original_name}”, row ${fault.row}: ${fault.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}`,
      )
    if (!drafts.length) throw refuse(`“${file.original_name}” has no questions.`)
    return { name: file.original_name, questions: drafts }
  },
}
