import type { ButtonHTMLAttributes, InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react'
import { cx } from '../../ui/cx.ts'
import { growing } from '../../ui/growing.ts'
import { box, useField } from '../../ui/useField.ts'

/* Touch controls: at least 44 px high, with 16 px text, since iOS zooms into smaller fields. */

const looks = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  plain: 'border-edge bg-surface text-ink hover:bg-hover',
  danger: 'border-red bg-surface text-red-ink hover:bg-red-wash',
  quiet: 'border-transparent text-accent-ink hover:bg-hover',
}

/** A button of a partner's page, inert while busy. */
export function TouchButton({
  look = 'plain',
  busy,
  className,
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof looks; busy?: boolean; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(
        'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-md border px-4 py-1.5 text-read font-medium',
        busy ? 'border-line bg-surface text-faint' : looks[look],
        className,
      )}
    />
  )
}

/** Classes for a link that looks like a button. */
export const touchLink = (look: keyof typeof looks = 'plain'): string =>
  cx('inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 py-1.5 text-read font-medium', looks[look])

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'prefix'> & {
  value: string
  onChange: (value: string) => void
  /** Shown before the text: "$". */
  prefix?: string
  /** Shown after the text: "%". */
  unit?: string
}

/** A single-line field; the text stays as typed, and the form shows what is wrong with it. */
export function TouchInput({ value, onChange, prefix, unit, className, ...rest }: InputProps) {
  return (
    <span className="relative flex items-center">
      {prefix && <span className="pointer-events-none absolute left-3 text-touch text-muted">{prefix}</span>}
      <input
        type="text"
        autoComplete="off"
        {...useField()}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(box, 'h-12 px-3 text-touch tabular-nums', prefix && 'pl-7', unit && 'pr-14', className)}
      />
      {unit && <span className="pointer-events-none absolute right-3 text-touch text-muted">{unit}</span>}
    </span>
  )
}

/** A multi-line field that grows with its text. */
export function TouchText({
  value,
  onChange,
  ...rest
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  value: string
  onChange: (value: string) => void
}) {
  return (
    <textarea
      rows={3}
      {...useField()}
      {...rest}
      ref={growing()}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cx(box, 'field-sizing-content max-h-80 min-h-24 resize-y px-3 py-2 text-touch')}
    />
  )
}
