/** True for a whole number beyond 2^53, of which JSON.parse has already lost digits: two ids would become one. */
export const losesDigits = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)

/** A record's id: a positive whole number, or its digits alone; null for all else that JavaScript makes a number of. */
export function readId(input: unknown): number | null {
  const id = typeof input === 'string' && /^\d{1,16}$/.test(input) ? Number(input) : input
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Why anything else is refused. */
export const NOT_AN_ID = 'must be a number, such as 114'

/** Why a number that loses digits is refused. */
export const SEND_AS_TEXT = 'is too long for a number: send ids as text'
