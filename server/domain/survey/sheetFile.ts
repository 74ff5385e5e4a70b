import { HttpError } from '../../core/errors.ts'
import { openWorkbook, UnreadableWorkbook } from '../../core/workbook.ts'

/** More rows than any questionnaire has. */
const MOST_ROWS = 20_000

/** The cells of a workbook's first sheet as text, without empty rows; throws 422 for anything else. */
export async function sheetOf(workbook: Buffer): Promise<string[][]> {
  try {
    const book = await openWorkbook(workbook)
    const rows: string[][] = []
    for await (const { cells } of book.rows(book.sheets[0]!)) {
      rows.push(cells)
      if (rows.length > MOST_ROWS) throw new UnreadableWorkbook()
    }
    return rows
  } catch (error) {
    if (!(error instanceof UnreadableWorkbook)) throw error
    const sentence = 'The workbook can’t be read.'
    throw new HttpError(422, 'invalid', sentence, { fields: { source_file_id: sentence } })
  }
}
