/** What one cell of a CSV can hold. */
export type Cell = string | number | boolean | null | undefined

/** Excel takes a file for UTF-8 only when it begins with this. */
export const BOM = '\uFEFF'

/**
 * What a spreadsheet may take for a formula: its signs, also full-width as Asian keyboards type them, behind whatever is trimmed or not seen
 * (blanks, direction marks, joiners).
 */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** A text that is nothing but a negative number is one, and no formula. */
const NEGATIVE = /^-\d+(\.\d+)?$/

/**
 * One line of a CSV (RFC 4180) with its end. A text that a spreadsheet would take for a formula gets a leading apostrophe;
 * a number stays a number, also a negative one.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const safe = FORMULA.test(cell) && !NEGATIVE.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A name that is fit for a file: letters, digits, dash and dot. */
export function fileName(title: string, extension: string, today: string): string {
  const plain =
    title
      .normalize('NFKD')
      .replace(/[^\w .-]+/g, '')
      .trim()
      .replace(/\s+/g, '-')
      .slice(0, 80) || 'export'
  return `${plain}-${today}.${extension}`
}
