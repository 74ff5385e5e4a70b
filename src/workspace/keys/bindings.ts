import { type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import { type Context, keymap } from '../../keymap.ts'
import type { SubjectKind } from '../route.ts'
import { type Bindings, clashes } from './chords.ts'
import { normalize } from './token.ts'

/** A person's own keys: command id → keys; '' takes the shortcut away. */
export type OwnKeys = Readonly<Record<string, string>>
export type Keymap = Readonly<Record<string, Bindings>>

const TABLE = keymap as Keymap

/** The contexts that a command's keys belong to: where the table has it, else where its subject is. */
export function contextsOf(id: CommandId): readonly string[] {
  const placed = Object.keys(TABLE).filter((context) => Object.values(TABLE[context]!).includes(id))
  if (placed.length) return placed
  const { on, group } = commandOf(id)
  if (group === 'list') return ['list']
  return on === 'nothing' ? ['app'] : typeof on === 'string' ? [on] : on
}

let built: { own: OwnKeys; keymap: Keymap } = { own: {}, keymap: TABLE }

/** The keymap as it is for one person: the table, with their own keys in place of a command's. Kept until the keys change. */
export function effective(own: OwnKeys): Keymap {
  if (built.own !== own) built = { own, keymap: Object.keys(own).length ? rebind(own) : TABLE }
  return built.keymap
}

function rebind(own: OwnKeys): Keymap {
  const mine: Record<string, Record<string, string>> = {}
  for (const [context, bindings] of Object.entries(TABLE)) {
    mine[context] = Object.fromEntries(Object.entries(bindings).filter(([, id]) => own[id] === undefined))
  }
  for (const [id, keys] of Object.entries(own)) {
    if (!keys || !isCommandId(id)) continue
    // Later than the table's own: what a person chose wins over what stood there.
    for (const context of contextsOf(id)) {
      mine[context] ??= {}
      const written = normalize(keys)
      delete mine[context][written]
      mine[context][written] = id
    }
  }
  return mine
}

/** The contexts that hold while a pane with this subject, a list or not, and this row have the focus; outermost first. */
export function chainOf(map: Keymap, at: { focused: SubjectKind | null; list: boolean; row: SubjectKind | null }): Bindings[] {
  const contexts = ['app', at.focused, at.list ? 'list' : null, at.list && at.row !== at.focused ? at.row : null]
  return contexts.flatMap((context) => (context && map[context] ? [map[context]] : []))
}

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

export interface Clash {
  keys: string
  commands: CommandId[]
  context: string
}

/** What can't both be reached when a person gives these keys to a command: the same keys, or the beginning of longer ones in the same place. */
export function clashesWith(own: OwnKeys, id: CommandId, keys: string): Clash[] {
  const written = normalize(keys)
  if (!written) return []
  const map = effective({ ...own, [id]: '' })
  return contextsOf(id).flatMap((context) =>
    // Keys of the product hold everywhere, so they clash with those of every context.
    Object.entries(map).flatMap(([other, bindings]) =>
      other === context || other === 'app' || context === 'app'
        ? Object.entries(bindings).flatMap(([taken, command]) =>
            taken === written || taken.startsWith(`${written} `) || written.startsWith(`${taken} `)
              ? [{ keys: taken, commands: [command as CommandId], context: other }]
              : [],
          )
        : [],
    ),
  )
}

/** Every command that has keys, with them and their place: the `?` sheet, the settings. */
export function allBindings(map: Keymap): { id: CommandId; keys: string[]; contexts: string[] }[] {
  return commandIds.flatMap((id) => {
    const contexts = Object.keys(map).filter((context) => Object.values(map[context]!).includes(id))
    const keys = [
      ...new Set(
        contexts.flatMap((context) => Object.entries(map[context]!).flatMap(([key, command]) => (command === id ? [key] : []))),
      ),
    ]
    return keys.length ? [{ id, keys, contexts }] : []
  })
}

export type { Context }
export { clashes }
