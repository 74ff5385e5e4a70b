import type { Split } from '../../../commands/responsesController.ts'
import type { Sheet } from '../../shared/copySheet.ts'
import { shareOf } from './answerShares.ts'
import { partsIn } from './bars.ts'
import type { CrosstabData } from './Crosstab.tsx'
import type { Chart } from './chart.ts'
import { binLabel } from './NumberChart.tsx'

const tenth = (value: number) => Math.round(value * 10) / 10

/** Converts a chart to a table; shares are numbers in percent, so that a spreadsheet can compute with them. */
export function sheetOf(title: string, chart: Chart, answers: Chart['rows'], split: Split): Sheet {
  const { figures, answered } = chart
  if (figures)
    return {
      title,
      head: ['Range', 'Share (%)', 'Count'],
      rows: [
        ...figures.bins.map((bin) => [binLabel(bin), tenth(shareOf(bin.count, answered)), bin.count]),
        ['Mean', '', figures.mean],
        ['Median', '', figures.median],
      ],
    }
  const parts = partsIn(answers, split)
  return {
    title,
    head: ['Answer', 'Share (%)', 'Count', ...parts.map(({ label }) => label)],
    rows: [
      ...answers.map((answer) => [
        answer.label,
        tenth(shareOf(answer.value, answered)),
        answer.value,
        ...parts.map(({ key }) => (split === 'none' ? 0 : (answer[split][key] ?? 0))),
      ]),
      ['Base', '', answered, ...parts.map(({ key }) => (split === 'none' ? 0 : (chart[split][key] ?? 0)))],
    ],
  }
}

/** Converts a crosstab to a table: column shares in percent, or counts, with the bases. */
export const sheetOfCrosstab = (title: string, table: CrosstabData, unit: 'share' | 'count'): Sheet => {
  const cell = (value: number, base: number) => (unit === 'share' ? tenth(shareOf(value, base)) : value)
  return {
    title: `${title} by ${table.by_label}${unit === 'share' ? ' (% of columns)' : ''}`,
    head: ['Answer', 'Total', ...table.columns.map(({ label }) => label)],
    rows: [
      ...table.rows.map((row) => [
        row.label,
        cell(row.count, table.base),
        ...row.cells.map(({ count }, at) => cell(count, table.columns[at]!.base)),
      ]),
      ['Base', table.base, ...table.columns.map(({ base }) => base)],
    ],
  }
}
