import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { cx } from '../ui/cx.ts'
import { stepsAside } from './questionKeys.ts'

/**
 * The palette's field, instead of cmdk's, which keeps naming a removed row until the selection changes.
 * This one reads the selected row after every render, so that screen readers get the right one.
 */
export function PaletteInput({
  field,
  label,
  value,
  onChange,
  placeholder,
  lines,
  past,
  quiet,
  sign,
  invalid,
  describedBy,
  kind = 'text',
  list,
  before,
}: {
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  lines?: number
  /** Whether rows are listed below a text of several lines, or one of them is selected: arrows at its end go there. */
  past?: 'below' | 'in' | undefined
  /** The field only holds the focus; nothing can be typed now. */
  quiet?: boolean
  /** A number's prefix: $. */
  sign?: string | undefined
  invalid?: boolean
  describedBy?: string
  kind?: 'text' | 'number' | 'date' | 'email' | 'url'
  /** Ids of the list and its selected row; omit them inside cmdk, where they are read from the page. */
  list?: { id: string | undefined; selected: string | undefined }
  before?: ReactNode
}) {
  const several = Boolean(lines)
  useLayoutEffect(() => {
    // The element is another one when the text has several lines.
    void several
    const input = field.current
    const root = input?.closest('[cmdk-root]')
    if (!input || !root) return
    const read = () => {
      const list = root.querySelector('[cmdk-list]')
      const selected = root.querySelector('[cmdk-item][aria-selected="true"]')
      set(input, 'aria-controls', list?.id)
      set(input, 'aria-activedescendant', selected?.id)
      set(input, 'aria-expanded', String(root.querySelector('[cmdk-item]') !== null))
      // cmdk also sets it on its list, which never has the focus.
      if (list?.hasAttribute('aria-activedescendant')) list.removeAttribute('aria-activedescendant')
    }
    read()
    const watcher = new MutationObserver(read)
    watcher.observe(root, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['aria-selected', 'aria-activedescendant', 'id'],
    })
    return () => watcher.disconnect()
  }, [field, several])
  const shared = {
    'aria-label': label,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    role: 'combobox',
    'aria-expanded': !list || list.id !== undefined,
    ...(list ? { 'aria-controls': list.id, 'aria-activedescendant': list.selected } : {}),
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    autoComplete: 'off',
    autoCorrect: 'off',
    spellCheck: Boolean(lines),
    value,
    placeholder,
    className: cx('bg-transparent text-body outline-none', quiet ? 'w-px flex-none caret-transparent' : 'min-w-24 flex-1'),
  }
  return (
    <div
      className={cx(
        'relative flex min-h-12 shrink-0 flex-wrap gap-x-2 gap-y-1.5 px-4 py-2.5 max-sm:pr-12',
        lines ? 'items-start' : 'items-center short:flex-nowrap short:overflow-x-auto short:*:shrink-0',
      )}
    >
      {before}
      {lines ? (
        <textarea
          {...shared}
          ref={field as RefObject<HTMLTextAreaElement | null>}
          onKeyDown={(event) => keepInside(event, past)}
          rows={lines}
          onChange={(event) => onChange(event.target.value)}
          className={`${shared.className} basis-full resize-none`}
        />
      ) : (
        <span className={cx('flex items-center gap-1', quiet ? 'absolute bottom-2.5 left-4' : 'min-w-24 flex-1')}>
          {sign && (
            <span aria-hidden="true" className="text-muted">
              {sign}
            </span>
          )}
          <input
            {...shared}
            ref={field as RefObject<HTMLInputElement | null>}
            type="text"
            onKeyDown={keepCaret}
            inputMode={kind === 'number' ? 'decimal' : kind === 'email' ? 'email' : kind === 'url' ? 'url' : 'text'}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </div>
  )
}

const set = (element: Element, name: string, value: string | undefined) => {
  // Writes only changes; otherwise the observed field would trigger itself.
  if ((element.getAttribute(name) ?? undefined) === value) return
  if (value) element.setAttribute(name, value)
  else element.removeAttribute(name)
}

/** Home and End belong to the caret in a text, and to the list if the field is empty. */
const keepCaret = (event: KeyboardEvent<HTMLInputElement>) => {
  if ((event.key === 'Home' || event.key === 'End') && event.currentTarget.value) event.stopPropagation()
}

/** In a text of several lines, caret keys and Shift+Enter stay inside; an arrow at its end leads to the next answer. */
export const keepInside = (event: KeyboardEvent, past?: 'below' | 'in'): void => {
  if (stepsAside(event, '')) return
  const { selectionStart, value } = event.target as HTMLTextAreaElement
  const atEnd = selectionStart === value.length
  if (past && atEnd && (event.key === 'ArrowDown' || (event.key === 'ArrowUp' && past === 'in'))) return
  if ((event.key === 'Enter' && event.shiftKey) || /^(Arrow|Home|End)/.test(event.key)) event.stopPropagation()
}
