import { type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { FieldContext } from './useField.ts'
import { usePause } from './usePause.ts'

/** A label, its control, and a hint or error. `group` labels several controls, such as boxes or radios. */
export function Field({
  label,
  hint,
  error,
  required,
  group,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
  required?: boolean
  group?: boolean
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const ids = { label: `${id}label`, hint: `${id}hint`, error: `${id}error`, required: `${id}required` }
  // An error is spoken at once only if a key was pressed here; a field that gets the focus reads it as its description.
  const [acted, setActed] = useState(false)
  // An error that appears while typing waits for a pause, as half a word is no mistake. A fixed one goes at once.
  const { busy, begin, end } = usePause(700)
  const [shown, setShown] = useState(error ?? null)
  if (shown !== (error ?? null) && (!busy || !error)) setShown(error ?? null)
  const describedBy = [hint && ids.hint, shown && ids.error].filter(Boolean).join(' ') || undefined
  const words = (
    <>
      {label}
      {required && (
        <span className="text-red-ink" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears where the focus is and what is typed
    <div
      className={cx('flex min-w-0 flex-col gap-1', className)}
      onBlur={() => {
        setActed(false)
        end()
      }}
      onKeyDownCapture={({ key, ctrlKey, metaKey }) => {
        // Ctrl+Enter sends a form, which sums up its errors by itself.
        setActed(!ctrlKey && !metaKey)
        // Enter sends the form, so errors show without waiting for a pause.
        if (key === 'Enter') end()
      }}
      onInput={({ target }) => {
        setActed(true)
        if ((target as HTMLElement).matches('textarea, input:not([type=checkbox], [type=radio], [type=file])')) begin()
      }}
    >
      {group ? (
        <span className="text-meta font-medium text-muted">
          <span id={ids.label}>{words}</span>
          {required && (
            <span id={ids.required} hidden>
              required
            </span>
          )}
        </span>
      ) : (
        <label id={ids.label} htmlFor={id} className="self-start text-meta font-medium text-muted">
          {words}
        </label>
      )}
      <FieldContext
        value={{
          id,
          label: group && required ? `${ids.label} ${ids.required}` : ids.label,
          words: typeof label === 'string' ? label : '',
          describedBy,
          invalid: Boolean(error),
          required: Boolean(required),
          grouped: Boolean(group),
        }}
      >
        {children}
      </FieldContext>
      {hint && (
        <p id={ids.hint} className="text-meta text-faint">
          {hint}
        </p>
      )}
      <div aria-live={acted ? 'assertive' : 'off'} aria-atomic="true" className="empty:absolute">
        {shown && (
          <p id={ids.error} className="flex items-baseline gap-1.5 text-meta text-red-ink">
            <span aria-hidden="true">!</span>
            {/* The specification's sentences are shown to the letter, with their two blanks. */}
            <span className="whitespace-pre-wrap">{shown}</span>
          </p>
        )}
      </div>
    </div>
  )
}
