/** Marks that set a direction for what stands after them; letters of right-to-left scripts need none of them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g
/** Longer than any word or address that somebody reads. */
const ENDLESS = /\S{160,}/g

/** A sentence of ours with words of somebody's in it: nothing of them turns round what stands after them, and none goes on without end. */
export const unturned = (sentence: string): string =>
  sentence.replace(TURNS, '').replace(ENDLESS, (word) => `${word.slice(0, 120).toWellFormed()}…`)
