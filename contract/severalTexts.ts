/** How a file has several answers to a question: in one cell, or in a column for each option. */
export const ANSWERS_IN = [
  { value: 'cell', label: 'In one cell' },
  { value: 'columns', label: 'A column for each option' },
] as const
export type AnswersIn = (typeof ANSWERS_IN)[number]['value']

/** What stands between several texts in one cell. */
export type Separator = ';' | '|' | '\n'

/** A text that would be taken for several, or lose a blank, in one cell. */
const isAmbiguous = (text: string, by: Separator): boolean =>
  text.includes(by) || text.includes('"') || text.includes('\n') || text !== text.trim() || text === ''

/** Joins texts in one cell so that they can be told apart: where needed they are quoted as in CSV. */
export const joinTexts = (texts: readonly string[], by: Separator): string =>
  texts
    .map((text) => (isAmbiguous(text, by) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(by === ';' ? '; ' : by === '|' ? ' | ' : '\n')

const skipBlanks = (text: string, from: number, by: Separator): number => {
  let at = from
  while (at < text.length && text[at] !== by && !text[at]!.trim()) at++
  return at
}

/** The end of a quoted text that begins at a quote, and where the next text begins; null if it is no quoted one. */
function quotedEnd(text: string, start: number, by: Separator): { end: number; next: number } | null {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0) return null
  const next = skipBlanks(text, end + 1, by)
  return next === text.length || text[next] === by ? { end, next } : null
}

/** Splits a cell into its texts, without the blanks around them; empty ones are left out unless quoted. */
export function splitTexts(cell: string, by: Separator): string[] {
  const texts: string[] = []
  for (let at = 0; at < cell.length; ) {
    const start = skipBlanks(cell, at, by)
    const quoted = cell[start] === '"' ? quotedEnd(cell, start, by) : null
    if (quoted) {
      texts.push(cell.slice(start + 1, quoted.end).replaceAll('""', '"'))
      at = quoted.next + 1
      continue
    }
    const found = cell.indexOf(by, start)
    const end = found < 0 ? cell.length : found
    const text = cell.slice(start, end).trim()
    if (text) texts.push(text)
    at = end + 1
  }
  return texts
}
