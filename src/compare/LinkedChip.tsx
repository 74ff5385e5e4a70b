import { useAtomValue } from 'jotai'
import { Link2 } from 'lucide-react'
import { start } from '../runner/lazyRunner.ts'
import { useKeys } from '../runner/useCommands.ts'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import { comparisonAtom } from '../workspace/compareRole.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** Shows in the status line that columns are linked, and unlinks them on click. */
export function LinkedChip() {
  const columns = useAtomValue(layoutAtom).columns.length
  const members = useAtomValue(comparisonAtom)?.members.length ?? 0
  const keys = useKeys()('compare.unlink')
  const words = members === columns ? `${columns} columns` : `${members} of ${columns} columns`
  return (
    <button
      type="button"
      data-command="compare.unlink"
      aria-keyshortcuts={ariaKeys(keys)}
      title="Unlink the columns"
      onClick={() => start('compare.unlink', { via: 'button' })}
      className="flex shrink-0 items-center gap-1.5 rounded-sm text-accent-ink -outline-offset-2 hover:underline"
    >
      <Link2 size={12} aria-hidden="true" />
      Linked: {members ? words : 'nothing to compare'}
      <span className="sr-only">. Unlink</span>
      {keys && <Kbd mute keys={keys} className="leading-[14px]! max-sm:hidden" />}
    </button>
  )
}
