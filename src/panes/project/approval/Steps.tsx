import { type KeyboardEvent, useRef } from 'react'
import type { Quote } from '../../../commands/profferSubject.ts'
import { cx } from '../../../ui/cx.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { type Round, STEPS, type StepId, summaryOf } from './quoteSteps.ts'

const WORDS: Record<StepId, string> = { invite: 'Invite', responses: 'Responses', cost: 'Cost', documents: 'Documents' }

interface Props {
  quote: Quote
  round: Round
  /** The open step. */
  open: StepId
  onOpen(step: StepId): void
  /** The ID of the step's panel. */
  panel: string
}

/** The four steps of a quote, with the current one marked; arrow keys open the others. */
export function Steps({ quote, round, open, onOpen, panel }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const now = round.round === quote.round ? STEPS.indexOf(quote.step) : STEPS.length
  const summaries = summaryOf(quote, round)
  const walk = (event: KeyboardEvent, at: number) => {
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1 + STEPS.length, Home: 0, End: STEPS.length - 1 }[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onOpen(STEPS[step % STEPS.length]!)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[step % STEPS.length]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label="Steps of the quote" className="grid grid-cols-2 gap-1.5 @2xl:grid-cols-4">
      {STEPS.map((step, at) => (
        <button
          key={step}
          id={`${panel}-${step}`}
          type="button"
          role="tab"
          aria-selected={step === open}
          aria-controls={panel}
          aria-current={at === now ? 'step' : undefined}
          tabIndex={step === open ? 0 : -1}
          onClick={() => onOpen(step)}
          onKeyDown={(event) => walk(event, at)}
          className={cx(
            'flex min-w-0 flex-col gap-0.5 rounded-lg border px-3 py-2 text-left',
            step === open ? 'border-accent bg-accent-wash' : 'border-line hover:bg-hover',
          )}
        >
          <span
            className={cx('flex items-center gap-1.5 font-medium', at === now ? 'text-accent-ink' : at > now && 'text-muted')}
          >
            <Mark shape={at < now ? 'tick' : at === now ? 'dot' : 'ring'} />
            {WORDS[step]}
          </span>
          <span className="truncate text-meta text-muted tabular-nums">{summaries[step]}</span>
        </button>
      ))}
    </div>
  )
}
