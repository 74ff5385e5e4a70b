import type { ReactNode } from 'react'

/** A record to choose. */
export interface PickOption {
  id: number
  name: string
  /** Beside the name: an email. */
  detail?: string
  /** "P-4812", which a search and a paste find it by. */
  code?: string
  /** At the right: a status. */
  mark?: ReactNode
  /** At the right: "on 2 teams". */
  note?: string | null
  /** Why it can't be chosen. */
  off?: string | null
  /** The heading above the first one of it. */
  group?: string
}

/** The options that a pasted list names by ID, code, name or address, and what of it names none. */
export function pasted(text: string, options: readonly PickOption[]): { ids: number[]; unknown: string[] } {
  const named = new Map<string, number>()
  for (const { id, name, detail, code, off } of options) {
    if (off) continue
    for (const word of [String(id), code, detail, name]) if (word) named.set(word.trim().toLowerCase(), id)
  }
  const ids = new Set<number>()
  const unknown: string[] = []
  for (const line of text.split(/[\n\r\t;]+/)) {
    const whole = named.get(line.trim().toLowerCase())
    // A name may hold a comma itself.
    for (const part of whole === undefined ? line.split(',') : [line]) {
      const word = part.trim().replace(/^.*<([^>]+)>$/, '$1')
      const id = named.get(word.toLowerCase())
      if (id !== undefined) ids.add(id)
      else if (word) unknown.push(word)
    }
  }
  return { ids: [...ids], unknown }
}
