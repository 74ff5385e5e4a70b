import { useAtomValue } from 'jotai'
import { History, X } from 'lucide-react'
import { panesOf } from '../routing/layout.ts'
import { shortcutsAtom } from '../runner/shortcuts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { declineRestore, restorableAtom, restoreMine } from '../workspace/navigation.ts'
import { dirtyAmong } from '../workspace/unsavedChanges.ts'
import { narrowAtom } from '../workspace/workspaceState.ts'

/** Offers to restore the panes that a link or a new visit replaced; in the tab strip, or as an icon if narrow. */
export function RestoreChip() {
  const mine = useAtomValue(restorableAtom)
  const narrow = useAtomValue(narrowAtom)
  const keys = useAtomValue(shortcutsAtom)['pane.restore']
  if (!mine?.offered) return null
  const panes = panesOf(mine.layout)
  const typed = dirtyAmong(panes.map(({ id }) => id)).length > 0
  const what = `The ${panes.length === 1 ? 'screen' : `${panes.length} screens`} you had open before ${panes.length === 1 ? 'is' : 'are'} kept${typed ? ', with what you typed' : ''}.`
  if (narrow)
    return (
      <IconButton label="Restore my panes" title={what} data-command="pane.restore" onClick={restoreMine}>
        <History size={16} aria-hidden="true" />
      </IconButton>
    )
  return (
    <span className="flex shrink-0 items-center gap-0.5 border-b border-line bg-ground px-1.5" title={what}>
      <span role="status" className="sr-only">
        {what}
      </span>
      <Button
        className="h-6!"
        kbd={keys}
        data-command="pane.restore"
        icon={<History size={14} aria-hidden="true" />}
        onClick={restoreMine}
      >
        Restore my panes
      </Button>
      <IconButton label="Don’t restore" className="size-6!" data-view="" onClick={declineRestore}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </span>
  )
}
