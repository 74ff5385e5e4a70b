import { useEffect, useEffectEvent } from 'react'

const KEEP_MS = 300

/**
 * Stores a form's draft after each change, and when the page or the pane is left.
 * A draft may be open in several panes: the active one owns it, and `adopt`s what another has stored.
 */
export function useDraftKeeping({
  values,
  dirty,
  active,
  user,
  ...acts
}: {
  values: object
  dirty: boolean
  active: boolean
  user: number
  store(): void
  adopt(): void
}): void {
  const store = useEffectEvent(acts.store)
  const adopt = useEffectEvent(acts.adopt)
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves each change of the draft after a delay
  useEffect(() => {
    const timer = setTimeout(() => store(), KEEP_MS)
    return () => clearTimeout(timer)
  }, [values, dirty, user])
  useEffect(() => {
    // On pagehide the timer may never fire.
    const now = () => store()
    addEventListener('pagehide', now)
    return () => removeEventListener('pagehide', now)
  }, [])
  useEffect(() => {
    if (!active) return
    adopt()
    return () => store()
  }, [active])
}
