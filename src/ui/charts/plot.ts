import './validLocale.ts'
import uPlot from 'uplot'
import { count } from '../../../contract/format.ts'
import 'uplot/dist/uPlot.min.css'
import { onResized } from '../afterPaint.ts'
import { token } from '../useTokens.ts'
import { apart, type Drawing, partsOf } from './plotLines.ts'

/** A drawn plot. It follows its host's width until destroyed; `showAt` moves the crosshair, and null hides it. */
export type Plot = { showAt: (place: number | null) => void; destroy: () => void }

interface Of {
  host: HTMLElement
  readout: HTMLElement
  drawing: Drawing
  height: number
  read: (place: number) => string
  /** Called when the pointer moves to another day, or leaves (null). */
  onAt: (place: number | null) => void
}

/** Below this width in px, line names go above the plot: at the lines' ends they would take a third of it. */
const NARROW = 260
const FONT = '12px "Inter Variable", Inter, system-ui, sans-serif'
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat()
const short = (value: number): string =>
  value >= 1_000_000 ? `${count(value / 1_000_000)}M` : value >= 10_000 ? `${count(value / 1000)}k` : count(value)
const mix = (colour: string, alpha: number) => colour.replace(/\)$/, ` / ${alpha})`)

/** Draws lines over days into `host`, and the values at the crosshair into `readout`. The crosshair snaps to days. */
export function drawPlot({ host, readout, drawing, height, read, onAt }: Of): Plot {
  const { places, span, top, lines } = drawing
  const colours = { accent: token('accent'), green: token('green'), muted: token('muted') }
  const surface = token('surface')
  const axis = { stroke: colours.muted, font: FONT, ticks: { show: false }, grid: { stroke: token('line'), width: 1 } }
  const parts = lines.flatMap((line) => partsOf(line, drawing))
  // uPlot has no scales until ready: a crosshair set earlier would jump to the end and then disappear.
  let ready = false
  let shown: number | null = null
  const placeAt = (u: uPlot, left: number) => Math.min(span[1], Math.max(span[0], Math.round(u.posToVal(left, 'x'))))

  const plot = new uPlot(
    {
      width: Math.max(120, host.clientWidth),
      height,
      padding: [16, (u) => (u.width < NARROW ? 8 : 60), 0, 0],
      legend: { show: false },
      scales: {
        // A single day needs a width, too.
        x: { time: false, range: () => (span[0] < span[1] ? [span[0], span[1]] : [span[0] - 0.5, span[0] + 0.5]) },
        y: { range: () => [0, Math.max(1, top) * 1.06] },
      },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        // A position left of the plot means hidden, and must not snap to the first day.
        move: (u, left, from) => [left < 0 ? left : u.valToPos(placeAt(u, left), 'x'), from],
        points: { size: 7, width: 2, stroke: () => surface, fill: (_, nth) => colours[parts[nth - 1]!.line.colour] },
        // Hides the point of a line without a value for this day.
        dataIdx: (_, nth, at, place) => (nth > 0 && Math.abs((places[at] ?? 0) - place) > 0.6 ? null : at) as number,
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          gap: 6,
          space: 76,
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? drawing.showPlace(at) : '')),
          incrs: [1, 2, 3, 5, 7, 14, 28, 56, 91, 182, 364],
        },
        {
          ...axis,
          size: (u) => (u.width < NARROW ? 40 : 52),
          gap: 8,
          space: 30,
          values: (_, splits) => splits.map(short),
          incrs: STEPS,
        },
      ],
      series: [
        {},
        ...parts.map(({ line, values, open }) => ({
          stroke: colours[line.colour],
          width: line.width,
          ...(line.dashed || open ? { dash: line.dashed ? [3, 4] : [4, 4] } : {}),
          ...(line.area ? { fill: mix(colours[line.colour], open ? line.area / 2 : line.area) } : {}),
          points: { show: values.filter((value) => value !== null).length === 1 },
        })),
      ],
      hooks: {
        drawAxes: [(u) => drawGoal(u, drawing, colours.muted, surface)],
        draw: [(u) => (u.width < NARROW ? nameAbove : labelEnds)(u, drawing, surface)],
        setCursor: [(u) => ready && readAt(u)],
        ready: [
          (u) => {
            ready = true
            if (shown !== null) moveCrosshair(u, shown)
          },
        ],
      },
    },
    [[...places], ...parts.map(({ values }) => values)],
    host,
  )
  /** Writes the values at the crosshair, to its left if the right lacks room, and reports pointer moves. */
  function readAt(u: uPlot) {
    const left = u.cursor.left ?? -1
    const place = left < 0 ? null : placeAt(u, left)
    if (place !== shown) {
      shown = place
      onAt(place)
    }
    readout.hidden = place === null
    if (place === null) return
    readout.textContent = read(place)
    const at = left + u.over.offsetLeft
    const room = u.width - at
    readout.style.left = `${Math.max(0, room > readout.offsetWidth + 8 ? at + 4 : at - readout.offsetWidth - 4)}px`
  }
  function moveCrosshair(u: uPlot, place: number | null) {
    u.setCursor({ left: place === null ? -10 : u.valToPos(place, 'x'), top: place === null ? -10 : 1 })
  }
  const unsubscribe = onResized(host, () => {
    const width = host.clientWidth
    if (width && width !== plot.width) plot.setSize({ width, height })
  })
  return {
    showAt(place) {
      if (place === shown) return
      shown = place
      // `shown` is set first, so that uPlot's hook doesn't take this for a pointer move.
      if (ready) moveCrosshair(plot, place)
    },
    destroy() {
      unsubscribe()
      plot.destroy()
      readout.hidden = true
    },
  }
}

