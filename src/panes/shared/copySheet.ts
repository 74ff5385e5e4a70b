import type { CopiedRows } from '../../commands/copying.ts'

/** A table for the clipboard: title, header, and rows of text and numbers. */
export interface Sheet {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** A quote keeps spreadsheets from reading text as a formula; tabs and line breaks would end the cell. */
const cellText = (value: string | number): string =>
  typeof value === 'number' ? String(value) : value.replace(/[\t\r\n]+/g, ' ').replace(/^(?=[=+\-@])/, "'")

/** Formats the table as tab-separated text. */
const textOf = ({ title, head, rows }: Sheet): string =>
  [[title], head, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** Formats the table as HTML, which spreadsheets and documents paste with its columns. */
const htmlOf = ({ title, head, rows }: Sheet): string =>
  `<table><caption>${escaped(title)}</caption><tr>${head.map((name) => `<th>${escaped(name)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cellText(cell))}</td>`).join('')}</tr>`)
    .join('')}</table>`

/** Copies the table as plain text and as HTML; the result has its text if the browser refused. */
export async function copySheet(sheet: Sheet): Promise<CopiedRows> {
  const text = textOf(sheet)
  const blob = (of: string, type: string) => new Blob([of], { type })
  const rows = sheet.rows.length
  try {
    if (typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(text)
    else
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(htmlOf(sheet), 'text/html') }),
      ])
    return { rows, blocked: null }
  } catch {
    return { rows, blocked: text }
  }
}
