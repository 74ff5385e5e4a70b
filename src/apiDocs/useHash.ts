import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** The part of the address behind #, which says what is shown. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => decodeURIComponent(location.hash.slice(1)))
