/** A part of a picture, in px from its top left corner; colours are CSS colours. */
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
  | { kind: 'line'; points: readonly (readonly [x: number, y: number])[]; stroke: string; width: number; dash?: true }
export interface Picture {
  width: number
  height: number
  ground: string
  shapes: readonly Shape[]
}

export interface Colours {
  ground: string
  ink: string
  muted: string
  line: string
  edge: string
}

/** Returns a text's width in px at a font size. */
export type Measure = (text: string, size: number, bold?: boolean) => number

/** Wraps text to a width; a word that is too long gets its own line. */
export function wrap(text: string, width: number, size: number, measure: Measure, bold = false): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && measure(`${last} ${word}`, size, bold) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const FONT = "'Inter Variable', Inter, system-ui, sans-serif"
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)
const ANCHOR = { left: 'start', center: 'middle', right: 'end' } as const
const round = (value: number) => Math.round(value * 100) / 100

/** Renders a picture as SVG. */
export function svgOf({ width, height, ground, shapes }: Picture, title: string): string {
  const parts = shapes.map((shape) =>
    shape.kind === 'line'
      ? `<polyline points="${shape.points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" fill="none" stroke="${shape.stroke}" stroke-width="${shape.width}" stroke-linejoin="round"${shape.dash ? ' stroke-dasharray="4 4"' : ''}/>`
      : shape.kind === 'rect'
        ? `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" fill="${shape.fill}"/>`
        : `<text x="${round(shape.x)}" y="${round(shape.y)}" font-size="${shape.size}" fill="${shape.fill}"${shape.bold ? ' font-weight="600"' : ''}${shape.align && shape.align !== 'left' ? ` text-anchor="${ANCHOR[shape.align]}"` : ''}>${escaped(shape.text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(FONT)}" role="img"><title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="${ground}"/>${parts.join('')}</svg>\n`
}

const fontOf = (size: number, bold?: boolean) => `${bold ? 600 : 400} ${size}px ${FONT}`

/** Measures text as the browser renders it. */
export function browserMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')!
  return (text, size, bold) => {
    context.font = fontOf(size, bold)
    return context.measureText(text).width
  }
}

/** Renders a picture as a PNG at twice its size, sharp on slides. */
export function pngOf({ width, height, ground, shapes }: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  const context = canvas.getContext('2d')!
  context.scale(2, 2)
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  for (const shape of shapes) {
    if (shape.kind === 'line') {
      context.strokeStyle = shape.stroke
      context.lineWidth = shape.width
      context.lineJoin = 'round'
      context.setLineDash(shape.dash ? [4, 4] : [])
      context.beginPath()
      for (const [x, y] of shape.points) context.lineTo(x, y)
      context.stroke()
      continue
    }
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

/** Resolves a CSS colour, including tokens and color-mix, to one that any program reads: "rgb(52, 88, 214)". */
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

/** Downloads a file. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Returns a question's file name: "Q7 How often do you snack.png". */
export const fileName = (words: string, ending: string): string =>
  `${words
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim()
    .slice(0, 60)
    .trim()}.${ending}`

/** Returns the theme's colours, resolved. */
export const themeColours = (): Colours => ({
  ground: plainColour('var(--surface)'),
  ink: plainColour('var(--ink)'),
  muted: plainColour('var(--muted)'),
  line: plainColour('var(--line)'),
  edge: plainColour('var(--edge)'),
})
