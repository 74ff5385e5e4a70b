/**
 * Scrolls a row of tabs so that its selected one is whole, and that it begins with a whole one.
 * The row's last child is a spacer, as the last tabs may be narrower than the row; `fade` px at the end are faded.
 */
export function scrollToTab(row: HTMLElement, fade = 0): void {
  // Before layout there is no width to scroll.
  if (!row.clientWidth) return
  const tabs = ([...row.children] as HTMLElement[]).slice(0, -1)
  const tab = tabs.find((one) => one.matches('[aria-selected=true], :has([aria-selected=true])'))
  if (!tab) return
  const left = (one: HTMLElement) => one.offsetLeft - tabs[0]!.offsetLeft
  const end = left(tab) + tab.offsetWidth
  const fits = (one: HTMLElement) => left(one) <= left(tab) && end - left(one) <= row.clientWidth - fade
  // It stays where it is, if that shows the tab.
  const first = tabs.findLast((one) => left(one) <= row.scrollLeft)
  const to = left(first && fits(first) ? first : (tabs.find(fits) ?? tab))
  const spacer = row.lastElementChild as HTMLElement
  spacer.style.minWidth = '0'
  spacer.style.minWidth = `${Math.max(0, to + row.clientWidth - row.scrollWidth)}px`
  row.scrollLeft = to
}
