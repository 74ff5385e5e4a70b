import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { type Answer, useCall } from '../../data/useCall.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Select } from '../../ui/Select.tsx'

/** The largest page the API returns. */
const MOST = 500
/** Debounce before a search, in ms. */
const PAUSE = 200

type Users = Output<'user.list'>['data']

/** Loads client users to choose from: all, or search results once there are too many for one response. */
export function useClientUsers(): { users: Users; search: ClientUserSearch | null; answer: Answer<Output<'user.list'>> } {
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const query = { role: 'client', per_page: MOST, column: 'first_name' } as const
  const all = useCall('user.list', query)
  const found = useCall('user.list', wanted ? { ...query, search: wanted } : null)
  const answer = wanted ? found : all
  const total = all.data?.count ?? 0
  return {
    users: answer.data?.data ?? [],
    search: total > MOST ? { text, setText, total, found: wanted ? (found.data?.count ?? null) : null } : null,
    answer,
  }
}

interface ClientUserSearch {
  text: string
  setText(text: string): void
  total: number
  /** The number of matches; null without a search, or while it loads. */
  found: number | null
}

/** Picks a client user; with many of them, adds a search. */
export function ClientUserSelect({
  label,
  placeholder,
  options,
  search,
  onPick,
}: {
  label: string
  placeholder: string
  options: readonly { id: number; label: string }[]
  search: ClientUserSearch | null
  onPick(id: number): void
}) {
  const hint =
    search === null || search.found === null
      ? placeholder
      : search.found === 0
        ? 'No user found'
        : `${placeholder} ${count(search.found)} found`
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      {search && (
        <SearchInput
          className="w-52 max-w-full"
          label={`Search ${count(search.total)} client users`}
          placeholder={`Search ${count(search.total)} users`}
          value={search.text}
          onChange={search.setText}
        />
      )}
      <Select
        aria-label={label}
        className="w-52 max-w-full"
        value=""
        placeholder={hint}
        onChange={(id) => onPick(Number(id))}
        options={options.map((option) => ({ value: String(option.id), label: option.label }))}
      />
    </span>
  )
}
