import { type KeyboardEvent, memo, useId, useRef } from 'react'
import { count } from '../../../../contract/format.ts'
import { sharesOf } from '../../../../contract/shares.ts'
import { ChartTable } from '../../../ui/charts/ChartFrame.tsx'
import { cx } from '../../../ui/cx.ts'
import { differenceText, figureText, shareSaid, shareText } from './answerShares.ts'
import { roundTop } from './bars.ts'
import type { Numbers } from './chart.ts'

const HEIGHT = 96
/** The height of a number question's chart, in px. */
export const NUMBER_HEIGHT = 160

/** Formats a bin's label: "20 to 29.5". */
export const binLabel = ({ from, to }: { from: number; to: number }): string => `${figureText(from)} to ${figureText(to)}`

/** Formats shares without decimals, to fit a bin; a nonzero part is never "0 %". */
const wholeShares = (bins: Numbers['bins'], base: number): string[] => {
  const counts = bins.map(({ count }) => count)
  return sharesOf(counts, base, 0).map((whole, at) => (whole === 0 && counts[at]! > 0 ? '<1' : String(whole)))
}

interface Props {
  label: string
  numbers: Numbers
  base: number
  unit: 'share' | 'count'
  asTable: boolean
  at: string | null
  onAt(label: string | null): void
  /** The first column's figures in a comparison. */
  against: { figures: Pick<Numbers, 'mean' | 'median'>; name: string } | null
}

/** A number question's mean, median and histogram; a listbox, so arrow keys move between bins. */
export const NumberChart = memo(function NumberChart({ label, numbers, base, unit, asTable, at, onAt, against }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { mean, median, bins } = numbers
  const labels = bins.map(binLabel)
  const wholes = wholeShares(bins, base)
  const place = at === null ? -1 : labels.indexOf(at)
  const most = Math.max(0, ...bins.map((bin) => bin.count))
  const top = unit === 'share' ? most : roundTop(most)
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const last = bins.length - 1
    const forward = Math.min(last, place + 1)
    const back = Math.max(0, place - 1)
    const next = { ArrowRight: forward, ArrowDown: forward, ArrowLeft: back, ArrowUp: back, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onAt(labels[next] ?? null)
  }
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-3">
      <dl className="flex shrink-0 gap-6 @2xl:w-29 @2xl:flex-col @2xl:gap-2">
        {(
          [
            ['Mean', mean, against?.figures.mean],
            ['Median', median, against?.figures.median],
          ] as const
        ).map(([name, value, first]) => (
          <div key={name}>
            <dt className="text-meta text-muted">{name}</dt>
            <dd className="text-figure tabular-nums">{figureText(value)}</dd>
            {against && first !== undefined && <Difference {...differenceText(value, first, against.name)} />}
          </div>
        ))}
      </dl>
      {asTable ? (
        <div className="min-w-60 flex-1">
          <ChartTable
            label={label}
            head={['Range', 'Share', 'Count']}
            rows={bins.map((bin) => [binLabel(bin), shareText(bin, base), count(bin.count)])}
          />
        </div>
      ) : (
        <div className="min-w-60 max-w-160 flex-1 text-meta">
          <div
            ref={list}
            role="listbox"
            tabIndex={0}
            aria-label={label}
            aria-orientation="horizontal"
            aria-activedescendant={place >= 0 ? `${id}-${place}` : undefined}
            data-answers=""
            onKeyDown={walk}
            onPointerLeave={() => onAt(null)}
            className={cx('flex items-end gap-px border-b border-edge outline-offset-4', place >= 0 && 'outline-none')}
            style={{ height: HEIGHT }}
          >
            {bins.map((bin, nth) => (
              <div
                key={labels[nth]}
                id={`${id}-${nth}`}
                role="option"
                tabIndex={-1}
                aria-selected={nth === place}
                data-answer={labels[nth]}
                onPointerEnter={() => onAt(labels[nth]!)}
                className={cx('flex h-full flex-1 flex-col justify-end outline-none', nth === place && 'bg-cursor')}
              >
                <span className="sr-only">
                  {`${labels[nth]}: ${shareSaid(bin, base)}, ${count(bin.count)} of ${count(base)}`}
                </span>
                <span aria-hidden="true" className="text-center text-faint tabular-nums">
                  {nth === place ? '' : unit === 'share' ? wholes[nth] : count(bin.count)}
                </span>
                <span
                  aria-hidden="true"
                  className={cx('rounded-t-[2px]', nth === place ? 'bg-accent-hover' : 'bg-accent')}
                  style={{ height: top > 0 ? `${(bin.count / top) * (HEIGHT - 18)}px` : 0 }}
                />
              </div>
            ))}
          </div>
          <div aria-hidden="true" data-axis="" className="flex justify-between pt-1 text-faint tabular-nums">
            <span>{bins[0] ? figureText(bins[0].from) : ''}</span>
            <span className="text-ink">
              {place >= 0 && bins[place] ? `${labels[place]}: ${shareText(bins[place], base)}, ${count(bins[place].count)}` : ''}
            </span>
            <span>{bins.at(-1) ? figureText(bins.at(-1)!.to) : ''}</span>
          </div>
        </div>
      )}
    </div>
  )
})

/** The difference from the first column's figure. */
const Difference = ({ shown, spoken }: { shown: string; spoken: string }) => (
  <dd className="text-meta text-muted tabular-nums" data-difference="">
    <span aria-hidden="true">{shown}</span>
    <span className="sr-only">{spoken}</span>
  </dd>
)
