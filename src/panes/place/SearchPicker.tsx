import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '../../../contract/format.ts'
import { IconButton } from '../../ui/Button.tsx'
import { NothingToPick, PickList } from '../shared/PickList.tsx'
import type { PickOption } from '../shared/recordPicking.ts'

/** Search results: the first rows and the total count. An empty search matches everything. */
export interface SearchResults {
  rows: readonly PickOption[] | undefined
  count: number
}

/** Picks several of many records by server-side search; selected ones stay on top whatever the search. */
export function SearchPicker({
  words,
  found: { rows, count: all },
  search: text,
  onSearch: setText,
  value,
  onChange,
  none,
  onPasted,
}: {
  /** Singular and plural: "location", "locations". */
  words: readonly [one: string, many: string]
  found: SearchResults
  search: string
  onSearch(text: string): void
  value: readonly PickOption[]
  onChange(value: readonly PickOption[]): void
  none: ReactNode
  /** Handles pasted lines; returns true if it used them. */
  onPasted?(text: string): boolean
}) {
  const chosen = new Set(value.map((one) => one.id))
  const toggle = (one: PickOption) =>
    onChange(chosen.has(one.id) ? value.filter((other) => other.id !== one.id) : [...value, one])
  return (
    <div
      className="flex flex-col gap-2"
      onPaste={(event) => {
        if (!onPasted?.(event.clipboardData.getData('text/plain'))) return
        event.preventDefault()
        setText('')
      }}
    >
      {value.length > 0 && (
        <ul className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto">
          {value.map((one) => (
            <li
              key={one.id}
              className="inline-flex max-w-full items-center gap-1 rounded-md bg-accent-wash py-0.5 pr-0.5 pl-2 text-meta text-accent-ink"
            >
              <bdi className="truncate">{one.name}</bdi>
              <IconButton label={`Remove ${one.name}`} onClick={() => toggle(one)}>
                <X size={12} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {rows?.length === 0 && !text.trim() ? (
        <NothingToPick>{none}</NothingToPick>
      ) : (
        <PickList
          words={words}
          placeholder={`Search ${words[1]}${onPasted ? ', or paste addresses' : ''}`}
          summary={`${count(value.length)} selected`}
          search={text}
          onSearch={setText}
          rows={rows}
          count={all}
          chosen={chosen}
          onToggle={toggle}
          onSet={(rows, on) => {
            const ids = new Set(rows.map(({ id }) => id))
            onChange([...value.filter(({ id }) => !ids.has(id)), ...(on ? rows : [])])
          }}
        />
      )}
    </div>
  )
}
