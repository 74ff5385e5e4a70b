const STYLES = `@media screen { [data-sheet] { display: none } }
@media print { body > :not([data-sheet]) { display: none !important } html, body { height: auto; overflow: visible }
[data-sheet] [data-command], [data-sheet] button { display: none } }`

/** The part of the screen that is printed under a name (`data-print`); null if it isn't open. */
export const printable = (name: string): HTMLElement | null =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLElement>(`[data-print="${name}"]`)

/** Prints an element without the workspace around it: a copy, as panes scroll inside. */
export function printElement(element: HTMLElement): void {
  const copy = document.createElement('div')
  copy.dataset.sheet = ''
  copy.append(element.cloneNode(true))
  // Folded parts are printed whole.
  for (const folded of copy.querySelectorAll('details')) folded.open = true
  // A constructed sheet, as our content security policy allows no style element.
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
