/** Opens one of the partner's pages without loading the page again; `replace` leaves no step back. */
export function openPage(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}
