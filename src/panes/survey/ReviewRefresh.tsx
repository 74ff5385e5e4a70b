import { useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { type Survey, surveySubject } from './surveySubject.ts'

const LOOKS = { added: 'green', changed: 'amber', gone: 'red' } as const

/** Reviews a refresh line by line; nothing is written before it is applied. */
export function ReviewRefresh({ survey, onDone }: { survey: Survey; onDone(): void }) {
  const answer = useCall('survey.comparison', { id: survey.id }, { fresh: true })
  const found = answer.data?.data
  const subject = useMemo(
    () => (found ? { ...surveySubject(survey), record: { ...survey, digest: found.digest } } : surveySubject(survey)),
    [found, survey],
  )
  return (
    <section aria-label="Review the refresh" className="max-w-4xl px-4 pt-3 pb-8">
      <div className="flex flex-wrap items-center gap-1.5">
        <h2 className="mr-auto font-semibold">
          {found
            ? found.differences.length
              ? `${count(found.differences.length)} ${found.differences.length === 1 ? 'difference' : 'differences'} from “${found.source}”`
              : `The questions match “${found.source}”`
            : 'Comparing…'}
        </h2>
        <Button data-view="" onClick={onDone}>
          Back to questions
        </Button>
        {found && found.differences.length > 0 && (
          <CommandButton id="survey.applyComparison" subjects={[subject]} variant="primary" />
        )}
      </div>
      <p className="mt-1 text-meta text-muted">
        Nothing changes until you apply it. Questions with answers are retired, not deleted, so their answers stay.
      </p>
      <AnswerState
        answer={answer}
        what="The comparison"
        rows={4}
        empty={<EmptyState className="items-start! px-0! py-4! text-left!">No differences.</EmptyState>}
      />
      <ul className="mt-3 divide-y divide-line border-y border-line empty:hidden">
        {found?.differences.map((difference, at) => (
          <li key={difference.id ?? `new ${at}`} className="grid gap-x-3 py-1.5 @md:grid-cols-[88px_minmax(0,1fr)]">
            <span>
              <Pill tone={LOOKS[difference.kind]}>{difference.kind}</Pill>
            </span>
            <span className="min-w-0">
              <bdi>{difference.name}</bdi>{' '}
              {difference.id !== null && (
                <span className="font-mono text-meta text-muted">{codeOf('question', difference.id)}</span>
              )}
              {difference.changes.length > 0 && (
                <span className="block text-meta text-muted">{difference.changes.join(' · ')}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
