import { seesAll } from '../../../contract/who.ts'
import { type Area, loadAreas } from '../../commands/areas.ts'
import { areasWith, commandOf, isCommandId } from '../../commands/table.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { match } from '../../routing/match.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { discardWithNotice } from '../../workspace/keys/typeahead.ts'
import { focusedPane } from '../../workspace/navigation.ts'
import { elementOf } from '../../workspace/paneElements.ts'
import { atNow } from './activeContext.ts'
import { type At, chainOf, type Keymap } from './bindings.ts'
import { press, type Step } from './chords.ts'
import type { Reading } from './token.ts'

/** The pane and path already on screen: anything loading there later is part of it. */
let stands = ''

/** The screen of the focused pane is still on its way: its code, its record, its list, or the rows of another search. */
export function isScreenComing(): boolean {
  const { id, ref } = focusedPane()
  const path = match(ref)?.path ?? ''
  if (stands !== `${id} ${path}`) {
    const element = elementOf(id)
    const shown = element.querySelector<HTMLElement>('[data-pane-scroller]')
    const list = element.querySelector('[role=grid], [role=treegrid]')
    if (shown?.dataset.path !== path || element.querySelector('[data-loading]') || (list && !workspace.list())) return true
    stands = `${id} ${path}`
  }
  return workspace.list()?.coming === 'rows'
}

/** How many keys wait for the commands of an area. */
let asked = 0

/** The same, or the row under the cursor is, or the commands that a key was pressed for. */
export const isComing = (): boolean => isScreenComing() || workspace.list()?.coming === 'row' || asked > 0

/** The areas whose commands these keys lead to and that have not come: before, nobody knows whether they do anything for this person. */
function areasAhead(now: Step): Area[] {
  const ids = now.kind === 'none' ? [] : now.kind === 'run' ? [now.command] : [...now.next.values(), now.command ?? '']
  return [...new Set(ids.flatMap(areasWith))]
}

/** Fetches areas for a key that waits for them. */
function fetchAreas(areas: readonly Area[]): void {
  asked++
  loadAreas(areas)
    .catch(discardWithNotice)
    .finally(() => asked--)
}

/** An administrator sees every command: the table says what keys do, unless their own belong to commands that have not come. */
const isKnown = (): boolean => seesAll(workspace.me) && !Object.keys(store.get(preferencesAtom).keys).length

/** True when a key means the same whatever comes: it asks nothing of a list, a row or a record. A form that comes takes every key. */
function meansTheSame(map: Keymap, pending: readonly string[], may: readonly Reading[], now: Step): boolean {
  const found = match(focusedPane().ref)
  if (found?.row.form || found?.tabRow?.form) return false
  const at = atNow()
  // The row's kind isn't known yet, so try every context that has keys.
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

/** True for a key that has to wait: what it acts on is still on its way. */
export function waits(map: Keymap, pending: readonly string[], may: readonly Reading[], now: Step): boolean {
  const areas = areasAhead(now)
  if (areas.length) {
    if (now.kind === 'run' || !isKnown()) {
      fetchAreas(areas)
      return true
    }
    // The rest of the keys decides; the strip shows by then what they lead to.
    loadAreas(areas).catch(() => {})
  }
  if (isScreenComing()) return !meansTheSame(map, pending, may, now)
  if (workspace.list()?.coming !== 'row') return false
  // Moving on from a row that hasn't loaded is fine.
  if (now.kind === 'run' && isCommandId(now.command) && commandOf(now.command).group === 'list' && !commandOf(now.command).onRow)
    return false
  return !meansTheSame(map, pending, may, now)
}
