import { useAtomValue } from 'jotai'
import { commandOf, isCommandId } from '../../commands/table.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { useDelayed } from '../../ui/useDelayed.ts'
import { commandIdsAtom } from '../areasAtom.ts'
import { pendingAtom } from '../runnerState.ts'
import { isMac, shownAs } from './keyReading.ts'

/** Shows what can follow the keys pressed so far, after a short pause (workspace.md, Keys). */
export function KeyStrip() {
  const pending = useAtomValue(pendingAtom)
  useAtomValue(commandIdsAtom)
  const late = useDelayed(pending !== null, 200)
  return (
    <div role="status" aria-label="Keys that can follow" className="pointer-events-none fixed inset-x-0 bottom-status z-30">
      {pending && late && (
        <div className="flex max-h-[40vh] flex-wrap items-center gap-x-5 gap-y-1.5 overflow-hidden border-t border-edge bg-raised px-4 py-2 shadow-float">
          <Kbd keys={shownAs(pending.keys.join(' '), isMac)} />
          {[...pending.next]
            .flatMap(([keys, id]) => (isCommandId(id) ? [[keys, id] as const] : []))
            .map(([keys, id]) => (
              <span key={keys} className="flex items-center gap-1.5">
                <Kbd keys={shownAs(keys, isMac)} plain />
                <span>{commandOf(id).title.replace(/…$/, '')}</span>
              </span>
            ))}
        </div>
      )}
    </div>
  )
}
