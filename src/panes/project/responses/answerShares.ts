import { decimal } from '../../../../contract/decimals.ts'
import { count, showRounded } from '../../../../contract/format.ts'

const GAP = '\u00a0'

/** Answers with counts, and the number of respondents. */
interface Counted {
  answered: number
  rows: readonly { label: string; value: number }[]
}

/** Returns a share in percent, unrounded; 0 for an empty base. */
export const shareOf = (value: number, base: number): number => (base > 0 ? (value / base) * 100 : 0)

/** An answer with its share in percent, which adds up to 100 with the others'. */
interface Shared {
  count: number
  percent: number
}

/** Formats a share with one decimal; never "0.0 %" for a nonzero part, nor "100.0 %" for less than all. */
export const shareText = ({ count, percent }: Shared, base: number): string => showRounded(percent, count, base, 1)

/** Formats a share for screen readers: "less than 0.1 percent". */
export const shareSaid = (shared: Shared, base: number): string =>
  shareText(shared, base)
    .replaceAll(GAP, ' ')
    .replace('<', 'less than')
    .replace('>', 'more than')
    .replace('–', 'no share')
    .replace(' %', ' percent')

/** Returns the difference of two shares in points, to one decimal; null without a base on either side. */
export function pointsBetween(mine: readonly [value: number, base: number], first: readonly [value: number, base: number]) {
  if (mine[1] <= 0 || first[1] <= 0) return null
  return Math.round((shareOf(...mine) - shareOf(...first)) * 10) / 10 || 0
}

/** Returns each answer's difference from the first column, in points; null if that lacks the answer or has no base. */
export function pointsAgainst(chart: Counted, first: Counted): Map<string, number | null> {
  const values = new Map(first.rows.map(({ label, value }) => [label, value]))
  return new Map(
    chart.rows.map(({ label, value }) => {
      const other = values.get(label)
      return [label, other === undefined ? null : pointsBetween([value, chart.answered], [other, first.answered])]
    }),
  )
}

/** Formats "n = 1,198, 10 skipped". */
export const baseText = (base: number, skipped: number): string =>
  `n${GAP}=${GAP}${count(base)}${skipped > 0 ? `, ${count(skipped)} skipped` : ''}`

/** Formats a mean or median with at most two decimals. */
export const figureText = (value: number): string => decimal(value, 2)

/** Formats the difference of two means or medians as shown ("+1.5", "−0.25", "±0") and as spoken. */
export function differenceText(mine: number, first: number, name: string): { shown: string; spoken: string } {
  const by = Math.round((mine - first) * 100) / 100
  const size = figureText(Math.abs(by))
  if (by === 0) return { shown: '±0', spoken: `as in ${name}` }
  return { shown: `${by > 0 ? '+' : '−'}${size}`, spoken: `${size} ${by > 0 ? 'more' : 'less'} than ${name}` }
}
