/** Runs rules across fields even if a field is wrong, so that a form shows all errors at once, but never on a null. */
export const whenObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null
