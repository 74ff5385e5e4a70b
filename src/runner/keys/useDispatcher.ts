import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { areasWith, type CommandId, commandOf, isCommandId } from '../../commands/table.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import {
  bufferForScreen,
  bufferKey,
  bufferKeys,
  bufferText,
  discardKeys,
  focusIn,
  mustBuffer,
  pointed,
  setTypeaheadHooks,
} from '../../workspace/keys/typeahead.ts'
import { zenAtom } from '../../workspace/workspaceState.ts'
import { start } from '../lazyRunner.ts'
import { askingAtom, paletteAtom, pendingAtom } from '../runnerState.ts'
import { shortcutsAtom } from '../shortcuts.ts'
import { atNow, keymapAtom } from './activeContext.ts'
import { beginsElsewhere, chainOf, movedFrom } from './bindings.ts'
import type { Bindings } from './chords.ts'
import { listen } from './dispatcher.ts'
import { isMac, shownAs } from './keyReading.ts'
import { isLoading, waitsForKey } from './loading.ts'
import { settle } from './settle.ts'

setTypeaheadHooks({
  isComing: isLoading,
  dropped: (keys) => void import('./keyNotices.ts').then(({ noticeDropped: sayDropped }) => sayDropped(keys)),
})

/** Listens for keys while the component is mounted, and publishes the shortcuts. */
export function useDispatcher(): void {
  useEffect(
    () =>
      listen(document, {
        early: (event) => {
          settle()
          const taken = bufferKey(event)
          if (taken === 'ended') close()
          return taken !== null
        },
        earlyText: bufferText,
        focused: focusIn,
        pointed,
        chain: () => [
          ...(store.get(zenAtom) ? [LEAVES] : []),
          movedFrom(store.get(preferencesAtom).keys),
          ...chainOf(store.get(keymapAtom), atNow()),
        ],
        waits: (presses, pending, may, step) => {
          if (!mustBuffer(() => step !== null && waitsForKey(store.get(keymapAtom), pending, may, step))) return false
          bufferForScreen(presses)
          return true
        },
        lost,
        inField: (token) => store.get(keymapAtom).app?.[token] !== undefined,
        unbound: (key) => {
          const map = store.get(keymapAtom)
          if (!key[1] && map.list?.[key]) lost([key])
          else return beginsElsewhere(map, key)
          return false
        },
        singleKeys: () => store.get(preferencesAtom).single_keys,
        run: (id, count) => {
          if (count > 1) times(id, count)
          else if (id === 'palette.open' && store.get(paletteAtom)) close()
          else if (isCommandId(id) || areasWith(id).length) start(id as CommandId, { via: 'key' })
          else lost([id])
        },
        repeats: (id) => isCommandId(id) && commandOf(id).repeats === true,
        pending: (now) => store.set(pendingAtom, now),
      }),
    [],
  )
  useShortcuts()
}

/** The outermost binding, so that Escape first does what it does in a list. */
const LEAVES: Bindings = { Escape: 'pane.leaveZen' }

/** Runs a command with a count, or reports that it takes none. */
function times(id: string, count: number): void {
  const command = isCommandId(id) ? commandOf(id) : null
  if (command?.times && !command.disabledReason?.(workspace, [])) command.times(workspace, count)
  else void import('./keyNotices.ts').then(({ noticeNoCount: sayNoCount }) => sayNoCount(command))
}

/** After a sequence without a command, the words that follow must not run as commands. */
function lost(keys: readonly string[]): void {
  bufferKeys()
  void import('./keyNotices.ts').then(({ noticeUnbound: sayLost }) => sayLost(keys), discardKeys)
}

/** Closes the palette or the dialog that is opening, and drops what was typed for it. */
function close(): void {
  discardKeys()
  if (store.get(paletteAtom)) store.set(paletteAtom, null)
  else store.set(askingAtom, null)
}

/** Publishes every command's shortcut to the frame. */
function useShortcuts(): void {
  const keymap = useAtomValue(keymapAtom)
  useEffect(() => {
    const shown: Record<string, string> = { 'palette.open': shownAs('Mod+k', isMac) }
    for (const bindings of Object.values(keymap))
      for (const [keys, id] of Object.entries(bindings)) {
        shown[id] ??= shownAs(keys, isMac)
        // The sidebar looks up screens only by route.
        if (id.startsWith('add.')) shown[`go.${id.slice(4)}`] = shown[id]
      }
    store.set(shortcutsAtom, shown)
  }, [keymap])
}
