import { type Area, loadAreas } from '../../commands/commandAreas.ts'
import { areasWith, commandOf, isCommandId } from '../../commands/table.ts'
import { store } from '../../data/jotaiStore.ts'
import { may as mayNow } from '../../data/permissions.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { match } from '../../routing/match.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { discardWithNotice } from '../../workspace/keys/typeahead.ts'
import { focusedPane } from '../../workspace/navigation.ts'
import { elementOf } from '../../workspace/paneElements.ts'
import { atNow } from './activeContext.ts'
import { type At, chainOf, type Keymap } from './bindings.ts'
import { press, type Step } from './chords.ts'
import type { Reading } from './keyReading.ts'

/** The pane and path that finished loading; what loads there later is a part of it. */
let shownPath = ''

/** True while the focused screen loads: its code, record, list, or the rows of a new search. */
function isScreenLoading(): boolean {
  const { id, ref } = focusedPane()
  const path = match(ref)?.path ?? ''
  if (shownPath !== `${id} ${path}`) {
    const element = elementOf(id)
    const shown = element.querySelector<HTMLElement>('[data-pane-scroller]')
    const list = element.querySelector('[role=grid], [role=treegrid]:not([data-part])')
    if (shown?.dataset.path !== path || element.querySelector('[data-loading]') || (list && !workspace.list())) return true
    shownPath = `${id} ${path}`
  }
  return workspace.list()?.loading === 'rows'
}

/** How many keys wait for an area's commands. */
let areasLoading = 0

/** True while the focused screen, the cursor's row or the commands of a pressed key load. */
export const isLoading = (): boolean => {
  const list = workspace.list()
  return isScreenLoading() || list?.loading === 'row' || list?.views?.loading === true || areasLoading > 0
}

/** Returns the areas not loaded yet that these keys lead to; until then it isn't known what the user may run. */
function areasAhead(now: Step): Area[] {
  const ids = now.kind === 'none' ? [] : now.kind === 'run' ? [now.command] : [...now.next.values(), now.command ?? '']
  return [...new Set(ids.flatMap(areasWith))]
}

/** Loads areas for a key that waits for them. */
function fetchAreas(areas: readonly Area[]): void {
  areasLoading++
  loadAreas(areas)
    .catch(discardWithNotice)
    .finally(() => areasLoading--)
}

/** True if the table alone decides a key: for administrators without custom shortcuts. */
const isKnown = (): boolean => mayNow('project.seeAll') && !Object.keys(store.get(preferencesAtom).keys).length

/** True if a key means the same whatever loads: it needs no list, row or record. A loading form takes every key. */
function meansTheSame(map: Keymap, pending: readonly string[], may: readonly Reading[], now: Step): boolean {
  const found = match(focusedPane().ref)
  if (found?.row.form || found?.tabRow?.form) return false
  const at = atNow()
  // The kind of the row isn't known yet, so try every context.
  const kinds = Object.keys(map) as At['row'][]
  const steps = [null, ...kinds].map((row) => press(pending, may, chainOf(map, { ...at, list: true, view: true, row })))
  return [now, ...steps].every((step) => {
    if (step.kind !== now.kind) return false
    if (step.kind !== 'run' || now.kind !== 'run') return true
    if (step.command !== now.command || !isCommandId(step.command)) return false
    const { on, group } = commandOf(step.command)
    return on === 'nothing' && group !== 'list'
  })
}

/** True for keys of a saved view while the list's views load. */
function needsView(map: Keymap, pending: readonly string[], may: readonly Reading[], now: Step): boolean {
  if (!workspace.list()?.views?.loading) return false
  const shown = press(pending, may, chainOf(map, { ...atNow(), view: true }))
  if (shown.kind !== now.kind) return true
  return now.kind === 'run' && (shown.kind !== 'run' || shown.command !== now.command || ofViews(now.command))
}
const ofViews = (command: string): boolean => command.startsWith('view.')

/** True for a key that must wait because what it acts on is loading. */
export function waitsForKey(map: Keymap, pending: readonly string[], may: readonly Reading[], now: Step): boolean {
  const areas = areasAhead(now)
  if (areas.length) {
    if (now.kind === 'run' || !isKnown()) {
      fetchAreas(areas)
      return true
    }
    // The remaining keys decide; by then the strip shows what they lead to.
    loadAreas(areas).catch(() => {})
  }
  if (isScreenLoading()) return !meansTheSame(map, pending, may, now)
  if (needsView(map, pending, may, now)) return true
  if (workspace.list()?.loading !== 'row') return false
  // A list command that isn't about the row needn't wait for it.
  if (now.kind === 'run' && isCommandId(now.command) && commandOf(now.command).group === 'list' && !commandOf(now.command).onRow)
    return false
  return !meansTheSame(map, pending, may, now)
}
