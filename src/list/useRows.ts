import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { api } from '../data/apiClient.ts'
import { isStale } from '../data/staleNouns.ts'
import { onForgotten, onStale } from '../data/useCall.ts'
import { createRowLoader, forgetRows, keyOfSource, type Loaded, type RowLoader } from './rowLoader.ts'
import type { RowSource } from './rowSource.ts'

/** A list's loaded rows and their loader. */
export interface Rows<Row> extends Loaded<Row> {
  chunk: number
  loader: RowLoader<Row>
}

onForgotten(forgetRows)
// Access changed, so that earlier rows must not show again, not even briefly.
onStale((nouns) => nouns === null && forgetRows())

/** Loads rows of a source where visible, and reads them again when their nouns change. `at` is the initial row. */
export function useRows<Row>(
  source: RowSource<Row>,
  at: number,
  visible: boolean,
  onAnswer?: (answer: never) => void,
): Rows<Row> {
  const latestOnAnswer = useRef(onAnswer)
  const [loader] = useState(() => createRowLoader<Row>(api.read as never, (answer) => latestOnAnswer.current?.(answer as never)))
  const key = keyOfSource(source)
  const latest = useRef({ source, at })
  useLayoutEffect(() => {
    latest.current = { source, at }
    latestOnAnswer.current = onAnswer
  })
  const started = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key alone says that something else is asked for
  useLayoutEffect(() => {
    // A new search starts at its top.
    loader.begin(latest.current.source, started.current ? 0 : latest.current.at)
    started.current = true
  }, [key, loader])
  useEffect(() => loader.show(visible), [visible, loader])
  useEffect(() => onStale((nouns) => isStale(source.call, nouns) && loader.refresh()), [source.call, loader])
  useEffect(() => {
    // A development build mounts twice.
    loader.begin(latest.current.source, latest.current.at)
    return () => loader.stop()
  }, [loader])
  const now = useSyncExternalStore(loader.subscribe, loader.snapshot)
  return useMemo(() => ({ ...now, chunk: source.chunk, loader }), [now, source.chunk, loader])
}
