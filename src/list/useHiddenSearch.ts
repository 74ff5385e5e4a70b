import { useState } from 'react'
import { browserStore } from '../data/browserStore.ts'

/** Whether a screen's list hides its search box, remembered in this browser; `/` shows the box all the same. */
export function useHiddenSearch(screen: string): [isHidden: boolean, hide: (is: boolean) => void] {
  const name = `search.hidden.${screen}`
  const [isHidden, setHidden] = useState(browserStore.get(name) === true)
  const hide = (is: boolean) => {
    browserStore.set(name, is)
    setHidden(is)
  }
  return [isHidden, hide]
}
