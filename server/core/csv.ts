import { stringify } from 'csv-stringify/sync'

/** A value of one CSV cell. */
export type Cell = string | number | boolean | null | undefined

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BOM = '\uFEFF'

/** Many spreadsheets split a CSV at `;`, tabs and `|` too. */
const SPLIT = /[;|\t\r\n\v\f\u0085\u2028\u2029]/
/** Signs that a spreadsheet trims from the start of a cell. A typed apostrophe counts, so that it can be told from ours. */
const TRIMMED = /[\s\p{Cf}"']/u
/** How a cell that nothing splits starts a formula, which is true of few and quick to see. */
const LEADS = /^[\s\p{Cf}"']*[=+\-@＝＋－＠]/u
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
  if (NUMBER.test(text)) return text
  let safe = ''
  let rest = text
  let first = text.length
  for (const at of SIGN.test(text) ? formulaStarts(text) : []) {
    first = at
    safe = `'${rest.slice(at)}${safe}`
    rest = rest.slice(0, at)
  }
  safe = rest + safe
  // Text that only starts like a number may still be evaluated, and control characters may be dropped.
  return first > 0 && /^'*[-\t\r\n]/.test(text) ? `'${safe}` : safe
}

/** Text of a CSV as it was before `csvLines` protected it; any other text as it is. */
export function withoutApostrophes(text: string): string {
  if (!text.includes("'") || (text[0] !== "'" && !SIGN.test(text))) return text
  let plain = ''
  let from = text.length
  for (const at of formulaStarts(text)) {
    if (text[at] !== "'") continue
    plain = text.slice(at + 1, from) + plain
    from = at
  }
  plain = text.slice(0, from) + plain
  const before = plain[0] === "'" ? [plain, plain.slice(1)] : [plain]
  return before.find((one) => defused(one) === text) ?? text
}

const HOW = {
  record_delimiter: '\r\n',
  // Blanks at the ends of a cell belong to it only within quotes.
  quoted_match: /[\r\n]|^\s|\s$/,
  cast: {
    string: defused,
    number: (value: number) => (Number.isFinite(value) ? String(value) : ''),
    boolean: (value: boolean) => (value ? 'yes' : 'no'),
  },
}

/**
 * Lines of a CSV (RFC 4180) with their line ends.
 * Text that a spreadsheet could read as a formula gets an apostrophe; numbers stay numbers.
 */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  // Its types ask for a list that can be changed.
  stringify(rows as Cell[][], HOW)
export const csvLine = (cells: readonly Cell[]): string => csvLines([cells])

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
