import { type Colours, type Measure, type Picture, type Shape, wrap } from '../../shared/chartSvg.ts'

/** A chart as displayed, for its picture. */
export interface Drawn {
  title: string
  /** "One answer · n = 1,198, 10 skipped". */
  about: string
  /** The filters and the project. */
  foot: string
  rows: readonly { label: string; share: string; count: string; segments: readonly { width: number; fill: string }[] }[]
  /** The labels at the quarters of the axis. */
  axis: readonly string[]
  legend: readonly { label: string; fill: string }[]
}

const WIDTH = 960
const EDGE = 32
const LABEL = 260
const FIGURES = 150
const ROW = 30
/** The height of a line of text, in px. */
const LINE = 20

/** Lays out a chart as a picture for slides, with full labels. */
export function pictureOf({ title, about, foot, rows, axis, legend }: Drawn, colours: Colours, measure: Measure): Picture {
  const shapes: Shape[] = []
  const { ink, muted, line, edge } = colours
  let y = EDGE + 16
  const text = (words: string, x: number, at: number, more: Partial<Extract<Shape, { kind: 'text' }>> = {}) =>
    shapes.push({ kind: 'text', x, y: at, text: words, size: 14, fill: ink, ...more })
  for (const words of wrap(title, WIDTH - 2 * EDGE, 20, measure, true)) {
    text(words, EDGE, y, { size: 20, bold: true })
    y += 26
  }
  text(about, EDGE, y, { fill: muted })
  y += LINE + 6
  if (legend.length) {
    let x = EDGE
    for (const { label, fill } of legend) {
      shapes.push({ kind: 'rect', x, y: y - 10, width: 11, height: 11, fill })
      text(label, x + 17, y)
      x += 17 + measure(label, 14) + 20
    }
    y += LINE + 4
  }
  const left = EDGE + LABEL
  const plot = WIDTH - EDGE - FIGURES - left
  const top = y - 8
  const placed = rows.map((row) => {
    const lines = wrap(row.label, LABEL - 16, 14, measure)
    const height = Math.max(ROW, lines.length * 18 + 10)
    const at = y - 8
    y += height
    return { row, lines, at, height }
  })
  const bottom = y - 8
  for (const quarter of [0, 1, 2, 3, 4]) {
    const x = left + (plot * quarter) / 4
    shapes.push({ kind: 'rect', x, y: top, width: 1, height: bottom - top + 5, fill: quarter % 4 ? line : edge })
    text(axis[quarter] ?? '', x, bottom + 20, {
      size: 12,
      fill: muted,
      align: quarter === 0 ? 'left' : quarter === 4 ? 'right' : 'center',
    })
  }
  shapes.push({ kind: 'rect', x: left, y: bottom, width: plot, height: 1, fill: edge })
  for (const { row, lines, at, height } of placed) {
    const middle = at + height / 2
    for (const [nth, words] of lines.entries()) text(words, EDGE, middle + 5 + (nth - (lines.length - 1) / 2) * 18)
    let x = left
    for (const { width, fill } of row.segments) {
      shapes.push({ kind: 'rect', x, y: middle - 9, width: (plot * width) / 100, height: 18, fill })
      x += (plot * width) / 100
    }
    text(row.share, WIDTH - EDGE - 66, middle + 5, { align: 'right', bold: true })
    text(row.count, WIDTH - EDGE, middle + 5, { align: 'right', fill: muted })
  }
  y = bottom + 20 + LINE + 8
  for (const words of wrap(foot, WIDTH - 2 * EDGE, 12, measure)) {
    text(words, EDGE, y, { size: 12, fill: muted })
    y += 16
  }
  return { width: WIDTH, height: Math.ceil(y - 16 + EDGE - 8), ground: colours.ground, shapes }
}
