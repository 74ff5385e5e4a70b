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

/** A letter of a right-to-left script. */
const LEFTWARD = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Isolates a right-to-left name in a sentence, so that it doesn't reorder the text around it. */
export const isolateBidi = (name: string): string => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name)
