import { createContext, use } from 'react'

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
/** What the field around a control says of itself. */
export const FieldContext = createContext<FieldIds | null>(null)

/** What a control takes from the field around it: its id, and the links to label, hint and error. Nothing outside a field. */
export function useField(): FieldLinks {
  const field = use(FieldContext)
  if (!field) return {}
  const links = { 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
  if (field.grouped) return { ...links, 'aria-labelledby': field.label }
  return { id: field.id, 'aria-required': field.required || undefined, ...links }
}

/** The look of every box that is typed into. */
export const box =
  'w-full min-w-0 rounded-md border border-control bg-surface px-2 text-body text-ink hover:border-muted focus:border-accent focus:outline-2 focus:outline-offset-[-1px] focus:outline-accent aria-invalid:border-red aria-invalid:outline-red disabled:border-edge disabled:bg-ground disabled:text-faint read-only:not-[select]:bg-ground'
