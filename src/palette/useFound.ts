import { useEffect, useMemo, useState } from 'react'
import { nounOf } from '../../contract/nounOf.ts'
import { currentMe } from '../data/session.ts'
import { entitiesOf, type Hit, type IndexStatus, usesOf } from '../search/entities.ts'
import { registerNames } from '../workspace/commandHistory.ts'

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

registerNames((kind, id) => {
  const index = entitiesOf(currentMe().id)
  const found = index.get(`${kind}:${id}`)
  if (found) return found.name
  return index.lacking === null && index.size > 0 && nounOf(kind)?.found ? null : undefined
})
const NONE = { hits: NOTHING, complete: true, run: null }
/** False for a kind that only a newer version of the workspace can open; its names stay in the index for that. */
const isKnown = ({ kind }: { kind: string }): boolean => nounOf(kind) !== undefined
const known = (hits: readonly Hit[]): readonly Hit[] => (hits.every(isKnown) ? hits : hits.filter(isKnown))

/** Finds records in the browser's own index, without a request per keystroke; `kinds` null skips the search. */
export function useFound(query: string, kinds: readonly string[] | null | undefined): PaletteResults {
  const index = entitiesOf(currentMe().id)
  const [version, setVersion] = useState(0)
  const [late, setLate] = useState<{ run: object; hits: readonly Hit[] } | null>(null)
  useEffect(() => index.onChange(() => setVersion((old) => old + 1)), [index])
  const of = kinds?.join()
  const { hits, complete, run } = useMemo(() => {
    // Searches again when names have changed.
    void version
    if (kinds === null || !query) return NONE
    const only = of ? { kinds: of.split(',') } : {}
    // Late results belong to this search, because the next one of the same text may be among other names.
    const run = {}
    const found = index.search(query, { limit: 40, ...only }, (hits) => setLate({ run, hits: known(hits) }))
    return { ...found, hits: known(found.hits), run }
  }, [index, query, kinds, of, version])
  const came = run !== null && late?.run === run
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
      return entity && isKnown(entity) && (!kinds || kinds.includes(entity.kind)) ? [entity] : []
    })
    .slice(0, limit)
}
