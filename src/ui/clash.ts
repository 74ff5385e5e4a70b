/** Somebody else has changed the same cell meanwhile: what it holds now, and how mine is saved over it all the same. */
export class Clash extends Error {
  readonly theirs: string
  readonly keepMine: (value: string) => Promise<void> | void
  constructor(theirs: string, keepMine: (value: string) => Promise<void> | void) {
    super('Somebody else changed this meanwhile.')
    this.theirs = theirs
    this.keepMine = keepMine
  }
}
