import { refusedTo } from '../../../contract/access.ts'
import type { SubjectKind } from '../../../contract/nouns.ts'
import type { Role } from '../../../contract/vocabulary.ts'
import { mayRun } from '../../commands/availability.ts'
import { currentId } from '../../commands/commandAliases.ts'
import { keymap } from '../../commands/keymap.ts'
import { areasWith, type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import type { Bindings } from './chords.ts'
import { normalize } from './token.ts'

/** A user's own shortcuts: command id → keys; '' removes one. */
export type OwnKeys = Readonly<Record<string, string>>
export type Keymap = Readonly<Record<string, Bindings>>

const TABLE = keymap as Keymap

/** The contexts of a command's keys: where the table has it, else its subjects'; all while its area is loading. */
export function contextsOf(id: CommandId): readonly string[] {
  const placed = Object.keys(TABLE).filter((context) => Object.values(TABLE[context]!).includes(id))
  if (placed.length) return placed
  if (!isCommandId(id)) return ['app']
  const { on, group } = commandOf(id)
  if (group === 'list') return ['list']
  return on === 'nothing' ? ['app'] : typeof on === 'string' ? [on] : on
}

let known: readonly [own: OwnKeys, now: OwnKeys] = [{}, {}]
/** A user's own keys by the ids that commands have now; keys chosen for such an id win over an earlier release's. */
export function currentKeys(own: OwnKeys): OwnKeys {
  if (known[0] !== own) {
    const all = Object.entries(own)
    const named = all.map(([id, keys]) => [currentId(id), keys])
    known = [own, Object.fromEntries([...named, ...all.filter(([id]) => currentId(id) === id)])]
  }
  return known[1]
}

let built: { own: OwnKeys; ids: readonly string[]; keymap: Keymap } | null = null

/** A user's keymap: the table, with own keys replacing a command's. Cached until keys or commands change. */
export function effective(given: OwnKeys): Keymap {
  const own = currentKeys(given)
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
    // Added last, so the user's choice wins over the table.
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

/** What decides a user's keymap. */
export interface Who {
  keys: OwnKeys
  /** Single letters are shortcuts (WCAG 2.1.4). */
  single_keys: boolean
  role: Role
}

let left: { own: OwnKeys; bindings: Bindings } = { own: {}, bindings: {} }

/** Keys that commands had before the user moved them; they stay inert, so words typed out of habit run nothing. */
export function movedFrom(given: OwnKeys): Bindings {
  const own = currentKeys(given)
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
 * The user's current keymap, without commands hidden from the role or, if turned off, single keys.
 * The listener, the strip, the help and every displayed shortcut read it, so all agree.
 */
export function inUse({ keys, single_keys: single, role }: Who): Keymap {
  const of = effective(keys)
  const ids = commandIds()
  // Administrators see every command, so nothing changes for them when more load.
  const same =
    used?.of === of &&
    used.single === single &&
    used.role === role &&
    (!refusedTo('project.seeAll', { role }) || used.ids === ids)
  if (used && same) return used.keymap
  const works = ([binding, id]: [string, string]) =>
    (!isCommandId(id) || mayRun(id, commandOf(id), role)) && (single || !isSingle(binding.split(' ', 1)[0]!))
  const keymap = Object.fromEntries(
    Object.entries(of).map(([context, bindings]) => [context, Object.fromEntries(Object.entries(bindings).filter(works))]),
  )
  used = { of, single, role, ids, keymap }
  return keymap
}

/** True for a single character, with or without Shift, which WCAG 2.1.4 lets people turn off. */
const isSingle = (token: string): boolean => /^(Shift\+)?.$/u.test(token)

/** The focus: the pane's record kind and tab, whether it has a list, and the kind of the cursor's row. */
export interface At {
  focused: SubjectKind | null
  /** The screen's tab with keys of its own, as the keymap names it: `project.userResponses`. */
  tab?: string | null
  list: boolean
  /** The pane has entries with a cursor in place of a list. */
  entries?: boolean
  /** The list shows a saved view. */
  view?: boolean
  row: SubjectKind | null
  /** The pane's form has rows. */
  rows?: boolean
}

/** Names the active contexts, outermost first. A row of the pane's own kind becomes the innermost. */
export function contextsAt({ focused, tab, list, entries, view, row, rows }: At): string[] {
  const inner = list || entries ? row : null
  return [
    list ? null : 'pane',
    'app',
    focused !== inner ? focused : null,
    tab && Object.hasOwn(TABLE, tab) ? tab : null,
    list ? 'list' : null,
    list && view ? 'view' : null,
    entries ? 'entries' : null,
    rows ? 'rows' : null,
    inner,
  ].filter((one) => one !== null)
}

/** The bindings of the active contexts, outermost first. */
export const chainOf = (map: Keymap, at: At): Bindings[] =>
  contextsAt(at).flatMap((context) => (map[context] ? [map[context]] : []))

const byCommand = new WeakMap<Keymap, Map<string, string>>()

/** A command's first shortcut, shown beside it everywhere, or null. */
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

/** Every command with keys and contexts, for the `?` sheet and the settings. */
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
