/** A line of a plot, with a value or null for each day. */
export interface PlotLine {
  values: readonly (number | null)[]
  colour: 'accent' | 'green' | 'muted'
  width: number
  dashed?: boolean
  /** The opacity of the area below it. */
  area?: number
  /** Its label at the end, instead of a legend. */
  end: string
  /** Draws the incomplete day dashed. */
  counts?: boolean
}

/** The content of a plot: lines over days, and the goal. */
export interface Drawing {
  /** Whole numbers in rising order. */
  places: readonly number[]
  lines: readonly PlotLine[]
  /** The ends of the day scale. */
  span: readonly [number, number]
  top: number
  /** The day whose figures are incomplete: today. */
  unfinished: number | null
  /** A horizontal line with its label. */
  goal: { value: number; label: string } | null
  showPlace: (place: number) => string
}

/** Splits a line into its complete days and the incomplete one, which starts at the day before to connect. */
export function partsOf(
  line: PlotLine,
  { places, unfinished }: Pick<Drawing, 'places' | 'unfinished'>,
): { line: PlotLine; values: (number | null)[]; open: boolean }[] {
  const from = line.counts && unfinished !== null ? places.indexOf(unfinished) : -1
  if (from < 0) return [{ line, values: [...line.values], open: false }]
  return [
    { line, values: line.values.map((value, at) => (at >= from ? null : value)), open: false },
    { line, values: line.values.map((value, at) => (at === from || at === from - 1 ? value : null)), open: true },
  ]
}

/** A label at the end of a line, with the heights of the lines that pass there. Heights grow downwards. */
interface EndLabel {
  x: number
  y: number
  passing: readonly number[]
}

/** Moves labels off passing lines and each other, those within `near` of one another, and none below `floor`. */
export function apart<L extends EndLabel>(
  ends: readonly L[],
  { gap, near, floor }: { gap: number; near: number; floor: number },
): L[] {
  const labels = ends.map((label) => ({ ...label })).sort((a, b) => a.y - b.y)
  for (const label of labels)
    for (const line of label.passing) {
      const distance = label.y - line
      if (Math.abs(distance) < gap) label.y += (distance < 0 ? -1 : 1) * (gap - Math.abs(distance))
    }
  for (let i = 1; i < labels.length; i++) {
    const [above, below] = [labels[i - 1]!, labels[i]!]
    if (Math.abs(above.x - below.x) < near) below.y = Math.max(below.y, above.y + gap)
  }
  for (let i = labels.length - 1; i >= 0; i--) {
    const next = labels[i + 1]
    const limit = next && Math.abs(next.x - labels[i]!.x) < near ? next.y - gap : floor
    labels[i]!.y = Math.min(labels[i]!.y, limit)
  }
  return labels
}
