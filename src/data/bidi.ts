/** Characters that set the direction of the text after them; right-to-left letters need none. */
const TURNS = /[\u202a-\u202e\u2066\u2067]/g
/** Longer than any word or address that people read. */
const ENDLESS = 160

/** An isolated name (`isolateBidi` in commands/words.ts), or an unpaired mark. */
const APART = /\u2068[^\u2068\u2069]*\u2069|[\u2068\u2069]/g

/** Removes direction marks of user text from our sentences, so that it can't reverse the text after it. */
export const stripBidi = (sentence: string): string =>
  sentence
    .replace(TURNS, '')
    .replace(APART, (part) => (part.length > 1 ? part : ''))
    .replace(/\S+/g, (word) => (word.length < ENDLESS ? word : `${word.slice(0, 120).toWellFormed()}…`))
