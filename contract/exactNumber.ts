/** True for a whole number beyond 2^53, of which JSON.parse has already lost digits: two ids would become one. */
export const losesDigits = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)

/** Why such a number is refused. */
export const SEND_AS_TEXT = 'is too long for a number: send ids as text'
