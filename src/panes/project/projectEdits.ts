import type { Fields } from '../../../contract/fieldKinds.ts'
import { olderFields } from '../../../contract/olderFields.ts'
import { storedFields } from '../../../contract/projectFields.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { toast } from '../../runner/toast.tsx'

/** Says what was saved anyway. */
export const warnOf = ({ warnings = [] }: { warnings?: string[] | undefined }) => {
  if (warnings.length) void toast(warnings.join(' '))
}
/** Edits a project's fields in a list's cells, by their names in either spelling. */
export const projectEdits = {
  project: editsOf('project', storedFields as Fields, warnOf),
  campaign: editsOf('campaign', olderFields(storedFields) as Fields, warnOf),
}
