/** Runs rules across fields even if a field is wrong, so that a form shows all errors at once, but never on a null. */
export const whenObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null

/** True if a start isn't behind its end, or either is missing or no text: a rule's fields may be of any shape. */
export const inOrder = (start: unknown, end: unknown): boolean =>
  typeof start !== 'string' || typeof end !== 'string' || !start || !end || start <= end
