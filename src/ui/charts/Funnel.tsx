// biome-ignore-all lint/a11y/useSemanticElements: a grid whose items lie in three columns, which a list's own boxes can't
import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'
import { ChartBlank, type ChartProps, ChartTable, shorten, showFigure } from './ChartFrame.tsx'

/** A level of the funnel: how many are left here, and by what name those before it were lost. */
export type FunnelStep = { label: string; value: number; lost?: string; tone?: Tone | 'accent' }

const fills: Record<Tone | 'accent', string> = {
  accent: 'fill-accent',
  grey: 'fill-grey',
  red: 'fill-red',
  amber: 'fill-amber',
  green: 'fill-green',
  blue: 'fill-blue',
}

/** Reads from top to bottom: at each level how many are left, between two levels how many were lost and why. `height` in px, 450 as specified. */
export function Funnel({
  label,
  steps,
  height = 450,
  loading,
  asTable,
  empty = 'No entrants yet',
  className,
}: ChartProps & { steps: readonly FunnelStep[]; height?: number }) {
  const entrants = steps[0]?.value ?? 0
  const share = (value: number) => (entrants ? Math.round((100 * value) / entrants) : 0)
  if (loading || entrants === 0)
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={height}
        ghost={
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height={height} aria-hidden="true">
            <path d="M10 0H90L60 100H40Z" className="fill-track" />
          </svg>
        }
      >
        {empty}
      </ChartBlank>
    )
  if (asTable)
    return (
      <ChartTable
        label={label}
        head={['Step', 'Left', 'Share', 'Lost before it']}
        rows={steps.map((step, at) => {
          const lost = at ? steps[at - 1]!.value - step.value : 0
          return [
            step.label,
            showFigure(step.value),
            `${share(step.value)}%`,
            at ? `${showFigure(lost)} ${step.lost ?? ''}` : '–',
          ]
        })}
      />
    )
  // Bands for the levels, slopes between them: 2 to 3 in height.
  const unit = 100 / (steps.length * 2 + (steps.length - 1) * 3)
  const half = (value: number) => Math.max(0.4, (50 * value) / entrants)
  return (
    <div
      role="list"
      aria-label={label}
      className={cx('relative grid max-w-2xl gap-x-4', className)}
      style={{
        height,
        gridTemplateColumns: 'minmax(64px, max-content) minmax(64px, 1fr) minmax(64px, max-content)',
        gridTemplateRows: steps.map((_, at) => (at ? '3fr 2fr' : '2fr')).join(' '),
      }}
    >
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-full w-full"
        style={{ gridColumn: 2, gridRow: '1 / -1' }}
      >
        {steps.map((step, at) => {
          const top = at * 5 * unit
          const wide = half(step.value)
          const next = steps[at + 1]
          return (
            <g key={step.label}>
              <rect
                x={50 - wide}
                width={2 * wide}
                y={top}
                height={2 * unit}
                opacity=".88"
                className={fills[step.tone ?? 'accent']}
              />
              {next && (
                <path
                  d={`M${50 - wide} ${top + 2 * unit}H${50 + wide}L${50 + half(next.value)} ${top + 5 * unit}H${50 - half(next.value)}Z`}
                  className={fills[step.tone ?? 'accent']}
                  opacity=".14"
                />
              )}
            </g>
          )
        })}
      </svg>
      {steps.map((step, at) => {
        const lost = at ? steps[at - 1]!.value - step.value : 0
        return (
          <div key={step.label} role="listitem" className="contents">
            <span className="flex min-h-0 flex-col justify-center" style={{ gridColumn: 1, gridRow: at * 2 + 1 }}>
              <span className="text-meta text-muted" title={step.label}>
                {shorten(step.label)}
              </span>
              <span className="text-title tabular-nums">
                {showFigure(step.value)}{' '}
                <span className="text-meta font-normal tracking-normal text-faint">{share(step.value)}%</span>
              </span>
            </span>
            {at > 0 && (
              <span className="flex min-h-0 items-center gap-1.5 text-meta" style={{ gridColumn: 3, gridRow: at * 2 }}>
                <span className="tabular-nums">−{showFigure(lost)}</span>
                <span className="truncate text-muted" title={step.lost}>
                  {shorten(step.lost ?? 'lost')}
                </span>
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}
