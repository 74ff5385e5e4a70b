import { useEffect, useMemo, useState } from 'react'
import { currentMe } from '../data/session.ts'
import { entitiesOf, type Hit, type IndexStatus, usesOf } from '../search/entities.ts'

interface PaletteResults {
  hits: readonly Hit[]
  /** Slower results, which are appended. */
  late: readonly Hit[]
  /** Slower results haven't arrived yet. */
  searching: boolean
  size: number
  /** Which names haven't loaded yet. */
  lacking: IndexStatus | null
}
const NOTHING: readonly Hit[] = []
const NONE = { hits: NOTHING, complete: true }

/** Finds records in the browser's own index, without a request per keystroke; `kinds` null skips the search. */
export function useFound(query: string, kinds: readonly string[] | null | undefined): PaletteResults {
  const index = entitiesOf(currentMe().id)
  const [version, setVersion] = useState(0)
  const [late, setLate] = useState<{ query: string; hits: readonly Hit[] } | null>(null)
  useEffect(() => index.onChange(() => setVersion((old) => old + 1)), [index])
  const of = kinds?.join()
  const { hits, complete } = useMemo(() => {
    // Searches again when names have changed.
    void version
    if (kinds === null || !query) return NONE
    return index.search(query, { limit: 40, ...(of ? { kinds: of.split(',') } : {}) }, (hits) => setLate({ query, hits }))
  }, [index, query, kinds, of, version])
  const came = late?.query === query && kinds !== null
  return { hits, late: came ? late.hits : NOTHING, searching: !complete && !came, size: index.size, lacking: index.lacking }
}

/** Returns records opened recently and often, best first. */
export function recentRecords(kinds: readonly string[] | null, limit: number) {
  const { id } = currentMe()
  const index = entitiesOf(id)
  return [...usesOf(id)]
    .sort((a, b) => b[1] - a[1])
    .flatMap(([key]) => {
      const entity = index.get(key)
      return entity && (!kinds || kinds.includes(entity.kind)) ? [entity] : []
    })
    .slice(0, limit)
}
