import { nearest } from '../contract/nearest.ts'

/** A suggestion for a mistyped word, as the end of a sentence; empty if no known word is close. */
export function meant(word: string, known: readonly string[], before = ''): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` Did you mean ${before}${near}?`
}
