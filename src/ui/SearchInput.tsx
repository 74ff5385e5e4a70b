import { Search, X } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { cx } from './cx.ts'
import { ariaKeys, Kbd } from './Kbd.tsx'
import { box } from './useField.ts'

/** A search box. Escape clears it, or calls `onClose` when empty; Enter and Down go to the results by `onEnter`. */
export function SearchInput({
  value,
  onChange,
  onClose,
  onEnter,
  label = 'Search',
  placeholder = 'Search',
  kbd,
  inForm,
  list,
  className,
  ref,
}: {
  value: string
  onChange: (value: string) => void
  onClose?: () => void
  onEnter?: () => void
  label?: string
  placeholder?: string
  kbd?: string
  /** True in a form, which Ctrl+Enter or ⌘+Enter submits. */
  inForm?: true
  /** The listbox it controls, and the id of the selected option. */
  list?: { id: string; selected: string | undefined }
  className?: string
  ref?: Ref<HTMLInputElement>
}) {
  const own = useRef<HTMLInputElement>(null)
  return (
    <span className={cx('relative flex min-w-0 items-center', className)}>
      <Search size={14} aria-hidden="true" className="pointer-events-none absolute left-2 text-muted" />
      <input
        type="search"
        {...(list
          ? {
              role: 'combobox',
              'aria-autocomplete': 'list',
              'aria-expanded': true,
              'aria-controls': list.id,
              'aria-activedescendant': list.selected,
            }
          : {})}
        ref={(element) => {
          own.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        aria-label={label}
        aria-keyshortcuts={ariaKeys(kbd)}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (inForm && (event.ctrlKey || event.metaKey)) return
          const leaves = onEnter && (event.key === 'Enter' || event.key === 'ArrowDown')
          if (!leaves && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          if (leaves) onEnter()
          else if (value) onChange('')
          else onClose?.()
        }}
        className={cx(box, 'h-7 px-7 [&::-webkit-search-cancel-button]:hidden')}
      />
      {value ? (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            onChange('')
            own.current?.focus()
          }}
          className="absolute right-0.5 grid size-6 place-items-center rounded-sm text-muted hover:text-ink"
        >
          <X size={14} aria-hidden="true" />
        </button>
      ) : (
        kbd && <Kbd mute keys={kbd} className="pointer-events-none absolute right-1.5" />
      )}
    </span>
  )
}
