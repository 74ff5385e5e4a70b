import { elementOf } from './paneElements.ts'

const FIELDS =
  ':is(input:not([type=hidden], [type=file], [hidden], [tabindex="-1"]), select, textarea, [role=listbox], [role=checkbox][tabindex="0"], button):not(:disabled)'

/** Moves the focus to the first field of a form's next or previous section; false if the pane has no sections. */
export function stepSection(pane: string, by: 1 | -1): boolean {
  const sections = [...elementOf(pane).querySelectorAll<HTMLElement>('form [data-section]')].filter((one) =>
    one.checkVisibility(),
  )
  const focused = document.activeElement
  const at = sections.findIndex((section) => section.contains(focused))
  // From outside the sections, such as the submit button, goes to the first or last one.
  const next = sections[at < 0 ? (by > 0 ? 0 : sections.length - 1) : Math.max(0, Math.min(at + by, sections.length - 1))]
  if (!next) return false
  next.scrollIntoView({ block: 'start' })
  const fields = [...next.querySelectorAll<HTMLElement>(FIELDS)]
  const first = fields[0]
  // Focuses the checked radio button, from which arrow keys continue.
  const chosen = first instanceof HTMLInputElement && first.type === 'radio'
  const target = chosen ? fields.find((one) => one instanceof HTMLInputElement && one.name === first.name && one.checked) : first
  ;(target ?? first)?.focus({ preventScroll: true })
  return true
}

/** Submits the small form with the focus, or the pane's only one; false if there is none. */
export function sendSmallForm(pane: string): boolean {
  const forms = elementOf(pane).querySelectorAll<HTMLFormElement>('form[data-fill-in]')
  const form = document.activeElement?.closest<HTMLFormElement>('form[data-fill-in]') ?? (forms.length === 1 ? forms[0] : null)
  form?.requestSubmit()
  return Boolean(form)
}
