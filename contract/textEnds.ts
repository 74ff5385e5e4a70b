/* Ends of texts in linear time: a pattern such as /[ ,]+$/ tries again at each sign of a run elsewhere. */

/** A text without the last signs for which `isDropped` is true. */
export function withoutEnd(text: string, isDropped: (sign: string) => boolean): string {
  let end = text.length
  while (end > 0 && isDropped(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** A text without the first and last signs for which `isDropped` is true. */
export function withoutEnds(text: string, isDropped: (sign: string) => boolean): string {
  let start = 0
  while (start < text.length && isDropped(text[start]!)) start++
  return withoutEnd(text.slice(start), isDropped)
}

/** A sentence with one full stop at its end; it may have its own. */
export const withStop = (sentence: string): string => ('.!?…'.includes(sentence.at(-1) ?? '.') ? sentence : `${sentence}.`)
/** Several sentences as one text, whose last one ends as it is. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.map((sentence, at) => (at < sentences.length - 1 ? withStop(sentence) : sentence)).join(' ')

/** The parts of a text that ends in angle brackets, `Ana <ana@acme.test>`; null for any other. */
export function angled(text: string): { before: string; within: string } | null {
  const open = text.lastIndexOf('<')
  if (open < 0 || !text.endsWith('>') || text.indexOf('>', open) !== text.length - 1) return null
  return { before: text.slice(0, open), within: text.slice(open + 1, -1) }
}
