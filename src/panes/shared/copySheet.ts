/** A table for a sheet: a title line, a head, and rows of texts and numbers. */
export interface Sheet {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** What a program would read as a formula begins with a quote; tabs and line breaks would end the cell. */
const cellText = (value: string | number): string =>
  typeof value === 'number' ? String(value) : value.replace(/[\t\r\n]+/g, ' ').replace(/^(?=[=+\-@])/, "'")

/** The table as tab-separated text. */
const textOf = ({ title, head, rows }: Sheet): string =>
  [[title], head, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** The table as HTML, which sheets and documents paste with its columns. */
const htmlOf = ({ title, head, rows }: Sheet): string =>
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
