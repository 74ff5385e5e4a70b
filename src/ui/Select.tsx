import { ChevronDown } from 'lucide-react'
import type { Ref, SelectHTMLAttributes } from 'react'
import { cx } from './cx.ts'
import { box, useField } from './useField.ts'

/** An option of a select, radio or checkbox: stored value and label. */
export type Option<V extends string = string> = { value: V; label: string; disabled?: boolean }

/** A styled native select. `placeholder` is the empty choice. */
export function Select<V extends string = string>({
  value,
  onChange,
  options,
  placeholder,
  className,
  ...rest
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> & {
  value: V | ''
  onChange: (value: V) => void
  options: readonly Option<V>[]
  placeholder?: string
  ref?: Ref<HTMLSelectElement>
}) {
  return (
    <span className={cx('relative flex min-w-0 items-center', className)}>
      <select
        {...useField()}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
        className={cx(box, 'h-7 appearance-none truncate pr-7', value === '' && 'text-faint')}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} className="bg-raised text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} aria-hidden="true" className="pointer-events-none absolute right-2 text-muted" />
    </span>
  )
}
