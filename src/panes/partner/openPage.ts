/** Opens one of the partner's pages without a reload; `replace` adds no history entry. */
export function openPage(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}
