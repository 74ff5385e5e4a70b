/** A value of one CSV cell. */
export type Cell = string | number | boolean | null | undefined

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BOM = '\uFEFF'

/** Many spreadsheets split a CSV at `;`, tabs and `|` too. */
const SPLIT = /[;|\t\r\n\v\f\u0085\u2028\u2029]/
/** Signs that a spreadsheet trims from the start of a cell. */
const TRIMMED = /[\s\p{Cf}"]/u
/** How a cell that nothing splits starts a formula, which is true of few and quick to see. */
const LEADS = /^[\s\p{Cf}"]*[=+\-@＝＋－＠]/u
const NEGATIVE = /-\d+(?:\.\d+)?(?:$|[;|\t\r\n])/y
const NUMBER = /^-\d+(\.\d+)?$/
/** A quick first test: few cells contain one of these signs. */
const SIGN = /[=+\-@＝＋－＠]/

/**
 * Where a spreadsheet could start a formula, last one first: a formula sign after signs that get trimmed.
 * A negative number is no formula. Reads backwards, so that each sign is looked at once.
 */
function formulaStarts(text: string): number[] {
  if (!SPLIT.test(text)) return LEADS.test(text) ? [0] : []
  const signs = [...text]
  const starts: number[] = []
  let leads = false
  for (let nth = signs.length - 1, at = text.length; nth >= 0; nth--) {
    const sign = signs[nth]!
    const before = signs[nth - 1]
    at -= sign.length
    if (!TRIMMED.test(sign)) leads = SIGN.test(sign)
    NEGATIVE.lastIndex = at
    const begins = before === undefined || (SPLIT.test(before) && !(before === '\r' && sign === '\n'))
    if (begins && leads && !NEGATIVE.test(text)) starts.push(at)
  }
  return starts
}

/** Prefixes an apostrophe to text that a spreadsheet could read as a formula, however it splits the file. */
function defused(text: string): string {
  let safe = text
  if (SIGN.test(text) && !NUMBER.test(text)) {
    let rest = text
    safe = ''
    for (const at of formulaStarts(text)) {
      safe = `'${rest.slice(at)}${safe}`
      rest = rest.slice(0, at)
    }
    safe = rest + safe
  }
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
