import type { ReactNode } from 'react'
import { decimal } from '../../../../contract/decimals.ts'
import { count, percent } from '../../../../contract/format.ts'
import { daysBetween } from '../../../../contract/pacing.ts'
import type { VisitCounts, VisitSums } from '../../../../contract/visit.ts'
import { FigureDifference } from '../../../compare/FigureDifference.tsx'
import { sayChange, showChange } from '../../../ui/charts/dailyWords.ts'
import { cx } from '../../../ui/cx.ts'
import { useDelayed } from '../../../ui/useDelayed.ts'
import { showRange } from './visitView.ts'

/** The error of an estimate as such; a larger one has another reason. */
const SKETCH_ERROR = 0.006

/** Rounds an estimate to the five digits it is precise to. */
const roughly = (value: number): number => (value < 100_000 ? value : Number(value.toPrecision(5)))
/** Formats an error as "±0.6 %". */
const showError = (error: number): string => `±${percent(Math.round(10_000 * error) / 100)}`

const perDevice = ({ total, unique }: VisitSums): number | null => (unique ? Math.round((100 * total) / unique) / 100 : null)
const daily = ({ total }: VisitSums, days: number): number => Math.round(total / days)

interface Props {
  counts: VisitCounts | undefined
  stale: boolean
  /** Names the figures in comparisons. */
  of: string
  /** Part of a comparison, whose figures line up across columns. */
  linked: boolean
}

/** Visits, unique devices, visits per device and daily average, each with its change from the previous period. */
export function VisitFigures({ counts, stale, of, linked }: Props) {
  const days = counts ? daysBetween(counts.filter_start_date, counts.filter_end_date) + 1 : 1
  const before = counts?.before
  const words = before ? showRange({ start: before.start_date, end: before.end_date }) : ''
  const change = (now: number | null | undefined, then: number | null | undefined) =>
    before && now != null ? { now, earlier: then ?? null, words, days } : null
  const each = counts && perDevice(counts)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Figures"
      aria-busy={stale || undefined}
      className={cx(
        'grid grid-cols-2 gap-x-7 gap-y-3 @max-xs:gap-x-4 @2xl:grid-cols-4',
        // Narrow columns show a difference below its figure, and wrap some names to two lines.
        linked && '@max-xs:[&_[data-name]]:min-h-8 @max-xs:[&_[data-value]]:min-h-11 @max-xs:[&_[data-value]]:content-start',
        stale && 'opacity-60',
      )}
    >
      <Figure name="Visits" value={counts && count(counts.total)} change={change(counts?.total, before?.total)}>
        <FigureDifference topic="visits" value={counts?.total} of={of} />
      </Figure>
      <Figure
        name="Unique devices"
        value={
          counts && `${counts.unique_exact ? '' : '≈ '}${count(counts.unique_exact ? counts.unique : roughly(counts.unique))}`
        }
        change={change(counts?.unique, before?.unique)}
        aside={counts && !counts.unique_exact && <Estimated error={counts.unique_error} />}
      >
        <FigureDifference topic="unique" value={counts?.unique} of={of} />
      </Figure>
      <Figure
        name="Visits per device"
        value={counts && (each == null ? '–' : decimal(each, 2, 2))}
        change={change(each, before && perDevice(before))}
      >
        <FigureDifference topic="per device" value={counts && each} of={of} />
      </Figure>
      <Figure
        name="Daily average"
        value={counts && count(daily(counts, days))}
        change={change(counts && daily(counts, days), before && daily(before, days))}
      >
        <FigureDifference topic="daily" value={counts && daily(counts, days)} of={of} />
      </Figure>
    </div>
  )
}

interface ChangeProps {
  now: number
  earlier: number | null
  words: string
  /** The length of both periods. */
  days: number
}

interface FigureProps {
  name: string
  /** Undefined while it loads. */
  value: string | undefined
  change: ChangeProps | null
  aside?: ReactNode
  children: ReactNode
}

/** A figure that keeps its height while it loads. */
function Figure({ name, value, change, aside, children }: FigureProps) {
  const late = useDelayed(value === undefined)
  return (
    <div className="min-h-[66px] min-w-0">
      <p data-name="" className="text-meta text-muted">
        {name}
      </p>
      <p data-value="" className="flex min-h-7 flex-wrap items-baseline gap-x-2">
        {value === undefined ? (
          late && <span aria-hidden="true" className="mt-2 h-3 w-24 rounded-full bg-track opacity-60" />
        ) : (
          <span className="text-figure tabular-nums">{value}</span>
        )}
        {aside}
        <span className="text-meta">{children}</span>
      </p>
      <p className="@container h-4 truncate text-meta tabular-nums">{change && <Change {...change} />}</p>
    </div>
  )
}

/** Shows "+12 % vs Sep 25 to Oct 24, 2026", if narrow "+12 % vs 30 days before"; in words for screen readers. */
function Change({ now, earlier, words, days }: ChangeProps) {
  const shown = showChange(now, earlier)
  return (
    <>
      <span
        aria-hidden="true"
        className={cx(
          'font-medium',
          shown.startsWith('+') ? 'text-green-ink' : shown.startsWith('−') ? 'text-red-ink' : 'text-muted',
        )}
      >
        {shown}
      </span>
      <span className="sr-only">{sayChange(now, earlier, words)}</span>
      <span aria-hidden="true" className="text-faint @max-[13.5rem]:hidden">
        {' '}
        vs {words}
      </span>
      <span aria-hidden="true" className="hidden text-faint @max-[13.5rem]:inline">
        {' '}
        vs {days === 1 ? 'the day' : `${count(days)} days`} before
      </span>
    </>
  )
}

/** Shows an estimate's error, with an explanation on hover and focus. */
function Estimated({ error }: { error: number }) {
  const meaning =
    error > SKETCH_ERROR
      ? `A service has just left, and some of its devices were elsewhere too: until that is counted, within ${showError(error)}.`
      : `Above 100,000 visits, the figure is an estimate, within ${showError(error)} in 19 of 20 cases.`
  return (
    <span
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation shows on focus
      tabIndex={0}
      role="note"
      aria-label={`${showError(error)}. ${meaning}`}
      className="group relative rounded-sm text-meta text-muted"
    >
      {showError(error)}
      <span
        aria-hidden="true"
        className="floats pointer-events-none absolute top-full left-0 z-10 mt-1 hidden w-60 rounded-md border border-edge bg-raised p-2 text-ink shadow-float group-hover:block group-focus:block"
      >
        {meaning}
      </span>
    </span>
  )
}
