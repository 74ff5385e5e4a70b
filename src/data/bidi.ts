/** Characters that set the direction of the text after them; right-to-left letters need none. */
const TURNS = /[\u202a-\u202e\u2066\u2067]/g
/** Longer than any word or address that somebody reads. */
const ENDLESS = /\S{160,}/g

/** An isolated name (`isolateBidi` in commands/words.ts), or a lone opening or closing mark. */
const APART = /\u2068[^\u2068\u2069]*\u2069|[\u2068\u2069]/g

/** Isolates user text in our sentences: it can't reverse what follows, and an open direction ends with it. */
export const stripBidi = (sentence: string): string =>
  sentence
    .replace(TURNS, '')
    .replace(APART, (part) => (part.length > 1 ? part : ''))
    .replace(ENDLESS, (word) => `${word.slice(0, 120).toWellFormed()}…`)
