import { type CSSProperties, type KeyboardEvent, memo, useEffect, useId, useRef } from 'react'
import { decimal } from '../../../../contract/decimals.ts'
import { count, percent } from '../../../../contract/format.ts'
import { showShares } from '../../../../contract/percentages.ts'
import type { Split } from '../../../commands/responsesController.ts'
import { ChartTable } from '../../../ui/charts/ChartFrame.tsx'
import { cutLabel } from '../../../ui/charts/cutLabel.ts'
import { Difference, sayDifference } from '../../../ui/charts/Difference.tsx'
import { cx } from '../../../ui/cx.ts'
import { shareOf, shareSaid, shareText } from './answerShares.ts'
import { partsIn, segmentsOf } from './bars.ts'
import type { Answer } from './chart.ts'
import { colourOf } from './colours.ts'

export interface BarChartProps {
  /** The question, for screen readers. */
  label: string
  /** The answers in display order, without totals. */
  answers: readonly Answer[]
  base: number
  split: Split
  unit: 'share' | 'count'
  /** The end of the axis, in completes; for shares, the base. */
  top: number
  asTable: boolean
  /** Labels the ages. */
  generation: string
  /** The focused answer. */
  at: string | null
  onAt(label: string | null): void
  /** Differences from the first column in points, by label; null for answers it lacks. */
  against?: { points: ReadonlyMap<string, number | null>; name: string } | null
}

const ROW = 22
/** A chart's height in px, reserved while it isn't rendered. */
export const barsHeight = (answers: number): number => answers * ROW + 24

const QUARTERS = [0, 25, 50, 75, 100] as const

/** A question's horizontal bars, one per answer; a listbox, so arrow keys move between answers. */
export const BarChart = memo(function BarChart(props: BarChartProps) {
  const { label, answers, base, split, unit, top, asTable, at, onAt, against, generation } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const place = at === null ? -1 : answers.findIndex((answer) => answer.label === at)
  const parts = partsIn(answers, split, generation)
  useEffect(() => {
    if (place >= 0) list.current?.children[place]?.scrollIntoView({ block: 'nearest' })
  }, [place])
  if (asTable)
    return (
      <ChartTable
        label={label}
        head={['Answer', 'Share', 'Count', ...parts.map((part) => part.label), ...(against ? ['Points'] : [])]}
        rows={answers.map((answer) => [
          answer.label,
          shareText({ count: answer.value, percent: answer.percent }, base),
          count(answer.value),
          ...parts.map(({ key }) => count(split === 'none' ? 0 : (answer[split][key] ?? 0))),
          ...(against
            ? [<Difference key="points" value={against.points.get(answer.label) ?? null} unit="points" to={against.name} />]
            : []),
        ])}
      />
    )
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const last = answers.length - 1
    const next = { ArrowDown: Math.min(last, place + 1), ArrowUp: Math.max(0, place - 1), Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onAt(answers[next]?.label ?? null)
  }
  return (
    <div
      className="grid text-meta"
      style={{
        gridTemplateColumns: `minmax(64px, clamp(140px, 24%, 200px)) minmax(60px, 1fr) 62px minmax(48px, max-content)${against ? ' 44px' : ''}`,
      }}
    >
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={place >= 0 ? `${id}-${place}` : undefined}
        data-answers=""
        onKeyDown={walk}
        onPointerLeave={() => onAt(null)}
        className={cx('col-span-full grid grid-cols-subgrid rounded-sm outline-offset-4', place >= 0 && 'outline-none')}
      >
        {answers.map((answer, row) => (
          <div
            key={answer.label}
            id={`${id}-${row}`}
            role="option"
            tabIndex={-1}
            aria-selected={row === place}
            data-answer={answer.label}
            onPointerEnter={() => onAt(answer.label)}
            className={cx(
              'relative col-span-full grid grid-cols-subgrid items-center outline-none',
              row === place && 'bg-cursor shadow-[inset_2px_0_var(--accent)]',
            )}
            style={{ height: ROW }}
          >
            <span className="sr-only">{spokenAnswer(answer, props)}</span>
            <span aria-hidden="true" dir="auto" title={answer.label} className="truncate pr-3 pl-1.5 text-ink">
              {/* Paper has no tooltip. */}
              <span className="print:hidden">{cutLabel(answer.label)}</span>
              <span className="hidden print:inline">{answer.label}</span>
            </span>
            <span aria-hidden="true" className="relative h-full">
              <Grid />
              <span className="absolute inset-y-[5px] inset-x-0 flex overflow-hidden">
                {segmentsOf(answer, split, top).map((segment) => (
                  <span
                    key={segment.key}
                    className="h-full border-r border-surface transition-[width] last:rounded-r-[2px] last:border-r-0 motion-reduce:transition-none"
                    style={{ width: `${segment.width}%`, background: colourOf(split, segment.key) }}
                  />
                ))}
              </span>
              {row === place && (
                <Details answer={answer} split={split} parts={parts} end={top > 0 ? (answer.value / top) * 100 : 0} />
              )}
            </span>
            <span aria-hidden="true" className={cx('pl-2 text-right tabular-nums', unit === 'count' && 'text-muted')}>
              {shareText({ count: answer.value, percent: answer.percent }, base)}
            </span>
            <span aria-hidden="true" className={cx('pl-2 text-right tabular-nums', unit === 'share' && 'text-muted')}>
              {count(answer.value)}
            </span>
            {against && <Points value={against.points.get(answer.label) ?? null} to={against.name} />}
          </div>
        ))}
      </div>
      <Axis unit={unit} top={top} />
    </div>
  )
})

