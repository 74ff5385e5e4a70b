import { useEffect, useRef, useState } from 'react'

/** Busy from `begin()` until `wait` ms pass without another call, or until `end()`. */
export function usePause(wait: number): { busy: boolean; begin: () => void; end: () => void } {
  const [busy, setBusy] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => {
    clearTimeout(timer.current)
    setBusy(false)
  }
  const begin = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setBusy(false), wait)
    setBusy(true)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { busy, begin, end }
}
