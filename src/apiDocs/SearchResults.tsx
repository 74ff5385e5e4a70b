import { useEffect, useRef } from 'react'
import { cx } from '../ui/cx.ts'
import { Method } from './Contents.tsx'
import type { SearchResult } from './findCalls.ts'

/** The id of a result's option, to which the search box points. */
export const optionId = (at: number): string => `found-${at}`

/** What a search found, in a list box that the search box controls. */
export function SearchResults({
  id,
  query,
  searched,
  calls,
  selected,
  onChoose,
}: {
  id: string
  query: string
  /** What was searched for in its place: without the typo. */
  searched: string
  calls: readonly SearchResult[]
  selected: number
  onChoose: (call: SearchResult) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`#${optionId(selected)}`)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <>
      <p role="status" className="px-4 pt-3 text-meta text-muted">
        {calls.length
          ? `${calls.length} found${searched === query ? '' : ` for “${searched}”`}`
          : `Nothing found for “${query.trim()}”`}
      </p>
      <div ref={list} id={id} role="listbox" aria-label="Calls found" className="p-2">
        {calls.map((call, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search box has the keys
          <div
            key={call.id}
            id={optionId(at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === selected}
            onClick={() => onChoose(call)}
            className={cx('cursor-pointer rounded-sm px-2 py-1.5 hover:bg-hover', at === selected && 'bg-cursor')}
          >
            <p>{call.summary}</p>
            <p className="flex items-baseline gap-2 text-meta text-muted">
              {'method' in call && <Method call={call} />}
              <span className="min-w-0 break-all font-mono">{call.path}</span>
            </p>
          </div>
        ))}
      </div>
    </>
  )
}
