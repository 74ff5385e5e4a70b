import { QUESTION_LIMITS } from '../../../../contract/questionRules.ts'
import { draftsOf } from '../../../../contract/questionSheet.ts'
import { readOnce, Unreadable } from '../../../core/readers.ts'
import { refuseMap } from '../dataMapRows.ts'
import type { SurveyVendor } from '../vendor.ts'

/** The largest data map in bytes; a questionnaire of 500 questions takes a hundredth of it. */
const LARGEST = 5 * 1024 * 1024

/** Reads the data map file of any survey: CSV, XLSX or JSON. */
export const dataMap: SurveyVendor = {
  name: '',
  async questions({ db, files, readers }, { source_file_id }) {
    const file =
      source_file_id === null
        ? undefined
        : await db
            .selectFrom('files')
            .select(['original_name', 'storage_key'])
            .where('id', '=', source_file_id)
            .executeTakeFirst()
    if (!file) return null
    if (((await files.size(file.storage_key)) ?? 0) > LARGEST) throw refuseMap('The data map is larger than 5 MB.')
    const rows = await readOnce(readers, 'questions', file.storage_key, { name: file.original_name }).catch((error: unknown) => {
      throw error instanceof Unreadable ? refuseMap(`“${file.original_name}” can’t be read: ${error.message}.`) : error
    })
    if (rows.length > QUESTION_LIMITS.rows) throw refuseMap(`The data map has more than ${QUESTION_LIMITS.rows} questions.`)
    const { drafts, errors } = draftsOf(rows)
    const [fault] = errors
    if (fault)
      throw refuseMap(
        `“${file.original_name}”, row ${fault.row}: ${fault.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}`,
      )
    if (!drafts.length) throw refuseMap(`“${file.original_name}” has no questions.`)
    return { name: file.original_name, questions: drafts }
  },
}
