import { type At, chainOf, contextsAt, type Keymap } from '../../runner/keys/bindings.ts'
import { lookUp } from '../../runner/keys/chords.ts'

/** A part of the `?` sheet: the keys of one context. */
export interface SheetSection {
  context: string
  /** The context holds where the focus is. */
  here: boolean
  rows: { id: string; keys: string[] }[]
}

/**
 * The `?` sheet as data: what works where the focus is, the innermost context first, then what works elsewhere. Keys
 * that an inner context takes are left out, and each command is listed once.
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
  // The digits, which a table of keys counts up first, are the least to be looked for.
  return gathered.toSorted((a, b) => Number(/^\d$/.test(a.keys[0]!)) - Number(/^\d$/.test(b.keys[0]!)))
}

/** What a place's keys do: every binding that is reached there, with the context that it comes from. What an inner context hides is left out. */
export function reachedAt(map: Keymap, at: At): { keys: string; id: string; context: string }[] {
  const contexts = contextsAt(at)
  const chain = chainOf(map, at)
  const reached = (keys: string, id: string) => {
    const tokens = keys.split(' ')
    // A shorter key that is whole in an inner place ends the sequence before it is whole.
    const whole = tokens.slice(1).every((_, i) => lookUp(tokens.slice(0, i + 1), chain).next.size > 0)
    return whole && lookUp(tokens, chain).command === id
  }
  return contexts.flatMap((context, i) =>
    Object.entries(map[context] ?? {})
      .filter(([keys, id]) => reached(keys, id) && !contexts.slice(i + 1).some((inner) => map[inner]?.[keys]))
      .map(([keys, id]) => ({ keys, id, context })),
  )
}
