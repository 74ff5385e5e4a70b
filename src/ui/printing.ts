const STYLES = `@media screen { [data-sheet] { display: none } }
@media print { body > :not([data-sheet]) { display: none !important } html, body { height: auto; overflow: visible }
[data-sheet] [data-command], [data-sheet] button { display: none } }`

/** Returns the open part of the screen marked `data-print` with this name; null if it isn't open. */
export const printable = (name: string): HTMLElement | null =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLElement>(`[data-print="${name}"]`)

/** Prints an element without the workspace around it: a copy, as panes scroll inside. */
export function printElement(element: HTMLElement): void {
  const copy = document.createElement('div')
  copy.dataset.sheet = ''
  copy.append(element.cloneNode(true))
  // Expands collapsed parts.
  for (const folded of copy.querySelectorAll('details')) folded.open = true
  // Uses a constructed sheet, because our content security policy forbids style elements.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  document.body.append(copy)
  const end = () => {
    copy.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
  addEventListener('afterprint', end, { once: true })
  print()
}
