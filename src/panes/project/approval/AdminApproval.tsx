import { useCallback, useEffect, useId, useRef } from 'react'
import type { Quote } from '../../../commands/profferSubject.ts'
import type { Subject } from '../../../commands/subject.ts'
import { AnswerError } from '../../../data/AnswerError.tsx'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { useCall } from '../../../data/useCall.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { isGone } from '../../shared/RecordGone.tsx'
import type { Project } from '../ProjectHead.tsx'
import { useArrivals } from './arrivals.ts'
import { CostStep } from './CostStep.tsx'
import { DocumentsStep } from './DocumentsStep.tsx'
import { InviteStep } from './InviteStep.tsx'
import { latestRevision, type Round, STEPS, type StepId } from './quoteSteps.ts'
import { ResponsesStep } from './ResponsesStep.tsx'
import { Steps } from './Steps.tsx'

/** Returns the step that opens by default: the status's own, or the furthest one that an older round reached. */
const usualStep = (quote: Quote, round: Round): StepId =>
  round.round === quote.round ? quote.step : latestRevision(round) ? 'cost' : 'responses'

/** When the flow moves on, its new step opens, whichever was open. */
function useMovedOn(quote: Quote | undefined, follow: () => void): void {
  const before = useRef<string | null>(null)
  const now = quote ? `${quote.status} ${quote.round}` : null
  useEffect(() => {
    if (now === null) return
    if (before.current !== null && before.current !== now) follow()
    before.current = now
  }, [now, follow])
}

/** Shows administrators a project's quote, from invitation to signature (screens-quote-flow.md, Approval). */
export function AdminApproval({ project, subject }: { project: Project; subject: Subject }) {
  const { query, setQuery, visible } = usePane()
  const answer = useCall('project.quote', { id: project.id }, { fresh: true })
  const quote = answer.data?.data
  const panel = useId()
  useArrivals(quote, visible)
  useMovedOn(
    quote,
    useCallback(() => setQuery({ at: null, round: null, mix: null, sort: null, search: null }), [setQuery]),
  )
  if (!quote)
    return (
      <div className="px-4 pt-3">
        <AnswerState answer={answer} what="The quote flow" rows={8} />
      </div>
    )
  const round = quote.rounds.find((one) => String(one.round) === query.round) ?? quote.rounds[0]!
  const open = STEPS.find((step) => step === query.at) ?? usualStep(quote, round)
  const show = (step: StepId) =>
    setQuery({ at: step === usualStep(quote, round) ? null : step, sort: null, search: null, page: null })
  const current = round.round === quote.round
  const step = { quote, round, current, subject }
  return (
    <div className="@container pb-8">
      {answer.error && !isGone(answer.error) && (
        <AnswerError what="The newest state" error={answer.error} retry={answer.retry} slim className="items-center px-4 pt-2" />
      )}
      {quote.rounds.length > 1 && (
        <Tabs
          label="Rounds"
          className="px-2"
          selected={String(round.round)}
          onSelect={(id) =>
            setQuery({ round: id === String(quote.round) ? null : id, at: null, mix: null, sort: null, search: null })
          }
          items={[...quote.rounds].reverse().map((one) => ({
            id: String(one.round),
            label: `Round ${one.round}`,
            controls: panel,
            badge: one.round === quote.round ? undefined : <span className="text-meta font-normal text-faint">{ended(one)}</span>,
          }))}
        />
      )}
      <div className="px-4 pt-3">
        <Steps quote={quote} round={round} open={open} onOpen={show} panel={panel} />
      </div>
      {!current && <Closed round={round} />}
      {current && quote.status === 'rejected' && (
        <p className="mx-4 mt-3 border-l-2 border-red pl-3 text-muted">
          This project is rejected. Reopen it to ask partners again.
        </p>
      )}
      <div role="tabpanel" id={panel} aria-labelledby={`${panel}-${open}`} key={`${round.round} ${open}`} className="pt-2">
        {open === 'invite' && <InviteStep {...step} />}
        {open === 'responses' && <ResponsesStep {...step} />}
        {open === 'cost' && <CostStep {...step} />}
        {open === 'documents' && <DocumentsStep {...step} />}
      </div>
    </div>
  )
}

const ended = (round: Round): string => (latestRevision(round)?.state === 'rejected' ? 'rejected' : 'closed')

/** Says that an older round is read-only, and why it ended. */
function Closed({ round }: { round: Round }) {
  return (
    <p className="mx-4 mt-3 border-l-2 border-line pl-3 text-muted">
      Round {round.round} is closed and can’t be changed.
      {round.reason && (
        <>
          {' '}
          The quote was rejected: <bdi className="text-ink">{round.reason}</bdi>
        </>
      )}
    </p>
  )
}
