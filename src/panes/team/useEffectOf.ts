import { useEffect, useState } from 'react'
import type { TeamEffect } from '../../../contract/teamEffect.ts'

/** Debounce before a dry run, in ms. */
const REST_MS = 200

/** A form's effect by a dry run; `coming` while it loads. */
export interface Foreseen {
  effect: TeamEffect | null
  /** Users who would also be added to the client. */
  joined: readonly { name: string }[]
  error: string | null
  coming: boolean
}
export type Tried = { effect: TeamEffect; joined?: readonly { name: string }[] } | null

const NOBODY: Foreseen['joined'] = []

/** Dry-runs a write whenever `key` changes; an empty key sends nothing. */
export function useEffectOf(key: string, dryRun: (signal: AbortSignal) => Promise<Tried>): Foreseen {
  const [read, setRead] = useState<{ key: string; tried: Tried; error: string | null }>({ key: '', tried: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the serialized input
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
