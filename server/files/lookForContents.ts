import { count } from '../../contract/format.ts'
import type { Services } from '../core/context.ts'
import { contentSamples, filesLeft } from '../domain/file/fileRows.ts'

/**
 * Looks whether the store has the contents of a sample of files, old and new ones, and notes how many it lacks.
 * A wrong FILES_URL or DATA_DIR shows at once; `npm run verify` looks at all.
 */
export async function lookForContents({ database, files, contents, log }: Services): Promise<void> {
  const lacking: number[] = []
  const rows = await contentSamples(database)
  for (const { id, storage_key } of rows) if ((await files.size(storage_key)) === null) lacking.push(id)
  // An expired export loses its row before its content.
  const left = await filesLeft(database, lacking)
  const missing = left.length
  if (missing && missing !== contents.missing)
    log.error(
      `the file store lacks the contents of ${count(missing)} of ${count(rows.length)} files that were looked for, first file ${left[0]}: do FILES_URL and DATA_DIR lead to the right store? npm run verify looks for all`,
    )
  Object.assign(contents, { looked: rows.length, missing })
}
