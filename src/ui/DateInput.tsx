import { Calendar } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { box, useField } from './useField.ts'

/** Parses 2026-11-24, 11/24/2026, 11/24/26 or 1/2/2026 to ISO; null unless the date exists. */
export function readDate(typed: string): string | null {
  const text = typed.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text)
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : us ? [us[3], us[1], us[2]] : []
  if (!year || !month || !day) return null
  const full = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${full}T00:00:00Z`)
  return Number.isNaN(date.valueOf()) || date.toISOString().slice(0, 10) !== full ? null : full
}

/** Formats an ISO date as MM/DD/YYYY; returns anything else unchanged. */
export function showDate(iso: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  return parts ? `${parts[2]}/${parts[3]}/${parts[1]}` : iso
}

/** A date, typed or picked. `onChange` gets ISO, or the raw text when it isn't a date, for the form to explain. */
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
  /** The accessible name where no Field labels it. */
  label?: string
}) {
  const show = (date: string) => (format === 'us' ? showDate(date) : date)
  const [text, setText] = useState(show(value))
  const picker = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is being typed stays until the value says something else
  useEffect(() => {
    if ((readDate(text) ?? text) !== value) setText(show(value))
  }, [value])
  return (
    <span className={cx('relative flex items-center', className)}>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={format === 'us' ? 'MM/DD/YYYY' : 'YYYY-MM-DD'}
        aria-label={label}
        {...useField()}
        ref={ref}
        disabled={disabled}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChange(readDate(event.target.value) ?? event.target.value)
        }}
        onBlur={() => {
          const read = readDate(text)
          if (read) setText(show(read))
          onBlur?.()
        }}
        className={cx(box, 'h-7 pr-8 tabular-nums')}
      />
      <button
        type="button"
        disabled={disabled}
        aria-label="Pick a date"
        onClick={() => picker.current?.showPicker()}
        className="absolute right-0.5 grid size-6 place-items-center rounded-sm text-muted hover:text-ink"
      >
        <Calendar size={14} aria-hidden="true" />
      </button>
      <input
        ref={picker}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={readDate(value) ?? ''}
        min={min}
        max={max}
        onChange={(event) => {
          setText(show(event.target.value))
          onChange(event.target.value)
        }}
        className="pointer-events-none absolute right-0 bottom-0 size-0 opacity-0"
      />
    </span>
  )
}
