import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** An object with the members that the current one has, each read when it is asked for. */
export function membersOf<T extends object>(current: RefObject<T>): T {
  const getters = Object.keys(current.current).map((name) => [name, { get: () => current.current[name as keyof T] }])
  return Object.defineProperties({}, Object.fromEntries(getters)) as T
}

/**
 * Registers what commands do in a pane while it is mounted; pass a new object with each render.
 * A ref and no effect event, because the palette asks it while it renders.
 */
export function useController<T extends object>(register: (controller: T) => () => void, controller: T): void {
  const latest = useRef(controller)
  useLayoutEffect(() => {
    latest.current = controller
  })
  useEffect(() => register(membersOf(latest)), [register])
}
