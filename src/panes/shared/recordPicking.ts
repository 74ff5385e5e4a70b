import type { ReactNode } from 'react'
import { angled } from '../../../contract/textEnds.ts'

/** A record to pick. */
export interface PickOption {
  id: number
  name: string
  /** Shown beside the name: an email. */
  detail?: string
  /** A code that search and paste match: "P-4812". */
  code?: string
  /** On the right: a status. */
  mark?: ReactNode
  /** On the right: "on 2 teams". */
  note?: string | null
  /** Why it can't be picked. */
  off?: string | null
  /** Its group's heading, shown above the group's first option. */
  group?: string
}

/** Matches a pasted list by ID, code, name or address; also returns what matched nothing. */
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
    // A name may itself contain a comma.
    for (const part of whole === undefined ? line.split(',') : [line]) {
      const word = angled(part.trim())?.within ?? part.trim()
      const id = named.get(word.toLowerCase())
      if (id !== undefined) ids.add(id)
      else if (word) unknown.push(word)
    }
  }
  return { ids: [...ids], unknown }
}
