import { refusedTo } from '../../../contract/access.ts'
import type { SubjectKind } from '../../../contract/nouns.ts'
import type { Role } from '../../../contract/vocabulary.ts'
import { mayRun } from '../../commands/availability.ts'
import { currentId } from '../../commands/commandAliases.ts'
import { keymap } from '../../commands/keymap.ts'
import { areasWith, type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import type { Bindings } from './chords.ts'
import { normalize } from './keyReading.ts'

/** A user's custom shortcuts: command id → keys; '' removes one. */
export type OwnKeys = Readonly<Record<string, string>>
export type Keymap = Readonly<Record<string, Bindings>>

const TABLE = keymap as Keymap

/** Returns the contexts of a command's keys: those of the table, or else of its subjects; all while its area loads. */
export function contextsOf(id: CommandId): readonly string[] {
  const placed = Object.keys(TABLE).filter((context) => Object.values(TABLE[context]!).includes(id))
  if (placed.length) return placed
  if (!isCommandId(id)) return ['app']
  const { on, group } = commandOf(id)
  if (group === 'list') return ['list']
  return on === 'nothing' ? ['app'] : typeof on === 'string' ? [on] : on
}

let known: readonly [own: OwnKeys, now: OwnKeys] = [{}, {}]
/** Returns custom keys by current command ids; keys set for a current id win over those of an earlier release. */
export function currentKeys(own: OwnKeys): OwnKeys {
  if (known[0] !== own) {
    const all = Object.entries(own)
    const named = all.map(([id, keys]) => [currentId(id), keys])
    known = [own, Object.fromEntries([...named, ...all.filter(([id]) => currentId(id) === id)])]
  }
  return known[1]
}

let built: { own: OwnKeys; ids: readonly string[]; keymap: Keymap } | null = null

/** Returns a user's keymap: the table with custom keys replacing a command's. Cached until keys or commands change. */
export function effective(custom: OwnKeys): Keymap {
  const own = currentKeys(custom)
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
    // Added last, so that the user's keys win over the table's.
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

/** What a user's keymap depends on. */
export interface Who {
  keys: OwnKeys
  /** True if single letters are shortcuts (WCAG 2.1.4). */
  single_keys: boolean
  role: Role
}

let left: { own: OwnKeys; bindings: Bindings } = { own: {}, bindings: {} }

/** Returns the keys that commands had before the user changed them. They stay inert: habit must run nothing. */
export function movedFrom(custom: OwnKeys): Bindings {
  const own = currentKeys(custom)
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
 * Returns the current keymap, without commands hidden from the role and, if turned off, single keys.
 * Listener, strip, help and every displayed shortcut read it, so all agree.
 */
export function inUse({ keys, single_keys: single, role }: Who): Keymap {
  const of = effective(keys)
  const ids = commandIds()
  // Administrators see every command, so loading more changes nothing for them.
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

/** True for a single character, with or without Shift, which users can turn off (WCAG 2.1.4). */
const isSingle = (token: string): boolean => /^(Shift\+)?.$/u.test(token)

/** True for a key that begins a sequence in some context. */
export const beginsElsewhere = (map: Keymap, key: string): boolean =>
  Object.values(map).some((bindings) => Object.keys(bindings).some((binding) => binding.startsWith(`${key} `)))

/** A context for keys: the pane's record kind and tab, whether it has a list, and the kind of the cursor's row. */
export interface At {
  focused: SubjectKind | null
  /** The tab if it has its own keys, as the keymap names it: `project.userResponses`. */
  tab?: string | null
  list: boolean
  /** True if the pane has entries with a cursor instead of a list. */
  entries?: boolean
  /** True if the list shows a saved view. */
  view?: boolean
  row: SubjectKind | null
  /** True if the pane's form has rows. */
  rows?: boolean
}

/** Returns the active contexts, outermost first. A row of the pane's own kind becomes the innermost. */
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

/** Returns the bindings of the active contexts, outermost first. */
export const chainOf = (map: Keymap, at: At): Bindings[] =>
  contextsAt(at).flatMap((context) => (map[context] ? [map[context]] : []))

const byCommand = new WeakMap<Keymap, Map<string, string>>()

/** Returns a command's first shortcut, which is shown next to it everywhere, or null. */
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

/** Returns every command with keys and contexts, for the `?` sheet and the settings. */
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
