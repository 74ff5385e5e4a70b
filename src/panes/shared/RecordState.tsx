import type { ComponentProps } from 'react'
import { AnswerState } from '../../data/AnswerState.tsx'
import { RecordError } from './RecordError.tsx'

type Props = Omit<ComponentProps<typeof RecordError>, 'error' | 'retry'> &
  Pick<ComponentProps<typeof AnswerState>, 'answer'> & { rows?: number }

/** Shows a record's read while it loads, or its error; nothing otherwise. */
export function RecordState({ answer, rows = 8, ...record }: Props) {
  const { error, retry } = answer
  return <AnswerState answer={answer} rows={rows} failed={error && <RecordError error={error} retry={retry} {...record} />} />
}
