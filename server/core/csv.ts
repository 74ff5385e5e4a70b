/** What one cell of a CSV can hold. */
export type Cell = string | number | boolean | null | undefined

/** Excel takes a file for UTF-8 only when it begins with this. */
export const BOM = '\uFEFF'

/**
 * Where a spreadsheet may take what follows for a formula: before one of its signs, also full-width as Asian keyboards type them, with whatever is trimmed or not
 * seen in between (blanks, direction marks, joiners, an opening quote). Not only at the start of a cell: half of the world's spreadsheets split a CSV at `;`,
 * others at a tab or `|`, and then a cell begins behind each of them. A negative number is one, and no formula.
 */
const FORMULA =
  /(?<=^|[;|\t\r\n\v\f\u0085\u2028\u2029])(?!(?<=\r)\n)(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])(?!-\d+(?:\.\d+)?(?:$|[;|\t\r\n]))/gu
const NUMBER = /^-\d+(\.\d+)?$/
/** Few cells have one of the signs at all. */
const SIGN = /[=+\-@＝＋－＠]/

/** Prefixes an apostrophe to text that a spreadsheet could read as a formula, however it splits the file. */
function defused(text: string): string {
  const safe = SIGN.test(text) && !NUMBER.test(text) ? text.replace(FORMULA, "'") : text
  // What begins like a number and goes on otherwise may still be reckoned with; a control character may be left out.
  return /^[-\t\r\n]/.test(safe) && !NUMBER.test(safe) ? `'${safe}` : safe
}

/**
 * One line of a CSV (RFC 4180) with its end. Whatever a spreadsheet would take for a formula gets an apostrophe before it;
 * a number stays a number, also a negative one.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const safe = defused(cell)
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
