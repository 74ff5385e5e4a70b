import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** An on/off setting that applies at once. The knob's position shows it, not colour alone. */
export function Switch({
  checked,
  onChange,
  children,
  disabled,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  disabled?: boolean
}) {
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2', disabled && 'text-faint')}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="relative h-4 w-7 shrink-0 appearance-none rounded-full border-[1.5px] border-control bg-surface before:absolute before:top-px before:left-px before:size-[11px] before:rounded-full before:bg-control before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-3 checked:before:bg-on-accent focus-visible:outline-offset-2"
      />
      {children}
    </label>
  )
}
