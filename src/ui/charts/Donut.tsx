import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'
import { type ChartProps, ChartTable } from './ChartFrame.tsx'
import { Difference } from './Difference.tsx'

const strokes: Record<Tone | 'accent', string> = {
  accent: 'stroke-accent',
  grey: 'stroke-grey',
  red: 'stroke-red',
  amber: 'stroke-amber',
  green: 'stroke-green',
  blue: 'stroke-blue',
}
const inks: Record<Tone | 'accent', string> = {
  accent: 'text-ink',
  grey: 'text-ink',
  red: 'text-red-ink',
  amber: 'text-amber-ink',
  green: 'text-green-ink',
  blue: 'text-blue-ink',
}

/** A thin ring around a figure. `share` is 0…1, drawn full above 1; `caption` goes below, `difference` beside it. */
export function Donut({
  label,
  share,
  figure,
  caption,
  tone = 'accent',
  difference,
  size = 96,
  loading,
  asTable,
  className,
}: Omit<ChartProps, 'empty'> & {
  share: number | null
  figure: ReactNode
  caption?: ReactNode
  tone?: Tone | 'accent'
  /** In a comparison, the difference from the first column's figure. */
  difference?: number
  size?: number
}) {
  if (asTable && !loading) return <ChartTable label={label} head={['Figure', 'Value']} rows={[[label, figure]]} />
  const radius = size / 2 - 3
  const round = 2 * Math.PI * radius
  const part = loading || share === null || !Number.isFinite(share) ? 0 : Math.min(1, Math.max(0, share))
  return (
    <figure
      // Its caption names it; without one, its label.
      aria-label={caption === '' ? label : undefined}
      className={cx('flex min-w-0 flex-col items-center gap-1', className)}
      aria-busy={loading || undefined}
    >
      <div className="relative grid place-items-center" style={{ width: size, height: size }}>
        <svg viewBox={`0 0 ${size} ${size}`} width={size} height={size} aria-hidden="true" className="absolute -rotate-90">
          <circle cx={size / 2} cy={size / 2} r={radius} fill="none" strokeWidth="5" className="stroke-track" />
          {part > 0 && (
            <circle
              cx={size / 2}
              cy={size / 2}
              r={radius}
              fill="none"
              strokeWidth="5"
              strokeDasharray={`${part * round} ${round}`}
              className={strokes[tone]}
            />
          )}
        </svg>
        <span
          className={cx('relative tabular-nums', size >= 84 ? 'text-figure' : 'text-title', loading ? 'text-faint' : inks[tone])}
        >
          {loading ? '–' : figure}
        </span>
      </div>
      {(caption !== '' || difference !== undefined) && (
        <figcaption className="flex items-baseline gap-1.5 text-meta text-muted">
          {caption ?? label}
          {difference !== undefined && <Difference value={difference} />}
        </figcaption>
      )}
    </figure>
  )
}
