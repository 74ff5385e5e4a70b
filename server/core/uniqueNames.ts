import { nameKey } from '../../contract/foldText.ts'

/** Makes names unique as people tell them apart: a second "Age" becomes "Age (2)". Longer ones are cut to `most`. */
export function nameGiver(taken: Iterable<string> = [], most = Number.POSITIVE_INFINITY): (name: string) => string {
  const known = new Set([...taken].map(nameKey))
  const last = new Map<string, number>()
  return (name) => {
    const short = name.slice(0, most)
    const key = nameKey(short)
    for (let nth = last.get(key) ?? 1; ; nth++) {
      const tried = nth === 1 ? short : `${short} (${nth})`
      if (known.has(nameKey(tried))) continue
      known.add(nameKey(tried))
      last.set(key, nth)
      return tried
    }
  }
}

/** Headings of which none repeats another. */
export const uniqueNames = (names: readonly string[]): string[] => names.map(nameGiver())
