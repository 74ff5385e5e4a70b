import uPlot from 'uplot'
import { count } from '../../../contract/format.ts'
import 'uplot/dist/uPlot.min.css'
import { onResized } from '../afterPaint.ts'
import { token } from '../useTokens.ts'
import { placesOf, showPlace, type TrendAxis, type TrendPoint } from './days.ts'

/** A drawn trend; follows its host's width until destroyed. `showAt` places the crosshair, or hides it with null. */
export type TrendPlot = { showAt: (place: number | null) => void; destroy: () => void }

/** Draws delivered, plan and the first column's line into `host`, and the crosshair's values into `readout`. */
export function drawTrend(of: {
  host: HTMLElement
  readout: HTMLElement
  points: readonly TrendPoint[]
  height: number
  axis: TrendAxis
  max?: number
  span: readonly [number, number]
  base?: readonly TrendPoint[]
  read: (place: number) => string
  /** The pointer moved to another place, or left. */
  onAt: (place: number | null) => void
}): TrendPlot {
  const { host, readout, points, axis: by, span } = of
  const mine = new Map(placesOf(points, by).map((place, at) => [place, points[at]!]))
  const theirs = new Map(of.base ? placesOf(of.base, by).map((place, at) => [place, of.base![at]!]) : [])
  const places = [...new Set([...mine.keys(), ...theirs.keys()])].sort((a, b) => a - b)
  const values = places.map((place) => mine.get(place)?.value ?? null)
  const plans = places.map((place) => mine.get(place)?.plan ?? null)
  const bases = places.map((place) => theirs.get(place)?.value ?? null)
  const top = of.max ?? Math.max(1, ...values.map((value) => value ?? 0), ...plans.map((plan) => plan ?? 0))
  let shown: number | null = null
  // uPlot has no scales until ready: a crosshair set earlier lands at the end and is then cleared.
  let ready = false
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
      legend: { show: false },
      scales: {
        // A one-day trend needs a width too.
        x: { time: false, range: () => (span[0] < span[1] ? [span[0], span[1]] : [span[0] - 0.5, span[0] + 0.5]) },
        y: { range: () => [0, top * 1.04] },
      },
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
        // No point where the project wasn't in field.
        dataIdx: (_, series, at, place) => (series > 0 && Math.abs((places[at] ?? 0) - place) > 0.6 ? null : at) as number,
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          gap: 6,
          space: 72,
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? showPlace(at, by) : '')),
          incrs: [1, 2, 3, 5, 7, 14, 28, 56, 112],
        },
        {
          ...axis,
          size: 44,
          gap: 8,
          space: 26,
          values: (_, splits) => splits.map((at) => count(at)),
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
        { stroke: colours.muted, width: 1, points: { show: false } },
      ],
      hooks: {
        draw: [(u) => labelEnds(u, font, colours)],
        setCursor: [(u) => ready && readAt(u)],
        ready: [
          (u) => {
            ready = true
            if (shown !== null) standAt(u, shown)
          },
        ],
      },
    },
    [places, plans, values, bases],
    host,
  )
  /** Writes the values under the crosshair, flipped left where the right lacks room; reports pointer moves. */
  function readAt(u: uPlot) {
    const left = u.cursor.left ?? -1
    const place = left < 0 ? null : Math.min(span[1], Math.max(span[0], Math.round(u.posToVal(left, 'x'))))
    if (place !== shown) {
      shown = place
      of.onAt(place)
    }
    readout.hidden = place === null
    if (place === null) return
    readout.textContent = of.read(place)
    const at = left + u.over.offsetLeft
    const room = u.width - at
    readout.style.left = `${Math.max(0, room > readout.offsetWidth + 8 ? at + 4 : at - readout.offsetWidth - 4)}px`
  }
  function standAt(u: uPlot, place: number | null) {
    u.setCursor({ left: place === null ? -10 : u.valToPos(place, 'x'), top: place === null ? -10 : 1 })
  }
  const unsubscribe = onResized(host, () => {
    const width = host.clientWidth
    if (width && width !== plot.width) plot.setSize({ width, height: of.height })
  })
  return {
    showAt(place) {
      if (place === shown) return
      shown = place
      // The hook must not take this for a pointer move: `shown` already holds what it finds.
      if (ready) standAt(plot, place)
    },
    destroy() {
      unsubscribe()
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

/** Labels the two lines at their ends instead of a legend, pushed apart where they meet. */
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
  // A halo in the background colour keeps the figure readable over a line.
  context.strokeStyle = colours.surface
  context.lineWidth = 4 * ratio
  context.lineJoin = 'round'
  if (value) {
    context.fillStyle = colours.ink
    context.strokeText(count(value.value), x(value.at), valueAt)
    context.fillText(count(value.value), x(value.at), valueAt)
  }
  if (plan) {
    context.font = `400 ${font.replace('12px', `${12 * ratio}px`)}`
    context.fillStyle = colours.muted
    context.strokeText('plan', x(plan.at), planAt)
    context.fillText('plan', x(plan.at), planAt)
  }
  context.restore()
}
