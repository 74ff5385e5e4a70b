import { useEffect, useState } from 'react'

/** True once `on` has held for `wait` ms (150 by look.md), so quick work never flashes. */
export function useDelayed(on: boolean, wait = 150): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return setLate(false)
    const timer = setTimeout(() => setLate(true), wait)
    return () => clearTimeout(timer)
  }, [on, wait])
  return on && late
}
