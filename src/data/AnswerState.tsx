import type { ComponentProps, ReactNode } from 'react'
import { Skeleton } from '../ui/States.tsx'
import { AnswerError } from './AnswerError.tsx'
import type { Answer } from './useCall.ts'

/** Shows a read's loading state (after 150 ms), error or empty list; nothing otherwise. */
export function AnswerState({
  answer,
  what,
  rows,
  empty,
  failed,
  ...look
}: {
  answer: Pick<Answer<{ data: unknown }>, 'data' | 'error' | 'loading' | 'retry'>
  /** The same as in `AnswerError`. */
  what?: string
  /** How many rows the skeleton has. */
  rows: number
  empty?: ReactNode
  /** Replaces the usual error. */
  failed?: ReactNode
} & Pick<ComponentProps<typeof AnswerError>, 'slim' | 'className'>) {
  const { data, error, loading, retry } = answer
  return (
    <>
      {error && (failed ?? <AnswerError what={what} error={error} retry={retry} {...look} />)}
      {loading && <Skeleton rows={rows} />}
      {Array.isArray(data?.data) && data.data.length === 0 && empty}
    </>
  )
}
