import { useEffect, useRef } from 'react'
import { count } from '../../../../contract/format.ts'
import { cx } from '../../../ui/cx.ts'
import type { Chart, Question } from './chart.ts'

interface Props {
  questions: readonly Question[]
  loaded: ReadonlyMap<string, { chart: Chart }>
  current: string | null
  onChoose(id: string): void
}

/** The list of questions beside the charts, in wide panes: one click to any of sixty. */
export function Outline({ questions, loaded, current, onChoose }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (current) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <nav
      aria-label="Questions"
      className="sticky top-25 hidden max-h-[calc(100dvh-13rem)] w-64 shrink-0 overflow-y-auto py-2 @5xl:block"
    >
      <ol ref={list}>
        {questions.map(({ id, code, title }) => (
          <li key={id}>
            <button
              type="button"
              data-view=""
              tabIndex={-1}
              aria-current={id === current ? 'true' : undefined}
              onClick={() => onChoose(id)}
              className={cx(
                'flex h-7 w-full items-center gap-2 px-4 text-left text-meta -outline-offset-2',
                id === current
                  ? 'bg-cursor text-ink shadow-[inset_2px_0_var(--accent)]'
                  : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              <span className="w-6 shrink-0 font-mono text-faint">{code}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate" title={title}>
                {title}
              </span>
              <span className="shrink-0 text-faint tabular-nums">{nOf(loaded.get(id)?.chart)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const nOf = (chart: Chart | undefined): string => (chart ? count(chart.answered) : '')
