import { type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes, useState } from 'react'
import { cx } from './cx.ts'
import { growing } from './growing.ts'
import { box, useField } from './useField.ts'

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & { ref?: Ref<HTMLInputElement> }

/** One line of text; `onChange` gets the text. */
export function TextInput({ value, onChange, className, ...rest }: Input & { value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="text"
      {...useField()}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cx(box, 'h-7', className)}
    />
  )
}

/** A text area that grows with its content. */
export function TextArea({
  value,
  onChange,
  className,
  rows = 3,
  ref,
  ...rest
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLTextAreaElement>
}) {
  return (
    <textarea
      {...useField()}
      {...rest}
      ref={growing(ref)}
      rows={rows}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cx(box, 'field-sizing-content max-h-80 min-h-[68px] resize-y py-1', className)}
    />
  )
}

/** A right-aligned number with its unit. The value is the typed text, so a partial number isn't lost. */
export function NumberInput({
  value,
  onChange,
  prefix,
  unit,
  decimals = 0,
  className,
  onBlur,
  ...rest
}: Omit<Input, 'prefix'> & {
  value: string
  onChange: (value: string) => void
  prefix?: string
  unit?: string
  /** Decimal places allowed; 0 for whole numbers. */
  decimals?: number
}) {
  const allowed = decimals ? new RegExp(`^-?\\d*(\\.\\d{0,${decimals}})?$`) : /^-?\d*$/
  const [refused, setRefused] = useState(false)
  return (
    <span className={cx('relative flex items-center', className)}>
      {prefix && <span className="pointer-events-none absolute left-2 text-muted">{prefix}</span>}
      <input
        type="text"
        inputMode={decimals ? 'decimal' : 'numeric'}
        autoComplete="off"
        {...useField()}
        {...rest}
        value={value}
        onChange={(event) => {
          const typed = event.target.value.replaceAll(/[,\s$]/g, '')
          setRefused(!allowed.test(typed))
          if (allowed.test(typed)) onChange(typed)
        }}
        onBlur={(event) => {
          setRefused(false)
          onBlur?.(event)
        }}
        className={cx(box, 'h-7 text-right tabular-nums', prefix && 'pl-6')}
        style={unit ? { paddingRight: `calc(${unit.length * 0.85}ch + 14px)` } : undefined}
      />
      {unit && <span className="pointer-events-none absolute right-2 text-muted">{unit}</span>}
      {refused && (
        <span
          role="alert"
          className="pointer-events-none absolute top-full left-0 z-10 rounded-sm bg-raised px-1.5 text-meta whitespace-nowrap text-red-ink shadow-float"
        >
          {decimals ? `Digits and up to ${decimals} decimals only` : 'Whole numbers only'}
        </span>
      )}
    </span>
  )
}
