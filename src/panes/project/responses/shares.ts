import { decimal } from '../../../../contract/decimals.ts'
import { count, showShare } from '../../../../contract/format.ts'

const GAP = '\u00a0'

/** Answers with their counts, and how many answered. */
interface Counted {
  answered: number
  rows: readonly { label: string; value: number }[]
}

/** A share in percent, not rounded; 0 of an empty base. */
export const shareOf = (value: number, base: number): number => (base > 0 ? (value / base) * 100 : 0)

/** A share with one decimal; what is there is never "0.0 %", and what is missing never "100.0 %". */
export const shareText = (value: number, base: number): string => showShare(value, base, 1)

/** The same for a screen reader: "less than 0.1 percent". */
export const shareSaid = (value: number, base: number): string =>
  shareText(value, base)
    .replaceAll(GAP, ' ')
    .replace('<', 'less than')
    .replace('>', 'more than')
    .replace('–', 'no share')
    .replace(' %', ' percent')

/** The difference of two shares in points, to one decimal; null without a base on either side. */
export function pointsBetween(mine: readonly [value: number, base: number], first: readonly [value: number, base: number]) {
  if (mine[1] <= 0 || first[1] <= 0) return null
  return Math.round((shareOf(...mine) - shareOf(...first)) * 10) / 10 || 0
}

/** How far each answer's share is from the first column's, in points; null where that lacks the answer or anybody. */
export function pointsAgainst(chart: Counted, first: Counted): Map<string, number | null> {
  const values = new Map(first.rows.map(({ label, value }) => [label, value]))
  return new Map(
    chart.rows.map(({ label, value }) => {
      const other = values.get(label)
      return [label, other === undefined ? null : pointsBetween([value, chart.answered], [other, first.answered])]
    }),
  )
}

/** "n = 1,198, 10 skipped". */
export const baseText = (base: number, skipped: number): string =>
  `n${GAP}=${GAP}${count(base)}${skipped > 0 ? `, ${count(skipped)} skipped` : ''}`

/** A mean or median: at most two decimals. */
export const figureText = (value: number): string => decimal(value, 2)

/** The difference of two means or medians as it is shown: "+1.5", "−0.25", "±0"; and as it is said. */
export function differenceText(mine: number, first: number, name: string): { shown: string; said: string } {
  const by = Math.round((mine - first) * 100) / 100
  const size = figureText(Math.abs(by))
  if (by === 0) return { shown: '±0', said: `as in ${name}` }
  return { shown: `${by > 0 ? '+' : '−'}${size}`, said: `${size} ${by > 0 ? 'more' : 'less'} than ${name}` }
}
