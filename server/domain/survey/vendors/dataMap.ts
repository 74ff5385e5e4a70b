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
    const drafts = await readOnce(readers, 'questions', file.storage_key, { name: file.original_name }).catch(
      (error: unknown) => {
        throw error instanceof Unreadable ? refuseMap(`“${file.original_name}” can’t be read: ${error.message}.`) : error
      },
    )
    return { name: file.original_name, questions: [...drafts] }
  },
}
