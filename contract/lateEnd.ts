/* Warnings about end dates after the parent's. The dates are still saved (decisions.md 9). */

/** Returns the warning; `parentEnd` is written MM/DD/YYYY. */
export const endsAfterParent = (parentEnd: string): string => `This ends after its parent (${parentEnd}).`
export const childEndsLater = (child: string, childEnd: string): string => `The child “${child}” ends later (${childEnd}).`
