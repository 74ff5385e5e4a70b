import { ApiError } from '../../data/api.ts'
import { Clash } from '../../ui/clash.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { postUndo } from '../runner/undo.ts'
import { saveCell } from './gridColumns.tsx'

/** Lets Ctrl/⌘+Z take an edit in place back. What others have done to other fields since stays; of this one theirs stays, and it is said. */
export function undoCell<Row>(edit: NonNullable<Column<Row>['edit']>, left: Row, before: string, value: string): void {
  // What may not be blank can't be made blank again.
  if (!before) return
  postUndo(`“${before}” became “${value}”`, {
    label: 'Undo',
    run: () =>
      saveCell(edit, left, before).catch((error: unknown) => {
        if (error instanceof Clash) throw new ApiError(409, 'stale', `Somebody else has changed it to “${error.theirs}” since.`)
        throw error
      }),
  })
}
