import { Search, SearchX } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import type { SearchVisibility } from './useHiddenSearch.ts'

/** Hides or shows a list's search box. */
export function SearchToggle({ isHidden, toggle }: SearchVisibility) {
  if (!toggle) return null
  return (
    <IconButton data-command="list.toggleSearch" label={isHidden ? 'Show search' : 'Hide search'} onClick={toggle}>
      {isHidden ? <Search size={14} aria-hidden="true" /> : <SearchX size={14} aria-hidden="true" />}
    </IconButton>
  )
}
