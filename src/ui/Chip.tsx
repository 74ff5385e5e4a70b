import { X } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'

/** A filter chip, "Status **all**". `on`: it narrows the list. `onClear` removes it. */
export function Chip({
  label,
  value,
  on,
  onClear,
  className,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'value'> & {
  label: string
  value: ReactNode
  on?: boolean
  onClear?: () => void
  ref?: Ref<HTMLButtonElement>
}) {
  return (
    <span
      data-chip={on ? 'on' : 'off'}
      className={cx(
        'inline-flex h-6 narrow:h-8 max-w-64 shrink-0 overflow-hidden rounded-md border',
        on ? 'border-accent bg-accent-wash' : 'border-edge',
      )}
    >
      <button
        type="button"
        {...rest}
        className={cx(
          'flex min-w-0 items-center gap-1 whitespace-nowrap rounded-md px-2 text-meta text-muted -outline-offset-2 aria-expanded:bg-hover hover:text-ink',
          className,
        )}
      >
        {label} <b className="truncate font-medium text-ink">{value}</b>
      </button>
      {onClear && (
        <button
          type="button"
          onClick={onClear}
          aria-label={`Clear ${label}`}
          className="grid w-6 narrow:w-8 place-items-center rounded-md text-muted -outline-offset-2 hover:text-ink"
        >
          <X size={12} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
