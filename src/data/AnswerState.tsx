import type { ReactNode } from 'react'
import { Skeleton } from '../ui/States.tsx'
import { AnswerError } from './AnswerError.tsx'
import type { Answer } from './useCall.ts'

/** Shows a read's loading state (after 150 ms), error or empty list; nothing otherwise. */
export function AnswerState({
  answer,
  what,
  rows,
  empty,
}: {
  answer: Pick<Answer<{ data: unknown }>, 'data' | 'error' | 'loading' | 'retry'>
  /** The same as in `AnswerError`. */
  what: string
  /** How many rows the skeleton has. */
  rows: number
  empty?: ReactNode
}) {
  const { data, error, loading, retry } = answer
  return (
    <>
      {error && <AnswerError what={what} error={error} retry={retry} />}
      {loading && <Skeleton rows={rows} />}
      {Array.isArray(data?.data) && data.data.length === 0 && empty}
    </>
  )
}
