/** When rules over several fields run: beside other errors, so that a form shows all at once, but never on a null. */
export const whenObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null
