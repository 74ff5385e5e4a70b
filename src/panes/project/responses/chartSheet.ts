import type { Split } from '../../../commands/responsesController.ts'
import type { Sheet } from '../../shared/copySheet.ts'
import { partsIn } from './bars.ts'
import type { CrosstabData } from './Crosstab.tsx'
import type { Chart } from './chart.ts'
import { binLabel } from './NumberChart.tsx'

/** Converts a chart to a table; shares are numbers in percent, so that a spreadsheet can compute with them. */
export function sheetOf(title: string, chart: Chart, answers: Chart['rows'], split: Split, generation: string): Sheet {
  const { figures, answered } = chart
  if (figures)
    return {
      title,
      head: ['Range', 'Share (%)', 'Count'],
      rows: [
        ...figures.bins.map((bin) => [binLabel(bin), bin.percent, bin.count]),
        ['Mean', '', figures.mean],
        ['Median', '', figures.median],
      ],
    }
  const parts = partsIn(answers, split, generation)
  return {
    title,
    head: ['Answer', 'Share (%)', 'Count', ...parts.map(({ label }) => label)],
    rows: [
      ...answers.map((answer) => [
        answer.label,
        answer.percent,
        answer.value,
        ...parts.map(({ key }) => (split === 'none' ? 0 : (answer[split][key] ?? 0))),
      ]),
      ['Base', '', answered, ...parts.map(({ key }) => (split === 'none' ? 0 : (chart[split][key] ?? 0)))],
    ],
  }
}

/** Converts a crosstab to a table: column shares in percent, or counts, with the bases. */
export const sheetOfCrosstab = (title: string, table: CrosstabData, unit: 'share' | 'count'): Sheet => {
  const cell = ({ count, percent }: { count: number; percent: number }) => (unit === 'share' ? percent : count)
  return {
    title: `${title} by ${table.by_label}${unit === 'share' ? ' (% of columns)' : ''}`,
    head: ['Answer', 'Total', ...table.columns.map(({ label }) => label)],
    rows: [
      ...table.rows.map((row) => [row.label, cell(row), ...row.cells.map(cell)]),
      ['Base', table.base, ...table.columns.map(({ base }) => base)],
    ],
  }
}
