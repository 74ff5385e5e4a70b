import { type At, chainOf, contextsAt, type Keymap } from '../../runner/keys/bindings.ts'
import { lookUp } from '../../runner/keys/chords.ts'

/** A section of the `?` sheet: the shortcuts of one context. */
export interface SheetSection {
  context: string
  /** True if the context is active. */
  here: boolean
  rows: { id: string; keys: string[] }[]
}

/**
 * Returns the content of the `?` sheet: active contexts first, innermost on top, then the others.
 * Leaves out keys that an inner context overrides, and lists each command once.
 */
export function sheetOf(map: Keymap, at: At): SheetSection[] {
  const contexts = contextsAt(at).reverse()
  const reached = reachedAt(map, at)
  const shown = new Set(reached.map(({ id }) => id))
  const here = contexts.map((context) => ({
    context,
    here: true,
    rows: gather(reached.filter((one) => one.context === context)),
  }))
  const elsewhere = Object.entries(map).flatMap(([context, bindings]): SheetSection[] => {
    if (contexts.includes(context)) return []
    const rows = gather(Object.entries(bindings).map(([keys, id]) => ({ keys, id }))).filter(({ id }) => !shown.has(id))
    for (const { id } of rows) shown.add(id)
    return [{ context, here: false, rows }]
  })
  return [...here, ...elsewhere].filter(({ rows }) => rows.length > 0)
}

function gather(bindings: readonly { keys: string; id: string }[]): SheetSection['rows'] {
  const rows = new Map<string, string[]>()
  for (const { keys, id } of bindings) rows.set(id, [...(rows.get(id) ?? []), keys])
  const gathered = [...rows].map(([id, keys]) => ({ id, keys }))
  // Digits come first in keymaps but are the least searched for, so they go last.
  return gathered.toSorted((a, b) => Number(/^\d$/.test(a.keys[0]!)) - Number(/^\d$/.test(b.keys[0]!)))
}

/** Returns the bindings of a context chain with their contexts, without those overridden by an inner context. */
function reachedAt(map: Keymap, at: At): { keys: string; id: string; context: string }[] {
  const contexts = contextsAt(at)
  const chain = chainOf(map, at)
  const started = new Map<string, boolean>()
  /** True if a sequence can be completed: a complete key of an inner context would end it early. */
  const isReachable = (tokens: readonly string[]): boolean => {
    const keys = tokens.join(' ')
    const known = started.get(keys) ?? lookUp(tokens, chain).next.size > 0
    started.set(keys, known)
    return known
  }
  const reached = (keys: string, id: string) => {
    const tokens = keys.split(' ')
    return tokens.slice(1).every((_, i) => isReachable(tokens.slice(0, i + 1))) && lookUp(tokens, chain).command === id
  }
  return contexts.flatMap((context, i) =>
    Object.entries(map[context] ?? {})
      .filter(([keys, id]) => reached(keys, id) && !contexts.slice(i + 1).some((inner) => map[inner]?.[keys]))
      .map(([keys, id]) => ({ keys, id, context })),
  )
}
