import { createContext, type ReactNode, use, useId } from 'react'
import { cx } from './cx.ts'

type FieldIds = {
  id: string
  label: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
  grouped: boolean
}
type FieldLinks = {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  'aria-required'?: true
  'aria-labelledby'?: string
}
const FieldContext = createContext<FieldIds | null>(null)

/** What a control takes from the field around it: its id, and the links to label, hint and error. Nothing outside a field. */
export function useField(): FieldLinks {
  const field = use(FieldContext)
  if (!field) return {}
  const links = { 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
  if (field.grouped) return { ...links, 'aria-labelledby': field.label }
  return { id: field.id, 'aria-required': field.required || undefined, ...links }
}

/**
 * A label, the control, and under it a hint or what is wrong. `group` is for several controls under one label (boxes, radios):
 * the label then names the group.
 */
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

/** The look of every box that is typed into. */
export const box =
  'w-full min-w-0 rounded-md border border-control bg-surface px-2 text-body text-ink hover:border-muted focus:border-accent focus:outline-2 focus:outline-offset-[-1px] focus:outline-accent aria-invalid:border-red aria-invalid:outline-red disabled:border-edge disabled:bg-ground disabled:text-faint read-only:not-[select]:bg-ground'