/** Grid lines at each quarter of the axis. */
const Grid = () => (
  <span className="absolute inset-0">
    {QUARTERS.map((at) => (
      <span
        key={at}
        className={cx('absolute inset-y-0 w-px', at === 0 || at === 100 ? 'bg-edge' : 'bg-line')}
        style={at === 100 ? { right: 0 } : { left: `${at}%` }}
      />
    ))}
  </span>
)

function Axis({ unit, top }: Pick<BarChartProps, 'unit' | 'top'>) {
  const words = (at: number) => (unit === 'share' ? (at === 100 ? percent(at) : count(at)) : count(Math.round((top * at) / 100)))
  return (
    <div aria-hidden="true" data-axis="" className="relative col-start-2 h-6 border-t border-edge text-faint tabular-nums">
      {QUARTERS.map((at) => (
        <span key={at}>
          <span
            className={cx('absolute top-0 h-1 w-px', at === 0 || at === 100 ? 'bg-edge' : 'bg-line')}
            style={at === 100 ? { right: 0 } : { left: `${at}%` }}
          />
          <span
            className={cx(
              'absolute top-1 whitespace-nowrap',
              at === 0 ? '' : at === 100 ? 'right-0' : '-translate-x-1/2',
              (at === 25 || at === 75) && '@max-xl:hidden',
            )}
            style={at === 100 ? {} : { left: `${at}%` }}
          >
            {words(at)}
          </span>
        </span>
      ))}
    </div>
  )
}

/** A difference in points with one decimal, so that columns line up: "+6.8", "−8.0", "=". */
const Points = ({ value, to }: { value: number | null; to: string }) => (
  <span
    aria-hidden="true"
    title={sayDifference({ value, unit: 'points', to })}
    data-points=""
    className={cx('pl-2 text-right font-medium tabular-nums', value ? 'text-muted' : 'text-faint')}
  >
    {value === null ? '–' : value === 0 ? '=' : `${value > 0 ? '+' : '−'}${decimal(Math.abs(value), 1, 1)}`}
  </span>
)

interface DetailsProps {
  answer: Answer
  split: Split
  parts: readonly { key: string; label: string }[]
  /** The end of the bar, in percent of the axis. */
  end: number
}

/** The focused answer's full label and parts: behind its bar if they fit, else below it. */
function Details({ answer, split, parts, end }: DetailsProps) {
  const long = answer.label.length > 15
  if (!long && !parts.length) return null
  const counts = parts.map(({ key }) => (split === 'none' ? 0 : (answer[split][key] ?? 0)))
  const shares = showShares(counts, answer.value, 1)
  return (
    <span
      data-details=""
      style={{ '--end': `${end}%` } as CSSProperties}
      className={cx(
        'pointer-events-none absolute top-full z-20 flex w-max max-w-80 flex-wrap items-center gap-x-3 gap-y-0.5 rounded-md border border-edge bg-raised px-2 py-0.5 shadow-float @max-2xl:-left-24 @max-2xl:max-w-72',
        end <= 50 ? '@2xl:top-1/2 @2xl:left-[calc(var(--end)+10px)] @2xl:-translate-y-1/2' : '@2xl:left-2',
      )}
    >
      {long && (
        <span dir="auto" className="basis-full font-medium break-words">
          {answer.label}
        </span>
      )}
      {split !== 'none' &&
        parts.map(({ key, label }, at) => (
          <span key={key} className="flex items-center gap-1.5 whitespace-nowrap text-muted tabular-nums">
            <span className="size-2 rounded-[2px]" style={{ background: colourOf(split, key) }} />
            {label} <span className="text-ink">{count(answer[split][key] ?? 0)}</span>
            <span className="text-faint">{shares[at]}</span>
          </span>
        ))}
    </span>
  )
}

/** Describes an answer: "Daily: 34.2 percent, 410 of 1,198; Female 210, Male 200; 3 points less than Birch tracker". */
function spokenAnswer(answer: Answer, { base, split, against, generation }: BarChartProps): string {
  const parts =
    split === 'none'
      ? []
      : partsIn([answer], split, generation).map(({ key, label }) => `${label} ${count(answer[split][key] ?? 0)}`)
  const points = against?.points.get(answer.label)
  const than =
    !against || points === undefined || points === null || shareOf(1, base) === 0
      ? ''
      : points === 0
        ? `; as in ${against.name}`
        : `; ${Math.abs(points)} points ${points > 0 ? 'more' : 'less'} than ${against.name}`
  const split_ = parts.length ? `; ${parts.join(', ')}` : ''
  return `${answer.label}: ${shareSaid({ count: answer.value, percent: answer.percent }, base)}, ${count(answer.value)} of ${count(base)}${split_}${than}`
}
