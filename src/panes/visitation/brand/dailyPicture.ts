import { count, showDay } from '../../../../contract/format.ts'
import { type Behind, topOfDays } from '../../../ui/charts/DailyGraph.tsx'
import type { Day } from '../../../ui/charts/dailyWords.ts'
import { type Colours, type Measure, type Picture, plainColour, type Shape, wrap } from '../../shared/chartSvg.ts'

const WIDTH = 960
const EDGE = 32
const LEFT = EDGE + 56
const RIGHT = WIDTH - EDGE - 70
const PLOT = 300

interface Drawn {
  title: string
  about: string
  foot: string
  days: readonly Day[]
  behind: Behind | null
  today: string
}

/** Lays out the daily graph as a picture for slides: total, unique, and the comparison line behind them. */
export function pictureOfDays({ title, about, foot, days, behind, today }: Drawn, colours: Colours, measure: Measure): Picture {
  const shapes: Shape[] = []
  const { ink, muted, line, edge } = colours
  const text = (words: string, x: number, at: number, more: Partial<Extract<Shape, { kind: 'text' }>> = {}) =>
    shapes.push({ kind: 'text', x, y: at, text: words, size: 14, fill: ink, ...more })
  let y = EDGE + 16
  for (const words of wrap(title, WIDTH - 2 * EDGE, 20, measure, true)) {
    text(words, EDGE, y, { size: 20, bold: true })
    y += 26
  }
  for (const words of wrap(about, WIDTH - 2 * EDGE, 14, measure)) {
    text(words, EDGE, y, { fill: muted })
    y += 20
  }
  const top = y + 8
  const floor = top + PLOT
  const most = niceTop(topOfDays(days, behind?.days))
  const last = days.length - 1
  const x = (at: number) => (last ? LEFT + ((RIGHT - LEFT) * at) / last : (LEFT + RIGHT) / 2)
  const h = (value: number) => floor - (PLOT * value) / most
  for (const part of [0, 1, 2, 3, 4]) {
    const value = (most * part) / 4
    shapes.push({ kind: 'rect', x: LEFT, y: h(value), width: RIGHT - LEFT, height: 1, fill: part ? line : edge })
    text(count(Math.round(value)), LEFT - 8, h(value) + 4, { size: 12, fill: muted, align: 'right' })
  }
  const every = Math.max(1, Math.ceil(days.length / 9))
  days.forEach(({ date }, at) => {
    if (at % every === 0) text(showDay(date), x(at), floor + 20, { size: 12, fill: muted, align: at ? 'center' : 'left' })
  })
  const partial = days.findIndex(({ date }) => date === today)
  const ends: { text: string; at: number; fill: string }[] = []
  const trace = (values: readonly (number | null)[], stroke: string, width: number, name: string) => {
    const points = values.flatMap((value, at) => (value === null ? [] : [[x(at), h(value)] as const]))
    if (!points.length) return
    if (points.length === 1)
      shapes.push({ kind: 'rect', x: points[0]![0] - 3, y: points[0]![1] - 3, width: 6, height: 6, fill: stroke })
    const whole = partial >= 0 && width > 1 ? points.slice(0, partial) : points
    shapes.push({ kind: 'line', points: whole, stroke, width })
    // Today isn't over, so its figures are incomplete.
    if (whole.length && whole.length < points.length)
      shapes.push({ kind: 'line', points: points.slice(whole.length - 1), stroke, width, dash: true })
    ends.push({ text: name, at: points.at(-1)![1], fill: stroke })
  }
  if (behind)
    trace(
      days.map((_, at) => behind.days[at]?.total ?? null),
      muted,
      1,
      behind.short,
    )
  trace(
    days.map(({ unique }) => unique),
    plainColour('var(--green)'),
    1.75,
    'Unique',
  )
  trace(
    days.map(({ total }) => total),
    plainColour('var(--accent)'),
    2,
    'Total',
  )
  ends.sort((a, b) => a.at - b.at)
  let at = Number.NEGATIVE_INFINITY
  for (const end of ends) {
    at = Math.max(end.at, at + 16)
    text(end.text, RIGHT + 8, at + 4, { size: 12, fill: end.fill, bold: true })
  }
  y = floor + 52
  text(foot, EDGE, y, { size: 12, fill: muted })
  return { width: WIDTH, height: y + EDGE - 8, ground: colours.ground, shapes }
}

/** The next round number above a value that divides well into four steps. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(4, value)))
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value
}
