import uPlot from 'uplot'
import { count, showDay } from '../../../contract/format.ts'
import 'uplot/dist/uPlot.min.css'
import { onResized } from '../afterPaint.ts'
import { token } from '../useTokens.ts'
import type { Day } from './dailyWords.ts'

/** A drawn graph; follows its host's width until destroyed. `showAt` places the crosshair, or hides it with null. */
export type DailyPlot = { showAt: (at: number | null) => void; destroy: () => void }

/** A thin line behind: of the period before, or of the first column. */
interface Behind {
  values: readonly (number | null)[]
  /** At its end. */
  short: string
}

/** Draws visits and unique devices by day into `host`, and the crosshair's values into `readout`. */
export function drawDays(of: {
  host: HTMLElement
  readout: HTMLElement
  days: readonly Day[]
  behind: Behind | null
  /** The index of today, whose figures are not whole; -1 if it isn't among the days. */
  partial: number
  height: number
  top: number
  read: (at: number) => string
  /** The pointer moved to another day, or left. */
  onAt: (at: number | null) => void
}): DailyPlot {
  const { host, readout, days, partial, behind } = of
  const last = days.length - 1
  const places = days.map((_, at) => at)
  // Today is drawn dashed, from yesterday on; a range of today alone is a dashed dot.
  const whole = (value: (day: Day) => number) => days.map((day, at) => (at === partial ? null : value(day)))
  const open = (value: (day: Day) => number) =>
    days.map((day, at) => (partial >= 0 && (at === partial || at === partial - 1) ? value(day) : null))
  const totals = (day: Day) => day.total
  const uniques = (day: Day) => day.unique
  let shown: number | null = null
  let ready = false
  const font = '12px "Inter Variable", Inter, system-ui, sans-serif'
  const colours = {
    accent: token('accent'),
    ink: token('accent-ink'),
    green: token('green'),
    greenInk: token('green-ink'),
    muted: token('muted'),
    line: token('line'),
    surface: token('surface'),
  }
  const axis = { stroke: colours.muted, font, ticks: { show: false }, grid: { stroke: colours.line, width: 1 } }
  const dots = days.length === 1 || (partial === 0 && days.length === 1)
  const line = (stroke: string, more: object = {}) => ({ stroke, width: 2, points: { show: dots }, ...more })
  const dash = [4, 4]
  const plot = new uPlot(
    {
      width: Math.max(120, host.clientWidth),
      height: of.height,
      padding: [16, 60, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => (last > 0 ? [0, last] : [-0.5, 0.5]) },
        y: { range: () => [0, Math.max(1, of.top) * 1.06] },
      },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: {
          size: 7,
          width: 2,
          stroke: () => colours.surface,
          fill: (_, series) => (series % 2 ? colours.green : colours.accent),
        },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          gap: 6,
          space: 76,
          values: (_, splits) => splits.map((at) => (days[at] ? showDay(days[at].date) : '')),
          incrs: [1, 2, 3, 5, 7, 14, 28, 56, 91, 182],
        },
        {
          ...axis,
          size: 56,
          gap: 8,
          space: 30,
          values: (_, splits) => splits.map((at) => short(at)),
          incrs: STEPS,
        },
      ],
      series: [
        {},
        line(colours.green, { width: 1.75 }),
        line(colours.accent, { fill: mix(colours.accent, 0.1) }),
        line(colours.green, { width: 1.75, dash }),
        line(colours.accent, { dash, fill: mix(colours.accent, 0.05) }),
        { stroke: colours.muted, width: 1, points: { show: false } },
      ],
      hooks: {
        draw: [(u) => labelEnds(u, font, colours, days, behind)],
        setCursor: [(u) => ready && readAt(u)],
        ready: [
          (u) => {
            ready = true
            if (shown !== null) standAt(u, shown)
          },
        ],
      },
    },
    [places, whole(uniques), whole(totals), open(uniques), open(totals), behind ? [...behind.values] : places.map(() => null)],
    host,
  )
  function readAt(u: uPlot) {
    const left = u.cursor.left ?? -1
    const at = left < 0 ? null : Math.min(last, Math.max(0, Math.round(u.posToVal(left, 'x'))))
    if (at !== shown) {
      shown = at
      of.onAt(at)
    }
    readout.hidden = at === null
    if (at === null) return
    readout.textContent = of.read(at)
    const from = left + u.over.offsetLeft
    const room = u.width - from
    readout.style.left = `${Math.max(0, room > readout.offsetWidth + 8 ? from + 4 : from - readout.offsetWidth - 4)}px`
  }
  function standAt(u: uPlot, at: number | null) {
    u.setCursor({ left: at === null ? -10 : u.valToPos(at, 'x'), top: at === null ? -10 : 1 })
  }
  const unsubscribe = onResized(host, () => {
    const width = host.clientWidth
    if (width && width !== plot.width) plot.setSize({ width, height: of.height })
  })
  return {
    showAt(at) {
      if (at === shown) return
      shown = at
      if (ready) standAt(plot, at)
    },
    destroy() {
      unsubscribe()
      plot.destroy()
      readout.hidden = true
    },
  }
}

const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat()
const short = (value: number): string =>
  value >= 1_000_000 ? `${count(value / 1_000_000)}M` : value >= 10_000 ? `${count(value / 1000)}k` : count(value)

const mix = (colour: string, alpha: number) => colour.replace(/\)$/, ` / ${alpha})`)

/** Names the lines at their ends instead of a legend, pushed apart where they meet. */
function labelEnds(
  u: uPlot,
  font: string,
  colours: { ink: string; greenInk: string; muted: string; surface: string },
  days: readonly Day[],
  behind: Behind | null,
) {
  const end = days.at(-1)
  if (!end) return
  const ratio = uPlot.pxRatio
  const context = u.ctx
  const x = u.valToPos(days.length - 1, 'x', true) + 6 * ratio
  const labels = [
    { text: 'Total', colour: colours.ink, at: u.valToPos(end.total, 'y', true), bold: true },
    { text: 'Unique', colour: colours.greenInk, at: u.valToPos(end.unique, 'y', true), bold: true },
  ]
  const before = behind?.values.at(-1)
  if (before != null) labels.push({ text: behind!.short, colour: colours.muted, at: u.valToPos(before, 'y', true), bold: false })
  labels.sort((a, b) => a.at - b.at)
  const gap = 14 * ratio
  for (let i = 1; i < labels.length; i++) labels[i]!.at = Math.max(labels[i]!.at, labels[i - 1]!.at + gap)
  const floor = u.bbox.top + u.bbox.height
  for (let i = labels.length - 1; i >= 0; i--)
    labels[i]!.at = Math.min(labels[i]!.at, i === labels.length - 1 ? floor : labels[i + 1]!.at - gap)
  context.save()
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.strokeStyle = colours.surface
  context.lineWidth = 4 * ratio
  context.lineJoin = 'round'
  for (const { text, colour, at, bold } of labels) {
    context.font = `${bold ? 500 : 400} ${font.replace('12px', `${12 * ratio}px`)}`
    context.fillStyle = colour
    context.strokeText(text, x, at)
    context.fillText(text, x, at)
  }
  context.restore()
}
