/* Warnings about end dates that are saved anyway: a child must not outlive its parent (decisions.md 9). */

/** Takes dates as MM/DD/YYYY. */
export const endsAfterParent = (parentEnd: string): string => `This ends after its parent (${parentEnd}).`
export const childEndsLater = (child: string, childEnd: string): string => `The child “${child}” ends later (${childEnd}).`
