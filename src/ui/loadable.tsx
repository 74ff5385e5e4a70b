import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component that loads its own code. `preload` fetches the code before it is drawn; it rejects when the code can't be had. */
export type Loadable<Props extends object> = ComponentType<Props> & { preload(): Promise<void> }

/**
 * Makes a component whose code is fetched when it is first drawn, or before by `preload`. Once the code is there it is drawn in the same render;
 * until then `waiting` is. A failed download throws into the nearest error boundary, and mounting the component again tries again.
 *
 * It takes the place of React.lazy because it never suspends: React holds what a Suspense boundary uncovers back until 300 ms after the last
 * fallback was shown, which made every opened screen wait that long with its code and its figures at hand.
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
