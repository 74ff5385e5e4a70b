import { useAtom } from 'jotai'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { unsavedChangesAtom } from '../workspace/unsavedChanges.ts'

/** Asks before unsaved changes are lost: when tabs close, or a pane shows another screen. */
export function UnsavedChangesDialog() {
  const [pending, setPending] = useAtom(unsavedChangesAtom)
  const closing = pending?.closing ?? true
  const many = (pending?.ids.length ?? 0) > 1
  return (
    <ConfirmDialog
      open={pending !== null}
      onClose={() => setPending(null)}
      onConfirm={() => {
        setPending(null)
        pending?.go()
      }}
      title={!closing ? 'Leave this screen?' : many ? `Close ${pending?.ids.length} tabs?` : 'Close this tab?'}
      confirm={closing ? 'Close without saving' : 'Leave without saving'}
      cancel={closing ? 'Keep open' : 'Stay'}
      danger
    >
      You have unsaved changes here. They’re lost when {closing ? 'the tab closes' : 'this pane shows another screen'}.
    </ConfirmDialog>
  )
}
