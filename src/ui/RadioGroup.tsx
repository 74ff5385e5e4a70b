import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { useField } from './useField.ts'

/** Radio buttons for one of a few options. */
export function RadioGroup<V extends string>({
  value,
  onChange,
  options,
  label,
  stacked,
  disabled,
}: {
  value: V | ''
  onChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }[]
  label?: string
  stacked?: boolean
  disabled?: boolean
}) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} {...useField()} className={cx('flex gap-x-4', stacked ? 'flex-col' : 'flex-wrap')}>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx('relative flex min-h-6 items-start gap-2 py-0.5', (disabled || option.disabled) && 'text-faint')}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={disabled || option.disabled}
            onChange={() => onChange(option.value)}
            className="mt-[3px] size-3.5 shrink-0 appearance-none rounded-full border-[1.5px] border-control bg-surface checked:border-[4.5px] checked:border-accent focus-visible:outline-offset-2"
          />
          <span>
            {option.label}
            {option.hint && <span className="block text-meta text-faint">{option.hint}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}
