import { atom, useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { actsOn, evaluate, mayRun } from '../commands/availability.ts'
import type { Command } from '../commands/command.ts'
import { loadAreas } from '../commands/commandAreas.ts'
import type { Subject } from '../commands/subject.ts'
import { areasWith, type CommandId, commandIds, commandOf, isCommandId } from '../commands/table.ts'
import { meAtom } from '../data/session.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { usePaneId } from '../workspace/pane.tsx'
import { paneStateAtom, paneStateOf } from '../workspace/paneState.ts'
import { commandIdsAtom } from './areasAtom.ts'
import { keymapAtom } from './keys/activeContext.ts'
import { keysOf } from './keys/bindings.ts'
import { isMac, shownAs } from './keys/keyReading.ts'
import { start } from './lazyRunner.ts'

/** A command as buttons, menus and help show it. */
export interface ShownCommand {
  id: CommandId
  command: Command
  title: string
  /** The displayed shortcut: `g p`, `Ctrl+K`; null without one. */
  keys: string | null
  /** Why it can't run now, or null. */
  reason: string | null
  /** How many of the subjects it would act on. */
  able: number
}

/** Returns a command for subjects; without any, as one of the workspace's own. */
export function shownCommand(id: CommandId, subjects: readonly Subject[], keys: string | null): ShownCommand {
  const command = commandOf(id)
  const { reason, able } = evaluate(id, command, subjects, workspace)
  return { id, command, title: command.title, keys, reason, able: able.length }
}

/** Returns a function for the user's shortcuts: `keys('project.goLive')` is `g l`, or null. */
export function useKeys(): (id: CommandId) => string | null {
  const map = useAtomValue(keymapAtom)
  return useMemo(
    () => (id) => {
      const found = keysOf(map, id)
      return found === null ? null : shownAs(found, isMac)
    },
    [map],
  )
}

/** Returns the subject of the surrounding pane, which its buttons act on. */
function usePaneSubjects(): readonly Subject[] {
  const id = usePaneId()
  const subject = useAtomValue(
    useMemo(() => atom((get) => (id === null ? null : paneStateOf(get(paneStateAtom), id).subject)), [id]),
  )
  return useMemo(() => (subject ? [subject] : []), [subject])
}

/** Returns a button's command: label, shortcut, disabled reason. Null if hidden from the role, or while loading. */
export function useCommand(id: CommandId, subjects?: readonly Subject[]): (ShownCommand & { run(): void }) | null {
  const around = usePaneSubjects()
  const keys = useKeys()
  const me = useAtomValue(meAtom)
  useAtomValue(commandIdsAtom)
  const there = isCommandId(id)
  useEffect(() => {
    if (!there) loadAreas(areasWith(id)).catch(() => {})
  }, [there, id])
  if (!me || !there) return null
  const command = commandOf(id)
  if (!mayRun(id, command, me.role)) return null
  const acted = command.on === 'nothing' ? [] : (subjects ?? around)
  return { ...shownCommand(id, acted, keys(id)), run: () => start(id, { subjects: acted, via: 'button' }) }
}

/** Returns every command for these subjects in table order, with disabled reasons. Their areas must be loaded. */
export function commandsFor(subjects: readonly Subject[], keys: (id: CommandId) => string | null): ShownCommand[] {
  return commandIds().flatMap((id) => {
    const command = commandOf(id)
    if (command.hidden || command.group === 'screens' || !actsOn(command, subjects) || !mayRun(id, command, workspace.me.role))
      return []
    if (subjects.length > 1 && !command.many) return []
    return [shownCommand(id, subjects, keys(id))]
  })
}
