import type { Option } from '../commands/subject.ts'
import type { Place } from '../commands/workspaceApi.ts'
import { currentMe } from '../data/session.ts'
import { tabsOf } from '../routing/tabs.ts'
import { wait } from '../ui/wait.ts'
import { bufferKeys, flush } from './keys/typeahead.ts'
import { focusedPane } from './navigation.ts'
import { elementOf } from './paneElements.ts'

const FIELDS =
  ':is(input:not([type=hidden], [type=file], [type=search], [hidden]), select, textarea, [role=listbox], [role=switch], [role=checkbox]):not(:disabled)'
/** Groups of controls that count as one field. */
const GROUP = 'fieldset, [role=group], [role=radiogroup]'
const DIALOG = '[data-palette], [role=dialog], [role=alertdialog]'
/** How long (ms) the palette may take to close. */
const GONE_MS = 1000

const shownIn = (selector: string): HTMLElement[] =>
  [...elementOf(focusedPane().id).querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility())

/** Returns an element's name: its label's text without the mark of required fields. */
function nameOf(element: HTMLElement): string {
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean)
  const labels = ids.map((id) => document.getElementById(id)).filter((one) => one !== null && !one.hidden)
  const label = (element as HTMLInputElement).labels?.[0]
  const legend = element.querySelector(':scope > legend')
  const words =
    labels.length > 0
      ? labels.map((one) => one!.textContent).join(' ')
      : (element.getAttribute('aria-label') ?? label?.textContent ?? legend?.textContent ?? '')
  return words.replace(/\s+/g, ' ').replace(/ \*$/, '').trim()
}

/** Returns the fields of the focused pane: single controls, and groups of them. */
function fields(): { name: string; element: HTMLElement }[] {
  const found = new Map<HTMLElement, string>()
  for (const control of shownIn(FIELDS)) {
    // Rows of a list have keys of their own, and filters their own names.
    if (control.closest('[role=grid], [role=treegrid], [data-filter]')) continue
    const group = control.matches('[type=radio], [type=checkbox], [role=checkbox]') ? control.closest<HTMLElement>(GROUP) : null
    const element = group && nameOf(group) ? group : control
    const name = nameOf(element)
    if (name && !found.has(element)) found.set(element, name)
  }
  return [...found].map(([element, name]) => ({ element, name }))
}

/** Returns the filters of the focused pane by name, with their values. */
function filters(): { name: string; value: string; element: HTMLElement }[] {
  return shownIn('[data-filter]').flatMap((filter) => {
    const element = filter.querySelector<HTMLElement>('input:checked, button, input, select')
    if (!element) return []
    const value = element.querySelector('b')?.textContent ?? ''
    const whole = (element.textContent || nameOf(filter) || nameOf(element)).trim()
    const name = value && whole.endsWith(value) ? whole.slice(0, -value.length).trim() : whole
    return name ? [{ name, value, element }] : []
  })
}

/** Returns the jump targets of the focused pane in order; their values are valid until it changes. */
export function jumpTargetsOf(kind: Place): readonly Option[] {
  if (kind === 'tab')
    return tabsOf(focusedPane().ref, currentMe().role).map(({ title }, at) => ({ value: String(at), label: title }))
  if (kind === 'filter') return filters().map(({ name, value }, at) => ({ value: String(at), label: name, detail: value }))
  return fields().map(({ name }, at) => ({ value: String(at), label: name }))
}

/** Resolves once the palette has closed and restored the focus. */
export async function afterDialogs(): Promise<void> {
  for (let waited = 0; waited < GONE_MS && document.querySelector(DIALOG); waited += 10) await wait(10)
  // A dialog restores the focus a task after it closes.
  await wait(10)
}

/** Focuses a field, or opens a filter, once the palette has restored the focus. */
export async function jumpTo(kind: Exclude<Place, 'tab'>, value: string): Promise<void> {
  const element = (kind === 'filter' ? filters() : fields())[Number(value)]?.element
  if (!element) return
  const kept = bufferKeys()
  await afterDialogs()
  if (kept.aborted || !element.isConnected) return
  const control = element.matches(GROUP)
    ? (element.querySelector<HTMLElement>('input:checked') ?? element.querySelector<HTMLElement>(FIELDS))
    : element
  control?.scrollIntoView({ block: 'nearest' })
  control?.focus({ preventScroll: true })
  // Keys typed for the menu are buffered until it is open.
  if (kind === 'filter' && control?.matches('button')) control.click()
  else flush()
}
