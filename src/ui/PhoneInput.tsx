import { useLayoutEffect, useRef } from 'react'
import { typedPhone } from '../../contract/foldText.ts'
import { cx } from './cx.ts'
import { box, useField } from './useField.ts'

/** Formats up to ten digits as (123) 456-7890, also while incomplete; a number of another country stays as it is. */
export function showPhone(digits: string): string {
  if (digits.length > 10 || digits.startsWith('+')) return digits
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 10)]
  if (!area) return ''
  if (!exchange) return `(${area}`
  return line ? `(${area}) ${exchange}-${line}` : `(${area}) ${exchange}`
}

/** A phone number: ten digits, shown as (123) 456-7890, or a plus and the digits of another country. */
export function PhoneInput({
  value,
  onChange,
  label,
  disabled,
  className,
  onBlur,
}: {
  value: string
  onChange: (digits: string) => void
  label?: string
  disabled?: boolean
  className?: string
  onBlur?: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  const shown = showPhone(value)
  // Keeps the caret behind the typed digit while brackets appear around it.
  useLayoutEffect(() => {
    if (caret.current === null) return
    let place = 0
    for (let seen = 0; seen < caret.current && place < shown.length; place++) if (/[+\d]/.test(shown[place]!)) seen++
    input.current?.setSelectionRange(place, place)
    caret.current = null
  })
  return (
    <input
      type="tel"
      autoComplete="tel-national"
      placeholder="(123) 456-7890"
      aria-label={label}
      {...useField()}
      ref={input}
      disabled={disabled}
      value={shown}
      onBlur={onBlur}
      onChange={(event) => {
        const typed = event.target.value
        let digits = typedPhone(typed)
        const at = typed.slice(0, event.target.selectionStart ?? typed.length).replaceAll(/[^+\d]/g, '').length
        // Backspace over a bracket would delete nothing, so it deletes the digit before.
        if (digits === value && typed.length < shown.length) {
          digits = value.slice(0, Math.max(0, at - 1)) + value.slice(at)
          caret.current = Math.max(0, at - 1)
        } else caret.current = at
        onChange(digits)
      }}
      className={cx(box, 'h-7 tabular-nums', className)}
    />
  )
}
