import type { SubjectKind } from '../../../contract/nouns.ts'
import type { Role } from '../../../contract/vocabulary.ts'
import { seesAll } from '../../../contract/who.ts'
import { mayRun } from '../../commands/availability.ts'
import { keymap } from '../../commands/keymap.ts'
import { areasWith, type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import type { Bindings } from './chords.ts'
import { normalize } from './token.ts'

/** A person's own keys: command id → keys; '' takes the shortcut away. */
export type OwnKeys = Readonly<Record<string, string>>
export type Keymap = Readonly<Record<string, Bindings>>

const TABLE = keymap as Keymap

/** The contexts that a command's keys belong to: where the table has it, else where its subject is; everywhere for one whose area has not come. */
export function contextsOf(id: CommandId): readonly string[] {
  const placed = Object.keys(TABLE).filter((context) => Object.values(TABLE[context]!).includes(id))
  if (placed.length) return placed
  if (!isCommandId(id)) return ['app']
  const { on, group } = commandOf(id)
  if (group === 'list') return ['list']
  return on === 'nothing' ? ['app'] : typeof on === 'string' ? [on] : on
}

let built: { own: OwnKeys; ids: readonly string[]; keymap: Keymap } | null = null

/** The keymap as it is for one person: the table, with their own keys in place of a command's. Kept until the keys change, or more commands have come. */
export function effective(own: OwnKeys): Keymap {
  if (!Object.keys(own).length) return TABLE
  const ids = commandIds()
  if (built?.own !== own || built.ids !== ids) built = { own, ids, keymap: rebind(own) }
  return built.keymap
}

export function rebind(own: OwnKeys): Keymap {
  const mine: Record<string, Record<string, string>> = {}
  for (const [context, bindings] of Object.entries(TABLE)) {
    mine[context] = Object.fromEntries(Object.entries(bindings).filter(([, id]) => own[id] === undefined))
  }
  for (const [id, keys] of Object.entries(own)) {
    if (!keys || !(isCommandId(id) || areasWith(id).length)) continue
    // Later than the table's own: what a person chose wins over what stood there.
    for (const context of contextsOf(id as CommandId)) {
      mine[context] ??= {}
      const written = normalize(keys)
      if (!written) continue
      delete mine[context][written]
      mine[context][written] = id
    }
  }
  return mine
}

/** What decides which keys work for somebody. */
export interface Who {
  keys: OwnKeys
  /** Single letters are shortcuts (WCAG 2.1.4). */
  single_keys: boolean
  role: Role
}

let left: { own: OwnKeys; bindings: Bindings } = { own: {}, bindings: {} }

/** The keys that commands had before a person gave them others: they mean nothing but themselves, so that words which are typed after them by habit run nothing. */
export function movedFrom(own: OwnKeys): Bindings {
  if (left.own !== own) {
    const moved = Object.values(TABLE).flatMap((bindings) =>
      Object.entries(bindings).flatMap(([keys, id]) =>
        own[id] === undefined || !keys.includes(' ') ? [] : [[keys, keys] as const],
      ),
    )
    left = { own, bindings: Object.fromEntries(moved) }
  }
  return left.bindings
}

let used: { of: Keymap; single: boolean; role: string; ids: readonly string[]; keymap: Keymap } | null = null

/**
 * The keymap as it works now for a person: without commands that their role never sees, and without single letters and signs where those are off.
 * The listener, the strip, the sheet and every key that is shown read this one, so that none says what another doesn't do.
 */
export function inUse({ keys, single_keys: single, role }: Who): Keymap {
  const of = effective(keys)
  const ids = commandIds()
  // An administrator sees every command: for them nothing changes when more of them come.
  const same = used?.of === of && used.single === single && used.role === role && (seesAll({ role }) || used.ids === ids)
  if (used && same) return used.keymap
  const works = ([binding, id]: [string, string]) =>
    (!isCommandId(id) || mayRun(id, commandOf(id), role)) && (single || !isSingle(binding.split(' ', 1)[0]!))
  const keymap = Object.fromEntries(
    Object.entries(of).map(([context, bindings]) => [context, Object.fromEntries(Object.entries(bindings).filter(works))]),
  )
  used = { of, single, role, ids, keymap }
  return keymap
}

/** True for a letter, digit or sign alone, with Shift or without: what WCAG 2.1.4 lets people turn off. */
const isSingle = (token: string): boolean => /^(Shift\+)?.$/u.test(token)

/** Where the focus is: what the pane is about, whether it has a list, and the kind of the row under the cursor. */
export interface At {
  focused: SubjectKind | null
  list: boolean
  /** The list shows a saved view. */
  view?: boolean
  row: SubjectKind | null
}

/** The names of the contexts that hold there, outermost first. A row of the pane's own kind is the row: the innermost. */
export function contextsAt({ focused, list, view, row }: At): string[] {
  const inner = list ? row : null
  return ['app', focused !== inner ? focused : null, list ? 'list' : null, list && view ? 'view' : null, inner].filter(
    (one) => one !== null,
  )
}

/** The contexts that hold while a pane with this subject, a list or not, and this row have the focus; outermost first. */
export const chainOf = (map: Keymap, at: At): Bindings[] =>
  contextsAt(at).flatMap((context) => (map[context] ? [map[context]] : []))

const byCommand = new WeakMap<Keymap, Map<string, string>>()

/** The first keys of a command, or null: shown beside it everywhere. */
export function keysOf(map: Keymap, id: string): string | null {
  let known = byCommand.get(map)
  if (!known) {
    known = new Map()
    for (const bindings of Object.values(map))
      for (const [keys, command] of Object.entries(bindings)) if (!known.has(command)) known.set(command, keys)
    byCommand.set(map, known)
  }
  return known.get(id) ?? null
}

/** Every command that has keys, with them and their place: the `?` sheet, the settings. */
export function allBindings(map: Keymap): { id: CommandId; keys: string[]; contexts: string[] }[] {
  return commandIds().flatMap((id) => {
    const contexts = Object.keys(map).filter((context) => Object.values(map[context]!).includes(id))
    const keys = [
      ...new Set(
        contexts.flatMap((context) => Object.entries(map[context]!).flatMap(([key, command]) => (command === id ? [key] : []))),
      ),
    ]
    return keys.length ? [{ id, keys, contexts }] : []
  })
}
