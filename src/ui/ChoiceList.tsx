import { Check } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { usePlace } from './usePlace.ts'

/** A choice of a list: stored value, label, and what is shown beside it. */
export interface Choice {
  value: string
  label: string
  detail?: string | undefined
  disabled?: boolean | undefined
}

/** The id of an option of the list with this id. */
export const optionId = (list: string, at: number): string => `${list}${at}`

/** The open list of a combobox, above everything else; its field keeps the focus and names the active option. */
export function ChoiceList({
  id,
  field,
  label,
  choices,
  active,
  chosen,
  empty,
  onPick,
}: {
  id: string
  field: RefObject<HTMLElement | null>
  label: string
  choices: readonly Choice[]
  active: number
  /** The current choice, with a tick. */
  chosen?: string
  /** What is said if there are no choices. */
  empty?: string
  onPick: (at: number) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const place = usePlace(field, true)
  useLayoutEffect(() => list.current?.showPopover?.(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option scrolls into view as the list changes, too
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  }, [active, choices, place])
  return (
    <div
      ref={list}
      popover="manual"
      style={place}
      className="fixed inset-auto m-0 overflow-y-auto rounded-lg border border-edge bg-raised p-1 text-left text-body text-ink shadow-float"
    >
      <div role="listbox" id={id} aria-label={label}>
        {choices.map(({ value, label, detail, disabled }, at) => (
          <div
            key={value}
            id={optionId(id, at)}
            role="option"
            tabIndex={-1}
            data-value={value}
            aria-selected={at === active}
            aria-disabled={disabled || undefined}
            onPointerDown={(event) => {
              event.preventDefault()
              if (!disabled && event.button === 0) onPick(at)
            }}
            className={cx(
              'flex min-h-7 items-center gap-2 rounded-md px-2 py-1',
              at === active ? 'bg-accent-wash' : 'hover:bg-hover',
              disabled && 'text-faint',
            )}
          >
            {chosen !== undefined && (
              <Check size={14} aria-hidden="true" className={cx('shrink-0', value !== chosen && 'invisible')} />
            )}
            <span className="truncate">{label}</span>
            {detail && <span className="truncate text-muted">{detail}</span>}
          </div>
        ))}
      </div>
      {empty && (
        <p role="status" className="px-2 py-1 text-muted empty:hidden">
          {choices.length === 0 ? empty : ''}
        </p>
      )}
    </div>
  )
}
