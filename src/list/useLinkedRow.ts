import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ListController } from '../commands/workspaceApi.ts'
import { store } from '../data/jotaiStore.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { usePane } from '../workspace/pane.tsx'
import { paneStateAtom, paneStateOf } from '../workspace/paneState.ts'

/** How long (ms) the cursor must rest before the URL changes. */
const REST_MS = 150

interface Parts {
  /** Shows all rows of the list; returns false if it does so already. */
  widen(): boolean
  /** The message if no row has the URL's id. */
  gone: string
}

/**
 * Keeps the row under the cursor in its pane's URL (`entry`), and moves to that of a link, whatever page it is on.
 * A row that the link's filters no longer match is searched among all rows.
 */
export function useLinkedRow({ widen, gone }: Parts): void {
  const { id, query, setQuery } = usePane()
  const linked = Number(query.entry) || null
  /** The row that is in the URL because the cursor is there or was moved there. */
  const published = useRef<number | null>(null)
  const latest = useRef({ widen, gone, linked })
  useLayoutEffect(() => {
    latest.current = { widen, gone, linked }
  })

  useEffect(() => {
    if (linked === null || linked === published.current) return
    const abort = new AbortController()
    let done = false
    let refused: ListController | null = null
    const look = async (): Promise<void> => {
      const list = paneStateOf(store.get(paneStateAtom), id).list
      if (done || !list?.seek || list === refused || list.loading === 'rows') return
      done = true
      const found = list.cursor?.id === linked || (await list.seek((subject) => subject.id === linked, abort.signal))
      if (abort.signal.aborted) return
      if (!found && list !== paneStateOf(store.get(paneStateAtom), id).list) {
        // Its rows were those before another filter.
        done = false
        return look()
      }
      if (!found && latest.current.widen()) {
        // The same list stays published until the wider one loads.
        refused = list
        done = false
        return
      }
      published.current = linked
      if (!found) workspace.notice(latest.current.gone)
    }
    const failed = (error: Error) => {
      if (!abort.signal.aborted) workspace.notice(error.message, 'bad')
    }
    const stop = store.sub(paneStateAtom, () => void look().catch(failed))
    look().catch(failed)
    return () => {
      abort.abort()
      stop()
    }
  }, [id, linked])

  useEffect(() => {
    /** The row under the cursor; null before the list has set it to its first row. */
    let at: number | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = store.sub(paneStateAtom, () => {
      const list = paneStateOf(store.get(paneStateAtom), id).list
      const under = list?.cursor?.id ?? null
      if (list?.loading === 'rows') {
        // With other filters, their rows have no position yet.
        if (at !== null && latest.current.linked === published.current && published.current !== null) setQuery({ entry: null })
        at = null
        clearTimeout(timer)
      } else if (under !== null && under !== at) {
        const first = at === null
        at = under
        clearTimeout(timer)
        if (first) return
        timer = setTimeout(() => {
          published.current = under
          if (latest.current.linked !== under) setQuery({ entry: under })
        }, REST_MS)
      }
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [id, setQuery])
}
