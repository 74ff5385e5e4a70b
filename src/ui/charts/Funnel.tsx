// biome-ignore-all lint/a11y/useSemanticElements: a grid whose items lie in three columns, which a list's own boxes can't
import { count, showShare } from '../../../contract/format.ts'
import { cx } from '../cx.ts'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'
import { Difference } from './Difference.tsx'
import { type Hover, useHover } from './hover.ts'

/** A level of a funnel: how many are left, and what those lost before it are called. */
export type FunnelStep = { label: string; value: number; lost?: string }

type Against = { steps: readonly FunnelStep[]; name: string }

/** A level's share of the entrants in whole percent. Differences are computed from it to match the shown figures. */
const shareOf = (value: number, entrants: number) => (entrants ? Math.round((100 * value) / entrants) : 0)
const lostAt = (steps: readonly FunnelStep[], at: number) => (steps[at - 1]?.value ?? 0) - (steps[at]?.value ?? 0)

/** Differences from the first column: a level's share and the loss before it; for entrants, their number. */
function differencesAt(steps: readonly FunnelStep[], at: number, against: Against) {
  const mine = steps[0]?.value ?? 0
  const theirs = against.steps[0]?.value ?? 0
  if (!theirs) return { left: null, lost: null, percent: null }
  if (at === 0) return { left: mine - theirs, lost: null, percent: Math.round((100 * (mine - theirs)) / theirs) }
  return {
    left: shareOf(steps[at]!.value, mine) - shareOf(against.steps[at]?.value ?? 0, theirs),
    lost: shareOf(lostAt(steps, at), mine) - shareOf(lostAt(against.steps, at), theirs),
    percent: null,
  }
}

/**
 * A funnel: who is left at each level, and who was lost in between. `height` is in px, 450 in the specification.
 * `max` is the number of entrants that fills the width, for a shared scale; `against` is the funnel to compare with.
 */
export function Funnel({
  label,
  steps,
  height = 450,
  loading,
  asTable,
  empty = 'No entrants yet',
  className,
  max,
  against,
  hover,
}: ChartProps & { steps: readonly FunnelStep[]; height?: number; max?: number; against?: Against; hover?: Hover }) {
  const { list, row } = useHover(
    steps.map((step) => step.label),
    hover,
  )
  const entrants = steps[0]?.value ?? 0
  const share = (value: number) => showShare(value, entrants)
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
        head={['Step', 'Left', 'Share', 'Lost before it', ...(against ? ['Difference'] : [])]}
        rows={steps.map((step, at) => {
          const lost = at ? steps[at - 1]!.value - step.value : 0
          return [
            step.label,
            count(step.value),
            share(step.value),
            at ? `${count(lost)} ${step.lost ?? ''}, ${share(lost)}` : '–',
            ...(against ? [<LevelDifference key="difference" steps={steps} at={at} against={against} />] : []),
          ]
        })}
      />
    )
  // Levels are bands and losses slopes, with heights in the ratio 2 to 3.
  const unit = 100 / (steps.length * 2 + (steps.length - 1) * 3)
  const half = (value: number) => Math.max(0.4, (50 * value) / Math.max(entrants, max ?? 0))
  return (
    <div
      role="list"
      {...list}
      aria-label={label}
      className={cx('relative grid max-w-2xl gap-x-4 outline-offset-4', className)}
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
              <rect x={50 - wide} width={2 * wide} y={top} height={2 * unit} opacity=".88" className="fill-accent" />
              {next && (
                <path
                  d={`M${50 - wide} ${top + 2 * unit}H${50 + wide}L${50 + half(next.value)} ${top + 5 * unit}H${50 - half(next.value)}Z`}
                  className="fill-accent"
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
          <div key={step.label} role="listitem" {...row(step.label)} className="group/level contents">
            <span
              className="-ml-1.5 flex min-h-0 flex-col justify-center rounded-sm px-1.5 group-data-hovered/level:bg-cursor group-data-hovered/level:shadow-[inset_2px_0_var(--accent)]"
              style={{ gridColumn: 1, gridRow: at * 2 + 1 }}
            >
              <span className="truncate text-meta text-muted" title={step.label}>
                {step.label}
              </span>
              <span className="text-title tabular-nums">
                {count(step.value)} <span className="text-meta font-normal tracking-normal text-faint">{share(step.value)}</span>{' '}
                {against && (
                  <LevelDifference
                    steps={steps}
                    at={at}
                    against={against}
                    className="text-meta tracking-normal whitespace-nowrap"
                  />
                )}
              </span>
            </span>
            {at > 0 && (
              <span className="flex min-h-0 flex-col justify-center text-meta" style={{ gridColumn: 3, gridRow: at * 2 }}>
                <span className="flex items-center gap-1.5">
                  <span className="tabular-nums">−{count(lost)}</span>
                  <span className="truncate text-muted" title={step.lost}>
                    {step.lost ?? 'lost'}
                  </span>
                </span>
                <span className="flex gap-1.5 whitespace-nowrap text-faint tabular-nums" title="of all entrants">
                  {share(lost)}
                  {against && (
                    <Difference
                      value={differencesAt(steps, at, against).lost}
                      unit="points"
                      to={against.name}
                      className="text-muted!"
                    />
                  )}
                </span>
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}

function LevelDifference({
  steps,
  at,
  against,
  className,
}: {
  steps: readonly FunnelStep[]
  at: number
  against: Against
  className?: string
}) {
  const { left, percent } = differencesAt(steps, at, against)
  return <Difference value={left} unit={at ? 'points' : 'count'} percent={percent} to={against.name} className={className} />
}
