import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { ConcurrentEditError } from './concurrentEditError.ts'
import { cx } from './cx.ts'
import type { DateInput } from './DateInput.tsx'
import { growing } from './growing.ts'
import { loadable } from './loadable.tsx'
import { type Option, Select } from './Select.tsx'
import { box } from './useField.ts'

type DateProps = ComponentProps<typeof DateInput> & { within: RefObject<HTMLElement | null> }
/** Focuses the field once its code has loaded. */
const FocusedDateInput = loadable<DateProps>(
  () =>
    import('./DateInput.tsx').then(({ DateInput }) => ({ within, ...props }: DateProps) => (
      <>
        <DateInput {...props} />
        <Focused within={within} />
      </>
    )),
  <span className="block h-6" />,
)

/**
 * A cell editor: Enter saves, Escape cancels, Tab saves and moves on, blur saves changes. Errors keep the text.
 * After a conflict both versions show: Enter keeps mine, Escape takes theirs.
 */
export function InlineEdit({
  kind = 'text',
  initial,
  now = initial,
  options = [],
  label,
  keeps,
  save,
  onDone,
  onLost,
  hint,
  className,
}: {
  /** `lines`: a text of several lines, where Shift+Enter inserts a line break. */
  kind?: 'text' | 'lines' | 'select' | 'date'
  initial: string
  /** The cell's current value if someone else has changed it since. */
  now?: string
  options?: readonly Option[]
  label: string
  /** Filters the typed text. */
  keeps?: (text: string) => string
  save: (value: string) => unknown
  /** Called after save or cancel; the caller removes the editor and moves the focus back or to the next cell. */
  onDone: (saved: boolean, step?: 1 | -1) => void
  /** The cell unmounted with unsaved text. */
  onLost?: (typed: string) => void
  /** What saving the typed text would do; null for nothing to say. */
  hint?: (typed: string) => ReactNode
  className?: string
}) {
  const [value, setValue] = useState(initial)
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const over = useRef(false)
  const wrap = useRef<HTMLSpanElement>(null)
  const errorId = useId()

  const leaving = useRef({ value, initial, onLost })
  leaving.current = { value, initial, onLost }
  useEffect(
    () => () => {
      const { value, initial, onLost } = leaving.current
      if (!over.current && value !== initial) onLost?.(value)
    },
    [],
  )

  const finish = (saved: boolean, step?: 1 | -1) => {
    if (over.current) return
    over.current = true
    onDone(saved, step)
  }
  const submit = async (step?: 1 | -1) => {
    if (busy || over.current) return
    // A list chooses at the same key.
    const { value } = leaving.current
    if (value === initial) return finish(false, step)
    setBusy(true)
    try {
      await (error instanceof ConcurrentEditError ? error.keepMine(value) : save(value))
      finish(true, step)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
      // Don't move the focus if the user has moved on.
      if (document.activeElement === document.body) wrap.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    } finally {
      setBusy(false)
    }
  }
  const change = (next: string) => {
    setValue(keeps ? keeps(next) : next)
    // In a conflict both versions stay until one is chosen; any other error goes when the value changes.
    if (!(error instanceof ConcurrentEditError)) setError(null)
  }
  const shown = (text: string) => options.find((option) => option.value === text)?.label ?? (text || 'nothing')
  const links = { 'aria-label': label, 'aria-invalid': error ? true : undefined, 'aria-describedby': error ? errorId : undefined }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of the control inside
    <span
      ref={wrap}
      className={cx('relative block w-full', className)}
      aria-busy={busy || undefined}
      data-inline=""
      // Keys typed during a save are meant for the next cell or list (keys/typeahead.ts).
      data-reading={busy ? 'all' : undefined}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && kind === 'lines' && event.shiftKey) return event.stopPropagation()
        if (event.key === 'Enter') submit()
        else if (event.key === 'Tab') submit(event.shiftKey ? -1 : 1)
        else if (event.key === 'Escape') finish(false)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      onBlur={(event) => {
        // After a visible error, blur keeps the text until Enter or Escape.
        if (!event.currentTarget.contains(event.relatedTarget) && !error && document.hasFocus()) submit()
      }}
    >
      {kind === 'select' ? (
        <Select {...links} opens value={value} onChange={change} options={options} className="[&_:is(input,select)]:h-6" />
      ) : kind === 'date' ? (
        <FocusedDateInput value={value} onChange={change} label={label} className="[&_input]:h-6" within={wrap} />
      ) : kind === 'lines' ? (
        <textarea
          {...links}
          ref={growing()}
          rows={1}
          value={value}
          onChange={(event) => change(event.target.value)}
          className={cx(box, 'field-sizing-content max-h-80 px-1.5 py-0.5')}
        />
      ) : (
        <input
          type="text"
          {...links}
          value={value}
          onChange={(event) => change(event.target.value)}
          className={cx(box, 'h-6 px-1.5')}
        />
      )}
      {kind !== 'date' && <Focused within={wrap} />}
      {error && (
        <span
          id={errorId}
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 block w-max max-w-72 whitespace-normal rounded-md border border-red bg-raised px-2 py-1 text-left text-meta text-red-ink shadow-float"
        >
          {error instanceof ConcurrentEditError ? (
            <>
              Someone else has changed this to <b className="break-words">{shown(error.theirs)}</b>
              <span className="mt-1 flex gap-1.5 pb-0.5">
                <Button className="h-6!" kbd="Enter" onClick={() => void submit()}>
                  Keep mine
                </Button>
                <Button className="h-6!" kbd="Esc" onClick={() => finish(false)}>
                  Take theirs
                </Button>
              </span>
            </>
          ) : (
            error.message
          )}
        </span>
      )}
      {!error && hint && value !== initial && (
        <span
          role="status"
          className="absolute top-full right-0 z-20 mt-1 block w-max max-w-72 whitespace-normal rounded-md border border-line bg-raised px-2 py-1 text-left text-meta text-muted shadow-float"
        >
          {hint(value)}
        </span>
      )}
      {!error && now !== initial && (!hint || value === initial) && (
        <span
          role="status"
          className="absolute top-full left-0 z-20 mt-1 block w-max max-w-72 whitespace-normal rounded-md border border-line bg-raised px-2 py-1 text-left text-meta text-muted shadow-float"
        >
          Someone else just changed this to <b className="text-ink">{shown(now)}</b>
        </span>
      )}
    </span>
  )
}

/** Focuses the control once mounted, with its content selected. */
function Focused({ within }: { within: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const control = within.current?.querySelector<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
      'input:not([tabindex="-1"]), select, textarea',
    )
    control?.focus()
    if (control && !(control instanceof HTMLSelectElement)) control.select()
  }, [within])
  return null
}
