import { useDeferredValue, useState } from 'react'
import { count } from '../../../../contract/format.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { Pager } from '../../../ui/Pager.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { shareText } from './answerShares.ts'
import type { Question } from './chart.ts'
import { type FigureSource, useOpenAnswers } from './figureSource.ts'

const SIZE = 50

interface Props {
  question: Question
  source: FigureSource
  /** The screen's own search, which this list starts with. */
  search: string
}

/** Lists an open question's answers by frequency, 50 a page, with a search of its own. */
export function OpenAnswers({ question, source, search }: Props) {
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const wanted = useDeferredValue(typed || search)
  const answer = useOpenAnswers(source, { question: question.question_id, search: wanted, page })
  const found = answer.data
  return (
    <div className="max-w-200">
      <div className="mb-1 flex items-center gap-3">
        <SearchInput
          value={typed}
          onChange={(next) => {
            setTyped(next)
            setPage(1)
          }}
          label={`Search answers to ${question.code}`}
          placeholder="Search answers"
          className="w-64 max-w-full"
        />
        {found && (
          <span className="text-meta text-muted tabular-nums" aria-live="polite" aria-atomic="true">
            {count(found.count)} {found.count === 1 ? 'answer' : 'different answers'}
          </span>
        )}
      </div>
      {!found ? (
        <AnswerState answer={answer} what="The answers" rows={5} slim />
      ) : found.data.length === 0 ? (
        <p className="py-3 text-muted">{wanted ? 'No answers match.' : 'Nobody answered this question.'}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
          <div
            role="group"
            aria-label={`Answers to ${question.code}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            tabIndex={0}
            data-answers=""
            className="max-h-96 overflow-y-auto border-t border-line -outline-offset-2"
          >
            <ul>
              {found.data.map(({ text, count: times, percent, masked }) => (
                <li key={text} className="flex gap-4 border-b border-line py-1.5 pr-2">
                  <span dir="auto" className="min-w-0 flex-1 break-words whitespace-pre-line">
                    {text}
                    {masked && <span className="ml-2 text-meta text-faint">contact details hidden</span>}
                  </span>
                  <span className="w-12 shrink-0 text-right text-meta leading-5 tabular-nums">{count(times)}</span>
                  <span className="w-16 shrink-0 text-right text-meta leading-5 text-muted tabular-nums">
                    {shareText({ count: times, percent }, found.answered)}
                  </span>
                </li>
              ))}
            </ul>
          </div>
          {found.count > SIZE && <Pager page={page} size={SIZE} total={found.count} onPage={setPage} noun="texts" most={5} />}
        </>
      )}
    </div>
  )
}
