import { useEffect, useState } from 'react'
import type { TeamEffect } from '../../../contract/teamEffect.ts'

/** Choosing asks the server once it rests. */
const REST_MS = 200

/** What a form would come to, as the server says of a dry run; `coming` while it is asked. */
export interface Foreseen {
  effect: TeamEffect | null
  /** Users that would join the client by it. */
  joined: readonly { name: string }[]
  error: string | null
  coming: boolean
}
export type Tried = { effect: TeamEffect; joined?: readonly { name: string }[] } | null

const NOBODY: Foreseen['joined'] = []

/** Tries a write whenever `key` changes; an empty key tries nothing. */
export function useEffectOf(key: string, dryRun: (signal: AbortSignal) => Promise<Tried>): Foreseen {
  const [read, setRead] = useState<{ key: string; tried: Tried; error: string | null }>({ key: '', tried: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is tried
  useEffect(() => {
    if (!key) return
    const gone = new AbortController()
    const show = (tried: Tried, error: string | null) => {
      if (!gone.signal.aborted) setRead({ key, tried, error })
    }
    const timer = setTimeout(() => {
      dryRun(gone.signal).then(
        (tried) => show(tried, null),
        (error: Error) => show(null, error.message),
      )
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [key])
  if (!key) return { effect: null, joined: NOBODY, error: null, coming: false }
  return {
    effect: read.tried?.effect ?? null,
    joined: read.tried?.joined ?? NOBODY,
    error: read.error,
    coming: read.key !== key,
  }
}
