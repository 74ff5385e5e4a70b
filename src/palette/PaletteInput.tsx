import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { cx } from '../ui/cx.ts'
import { stepsAside } from './questionKeys.ts'

/**
 * The palette's field. Not cmdk's own: that one names the selected row only when the selection changes, and so goes on naming a row that is gone.
 * This one reads after every render which row is selected, and so always tells the truth to a screen reader.
 */
export function PaletteInput({
  field,
  label,
  value,
  onChange,
  placeholder,
  lines,
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
  /** Nothing is typed in it now: it only holds the focus. */
  quiet?: boolean
  /** The prefix of a figure: $. */
  sign?: string | undefined
  invalid?: boolean
  describedBy?: string
  kind?: 'text' | 'number' | 'date' | 'email' | 'url'
  /** The list that it searches, and the row selected there, by their ids; left out inside of cmdk, where they are read from the page. */
  list?: { id: string | undefined; selected: string | undefined }
  before?: ReactNode
}) {
  const several = Boolean(lines)
  useLayoutEffect(() => {
    // Another element when the field has become one of several lines.
    void several
    const input = field.current
    const root = input?.closest('[cmdk-root]')
    if (!input || !root) return
    const read = () => {
      const list = root.querySelector('[cmdk-list]')
      const selected = root.querySelector('[cmdk-item][aria-selected="true"]')
      set(input, 'aria-controls', list?.id)
      set(input, 'aria-activedescendant', selected?.id)
      set(input, 'aria-expanded', String(list !== null))
      // cmdk says it of its list too, and late; the list never has the focus.
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
        'relative flex min-h-12 shrink-0 flex-wrap gap-x-2 gap-y-1.5 px-4 py-2.5',
        lines ? 'items-start' : 'items-center short:flex-nowrap short:overflow-x-auto short:*:shrink-0',
      )}
    >
      {before}
      {lines ? (
        <textarea
          {...shared}
          ref={field as RefObject<HTMLTextAreaElement | null>}
          onKeyDown={keepInside}
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
  // Only a change is written: the field is watched too, and would hear itself.
  if ((element.getAttribute(name) ?? undefined) === value) return
  if (value) element.setAttribute(name, value)
  else element.removeAttribute(name)
}

/** In a text Home and End are the caret's; in an empty field the list's. */
const keepCaret = (event: KeyboardEvent<HTMLInputElement>) => {
  if ((event.key === 'Home' || event.key === 'End') && event.currentTarget.value) event.stopPropagation()
}

/** In a text of several lines the caret's keys and Shift+Enter are its own; where the caret is at the text's end, an arrow leads to the answer beside it. */
export const keepInside = (event: KeyboardEvent): void => {
  if (stepsAside(event, '')) return
  if ((event.key === 'Enter' && event.shiftKey) || /^(Arrow|Home|End)/.test(event.key)) event.stopPropagation()
}