/** Draws the goal across the plot, labeled at the start, where lines are low. */
function drawGoal(u: uPlot, { goal }: Drawing, colour: string, surface: string) {
  if (!goal) return
  const ratio = uPlot.pxRatio
  const { left, width } = u.bbox
  const y = Math.round(u.valToPos(goal.value, 'y', true))
  withText(u, (context) => {
    context.strokeStyle = colour
    context.lineWidth = ratio
    context.beginPath()
    context.moveTo(left, y + 0.5)
    context.lineTo(left + width, y + 0.5)
    context.stroke()
    write(context, goal.label, left + 4 * ratio, y - 8 * ratio, colour, surface)
  })
}

/** Labels lines at their ends, apart from each other, from lines passing there and from the goal. */
function labelEnds(u: uPlot, { places, lines, goal }: Drawing, surface: string) {
  const ratio = uPlot.pxRatio
  const heightOf = (value: number) => u.valToPos(value, 'y', true)
  const ends = lines.flatMap((line) => {
    const at = line.values.findLastIndex((value) => value !== null)
    if (at < 0) return []
    const x = u.valToPos(places[at]!, 'x', true) + 6 * ratio
    const passing = lines.flatMap(({ values }) => (values[at + 1] == null || values[at] == null ? [] : [heightOf(values[at])]))
    // The goal's line ends with the plot, and so does what a label beside it has to avoid.
    if (goal && x < u.bbox.left + u.bbox.width) passing.push(heightOf(goal.value))
    return [{ line, x, y: heightOf(line.values[at]!), passing }]
  })
  const labels = apart(ends, { gap: 14 * ratio, near: 60 * ratio, floor: u.bbox.top + u.bbox.height })
  const inks = { accent: token('accent-ink'), green: token('green-ink'), muted: token('muted') }
  withText(u, (context) => {
    for (const { line, x, y } of labels) {
      context.font = `${line.counts ? 500 : 400} ${FONT.replace('12px', `${12 * ratio}px`)}`
      write(context, line.end, x, y, inks[line.colour], surface)
    }
  })
}

/** Names the lines above the plot, thickest first. */
function nameAbove(u: uPlot, { lines }: Drawing, surface: string) {
  const ratio = uPlot.pxRatio
  const inks = { accent: token('accent-ink'), green: token('green-ink'), muted: token('muted') }
  withText(u, (context) => {
    let x = 2 * ratio
    for (const { end, colour } of lines.toReversed()) {
      write(context, end, x, 7 * ratio, inks[colour], surface)
      x += context.measureText(end).width + 10 * ratio
    }
  })
}

function withText(u: uPlot, draws: (context: CanvasRenderingContext2D) => void) {
  const context = u.ctx
  context.save()
  context.font = `400 ${FONT.replace('12px', `${12 * uPlot.pxRatio}px`)}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.lineJoin = 'round'
  draws(context)
  context.restore()
}

/** Draws text with an outline in the background color, so that it stays readable over a line. */
function write(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, surface: string) {
  context.strokeStyle = surface
  context.lineWidth = 4 * uPlot.pxRatio
  context.strokeText(text, x, y)
  context.fillStyle = colour
  context.fillText(text, x, y)
}
