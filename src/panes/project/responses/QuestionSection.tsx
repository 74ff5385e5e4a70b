import { MoreHorizontal } from 'lucide-react'
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Split } from '../../../commands/responsesController.ts'
import type { CommandId } from '../../../commands/table.ts'
import { commandOf, isCommandId } from '../../../commands/table.ts'
import { useCrosshair } from '../../../compare/shared.ts'
import { AnswerError } from '../../../data/AnswerError.tsx'
import { isMac, shownAs } from '../../../runner/keys/keyReading.ts'
import { start } from '../../../runner/lazyRunner.ts'
import { useKeys } from '../../../runner/useCommands.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { usePreparing, usePrinting } from '../../../ui/printState.ts'
import { useDelayed } from '../../../ui/useDelayed.ts'
import { useInSight } from '../../../ui/useInSight.ts'
import { useTables } from '../../../workspace/chartTables.ts'
import { useController } from '../../../workspace/useController.ts'
import { baseText, pointsAgainst } from './answerShares.ts'
import { BarChart, barsHeight } from './BarChart.tsx'
import { inOrder, roundTop } from './bars.ts'
import { Crosstab, type CrosstabData } from './Crosstab.tsx'
import { type Chart, matches, type Question, typeText } from './chart.ts'
import { type FigureSource, useChart } from './figureSource.ts'
import { binLabel, NUMBER_HEIGHT, NumberChart } from './NumberChart.tsx'
import { OpenAnswers } from './OpenAnswers.tsx'

/** What the tab calls on a rendered question. */
export interface SectionHandle {
  /** Returns its answers' labels in display order. */
  labels(): readonly string[]
  at(): string | null
  setAt(label: string | null): void
  /** Whether the search finds it; null until its answers are known. */
  found(): boolean | null
  chart(): Chart | null
  crosstab(): CrosstabData | null
}

/** The first column's data of a question in a comparison; `chart` is null while it loads. */
interface Against {
  chart: Chart | null
  name: string
}

interface Props {
  question: Question
  source: FigureSource
  /** Labels the ages. */
  generation: string
  split: Split
  unit: 'share' | 'count'
  sort: 'asked' | 'largest'
  search: string
  /** What its crosstab is by; null without one. */
  by: string | null
  current: boolean
  linked: boolean
  against: Against | null
  /** The end of the axis of counts, shared by compared columns. */
  countTop: number | null
  onChart(id: string, chart: Chart): void
  onHidden(id: string, hidden: boolean): void
  onCloseCrosstab(): void
  onFocus(id: string): void
  register(id: string, handle: SectionHandle): () => void
}

/** The height reserved for a chart before it loads, by answer type. */
const GUESS = { single: barsHeight(5), multiple: barsHeight(7), number: NUMBER_HEIGHT, open: 260 } as const
const ACTIONS: readonly CommandId[] = ['responses.crosstab', 'responses.copy', 'responses.picture']

