import type { ReactNode } from 'react'
import { count, percent } from '../../../contract/format.ts'
import { Difference } from '../../ui/charts/Difference.tsx'
import { Donut } from '../../ui/charts/Donut.tsx'
import { cx } from '../../ui/cx.ts'
import { usePart } from '../../workspace/compareRole.ts'
import { type ProjectRow, paceTone } from '../shared/projectSubject.ts'
import { differs } from './overviewFigures.ts'

/** In the Overview's figures, in a project, and in a row of projects. */
type Summary = Pick<ProjectRow, 'pacing' | 'pacing_color' | 'pacing_state' | 'delivered' | 'ordered' | 'expected'>

/** A ring needs no caption: its label is beside it. */
const BESIDE = ''
/** Ring size, in px: three fit half a column with the figure inside; the narrowest of four columns stacks them. */
const RING = 84

const STATES: Readonly<Record<string, string>> = {
  not_started: 'Not in field yet',
  running: 'Versus plan to date',
  over: 'Fieldwork ended',
  no_dates: 'No dates to measure against',
}

interface Props {
  summary: Summary
  /** The first column's figures and its record's name. */
  against: { summary: Summary; name: string } | null
}

/** A project's pacing, delivered and ordered, each with its difference from the first column. */
export function KeyFigures({ summary, against }: Props) {
  const ring = { caption: BESIDE, size: RING, className: 'shrink-0' }
  const base = against?.summary
  const to = against?.name
  const aligned = usePart() !== null
  return (
    <div
      data-anchor="key"
      className="mt-3 grid divide-y divide-line rounded-lg border border-line @min-[260px]:grid-cols-3 @min-[260px]:divide-x @min-[260px]:divide-y-0"
    >
      <Key
        aligned={aligned}
        title="Pacing"
        detail={STATES[summary.pacing_state] ?? ''}
        difference={base && <Difference value={Math.round(summary.pacing - base.pacing)} unit="points" to={to} judged />}
      >
        <Donut
          {...ring}
          label="Pacing"
          share={summary.pacing / 100}
          figure={percent(summary.pacing)}
          tone={paceTone(summary.pacing_color, { state: summary.pacing_state })}
        />
      </Key>
      <Key
        aligned={aligned}
        title="Delivered"
        detail={
          <>
            {count(Math.round(summary.expected))} expected<span className="@max-md:sr-only"> by now</span>
          </>
        }
        difference={base && <Difference {...differs(summary.delivered, base.delivered)} to={to} judged />}
      >
        <Donut
          {...ring}
          label="Delivered"
          share={summary.ordered ? summary.delivered / summary.ordered : null}
          figure={count(summary.delivered)}
        />
      </Key>
      <Key
        aligned={aligned}
        title="Ordered"
        detail={`${count(Math.max(0, summary.ordered - summary.delivered))} to go`}
        difference={base && <Difference {...differs(summary.ordered, base.ordered)} to={to} />}
      >
        <Donut
          {...ring}
          label="Ordered"
          share={summary.ordered ? summary.delivered / summary.ordered : null}
          tone="blue"
          figure={count(summary.ordered)}
        />
      </Key>
    </div>
  )
}

function Key({
  title,
  detail,
  difference,
  aligned,
  children,
}: {
  title: string
  detail: ReactNode
  difference: ReactNode
  aligned: boolean
  children: ReactNode
}) {
  return (
    <div className="flex items-center gap-3 px-3 py-3 @min-[260px]:flex-col @min-[260px]:gap-1 @min-[260px]:px-1 @min-[260px]:text-center @xl:flex-row @xl:gap-3 @xl:px-3 @xl:text-left @2xl:gap-4 @2xl:px-4">
      {children}
      <div className="min-w-0">
        <div className="font-medium">{title}</div>
        {difference ? (
          <div data-difference className="text-meta">
            {difference}
          </div>
        ) : (
          // The first column keeps an empty line, so that rows line up across columns.
          aligned && <div className="h-4" />
        )}
        <div className={cx('text-meta text-balance text-muted', aligned && '@max-md:h-8 @max-md:overflow-hidden')}>{detail}</div>
      </div>
    </div>
  )
}
