import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { token } from '../useTokens.ts'
import { showDifference, showFigure } from './ChartFrame.tsx'
import { showDay, type TrendPoint } from './days.ts'

/** A drawn trend; it follows its host's width until it is destroyed. */
export type TrendPlot = { destroy: () => void }

/** Draws delivered and plan into `host`, and writes the crosshair's values into `readout`. */
export function drawTrend(of: {
  host: HTMLElement
  readout: HTMLElement
  points: readonly TrendPoint[]
  height: number
  max?: number
  syncKey?: string
}): TrendPlot {
  const { host, readout, points } = of
  const times = points.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)
  const values = points.map(({ value }) => value)
  const plans = points.map(({ plan }) => plan ?? null)
  const top = of.max ?? Math.max(1, ...values.map((value) => value ?? 0), ...plans.map((plan) => plan ?? 0))
  const font = '12px "Inter Variable", Inter, system-ui, sans-serif'
  const colours = {
    accent: token('accent'),
    ink: token('accent-ink'),
    muted: token('muted'),
    line: token('line'),
    surface: token('surface'),
  }
  const axis = { stroke: colours.muted, font, ticks: { show: false }, grid: { stroke: colours.line, width: 1 } }

  const plot = new uPlot(
    {
      width: Math.max(120, host.clientWidth),
      height: of.height,
      padding: [16, 44, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      scales: { y: { range: () => [0, top * 1.04] } },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: {
          size: 7,
          width: 2,
          stroke: () => colours.surface,
          fill: () => colours.accent,
          show: (_, series) => (series === 2 ? pointElement() : none()),
        },
        ...(of.syncKey ? { sync: { key: of.syncKey, scales: ['x', null] as [string, null] } } : {}),
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          gap: 6,
          space: 72,
          values: (_, splits) => splits.map((at) => showDay(new Date(at * 1000).toISOString().slice(0, 10))),
          incrs: [1, 2, 3, 5, 7, 14, 28, 56, 112].map((days) => days * 86_400),
        },
        {
          ...axis,
          size: 44,
          gap: 8,
          space: 26,
          values: (_, splits) => splits.map((at) => showFigure(at)),
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000],
        },
      ],
      series: [
        {},
        { stroke: colours.muted, width: 1, dash: [3, 4], points: { show: false } },
        {
          stroke: colours.accent,
          width: 2,
          fill: mix(colours.accent, 0.13),
          points: { show: values.filter((value) => value !== null).length === 1 },
        },
      ],
      hooks: {
        draw: [(u) => labelEnds(u, font, colours)],
        setCursor: [(u) => readAt(u, readout, points)],
      },
    },
    [times, plans, values],
    host,
  )
  const observer = new ResizeObserver(() => {
    if (host.clientWidth) plot.setSize({ width: host.clientWidth, height: of.height })
  })
  observer.observe(host)
  return {
    destroy() {
      observer.disconnect()
      plot.destroy()
      readout.hidden = true
    },
  }
}

const pointElement = () => {
  const element = document.createElement('div')
  element.className = 'u-cursor-pt'
  return element
}

const none = () => {
  const element = document.createElement('div')
  element.hidden = true
  return element
}

const mix = (colour: string, alpha: number) => colour.replace(/\)$/, ` / ${alpha})`)

/** Names the two lines where they end, instead of a legend; pushes the names apart when the lines end together. */
function labelEnds(u: uPlot, font: string, colours: { ink: string; muted: string; surface: string }) {
  const ratio = uPlot.pxRatio
  const lastOf = (series: number) => {
    const data = u.data[series]!
    for (let at = data.length - 1; at >= 0; at--) if (data[at] != null) return { at, value: data[at]! }
    return null
  }
  const value = lastOf(2)
  const plan = lastOf(1)
  const context = u.ctx
  context.save()
  context.font = `500 ${font.replace('12px', `${12 * ratio}px`)}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  const y = (at: number) => u.valToPos(at, 'y', true)
  const x = (at: number) => u.valToPos(u.data[0]![at]!, 'x', true) + 6 * ratio
  let planAt = plan ? y(plan.value) : 0
  let valueAt = value ? y(value.value) : 0
  if (plan && value && Math.abs(x(plan.at) - x(value.at)) < 60 * ratio && Math.abs(planAt - valueAt) < 14 * ratio) {
    const middle = (planAt + valueAt) / 2
    const above = plan.value >= value.value ? -1 : 1
    planAt = middle + above * 7 * ratio
    valueAt = middle - above * 7 * ratio
  }
  // A halo of the ground keeps the figure readable where a line runs through it.
  context.strokeStyle = colours.surface
  context.lineWidth = 4 * ratio
  context.lineJoin = 'round'
  if (value) {
    context.fillStyle = colours.ink
    context.strokeText(showFigure(value.value), x(value.at), valueAt)
    context.fillText(showFigure(value.value), x(value.at), valueAt)
  }
  if (plan) {
    context.font = `400 ${font.replace('12px', `${12 * ratio}px`)}`
    context.fillStyle = colours.muted
    context.strokeText('plan', x(plan.at), planAt)
    context.fillText('plan', x(plan.at), planAt)
  }
  context.restore()
}

/** Writes "Nov 17 · 541 · +38" at the crosshair, turned to the left where the right has no room. */
function readAt(u: uPlot, readout: HTMLElement, points: readonly TrendPoint[]) {
  const point = u.cursor.idx == null ? undefined : points[u.cursor.idx]
  const left = u.cursor.left ?? -1
  readout.hidden = !point || left < 0
  if (!point || left < 0) return
  const plan =
    point.plan == null
      ? ''
      : point.value === null
        ? ` · plan ${showFigure(Math.round(point.plan))}`
        : ` · ${showDifference(Math.round(point.value - point.plan))}`
  readout.textContent = `${showDay(point.date)}${point.value === null ? '' : ` · ${showFigure(point.value)}`}${plan}`
  const at = left + u.over.offsetLeft
  const room = u.width - at
  readout.style.left = room > readout.offsetWidth + 8 ? `${at + 4}px` : `${at - readout.offsetWidth - 4}px`
}