/** One question with its chart, loaded and rendered only while in view, or while a search needs its answers. */
export const QuestionSection = memo(function QuestionSection(props: Props) {
  const { question, source, generation, split, unit, sort, search, by, current, linked, against, countTop } = props
  const { onChart, onHidden, onCloseCrosstab, onFocus, register } = props
  const { id, code, title } = question
  const title_ = useId()
  const section = useRef<HTMLElement>(null)
  const asTable = useTables()
  const inSight = useInSight(section)
  const [held, setHeld] = useState(false)
  const preparing = usePreparing()
  const printing = usePrinting()
  const drawn = inSight || held || preparing || printing
  const answer = useChart(source, question.question_id, drawn || search !== '')
  const chart = answer.data ?? null
  const [own, setOwn] = useState<string | null>(null)
  const [shared, setShared] = useCrosshair<string>(`responses ${question.same}`)
  const at = linked ? shared : own
  const setAt = linked ? setShared : setOwn
  const order = useRef<readonly string[]>([])
  const answers = useMemo(() => (chart ? inOrder(chart.rows, sort) : []), [chart, sort])
  // New completes don't reorder answers while the user reads; another sort does.
  const heldSort = useRef(sort)
  const rows =
    held && heldSort.current === sort && order.current.length ? inOrder(chart?.rows ?? [], sort, order.current) : answers
  order.current = rows.map(({ label }) => label)
  heldSort.current = sort

  const table = useRef<CrosstabData | null>(null)
  const found = matches(question, chart?.rows.map(({ label }) => label) ?? [], search)
  // An open question's rare answers are only searchable in its own list.
  const unsure = question.answer_type === 'open' && (chart?.more ?? 0) > 0
  const hidden = search !== '' && !found && !unsure && (chart !== null || answer.error !== undefined)
  const known = hidden ? false : search === '' || found || unsure ? true : null
  useController(
    useCallback((section: SectionHandle) => register(id, section), [id, register]),
    {
      labels: () => chart?.figures?.bins.map(binLabel) ?? order.current,
      at: () => at,
      setAt,
      found: () => known,
      chart: () => chart,
      crosstab: () => table.current,
    },
  )
  useEffect(() => {
    if (chart && !answer.stale) onChart(id, chart)
  }, [id, chart, answer.stale, onChart])
  useEffect(() => {
    // The question was focused before its chart was loaded or drawn.
    if (chart && drawn && section.current && document.activeElement === section.current) focusAnswers(section.current)
  }, [chart, drawn])
  const height = useRef(0)
  const body = useCallback((element: HTMLDivElement | null) => {
    if (!element) return
    const sizes = new ResizeObserver(() => {
      height.current = element.offsetHeight
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])

  useEffect(() => onHidden(id, hidden), [id, hidden, onHidden])
  const points = useMemo(() => (chart && against?.chart ? pointsAgainst(chart, against.chart) : null), [chart, against?.chart])
  const most = Math.max(0, ...rows.map(({ value }) => value))
  const top = chart === null ? 0 : unit === 'share' ? chart.answered : (countTop ?? roundTop(most))
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={title_}
      data-anchor={question.same}
      data-question={id}
      hidden={hidden}
      aria-busy={answer.loading || answer.stale || undefined}
      onFocus={() => {
        setHeld(true)
        onFocus(id)
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setHeld(false)
        setOwn(null)
      }}
      className={cx(
        'scroll-mt-32 scroll-mb-2 border-b border-line py-4 pr-4 pl-4 outline-none last:border-b-0',
        current && 'shadow-[inset_2px_0_var(--accent)]',
      )}
    >
      <header className="mb-2 flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={title_} className="flex items-baseline gap-2 font-medium">
            <span className="shrink-0 font-mono text-meta text-faint">{code}</span>
            <span dir="auto" className="min-w-0 break-words">
              {title}
            </span>
          </h2>
          <p className="text-meta text-muted tabular-nums">
            {[
              typeText({ ...question, several: chart?.several ?? false }),
              chart ? baseText(chart.answered, chart.skipped) : '',
              question.retired ? 'no longer asked' : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <QuestionMenu
          code={code}
          crossed={question.answer_type !== 'open'}
          before={() => section.current && focusAnswers(section.current)}
        />
      </header>
      <div
        ref={body}
        style={
          drawn && (chart || answer.error || printing) ? undefined : { height: height.current || GUESS[question.answer_type] }
        }
      >
        {!drawn ? null : answer.error && !chart ? (
          <AnswerError what="This chart" error={answer.error} retry={answer.retry} slim className="text-meta" />
        ) : !chart ? (
          answer.loading || answer.stale ? (
            printing ? (
              <NotLoaded />
            ) : (
              <Ghost label={`${code} ${title}`} />
            )
          ) : (
            <p className="text-meta text-muted">This question is no longer in the survey.</p>
          )
        ) : question.answer_type === 'open' ? (
          <OpenAnswers question={question} source={source} search={matches(question, [], search) ? '' : search} />
        ) : chart.answered === 0 ? (
          <p className="text-meta text-muted">Nobody answered this question.</p>
        ) : chart.figures ? (
          <NumberChart
            label={`${code} ${title}`}
            numbers={chart.figures}
            base={chart.answered}
            unit={unit}
            asTable={asTable}
            at={at}
            onAt={setAt}
            against={against?.chart?.figures ? { figures: against.chart.figures, name: against.name } : null}
          />
        ) : (
          <BarChart
            label={`${code} ${title}`}
            answers={rows}
            base={chart.answered}
            split={split}
            generation={generation}
            unit={unit}
            top={top}
            asTable={asTable}
            at={at}
            onAt={setAt}
            against={points && against ? { points, name: against.name } : null}
          />
        )}
        {drawn && chart && chart.more > 0 && question.answer_type !== 'open' && (
          <p className="mt-1 text-meta text-faint">{chart.more} more answers are in the export.</p>
        )}
        {by !== null && drawn && (
          <Crosstab
            question={question}
            source={source}
            by={by}
            unit={unit}
            sort={sort}
            at={at}
            onClose={onCloseCrosstab}
            table={table}
          />
        )}
      </div>
    </section>
  )
})

/** Focuses a question's answers, or the question while they load. */
export function focusAnswers(section: HTMLElement): void {
  const answers = section.querySelector<HTMLElement>('[data-answers], [role=group][tabindex="0"]') ?? section
  answers.focus({ preventScroll: true })
}

/** Commands of one chart; they act on the focused chart, so it takes the focus first. */
function QuestionMenu({ code, crossed, before }: { code: string; crossed: boolean; before(): void }) {
  const keys = useKeys()
  return (
    <Menu
      label={`Actions for ${code}`}
      trigger={
        <IconButton label={`Actions for ${code}`} data-view="">
          <MoreHorizontal size={14} aria-hidden="true" />
        </IconButton>
      }
      items={() =>
        ACTIONS.filter((id) => isCommandId(id) && (crossed || id === 'responses.copy')).map((id) => {
          const shortcut = keys(id)
          return {
            id,
            label: commandOf(id).title,
            ...(shortcut ? { kbd: shownAs(shortcut, isMac) } : {}),
            onSelect: () => {
              before()
              start(id, { subjects: [], via: 'button' })
            },
          }
        })
      }
    />
  )
}

/** The browser's own print shortcut omits charts never in view; the command loads them first. */
function NotLoaded() {
  const key = useKeys()('pane.print')
  return (
    <p className="text-meta text-muted">
      Not loaded yet. “{commandOf('pane.print').title}”{key ? ` (${shownAs(key, isMac)})` : ''} loads it first.
    </p>
  )
}

function Ghost({ label }: { label: string }) {
  const late = useDelayed(true)
  return (
    <div role="status" aria-label={`${label}: loading`} className="h-full">
      {late &&
        ['72%', '54%', '40%', '28%'].map((width) => (
          <div key={width} aria-hidden="true" className="flex h-[22px] items-center gap-3 opacity-60">
            <span className="h-2 w-24 rounded-sm bg-track" />
            <span className="flex-1">
              <span className="block h-3 rounded-sm bg-track" style={{ width }} />
            </span>
          </div>
        ))}
    </div>
  )
}
