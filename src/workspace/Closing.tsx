import { useAtom } from 'jotai'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { closePanes, closingAtom } from './theDesk.ts'

/** Asks before what was typed is lost. */
export function Closing() {
  const [ids, setIds] = useAtom(closingAtom)
  const answer = (sure: boolean) => {
    setIds([])
    if (sure) closePanes(ids, true)
  }
  return (
    <ConfirmDialog
      open={ids.length > 0}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
      title={ids.length > 1 ? `Close ${ids.length} tabs?` : 'Close this tab?'}
      confirm="Close without saving"
      cancel="Keep open"
      danger
    >
      Something that you typed here is not saved yet. It is lost when the tab closes.
    </ConfirmDialog>
  )
}
