/*
 * Ends that can be saved, but that somebody should hear of (decisions.md 9): a project that ends after its parent, a parent that ends before a child.
 */

/** Dates as MM/DD/YYYY. */
export const endsAfterParent = (parentEnd: string): string => `This ends after its parent (${parentEnd}).`
export const childEndsLater = (child: string, childEnd: string): string => `The child “${child}” ends later (${childEnd}).`
