import { Calendar } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { notADate, readDate, readDay, showDate } from '../../contract/dates.ts'
import { showDay } from '../../contract/format.ts'
import { cx } from './cx.ts'
import { displayToday } from './displayZone.ts'
import { box, useField, useFieldWords } from './useField.ts'

/**
 * A date, typed or picked: 11/24/2026, fri, in 6 weeks, end of next month.
 * `onChange` gets ISO, or the raw text when it isn't a date, for the form to explain.
 */
export function DateInput({
  value,
  onChange,
  format = 'us',
  min,
  max,
  disabled,
  className,
  onBlur,
  ref,
  label,
  whole,
}: {
  value: string
  onChange: (value: string) => void
  format?: 'us' | 'iso'
  min?: string
  max?: string
  disabled?: boolean
  className?: string
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
  /** The accessible name if no Field labels the input. */
  label?: string
  /** Reports only complete dates while typing. Words and partial dates are reported on Enter or blur. */
  whole?: boolean
}) {
  const show = (date: string) => (format === 'us' ? showDate(date) : date)
  const read = (typed: string) => readDay(typed, displayToday())
  const [text, setText] = useState(show(value))
  const [typing, setTyping] = useState(false)
  /** True if the last reported value was the text being typed, which isn't a date. */
  const raw = useRef(false)
  const picker = useRef<HTMLInputElement>(null)
  const links = useField()
  const words = useFieldWords()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is being typed stays until the value says something else
  useEffect(() => {
    // A filter drops a text that isn't a date yet; keep it, because it is still being typed.
    if (typing && !value && raw.current && !whole) return
    if ((read(text) ?? text) !== value) setText(show(value))
  }, [value])
  const day = read(text)
  const settle = () => {
    if (!day) return
    setText(show(day))
    if (whole && day !== value) onChange(day)
  }
  const interpreted = typing && day && !readDate(text) ? showDay(day, 'day in full') : ''
  // If the form shows an error for this field, don't show another one.
  const wrong = !typing && text.trim() && !day && !links['aria-invalid'] ? notADate(text, label) : ''
  return (
    <span className={cx('relative flex items-center', className)}>
      <input
        type="text"
        autoComplete="off"
        placeholder={format === 'us' ? 'MM/DD/YYYY' : 'YYYY-MM-DD'}
        aria-label={label}
        {...links}
        {...(wrong ? { 'aria-invalid': true } : {})}
        ref={ref}
        disabled={disabled}
        value={text}
        onChange={(event) => {
          setTyping(true)
          setText(event.target.value)
          const date = whole ? readDate(event.target.value) : read(event.target.value)
          raw.current = date === null
          onChange(date ?? event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle()
          if (event.key !== 'ArrowDown' || !event.altKey) return
          event.preventDefault()
          picker.current?.showPicker()
        }}
        aria-keyshortcuts="Alt+ArrowDown"
        onBlur={() => {
          setTyping(false)
          settle()
          onBlur?.()
        }}
        className={cx(box, 'h-7 pr-8 tabular-nums')}
      />
      <button
        type="button"
        tabIndex={-1}
        disabled={disabled}
        aria-label={`Pick a date: ${label ?? words}`}
        onClick={() => picker.current?.showPicker()}
        className="absolute right-0.5 grid size-6 place-items-center rounded-sm text-muted hover:text-ink"
      >
        <Calendar size={14} aria-hidden="true" />
      </button>
      <span
        data-says=""
        aria-live="polite"
        aria-atomic="true"
        className={cx(
          interpreted || wrong
            ? 'pointer-events-none absolute top-full left-0 z-20 mt-1 w-max max-w-72 rounded-md border bg-raised px-2 py-1 text-meta shadow-float'
            : 'sr-only',
          wrong ? 'border-red text-red-ink' : 'border-line text-ink',
        )}
      >
        {interpreted || wrong}
      </span>
      <input
        ref={picker}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={day ?? ''}
        min={min}
        max={max}
        onChange={(event) => {
          setTyping(false)
          setText(show(event.target.value))
          onChange(event.target.value)
        }}
        className="pointer-events-none absolute right-0 bottom-0 size-0 opacity-0"
      />
    </span>
  )
}
