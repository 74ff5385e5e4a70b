import type { Split } from '../../../commands/responsesController.ts'
import { partsIn } from './bars.ts'
import type { CrosstabData } from './Crosstab.tsx'
import type { Chart } from './chart.ts'
import { binLabel } from './NumberChart.tsx'
import { shareOf } from './shares.ts'

/** A table for a sheet: a title line, a head, and rows of texts and numbers. */
export interface Sheet {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** A chart's figures as a table: shares in per cent as numbers, so that a sheet can go on with them. */
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

/** A crosstab as a table: shares of each column in per cent, or counts, and the bases. */
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

/** What a program would read as a formula begins with a quote; tabs and line breaks would end the cell. */
const cellText = (value: string | number): string =>
  typeof value === 'number' ? String(value) : value.replace(/[\t\r\n]+/g, ' ').replace(/^(?=[=+\-@])/, "'")

/** The table as tab-separated text. */
export const textOf = ({ title, head, rows }: Sheet): string =>
  [[title], head, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** The table as HTML, which sheets and documents paste with its columns. */
export const htmlOf = ({ title, head, rows }: Sheet): string =>
  `<table><caption>${escaped(title)}</caption><tr>${head.map((name) => `<th>${escaped(name)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cellText(cell))}</td>`).join('')}</tr>`)
    .join('')}</table>`

/** Puts the table on the clipboard, as text and as a table. */
export async function copySheet(sheet: Sheet): Promise<void> {
  const blob = (text: string, type: string) => new Blob([text], { type })
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(textOf(sheet))
  await navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': blob(textOf(sheet), 'text/plain'), 'text/html': blob(htmlOf(sheet), 'text/html') }),
  ])
}
