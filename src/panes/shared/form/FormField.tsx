import type { ReactNode } from 'react'
import { type Control, type FieldValues, type Path, type PathValue, useController } from 'react-hook-form'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'

export interface Bound<V> {
  value: V
  onChange(value: V): void
  onBlur(): void
}

/** A form field: label, bound control, hint and error. `wide` spans the whole row. */
export function FormField<Values extends FieldValues, Name extends Path<Values>>({
  control,
  name,
  label,
  hint,
  required,
  group,
  wide,
  error,
  quiet,
  children,
}: {
  control: Control<Values>
  name: Name
  label: string
  hint?: ReactNode
  required?: boolean
  group?: boolean
  wide?: boolean
  /** An error from outside the form's rules, such as a file still uploading. */
  error?: string | null
  /** The parts show their own errors, so the field doesn’t repeat them. */
  quiet?: boolean
  children: (bound: Bound<PathValue<Values, Name>>) => ReactNode
}) {
  const { field, fieldState } = useController({ control, name })
  return (
    <div data-field={name} className={cx('min-w-0', wide && '@lg:col-span-2')}>
      <Field
        label={label}
        hint={hint}
        required={required}
        group={group}
        error={quiet ? null : (fieldState.error?.message ?? error ?? null)}
      >
        {children({ value: field.value, onChange: field.onChange, onBlur: field.onBlur })}
      </Field>
    </div>
  )
}
