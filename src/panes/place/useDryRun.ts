import { useEffect, useState } from 'react'
import type { Input, Output } from '../../../contract/calls.ts'
import type { Api } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'

type WriteId = Parameters<Api['dryRun']>[0]

const REST_MS = 250

/** Returns what a write would do, after a debounce; a null input sends nothing. */
export function useDryRun<Id extends WriteId>(
  id: Id,
  input: Input<Id> | null,
): { data: Output<Id> | null; refused: string | null } {
  const of = input === null ? '' : JSON.stringify(input)
  const [read, setRead] = useState<{ data: Output<Id> | null; refused: string | null }>({ data: null, refused: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` is the serialized input
  useEffect(() => {
    if (!of) return setRead({ data: null, refused: null })
    const gone = new AbortController()
    const timer = setTimeout(() => {
      api.dryRun(id, input as Input<Id>, gone.signal).then(
        (data) => !gone.signal.aborted && setRead({ data, refused: null }),
        (error: Error) => !gone.signal.aborted && setRead({ data: null, refused: error.message }),
      )
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [id, of])
  return read
}
