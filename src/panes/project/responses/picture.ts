/** A part of a picture, in px from its top left corner; colours are written as CSS has them. */
export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string }
  | {
      kind: 'text'
      x: number
      y: number
      text: string
      size: number
      fill: string
      bold?: true
      align?: 'left' | 'right' | 'center'
    }
export interface Picture {
  width: number
  height: number
  ground: string
  shapes: readonly Shape[]
}

/** What is drawn: one chart as it is shown. */
export interface Drawn {
  title: string
  /** "One answer · n = 1,198, 10 skipped". */
  about: string
  /** Who is counted, and of which project. */
  foot: string
  rows: readonly { label: string; share: string; count: string; segments: readonly { width: number; fill: string }[] }[]
  /** The labels at the quarters of the axis. */
  axis: readonly string[]
  legend: readonly { label: string; fill: string }[]
}
export interface Colours {
  ground: string
  ink: string
  muted: string
  line: string
  edge: string
}

const WIDTH = 960
const EDGE = 32
const LABEL = 260
const FIGURES = 150
const ROW = 30
/** A line of text, in px. */
const LINE = 20

/** The width of a text in px at a size. */
export type Measure = (text: string, size: number, bold?: boolean) => number

/** Breaks a text into lines that fit a width; a longer word has a line of its own. */
export function wrap(text: string, width: number, size: number, measure: Measure, bold = false): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && measure(`${last} ${word}`, size, bold) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Lays a chart out as a picture for a slide, labels whole. */
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

const FONT = "'Inter Variable', Inter, system-ui, sans-serif"
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)
const ANCHOR = { left: 'start', center: 'middle', right: 'end' } as const
const round = (value: number) => Math.round(value * 100) / 100

/** A picture as an SVG file. */
export function svgOf({ width, height, ground, shapes }: Picture, title: string): string {
  const parts = shapes.map((shape) =>
    shape.kind === 'rect'
      ? `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" fill="${shape.fill}"/>`
      : `<text x="${round(shape.x)}" y="${round(shape.y)}" font-size="${shape.size}" fill="${shape.fill}"${shape.bold ? ' font-weight="600"' : ''}${shape.align && shape.align !== 'left' ? ` text-anchor="${ANCHOR[shape.align]}"` : ''}>${escaped(shape.text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(FONT)}" role="img"><title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="${ground}"/>${parts.join('')}</svg>\n`
}

const fontOf = (size: number, bold?: boolean) => `${bold ? 600 : 400} ${size}px ${FONT}`

/** Measures texts as the browser draws them. */
export function browserMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')!
  return (text, size, bold) => {
    context.font = fontOf(size, bold)
    return context.measureText(text).width
  }
}

/** A picture as a PNG of twice its size, sharp on slides. */
export function pngOf({ width, height, ground, shapes }: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  const context = canvas.getContext('2d')!
  context.scale(2, 2)
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  for (const shape of shapes) {
    context.fillStyle = shape.fill
    if (shape.kind === 'rect') context.fillRect(shape.x, shape.y, shape.width, shape.height)
    else {
      context.font = fontOf(shape.size, shape.bold)
      context.textAlign = shape.align ?? 'left'
      context.fillText(shape.text, shape.x, shape.y)
    }
  }
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('This browser can’t draw the picture.'))), 'image/png'),
  )
}

/** Resolves a CSS colour, tokens and mixtures included, to one that any program reads: "rgb(52, 88, 214)". */
export function plainColour(css: string): string {
  const probe = document.createElement('span')
  probe.style.color = css
  document.body.append(probe)
  const computed = getComputedStyle(probe).color
  probe.remove()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.fillStyle = computed
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}

/** Hands a file to the browser. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A file name of a question: "Q7 How often do you snack.png". */
export const fileName = (words: string, ending: string): string =>
  `${words
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim()
    .slice(0, 60)
    .trim()}.${ending}`
