/** Marks that set a direction for what stands after them; letters of right-to-left scripts need none of them. */
const TURNS = /[\u202a-\u202e\u2066\u2067]/g
/** Longer than any word or address that somebody reads. */
const ENDLESS = /\S{160,}/g

/** A name that is kept apart (`apart` in commands/words.ts), or an isolation that somebody began and did not end, or ended without a beginning. */
const APART = /\u2068[^\u2068\u2069]*\u2069|[\u2068\u2069]/g

/** A sentence of ours with words of somebody's in it: nothing of them turns round what stands after them, and none goes on without end. */
export const stripBidi = (sentence: string): string =>
  sentence
    .replace(TURNS, '')
    .replace(APART, (part) => (part.length > 1 ? part : ''))
    .replace(ENDLESS, (word) => `${word.slice(0, 120).toWellFormed()}…`)
