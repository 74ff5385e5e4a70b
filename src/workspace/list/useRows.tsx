import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ApiError } from '../../data/api.ts'
import { useCall } from '../../data/useCall.ts'
import type { Gap, Source } from './source.ts'

interface Loaded<Row> {
  rows: readonly Row[]
  count: number
}
type Chunks<Row> = ReadonlyMap<number, Loaded<Row>>

/** A list's rows, as far as they are loaded, with gaps where they are not. */
export interface Rows<Row> {
  rows: readonly (Row | Gap)[]
  /** All that match; undefined before the first answer. */
  count: number | undefined
  loading: boolean
  /** What shows belongs to another search, and the right rows are on their way. */
  stale: boolean
  error: ApiError | null
  retry(): void
  /** The rows in sight: chunks around them are loaded. */
  see(first: number, last: number): void
  /** Loads by themselves; must be rendered. */
  loaders: ReactNode
}

/** Reads one chunk and keeps it current: a write or a live event of its noun reads it again. */
function Chunk<Row>({
  source,
  page,
  onAnswer,
  onTrouble,
}: {
  source: Source<Row>
  page: number
  onAnswer: (page: number, loaded: Loaded<Row>, stale: boolean) => void
  onTrouble: (page: number, error: ApiError | null, retry: () => void) => void
}) {
  const { data, error, stale, retry } = useCall(source.call, source.input(page, source.chunk) as never)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer alone decides; the source is made anew at each render
  useEffect(() => {
    if (data !== undefined) onAnswer(page, { rows: source.rows(data as never), count: source.count(data as never) }, stale)
  }, [data, stale, page, onAnswer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: retry changes at each render
  useEffect(() => onTrouble(page, error ?? null, retry), [error, page, onTrouble])
  return null
}

const MOST_CHUNKS = 6

/** The rows of a source: chunks of it are loaded where somebody looks. `key` names what matches; another key starts anew. */
export function useRows<Row>(source: Source<Row>, key: string, startAt: number): Rows<Row> {
  const [chunks, setChunks] = useState<Chunks<Row>>(new Map())
  const [wanted, setWanted] = useState<readonly number[]>(() => [Math.floor(startAt / source.chunk) + 1])
  const [error, setError] = useState<{ error: ApiError; retry: () => void } | null>(null)
  const [stale, setStale] = useState(false)
  const current = useRef(key)
  if (current.current !== key) {
    current.current = key
    setWanted([1])
    setStale(true)
    setError(null)
  }
  const fresh = useRef(key)

  const onAnswer = useCallback((page: number, loaded: Loaded<Row>, old: boolean) => {
    if (old) return
    setStale(false)
    setError(null)
    setChunks((before) => {
      const changed =
        fresh.current !== current.current || [...before.values()].some((chunk) => chunk.count !== loaded.count && page === 1)
      fresh.current = current.current
      return changed ? new Map([[page, loaded]]) : new Map([...before, [page, loaded]])
    })
  }, [])
  const onTrouble = useCallback(
    (_page: number, trouble: ApiError | null, retry: () => void) => setError(trouble ? { error: trouble, retry } : null),
    [],
  )
  const { chunk } = source
  const see = useCallback(
    (first: number, last: number) => {
      const from = Math.floor(Math.max(0, first - 10) / chunk) + 1
      const to = Math.floor((last + 10) / chunk) + 1
      setWanted((before) => {
        const pages = Array.from({ length: Math.min(to - from + 1, MOST_CHUNKS) }, (_, at) => from + at)
        return pages.every((page) => before.includes(page)) ? before : [...new Set([...pages, ...before])].slice(0, MOST_CHUNKS)
      })
    },
    [chunk],
  )

  const count = chunks.size ? [...chunks.values()].at(-1)!.count : undefined
  const rows = useMemo(() => {
    const all: (Row | Gap)[] = []
    for (let at = 0; at < (count ?? 0); at++) {
      const row = chunks.get(Math.floor(at / chunk) + 1)?.rows[at % chunk]
      all.push(row ?? { gap: at })
    }
    return all
  }, [chunks, count, chunk])
  const last = count === undefined ? 1 : Math.max(1, Math.ceil(count / chunk))
  return {
    rows,
    count,
    stale,
    see,
    loading: count === undefined && !error,
    error: error?.error ?? null,
    retry: () => error?.retry(),
    loaders: wanted
      .filter((page) => page <= last)
      .map((page) => <Chunk key={page} source={source} page={page} onAnswer={onAnswer} onTrouble={onTrouble} />),
  }
}

/** Every row that matches, loaded in large pages: what "mark all that match" marks. */
export async function loadAll<Row>(
  source: Source<Row>,
  read: (call: Source<Row>['call'], input: never) => Promise<unknown>,
  onProgress: (done: number, total: number) => void,
): Promise<Row[]> {
  const all: Row[] = []
  for (let page = 1; ; page++) {
    const answer = (await read(
      source.call,
      source.input(page, Math.max(source.chunk, source.chunk === 50 ? 500 : source.chunk)) as never,
    )) as never
    const rows = source.rows(answer)
    all.push(...rows)
    const count = source.count(answer)
    onProgress(all.length, count)
    if (!rows.length || all.length >= count) return all
  }
}
