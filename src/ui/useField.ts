import { createContext, use } from 'react'

type FieldIds = {
  id: string
  label: string
  /** The label's text. */
  words: string
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
/** Ids that a field passes to its control. */
export const FieldContext = createContext<FieldIds | null>(null)

/** A control's id and links to the field's label, hint and error. Empty outside a field. */
export function useField(): FieldLinks {
  const field = use(FieldContext)
  if (!field) return {}
  const links = { 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
  if (field.grouped) return { ...links, 'aria-labelledby': field.label }
  return { id: field.id, 'aria-required': field.required || undefined, ...links }
}

/** Returns the text of the field's label, for content next to its control. */
export const useFieldWords = (): string => use(FieldContext)?.words ?? ''

/** The style of every text box. */
export const box =
  'w-full min-w-0 rounded-md border border-control bg-surface px-2 text-body text-ink hover:border-muted focus:border-accent focus:outline-2 focus:outline-offset-[-1px] focus:outline-accent aria-invalid:border-red aria-invalid:outline-red disabled:border-edge disabled:bg-ground disabled:text-faint read-only:not-[select]:border-edge read-only:not-[select]:bg-ground'
