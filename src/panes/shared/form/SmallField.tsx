import type { ReactNode } from 'react'
import type { Field as DeclaredField } from '../../../../contract/fieldKinds.ts'
import { Field } from '../../../ui/Field.tsx'
import { FieldControl } from './FieldControl.tsx'
import type { useSmallForm } from './useSmallForm.ts'

type Form<V extends Record<string, string>> = Pick<ReturnType<typeof useSmallForm<V>>, 'bind' | 'errors' | 'values'>

/** A field of a small form, drawn by its declaration; `children` draws another control. */
export function SmallField<V extends Record<string, string>>({
  form,
  field,
  name,
  error,
  autoComplete,
  children,
  ...more
}: {
  form: Form<V>
  field: DeclaredField
  name: keyof V & string
  /** An error from outside the form, such as choices that can't be read. */
  error?: string | undefined
  autoComplete?: string
  hint?: ReactNode
  group?: true
  children?: (bound: ReturnType<Form<V>['bind']>) => ReactNode
}) {
  const { name: _, ...bound } = form.bind(name)
  const { hint, label } = field
  return (
    <Field
      label={label}
      required={field.required !== undefined}
      hint={typeof hint === 'function' ? hint(form.values) : hint}
      error={form.errors[name] ?? error ?? null}
      {...more}
    >
      {children ? children({ ...bound, name }) : <FieldControl field={field} autoComplete={autoComplete} {...bound} />}
    </Field>
  )
}
