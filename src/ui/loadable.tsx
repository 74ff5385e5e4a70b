import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component that loads its own code. `preload` loads it before the first render and rejects if it can't. */
export type Loadable<Props extends object> = ComponentType<Props> & { preload(): Promise<void> }

/**
 * Like React.lazy without suspending: React delays what a Suspense boundary reveals by 300 ms after a fallback.
 * Shows `waiting` until the code has loaded. A failed download throws to the error boundary; remounting retries.
 */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): Loadable<Props> {
  let Loaded: ComponentType<Props> | null = null
  let loading: Promise<void> | null = null
  const preload = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component
      },
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part of the product, where its module begins
  function LoadableComponent(props: Props) {
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    const [, setLoaded] = useState(Loaded !== null)
    useEffect(() => {
      if (Loaded) return setLoaded(true)
      let unmounted = false
      preload().then(
        () => !unmounted && setLoaded(true),
        (error: unknown) => !unmounted && setFailure({ error }),
      )
      return () => {
        unmounted = true
      }
    }, [])
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : waiting
  }
  return Object.assign(LoadableComponent, { preload })
}
