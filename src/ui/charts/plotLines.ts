/** A line of a plot: a value or none for each of its places. */
export interface PlotLine {
  values: readonly (number | null)[]
  colour: 'accent' | 'green' | 'muted'
  width: number
  dashed?: boolean
  /** How opaque the area below it is. */
  area?: number
  /** What it is called at its end, instead of a legend. */
  end: string
  /** It is drawn dashed where `unfinished` begins. */
  counts?: boolean
}

/** What a plot shows: lines over days, and the goal. */
export interface Drawing {
  /** Whole numbers in rising order. */
  places: readonly number[]
  lines: readonly PlotLine[]
  /** The first and last place of the scale. */
  span: readonly [number, number]
  top: number
  /** The place whose figures are not whole yet: today. */
  unfinished: number | null
  /** A line across at a value, with its label. */
  goal: { value: number; label: string } | null
  showPlace: (place: number) => string
}

/** A line's whole days, and its unfinished one with the day before, so that it joins on. */
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
