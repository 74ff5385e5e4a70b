/** The edit distance between two words, for "did you mean". */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}

/** A suggestion for a mistyped word, as the end of a sentence; empty if no known word is close. */
export function meant(word: string, known: readonly string[], before = ''): string {
  const [near] = known
    .map((one) => ({ one, far: one.startsWith(word) ? 0 : distance(word, one) }))
    .filter(({ far, one }) => far <= Math.max(1, Math.floor(one.length / 3)))
    .toSorted((a, b) => a.far - b.far)
  return near ? ` Did you mean ${before}${near.one}?` : ''
}
