/** A value of one CSV cell. */
export type Cell = string | number | boolean | null | undefined

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BOM = '\uFEFF'

/**
 * Finds where a spreadsheet could start a formula: a formula sign, also full-width, after signs that get trimmed.
 * It looks behind `;`, tabs and `|` too, because many spreadsheets split a CSV there.
 * A negative number is no formula.
 */
const FORMULA =
  /(?<=^|[;|\t\r\n\v\f\u0085\u2028\u2029])(?!(?<=\r)\n)(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])(?!-\d+(?:\.\d+)?(?:$|[;|\t\r\n]))/gu
const NUMBER = /^-\d+(\.\d+)?$/
/** A quick first test: few cells contain one of these signs. */
const SIGN = /[=+\-@＝＋－＠]/

/** Prefixes an apostrophe to text that a spreadsheet could read as a formula, however it splits the file. */
function defused(text: string): string {
  const safe = SIGN.test(text) && !NUMBER.test(text) ? text.replace(FORMULA, "'") : text
  // Text that only starts like a number may still be evaluated, and control characters may be dropped.
  return /^[-\t\r\n]/.test(safe) && !NUMBER.test(safe) ? `'${safe}` : safe
}

/**
 * One line of a CSV (RFC 4180) with its line end.
 * Text that a spreadsheet could read as a formula gets an apostrophe; numbers stay numbers.
 */
export function csvLine(cells: readonly Cell[]): string {
  let line = cells.length ? cellText(cells[0]) : ''
  for (let at = 1; at < cells.length; at++) line += `,${cellText(cells[at])}`
  return `${line}\r\n`
}

/** Text without any of these characters needs no quotes, which is true of nearly all. */
const PLAIN = /^[^=+\-@＝＋－＠",\r\n\t]*$/

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string' && PLAIN.test(cell)) return cell
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const safe = defused(cell)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A file name from a title: letters, digits, dash and dot. */
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
