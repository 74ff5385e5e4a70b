import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { afterPaint } from '../afterPaint.ts'
import { cx } from '../cx.ts'
import { useTokenVersion } from '../useTokens.ts'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'
import type { Plot } from './plot.ts'
import type { Drawing } from './plotLines.ts'

type Props = ChartProps & {
  /** Pass the same object while nothing changed: a new one triggers a redraw; null draws nothing. */
  drawing: Drawing | null
  height: number
  /** The day at the crosshair. */
  at: number | null
  onAt: (place: number | null) => void
  /** Where arrow keys start without a crosshair. */
  rest: number
  /** Describes a day, for the screen and for screen readers. */
  read: (place: number) => string
  describe: (place: number) => string
  table: () => { head: readonly string[]; rows: readonly (readonly ReactNode[])[] }
  /** Enter or a click on a day. */
  onOpen?: (place: number) => void
  /** Called when the pointer enters or leaves the plot. */
  onPointer?: (inside: boolean) => void
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
  ...{ PageUp: -7, PageDown: 7 },
}

/** Lines over days with a crosshair that follows pointer and arrow keys, or their table. uPlot loads with the first. */
export function DayPlot(props: Props) {
  const {
    label,
    drawing,
    height,
    at,
    onAt,
    rest,
    read,
    describe: say,
    table,
    onOpen,
    onPointer,
    loading,
    asTable,
    empty,
    className,
  } = props
  const host = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(null)
  const theme = useTokenVersion()
  const [failed, setFailed] = useState(false)
  const drawn = !loading && !asTable && drawing !== null
  const latest = useRef({ at, onAt, read })
  latest.current = { at, onAt, read }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has to be drawn again
  useEffect(() => {
    if (!drawn) return
    let gone = false
    let cancel = () => {}
    import('./plot.ts').then(
      ({ drawPlot }) => {
        if (gone) return
        cancel = afterPaint(() => {
          if (!host.current || !readout.current) return
          plot.current = drawPlot({
            ...{ host: host.current, readout: readout.current, drawing, height },
            read: (place) => latest.current.read(place),
            onAt: (place) => latest.current.onAt(place),
          })
          plot.current.showAt(latest.current.at)
        })
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      cancel()
      plot.current?.destroy()
      plot.current = null
    }
  }, [drawn, drawing, height, theme])

  useEffect(() => plot.current?.showAt(at), [at])

  if (loading || !drawing)
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={height}
        ghost={
          <svg viewBox="0 0 100 40" preserveAspectRatio="none" width="100%" height={height} aria-hidden="true">
            <path d="M0 38 25 28 50 22 75 12 100 6V40H0Z" className="fill-track" opacity=".6" />
            <path d="M0 39.7H100M0 26H100M0 13H100" className="stroke-line" vectorEffect="non-scaling-stroke" />
          </svg>
        }
      >
        {empty}
      </ChartBlank>
    )
  if (asTable || failed) return <ChartTable label={label} {...table()} />
  const [first, last] = drawing.span
  const now = at ?? rest
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const step = STEPS[event.key]
    if (event.key === 'Enter' && onOpen) onOpen(now)
    else if (event.key === 'Escape' && at !== null) onAt(null)
    else if (event.key === 'Home') onAt(first)
    else if (event.key === 'End') onAt(last)
    else if (step !== undefined) onAt(Math.min(last, Math.max(first, now + step)))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      data-drawing=""
      data-view=""
      aria-label={label}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={`${say(now)}${onOpen ? '. Enter shows this day' : ''}`}
      onKeyDown={walk}
      onClick={() => at !== null && onOpen?.(at)}
      onBlur={() => onAt(null)}
      onPointerEnter={() => onPointer?.(true)}
      onPointerLeave={() => onPointer?.(false)}
      className={cx('relative rounded-sm outline-offset-2', onOpen && 'cursor-pointer', className)}
      style={{ height }}
    >
      <div ref={host} className="absolute inset-0" />
      <div
        ref={readout}
        hidden
        data-readout
        className="pointer-events-none absolute top-0 max-w-full truncate whitespace-nowrap rounded-sm bg-raised px-1 text-meta tabular-nums"
      />
    </div>
  )
}
