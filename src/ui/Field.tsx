import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { FieldContext } from './useField.ts'

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
  const ids = { label: `${id}label`, hint: `${id}hint`, error: `${id}error` }
  const describedBy = [hint && ids.hint, error && ids.error].filter(Boolean).join(' ') || undefined
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
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      {group ? (
        <span id={ids.label} className="text-meta font-medium text-muted">
          {words}
        </span>
      ) : (
        <label id={ids.label} htmlFor={id} className="self-start text-meta font-medium text-muted">
          {words}
        </label>
      )}
      <FieldContext
        value={{
          id,
          label: ids.label,
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
      {error && (
        <p id={ids.error} className="flex items-baseline gap-1.5 text-meta text-red-ink">
          <span aria-hidden="true">!</span>
          {error}
        </p>
      )}
    </div>
  )
}
